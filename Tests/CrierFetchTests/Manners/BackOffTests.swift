import CrierContent
import CrierHTTP
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch
@testable import CrierStore

@Suite struct BackOffTests {
    @Test(arguments: [429, 503, 301, 403], [("9000", 9000.0), ("-5", 0), ("0", 0), ("99999999999", 86_400)])
    func retryAfterIsObeyedUpToADay(_ status: Int, _ retryAfter: (String, Double)) async throws {
        let bench = try await MannersBench()
        await bench.origin.script("/a", [ScriptedAnswer(status: status, fields: ["Retry-After": retryAfter.0])])
        let start = bench.clock.now
        _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in }
        let state = try bench.state("a")
        let wait = try #require(state.nextFetch).timeIntervalSince(start)
        #expect(wait >= max(3600, retryAfter.1))
        #expect(wait <= 86_401)
        #expect(state.wishes.refusedUntil?.timeIntervalSince(start) == (retryAfter.1 > 0 ? retryAfter.1 : nil))
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    @Test func theFeedsOwnIntervalHoldsAfterAFailureToo() async throws {
        let bench = try await MannersBench(HostPace(gap: .zero))
        await bench.origin.script(
            "/a", [ScriptedAnswer(body: MannersBench.rss("<ttl>1440</ttl>")), ScriptedAnswer(status: 502)])
        for _ in 0..<2 { _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in } }
        let state = try bench.state("a")
        #expect(state.failures == 1 && state.nextFetchReason == "the feed's own interval")
        #expect(try #require(state.nextFetch).timeIntervalSince(bench.clock.now) >= 86_399)
        await bench.origin.stop()
    }

    /// How many visits still have them.
    @Test(arguments: [(412, 1), (400, 2), (502, 3)], [["ETag"], ["Last-Modified"], ["ETag", "Last-Modified"]])
    func whoDoesNotGetOnWithConditionsIsAskedWithout(_ answer: (Int, Int), validators: [String]) async throws {
        let (status, count) = answer
        let bench = try await MannersBench(HostPace(gap: .zero))
        var fields = HTTPFields()
        for name in validators { fields[name] = name == "ETag" ? "\"1\"" : "Tue, 14 Nov 2023 20:00:00 GMT" }
        await bench.origin.script(
            "/a",
            [
                ScriptedAnswer(fields: fields, body: MannersBench.rss("")), ScriptedAnswer(status: status),
            ])
        for _ in 0..<4 { _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in } }
        let conditional = await bench.origin.requests.map {
            $0.fields["If-None-Match"] != nil || $0.fields["If-Modified-Since"] != nil
        }
        #expect(conditional == [false] + (1...3).map { $0 <= count })
        #expect(try bench.store.itemCount(of: "a") == 1)
        guard count < 3 else { return await bench.origin.stop() }
        // Nor when it is read again.
        await bench.origin.script(
            "/a", [ScriptedAnswer(fields: ["ETag": "\"1\""], body: MannersBench.rss(""))])
        await bench.origin.forgetRequests()
        for _ in 0..<3 { _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in } }
        #expect(try bench.state("a").failures == 0)
        #expect(await bench.origin.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
        await bench.origin.stop()
    }

    private func visits(
        _ count: Int, _ answer: @escaping @Sendable (_ number: Int, _ isConditional: Bool) -> ScriptedAnswer
    ) async throws -> (areConditional: [Bool], state: SourceState) {
        let bench = try await MannersBench(HostPace(gap: .zero))
        let number = Atomic(0)
        await bench.origin.handle { request in
            let visit = number.add(1, ordering: .relaxed).newValue
            return answer(visit, request.fields["If-None-Match"] != nil)
        }
        for _ in 0..<count { _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in } }
        let areConditional = await bench.origin.requests.map { $0.fields["If-None-Match"] != nil }
        await bench.origin.stop()
        return (areConditional, try bench.state("a"))
    }

    /// It may as well be out of order: only who fails again and again behind a document that came without conditions has failed for them.
    @Test(arguments: [200, 403, 406, 500, 501]) func whoMayFailForConditionsIsAskedWithout(status: Int) async throws {
        let feed = ScriptedAnswer(fields: ["ETag": "\"1\""], body: MannersBench.rss(""))
        let (areConditional, state) = try await visits(11) { _, isConditional in
            isConditional ? ScriptedAnswer(status: status) : feed
        }
        #expect(areConditional == [false, true, true, false, true, false, true, false, false, false, false])
        #expect(state.failures == 0 && state.wishes.refusesConditions == true)
        #expect(state.nextFetchReason == "its interval of 1 h", "nor is it asked less often for that")
    }

    @Test func whoWasOutOfOrderIsAskedWithConditionsAgain() async throws {
        let feed = ScriptedAnswer(fields: ["ETag": "\"1\""], body: MannersBench.rss(""))
        let failing = [2, 3, 6]
        let (areConditional, state) = try await visits(8) { number, isConditional in
            if failing.contains(number) { return ScriptedAnswer(status: 500) }
            return isConditional ? ScriptedAnswer(status: 304) : feed
        }
        #expect(areConditional == [false, true, true, false, true, true, true, true])
        #expect(state.wishes.refusesConditions == nil && state.wishes.failsAtConditions == nil)
    }

    /// With the date of a template, say, whatever is in it. Events may be announced some weeks before.
    @Test(arguments: [
        ("Tue, 12 Sep 2023 20:00:00 GMT", nil, false), ("Sat, 16 Sep 2023 20:00:00 GMT", nil, true),
        ("Tue, 12 Sep 2023 20:00:00 GMT", "\"1\"", true), ("someday", nil, true),
    ])
    func anOriginThatDatesItsDocumentLongBeforeItsItemsIsAskedWithout(
        date: String, etag: String?, isAsked: Bool
    ) async throws {
        let bench = try await MannersBench(HostPace(gap: .zero))
        var fields: HTTPFields = ["Last-Modified": "\(date)"]
        if let etag { fields["ETag"] = etag }
        let items = ["Tue, 14 Nov 2023 20:00:00 GMT", "Mon, 01 Jan 2024 20:00:00 GMT"].map { date in
            "<item><guid>\(date)</guid><title>x</title><pubDate>\(date)</pubDate></item>"
        }
        await bench.origin.script("/a", [ScriptedAnswer(fields: fields, body: MannersBench.rss(items.joined()))])
        for _ in 0..<3 { _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in } }
        let dates = await bench.origin.requests.map { $0.fields["If-Modified-Since"] }
        #expect(dates == [nil, isAsked ? date : nil, isAsked ? date : nil])
        await bench.origin.stop()
    }

    @Test func retryAfterMayBeADate() async throws {
        let bench = try await MannersBench()
        await bench.origin.script(
            "/a", [ScriptedAnswer(status: 503, fields: ["Retry-After": "Wed, 15 Nov 2023 08:00:00 GMT"])])
        _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in }
        #expect(try bench.state("a").nextFetch == Date(timeIntervalSince1970: 1_700_035_200))
        #expect(try bench.state("a").nextFetchReason == "the origin's Retry-After")
        await bench.origin.stop()
    }

    @Test(arguments: [("5000", 5000.0), ("99999999999", 86_400)])
    func tooManyRequestsPausesTheHostAndItsOtherSourcesSayWhy(_ retryAfter: String, _ pause: Double) async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://h.example/a", status: 429, fields: ["Retry-After": "\(retryAfter)"])
        let sources = ["a", "b", "c"].map { bench.source($0, on: "h.example") }
        let start = bench.clock.now
        _ = try await bench.elsewhere.fetch(sources) { _ in }
        #expect(bench.transport.requests.map(\.url) == ["https://h.example/a"])
        #expect(try bench.state("b").nextFetch == start.addingTimeInterval(pause))
        #expect(try bench.state("c").nextFetchReason == "h.example, which asked for fewer requests")
        #expect(try bench.elsewhere.due(among: sources).due.isEmpty)
        await bench.origin.stop()
    }

    @Test func tooManyRequestsIsAboutTheNameAndThePortAlone() async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://h.example/a", status: 429, fields: ["Retry-After": "5000"])
        for url in ["https://h.example:8443/b", "https://www.h.example/d"] {
            bench.transport.script(url, body: MannersBench.rss(""))
        }
        let urls = [
            "https://h.example/a", "https://h.example:8443/b", "https://www.h.example/d", "https://H.example:443/e",
        ]
        let sources = urls.map { Source(name: String($0.suffix(1)), address: .url($0)) }
        _ = try await bench.elsewhere.fetch(Array(sources[..<1])) { _ in }
        _ = try await bench.elsewhere.fetch(Array(sources[1...])) { _ in }
        #expect(bench.transport.requests.map(\.url).sorted() == [urls[0], urls[1], urls[2]].sorted())
        #expect(try bench.state("e").nextFetchReason == "h.example, which asked for fewer requests")
        await bench.origin.stop()
    }

    @Test func theHostThatAnswersIsPausedAndNotTheOneThatLedThere() async throws {
        let bench = try await ProxiedBench()
        await bench.play("http://news.example/feed", bench.redirect(302, to: "http://cdn.example/feed"))
        await bench.play("http://cdn.example/feed", bench.feed("a"), ScriptedAnswer(status: 429))
        await bench.play("http://news.example/other", bench.feed("b"))
        let sources = ["news.example/feed", "news.example/other", "cdn.example/feed"].map {
            Source(name: $0.replacing("/", with: "-"), address: .url("http://\($0)"))
        }
        let run = { (sources: [Source]) in
            let gap = bench.clock.now.addingTimeInterval(2)
            bench.clock.advance(to: gap)
            return try await bench.scheduler.fetch(sources, until: bench.clock.now) { _ in }
        }
        _ = try await run([sources[0]])
        #expect(try await run([sources[0]]).first?.status == 429)
        #expect(try bench.base.store.hosts()["cdn.example"]?.pausedUntil == bench.clock.now.addingTimeInterval(600))
        // Neither directly nor by the redirect, which it took at its last visit.
        #expect(try await run([sources[0]]).first?.refusal?.reason == .host("cdn.example"))
        #expect(try await run([sources[2]]).first?.refusal?.reason == .host("cdn.example"))
        #expect(try await run([sources[1]]).first?.refusal == nil)
        await bench.origin.stop()
    }

    @Test func aDryRunWritesOnlyWhoWantsToBeLeftAlone() async throws {
        let bench = try await MannersBench()
        for (name, status) in [("a", 503), ("b", 429)] {
            bench.transport.script(
                "https://\(name).example/\(name)", status: status, fields: ["Retry-After": "5000"])
        }
        bench.transport.script("https://c.example/c", status: 500)
        let sources = ["a", "b", "c"].map { bench.source($0, on: "\($0).example") }
        let start = bench.clock.now
        _ = try await bench.elsewhere.fetch(sources, purpose: .dryRun) { _ in }
        let until = start.addingTimeInterval(5000)
        var expected = SourceState(name: "a")
        expected.wishes.refusedUntil = until
        expected.host = "a.example"
        expected.visited = sources[0].fingerprint
        expected.nextFetch = until
        expected.nextFetchReason = "the origin's Retry-After"
        #expect(try bench.state("a") == expected)
        #expect(try bench.store.hosts().mapValues(\.pausedUntil) == ["b.example": until])
        #expect(try bench.store.states()["c"] == nil)
        #expect(try bench.elsewhere.due(among: sources).due.map(\.name) == ["c"])
        let forced = try await bench.elsewhere.fetch(sources, isForced: true) { _ in }
        #expect(forced.filter { $0.refusal != nil }.map(\.source).sorted() == ["a", "b"])
        await bench.origin.stop()
    }

    @Test func whoWantsToBeLeftAloneIsVisitedNoEarlierForIt() async throws {
        let bench = try await MannersBench()
        var source = bench.source("a", on: "a.example")
        source.every = .seconds(86_400)
        bench.transport.script("https://a.example/a", body: MannersBench.rss(""))
        _ = try await bench.elsewhere.fetch([source]) { _ in }
        let next = try #require(try bench.state("a").nextFetch)
        bench.clock.leap(by: 3600)
        bench.transport.script("https://a.example/a", status: 503, fields: ["Retry-After": "5000"])
        _ = try await bench.elsewhere.fetch([source], purpose: .dryRun, isForced: true) { _ in }
        #expect(try bench.state("a").wishes.refusedUntil == bench.clock.now.addingTimeInterval(5000))
        #expect(try bench.state("a").nextFetch == next, "it is due in most of a day")
        await bench.origin.stop()
    }

    @Test func aDryRunGoesOnWhereTheStateCannotBeWritten() async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://a.example/a", status: 429, fields: ["Retry-After": "5000"])
        bench.transport.script("https://b.example/b", body: MannersBench.rss(""))
        try await bench.store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
        let sources = ["a", "b"].map { bench.source($0, on: "\($0).example") }
        let reports = try await bench.elsewhere.fetch(sources, purpose: .dryRun) { _ in }
        #expect(reports.map(\.result.rawValue).sorted() == ["failed", "newData"])
        await bench.origin.stop()
    }

    @Test func aDryRunEndsNoDoubling() async throws {
        let bench = try await MannersBench()
        let source = bench.source("a", on: "a.example")
        bench.transport.script("https://a.example/a", status: 429)
        _ = try await bench.elsewhere.fetch([source]) { _ in }
        bench.clock.leap(by: 7200)
        bench.transport.script("https://a.example/a", body: "no feed")
        _ = try await bench.elsewhere.fetch([source], purpose: .dryRun) { _ in }
        #expect(try bench.store.hosts()["a.example"]?.pauses == 1)
        await bench.origin.stop()
    }

    @Test func unavailableIsAboutTheSourceAlone() async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://h.example/a", status: 503, fields: ["Retry-After": "5000"])
        bench.transport.script("https://h.example/b", body: MannersBench.rss(""))
        _ = try await bench.elsewhere.fetch(["a", "b"].map { bench.source($0, on: "h.example") }) { _ in }
        #expect(bench.transport.requests.count == 2)
        await bench.origin.stop()
    }

    @Test(arguments: ["127.0.0.1", "192.168.1.9", "nas", "[fd00::1]"])
    func onPrivateHostsTooManyRequestsIsAboutTheSourceAlone(_ host: String) async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://\(host)/a", status: 429, fields: ["Retry-After": "5000"])
        bench.transport.script("https://\(host)/b", body: MannersBench.rss(""))
        _ = try await bench.elsewhere.fetch(["a", "b"].map { bench.source($0, on: host) }) { _ in }
        #expect(bench.transport.requests.count == 2)
        await bench.origin.stop()
    }

    @Test func aHostPauseWithoutLengthDoublesFromTenMinutesToFourHours() {
        let minutes = (1...7).map { NextFetch.hostPause(number: $0, retryAfter: nil, random: 1) / 60 }
        #expect(minutes == [10, 20, 40, 80, 160, 240, 240])
    }

    @Test func tooManyRequestsAndAtOnceAgainIsAPauseWithoutLength() async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://h.example/a", status: 429, fields: ["Retry-After": "0"])
        let start = bench.clock.now
        for pauses in 1...2 {
            _ = try await bench.elsewhere.fetch([bench.source("a", on: "h.example")]) { _ in }
            let host = try #require(bench.store.hosts()["h.example"])
            #expect(host.pauses == pauses)
            #expect(host.pausedUntil == start.addingTimeInterval(pauses == 1 ? 600 : 1800))
            try await bench.clock.sleep(until: #require(host.pausedUntil))
        }
        await bench.origin.stop()
    }

    @Test func sourcesThatFailTogetherDriftApart() async throws {
        let bench = try await MannersBench(HostPace(parallel: 1, gap: .zero), chance: nil)
        await bench.origin.handle { _ in ScriptedAnswer(status: 500) }
        let sources = (0..<10).map { bench.source("s\($0)") }
        _ = try await bench.scheduler.fetch(sources) { _ in }
        let dates = try sources.compactMap { try bench.state($0.name).nextFetch }
        #expect(Set(dates).count > 5)
        await bench.origin.stop()
    }

    @Test(arguments: [true, false])
    func aVisitAheadOfItsDateObeysRetryAfterAndSaysSo(isForced: Bool) async throws {
        let bench = try await MannersBench(nil)
        await bench.origin.script("/a", [ScriptedAnswer(status: 503, fields: ["Retry-After": "5000"])])
        let start = bench.clock.now
        _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in }
        let early = try await bench.scheduler.fetch([bench.source("a")], isForced: isForced) { _ in }
        #expect(
            early.map(\.refusal) == [FetchRefusal(reason: .retryAfter, until: start.addingTimeInterval(5000))])
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    @Test func aSourceThatIsReadInAnotherWayIsLeftAloneAllTheSame() async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://h.example/a", status: 503, fields: ["Retry-After": "7200"])
        bench.transport.script("https://i.example/a", body: MannersBench.rss(""))
        let start = bench.clock.now
        var source = bench.source("a", on: "h.example")
        _ = try await bench.elsewhere.fetch([source]) { _ in }
        source.mapping.format = .rss
        for isForced in [false, true] {
            let reports = try await bench.elsewhere.fetch([source], isForced: isForced) { _ in }
            #expect(reports.map(\.refusal) == [FetchRefusal(reason: .retryAfter, until: start + 7200)])
        }
        #expect(bench.transport.requests.count == 1)
        // Another host has not asked for that.
        source.address = .url("https://i.example/a")
        #expect(try await bench.elsewhere.fetch([source]) { _ in }.first?.result == .newData)
        await bench.origin.stop()
    }

    @Test func anAddressIsLeftAloneAlsoUnderAnotherName() async throws {
        let bench = try await MannersBench()
        bench.transport.script("https://h.example/a", status: 503, fields: ["Retry-After": "7200"])
        let start = bench.clock.now
        _ = try await bench.elsewhere.fetch([bench.source("a", on: "h.example")]) { _ in }
        var mapped = Source(name: "c", address: .url("https://H.example/a"))
        mapped.mapping.format = .rss
        let sources = [Source(name: "b", address: .url("https://h.example/a")), mapped]
        for isForced in [false, true] {
            let reports = try await bench.elsewhere.fetch(sources, isForced: isForced) { _ in }
            let refusal = FetchRefusal(reason: .retryAfter, until: start + 7200)
            #expect(reports.map(\.refusal) == [refusal, refusal])
        }
        #expect(bench.transport.requests.count == 1)
        bench.clock.leap(by: 7200)
        bench.transport.script("https://h.example/a", body: MannersBench.rss(""))
        #expect(try await bench.elsewhere.fetch([sources[0]]) { _ in }.first?.result == .newData)
        await bench.origin.stop()
    }

    @Test func forcedVisitsAreTenMinutesApartExceptOnThisMachine() async throws {
        for (pace, count) in [(HostPace(), 1), (nil, 2)] {
            let bench = try await MannersBench(pace)
            await bench.origin.script("/a", [ScriptedAnswer(body: MannersBench.rss(""))])
            for _ in 0..<2 { _ = try await bench.scheduler.fetch([bench.source("a")], isForced: true) { _ in } }
            #expect(await bench.origin.requests.count == count)
            try await bench.clock.sleep(until: bench.clock.now.addingTimeInterval(600))
            _ = try await bench.scheduler.fetch([bench.source("a")], isForced: true) { _ in }
            #expect(await bench.origin.requests.count == count + 1)
            bench.clock.leap(by: -86_400)
            _ = try await bench.scheduler.fetch([bench.source("a")], isForced: true) { _ in }
            #expect(await bench.origin.requests.count == count + 2, "the clock was ahead")
            await bench.origin.stop()
        }
    }

    @Test func editsOfHowADocumentIsReadAskForItTenMinutesApart() async throws {
        let bench = try await ProxiedBench()
        let other = "http://news.example/other"
        await bench.play("http://news.example/feed", bench.feed("a"))
        await bench.play(other, bench.feed("b"))
        var edited = bench.source
        for format in [ContentFormat?.none, .atom, .rss] {
            edited.mapping.format = format
            bench.clock.advance(by: 5)
            let reports = try await bench.scheduler.fetch([edited]) { _ in }
            #expect((reports.first?.refusal?.reason == .floor) == (format != nil))
        }
        #expect(await bench.origin.requests.count == 1)
        bench.clock.advance(by: 601)
        edited.mapping.format = .atom
        _ = try await bench.scheduler.fetch([edited]) { _ in }
        #expect(await bench.origin.requests.count == 2)
        bench.clock.advance(by: 60)
        edited.address = .url(other)
        _ = try await bench.scheduler.fetch([edited]) { _ in }
        #expect(await bench.origin.requests.count == 3, "another document")
        await bench.origin.stop()
    }
}
