import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

@Suite struct ContentFetcherTests {
    @Test func theFirstFetchLearnsWhatExistsAndRaisesTheNewest() async throws {
        let bench = try await FetchBench()
        await bench.publish([("b", 1), ("a", 2)])
        let report = try await bench.fetch()
        #expect(report.result == .newData)
        #expect(report.newItems.map(\.title) == ["Title a", "Title b"])
        #expect(try bench.outbox() == ["news/urn:b"])
        #expect(try bench.store.itemCount(of: "news") == 2)
        await bench.origin.stop()
    }

    @Test func onlyWhatIsNewIsRaisedAfterwards() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)])
        _ = try await bench.fetch()
        await bench.publish([("c", 0), ("b", 1), ("a", 2)])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title b", "Title c"])
        #expect(try await bench.fetch().result == .noData)
        #expect(try bench.outbox() == ["news/urn:a", "news/urn:b", "news/urn:c"])
        await bench.origin.stop()
    }

    @Test func anOldItemThatComesBackIsNotNew() async throws {
        let bench = try await FetchBench()
        await bench.publish([("b", 1), ("a", 2)])
        _ = try await bench.fetch()
        await bench.publish([("b", 1)])
        _ = try await bench.fetch()
        await bench.publish([("b", 1), ("a", 2)])
        #expect(try await bench.fetch().result == .noData)
        await bench.origin.stop()
    }

    @Test func validatorsGoBackByteForByteAndNotModifiedIsNoData() async throws {
        let bench = try await FetchBench()
        let etag = "W/\"x\u{e9}-1\""
        await bench.origin.script(
            "/feed",
            [
                ScriptedAnswer(
                    fields: ["ETag": etag, "Last-Modified": "Tue, 14 Nov 2023 20:00:00 GMT"],
                    body: bench.atom([("a", 2)])),
                ScriptedAnswer(status: 304, fields: ["ETag": "\"x\u{e9}-1\""]),
            ])
        _ = try await bench.fetch()
        let report = try await bench.fetch()
        #expect(report.result == .noData)
        #expect(report.status == 304)
        let requests = await bench.origin.requests
        #expect(requests[0].fields["If-None-Match"] == nil)
        #expect(requests[1].fields["If-None-Match"] == etag)
        #expect(requests[1].fields["If-Modified-Since"] == "Tue, 14 Nov 2023 20:00:00 GMT")
        #expect(try bench.state().etag == Array("\"x\u{e9}-1\"".utf8))
        await bench.origin.stop()
    }

    @Test func whoVisitsAndWhatIsReadIsSaid() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)])
        _ = try await bench.fetch()
        let request = try #require(await bench.origin.requests.first)
        #expect(request.fields["User-Agent"] == "crier-test/1")
        #expect(request.fields["Accept"]?.hasPrefix("application/atom+xml, application/rss+xml") == true)
        #expect(request.fields["Cookie"] == nil)
        #expect(request.fields["Referer"] == nil)
        await bench.origin.stop()
    }

    @Test func aFailureLosesNothingThatWasLearned() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"one\""])
        _ = try await bench.fetch()
        let before = try bench.state()
        for answer in [
            ScriptedAnswer(status: 500), ScriptedAnswer(body: "<html><title>Log in</title></html>"), .raw("garbage"),
        ] {
            await bench.origin.script("/feed", [answer])
            let report = try await bench.fetch()
            #expect(report.result == .failed)
        }
        let state = try bench.state()
        #expect(state.etag == before.etag)
        #expect(state.bodyHash == before.bodyHash)
        #expect(state.lastSucceeded == before.lastSucceeded)
        #expect(state.failures == 3)
        #expect(state.failingSince == bench.clock.now)
        await bench.publish([("b", 1), ("a", 2)])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title b"])
        #expect(try bench.state().failures == 0)
        #expect(try bench.state().failure == nil)
        await bench.origin.stop()
    }

    /// Some machines know no time when they start.
    @Test func aClockThatBeginsIn1970IsNoBeginningOfFailures() async throws {
        let bench = try await FetchBench()
        let start = bench.clock.now
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 503)])
        for (date, begin) in [(10.0, 10.0), (1_700_007_200, 1_700_000_000)] {
            bench.clock.advance(to: Date(timeIntervalSince1970: date))
            _ = try await bench.fetch()
            #expect(try bench.state().failingSince?.timeIntervalSince1970 == begin)
        }
        #expect(try bench.state().lastSucceeded == start)
        await bench.origin.stop()
    }

    @Test func aFailureHasItsStageAndItsCause() async throws {
        let bench = try await FetchBench()
        await bench.origin.script(
            "/feed", [ScriptedAnswer(status: 503, fields: ["Retry-After": "7200"]), ScriptedAnswer(body: "")])
        let fetch = try await bench.fetch()
        #expect(fetch.failure == FetchFailure(.fetch, "HTTP status 503, service unavailable"))
        #expect(fetch.nextFetch == bench.clock.now.addingTimeInterval(7500))
        let decode = try await bench.fetch()
        #expect(decode.failure?.stage == .decode)
        await bench.origin.stop()
    }

    @Test func aMappingThatReportsAnErrorIsAFailureAndNotAnEmptySuccess() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .json, items: ".results[]", fields: [.id: "._id", .title: ".desc"], when: ".error == false")
        await bench.origin.script("/feed", [ScriptedAnswer(body: #"{"error":true,"msg":"try later"}"#)])
        let report = try await bench.fetch()
        #expect(report.result == .failed)
        #expect(report.failure?.cause.contains("try later") == true)
        await bench.origin.stop()
    }

    @Test func onlyLeavesItemsOutButRemembersThem() async throws {
        var bench = try await FetchBench()
        bench.source.only = #".title | test("b$")"#
        await bench.publish([("old", 9)])
        _ = try await bench.fetch()
        await bench.publish([("b", 1), ("a", 2)])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title b"])
        #expect(try bench.outbox() == ["news/urn:b"])
        #expect(try bench.store.itemCount(of: "news") == 3)
        bench.source.only = nil
        #expect(try await bench.fetch().result == .noData)
        await bench.origin.stop()
    }

    @Test func aNewAddressOrMappingDoesNotFlood() async throws {
        var bench = try await FetchBench()
        await bench.publish([("b", 1), ("a", 2)], fields: ["ETag": "\"one\""])
        _ = try await bench.fetch()
        bench.clock.advance(by: 1800)
        bench.source.address = .url(bench.origin.url("/moved"))
        await bench.origin.script("/moved", [ScriptedAnswer(body: bench.atom([("fresh", -0.4), ("x", 1), ("y", 2)]))])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title fresh"])
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == nil)
        await bench.origin.stop()
    }

    @Test func anEditOfTheMappingLosesNothingWhileIdentifiersStayTheSame() async throws {
        var bench = try await FetchBench()
        await bench.publish([("a", 2)])
        _ = try await bench.fetch()
        bench.source.mapping.datesAreLocal = true
        // Dated before the last visit, and new all the same: its companion is known.
        await bench.publish([("late", 1), ("a", 2)])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title late"])
        bench.source.mapping.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(try bench.scheduler.due(among: [bench.source]).due.isEmpty, "a machine that travels visits no earlier")
        await bench.origin.stop()
    }

    @Test func aDocumentThatIsCutOffHidesNothingOfTheRest() async throws {
        var bench = try await FetchBench()
        bench.source.first = .all
        let whole = bench.atom([("d", 1), ("c", 2), ("b", 3), ("a", 4)])
        let half = String(whole.prefix(upTo: try #require(whole.range(of: "Title b")).upperBound))
        await bench.origin.script(
            "/feed",
            [
                ScriptedAnswer(fields: ["ETag": "\"1\""], body: half),
                ScriptedAnswer(fields: ["ETag": "\"1\""], body: whole),
            ])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title c", "Title d"])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title a", "Title b"])
        let requests = await bench.origin.requests
        #expect(requests[1].fields["If-None-Match"] == nil)
        await bench.origin.stop()
    }

    /// Seen where a program that writes the feed fails at its end, each time.
    @Test func aFeedThatNeverEndsTellsWhatIsWhole() async throws {
        let bench = try await FetchBench()
        let documents = (1...3).map { "<rss><channel><item><guid>\($0)</guid><title>T\($0)</title></item>\n" }
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
        for number in 1...3 { #expect(try await bench.fetch().newItems.map(\.title) == ["T\(number)"]) }
        await bench.origin.stop()
    }

    /// Its last item is told when it has stood there twice, and nobody hears each time that it breaks off; but what may be missing
    /// does not hide behind a condition.
    @Test func aFeedThatLacksItsEndTagsEachTimeIsReadAsItIs() async throws {
        let bench = try await FetchBench()
        func document(_ numbers: [Int]) -> String {
            let items = numbers.map { "<item><guid>\($0)</guid><title>T\($0)</title></item>" }.joined()
            let text = String(repeating: "long ", count: 60)
            return "<rss><channel>\(items)<item><guid>0</guid><title>T0</title><description>\(text)</description>"
        }
        let documents = [document([1]), document([1]), document([1]), document([2, 1]), document([2, 1])]
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(fields: ["ETag": "\"1\""], body: $0) })
        var told: [[String]] = []
        var remarks: [Bool] = []
        for _ in documents {
            let report = try await bench.fetch()
            told.append(report.newItems.compactMap(\.title))
            remarks.append(report.remarks.contains { $0.contains("ends before it should") })
        }
        #expect(told == [["T1"], ["T0"], [], ["T2"], []])
        #expect(remarks == [true, false, false, false, false])
        #expect(await bench.origin.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
        await bench.origin.stop()
    }

    /// What a text speaks of ends nothing.
    @Test(arguments: [("<![CDATA[", ""), ("<!--", ""), ("<![CDATA[<!-- ]]>", "B")])
    func aFeedThatIsCutWithinAnItemTellsNoHalf(_ open: String, _ last: String) async throws {
        let bench = try await FetchBench()
        let first = "<rss><channel><item><guid>1</guid><title>A</title></item><item>"
        let second = "<title>B</title><description>\(open) of </item> and then"
        await bench.origin.script(
            "/feed", [ScriptedAnswer(body: first + "</item></channel></rss>"), ScriptedAnswer(body: first + second)])
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.compactMap(\.title).joined() == last)
        await bench.origin.stop()
    }

    /// Of a text that speaks of ends, too, what is cut off behind it is told when it is whole, and once.
    @Test(arguments: ["</item> ok", "</rss> ok"])
    func whatIsCutOffBehindATextThatSpeaksOfAnEndIsToldOnce(_ text: String) async throws {
        let bench = try await FetchBench()
        let first = "<rss><channel><item><guid>a</guid><title>A</title></item>"
        let second =
            "<item><guid>b</guid><description><![CDATA[\(text)]]></description><title>Real title</title></item>"
        let half = first + second.prefix(upTo: try #require(second.range(of: "l title")).lowerBound)
        await bench.origin.script(
            "/feed",
            [first, half, first + second].map {
                ScriptedAnswer(fields: ["ETag": "\"1\""], body: $0 + ($0 == half ? "" : "</channel></rss>"))
            })
        for titles in [["A"], [], ["Real title"]] {
            #expect(try await bench.fetch().newItems.compactMap(\.title) == titles)
        }
        #expect(await bench.origin.requests.map { $0.fields["If-None-Match"] } == [nil, "\"1\"", nil])
        await bench.origin.stop()
    }

    @Test func aFetchThatIsCutShortSaysNothingAboutItsSource() async throws {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", [.hang])
        let run = Task { try await bench.scheduler.fetch([bench.source]) { _ in } }
        await bench.origin.received(1)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try bench.store.states().isEmpty)
        await bench.origin.stop()
    }

    /// A run knows of the network by its other hosts; who fetches by itself says what it knows.
    @Test func onlyWhatTheNetworkMayHaveCausedIsSettledAndOnce() async throws {
        let transport = ScriptedTransport()
        var bench = try await FetchBench(transport: transport)
        bench.source.address = .url("https://one.example/")
        transport.script("https://one.example/", status: 500)
        var report = try await bench.fetch()
        try await bench.fetcher.settle(&report, of: bench.source, networkIsDown: false)
        #expect(try bench.state().failures == 1)
        transport.script("https://one.example/", [.failure(HTTPError(.resolve, "no one"))])
        report = try await bench.fetch()
        #expect(report.suspectsNetwork)
        #expect(try bench.state().failures == 1)
        for _ in 1...2 {
            try await bench.fetcher.settle(&report, of: bench.source, networkIsDown: false)
            #expect(!report.suspectsNetwork)
            #expect(try bench.state().failures == 2)
        }
        report = try await bench.fetch()
        try await bench.fetcher.settle(&report, of: bench.source, networkIsDown: true)
        #expect(!report.suspectsNetwork && report.networkIsDown)
        for purpose in [FetchPurpose.dryRun, .trial] {
            report = try await bench.fetcher.fetch(bench.source, purpose: purpose)
            #expect(report.suspectsNetwork)
            try await bench.fetcher.settle(&report, of: bench.source, networkIsDown: false)
            #expect(!report.suspectsNetwork)
        }
        #expect(try bench.state().failures == 2)
        await bench.origin.stop()
    }

    @Test func aDryRunAndATrialWriteNothing() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"one\""])
        #expect(try await bench.fetcher.fetch(bench.source, purpose: .dryRun).composition.requests.count == 1)
        #expect(try bench.store.states().isEmpty)
        _ = try await bench.fetch()
        let trial = try await bench.fetcher.fetch(bench.source, purpose: .trial)
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == nil)
        #expect(trial.verdicts(for: bench.source).map(\.reason) == ["it is known"])
        #expect(try bench.outbox().count == 1)
        await bench.origin.stop()
    }

    @Test func aTrialSaysWhyEachItemWouldNotify() async throws {
        var bench = try await FetchBench()
        bench.source.only = #".title != "Title a""#
        await bench.publish([("c", 1), ("b", 2), ("a", 3)])
        let verdicts = try await bench.fetcher.fetch(bench.source, purpose: .trial).verdicts(for: bench.source)
        #expect(verdicts.map(\.notifies) == [true, false, false])
        #expect(
            verdicts.map(\.reason) == [
                "as “Title c”", "the first fetch raises the newest only", "`only` leaves it out",
            ])
        bench.source.notify = .none
        let none = try await bench.fetcher.fetch(bench.source, purpose: .trial).verdicts(for: bench.source)
        #expect(none.map(\.reason) == Array(repeating: "the source notifies of nothing", count: 3))
        #expect(none.allSatisfy { !$0.notifies })
        bench.source.digests = ["morning"]
        let digest = try await bench.fetcher.fetch(bench.source, purpose: .trial).verdicts(for: bench.source)
        #expect(
            digest.map(\.reason) == [
                "it waits for the digest morning", "the first fetch raises the newest only", "`only` leaves it out",
            ])
        _ = try await bench.fetch()
        let known = try await bench.fetcher.fetch(bench.source, purpose: .trial).verdicts(for: bench.source)
        #expect(known.map(\.reason) == ["it is known", "it is known", "`only` leaves it out"])
        await bench.origin.stop()
    }

    @Test func aTrialSaysWhatTheRulesSayOfKnownItems() async throws {
        var bench = try await FetchBench()
        bench.source.rules = [ItemRule(when: #".title | test("b$")"#, skip: true)]
        await bench.publish([("b", 1), ("a", 2)])
        for purpose in [FetchPurpose.commit, .trial] {
            let report = try await bench.fetcher.fetch(bench.source, purpose: purpose)
            #expect(report.verdicts(for: bench.source).first?.reason == "a rule skips it")
        }
        await bench.origin.stop()
    }

    @Test func aFileIsASource() async throws {
        var bench = try await FetchBench()
        let folder = try TemporaryFolder()
        bench.source.address = .url("file://" + (try folder.write(bench.atom([("a", 1)]), to: "feed.xml")))
        #expect(try await bench.fetch().newItems.count == 1)
        #expect(try await bench.fetch().result == .noData)
        bench.source.address = .url("file://" + folder.file("absent.xml"))
        #expect(try await bench.fetch().failure?.stage == .fetch)
        await bench.origin.stop()
    }

    @Test func aProgramIsASource() async throws {
        var bench = try await FetchBench()
        let folder = try TemporaryFolder()
        bench.source.address = .command(["cat", try folder.write(bench.atom([("a", 1)]), to: "feed.xml")])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title a"])
        bench.source.address = .command(["sh", "-c", "exit 3"])
        #expect(try await bench.fetch().failure == FetchFailure(.fetch, "sh ended with exit status 3"))
        bench.source.address = .command(["crier-no-such-program"])
        #expect(try await bench.fetch().failure?.cause == "crier-no-such-program is not installed or not executable")
        await bench.origin.stop()
    }
}
