import CrierContent
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch
@testable import CrierStore

@Suite struct FetchSchedulerTests {
    private func run(_ bench: FetchBench, _ sources: [Source]) async throws -> [String: FetchReport] {
        let reports = try await bench.scheduler.fetch(sources) { _ in }
        return Dictionary(uniqueKeysWithValues: reports.map { ($0.source, $0) })
    }

    private func source(_ name: String, _ url: String) -> Source {
        Source(name: name, address: .url(url), sinks: ["stdout"])
    }

    @Test func aSourceIsDueAtItsDateAndNotBefore() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        #expect(try bench.scheduler.due(among: [bench.source]).due.count == 1)
        let report = try await bench.fetch()
        let next = try #require(report.nextFetch)
        #expect(next >= bench.clock.now.addingTimeInterval(3600))
        #expect(next < bench.clock.now.addingTimeInterval(3600 * 1.1))
        #expect(try bench.scheduler.due(among: [bench.source]).next == next)
        bench.clock.advance(to: next.addingTimeInterval(-1))
        #expect(try bench.scheduler.due(among: [bench.source]).due.isEmpty)
        bench.clock.advance(to: next)
        #expect(try bench.scheduler.due(among: [bench.source]).due.count == 1)
        await bench.origin.stop()
    }

    @Test func aSourceThatNeverSucceededIsNotVisitedAtEveryRun() async throws {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 500)])
        _ = try await bench.fetch()
        #expect(try bench.scheduler.due(among: [bench.source]).due.isEmpty)
        bench.clock.advance(by: 2 * 3600)
        #expect(try bench.scheduler.due(among: [bench.source]).due.count == 1)
        await bench.origin.stop()
    }

    @Test func aClockThatWasSetBackMakesSourcesDue() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        let earlier = ManualClock(now: bench.clock.now.addingTimeInterval(-365 * 86_400))
        let scheduler = FetchScheduler(fetcher: bench.fetcher, store: bench.store, clock: earlier)
        #expect(try scheduler.due(among: [bench.source]).due.count == 1)
        await bench.origin.stop()
    }

    /// A dual boot, where one system takes the machine's clock for local time.
    @Test func aClockThatWasSetBackByHoursMakesSourcesDueUnlessTheirOriginAskedForRest() async throws {
        for wait in [nil, 9 * 3600] {
            let bench = try await FetchBench()
            let fields: HTTPFields = wait.map { ["Retry-After": "\($0)"] } ?? [:]
            await bench.origin.script("/feed", [ScriptedAnswer(status: 503, fields: fields)])
            _ = try await bench.fetch()
            for hours in [8.0, 0.1] {
                let earlier = ManualClock(now: bench.clock.now.addingTimeInterval(-3600 * hours))
                let scheduler = FetchScheduler(fetcher: bench.fetcher, store: bench.store, clock: earlier)
                let isDue = try scheduler.due(among: [bench.source]).due.count == 1
                #expect(isDue == (hours > 1 && wait == nil), "\(hours) h, \(wait ?? 0) s")
            }
            await bench.origin.stop()
        }
    }

    @Test func aChangedAddressIsDueAtOnce() async throws {
        var bench = try await FetchBench()
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/elsewhere"))
        #expect(try bench.scheduler.due(among: [bench.source]).due.count == 1)
        await bench.origin.stop()
    }

    @Test func unpacedSourcesShareAFewTasksAndPacedHostsHaveTheirOwn() {
        let sources =
            (0..<100).map { source("l\($0)", "http://127.0.0.1/\($0)") }
            + (0..<6).map { source("r\($0)", "https://a.example/\($0)") }
        let hosts = sources.map { HostKey($0.address) }
        let paces = HostPaces(named: ["a.example": HostPace(parallel: 2)])
        let lanes = FetchLane.lanes(on: hosts, at: paces, free: 32)
        #expect(lanes.count == 32 + 2)
        #expect(Set(lanes.map(ObjectIdentifier.init)).count == 3)
        func rest(_ lane: FetchLane) -> [String] { sequence(state: lane) { $0.next() }.map { sources[$0].name } }
        #expect(rest(lanes[7]) == (0..<100).map { "l\($0)" })
        #expect(lanes[32...].map(rest) == [["r0", "r2", "r4"], ["r1", "r3", "r5"]])
    }

    @Test func aFailingSourceDoesNotStopTheOthers() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        var sources = (0..<20).map { source("good\($0)", bench.origin.url("/feed")) }
        sources.insert(source("bad", bench.origin.url("/missing")), at: 0)
        let reports = try await run(bench, sources)
        #expect(reports["bad"]?.result == .failed)
        #expect(reports.values.filter { $0.result == .newData }.count == 20)
        await bench.origin.stop()
    }

    @Test func whatADiskHasNoRoomForIsNotAskedForByEachRun() async throws {
        let bench = try await FetchBench()
        func run() async throws -> Int {
            let due = try bench.scheduler.due(among: [bench.source]).due
            let reports = try await bench.scheduler.fetch(due, isForced: false) { _ in }
            return reports.filter { $0.result == .newData }.count
        }
        func limit(pages: Int) async throws {
            try await bench.store.writer.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        await bench.publish([("old", 30)])
        _ = try await run()
        // It has room for nothing but what it writes over.
        try await limit(pages: 1)
        await bench.publish((1...300).map { ("a\($0)", 1) })
        bench.clock.advance(by: 7200)
        await #expect(throws: StoreError.self) { try await run() }
        let count = await bench.origin.requests.count
        #expect(count == 2)
        for _ in 0..<3 {
            #expect(try await run() == 0)
            bench.clock.advance(by: 1000)
        }
        #expect(await bench.origin.requests.count == count)
        bench.clock.advance(by: 1000)
        try await limit(pages: 1_000_000)
        #expect(try await run() == 1, "nothing is lost")
        #expect(try bench.outbox().count == 2)
        await bench.origin.stop()
    }
}

@Suite struct NextFetchTests {
    @Test func theIntervalIsNeverCutShort() {
        for phase in [0, 0.5, 0.999] {
            let next = NextFetch.afterSuccess(every: .seconds(3600), wishes: [], phase: phase, random: 0, now: now)
            #expect(next.date >= now.addingTimeInterval(3600))
            #expect(next.date <= now.addingTimeInterval(3960))
            #expect(next.reason == "its interval of 1 h")
        }
    }

    @Test func sourcesThatBeganTogetherComeSpreadOverATenthOfTheIntervalAndAlwaysTheSameWay() {
        let waits = (0..<1000).map { number in
            NextFetch.afterSuccess(
                every: .seconds(3600), wishes: [], phase: Fingerprint.phase(of: "s\(number)"), random: 0,
                now: now
            ).date.timeIntervalSince(now)
        }
        #expect(waits.allSatisfy { (3600...3961).contains($0) })
        let perMinute = Dictionary(grouping: waits) { Int(($0 - 3600) / 60) }.mapValues(\.count)
        #expect((0..<6).allSatisfy { perMinute[$0, default: 0] > 100 }, "\(perMinute)")
        #expect(Fingerprint.phase(of: "s7") == Fingerprint.phase(of: "s7"))
    }

    @Test func originsMayPostponeUpToADay() {
        let wish = [(reason: "the origin's cache lifetime", wait: Duration.seconds(7200))]
        let next = NextFetch.afterSuccess(every: .seconds(3600), wishes: wish, phase: 0, random: 0, now: now)
        #expect(next.date == now.addingTimeInterval(7200))
        #expect(next.reason == "the origin's cache lifetime")
        let years = [(reason: "x", wait: Duration.seconds(500_000_000))]
        #expect(
            NextFetch.afterSuccess(every: .seconds(3600), wishes: years, phase: 0, random: 0, now: now).date
                == now.addingTimeInterval(86_400))
        let week = NextFetch.afterSuccess(every: .seconds(604_800), wishes: years, phase: 0, random: 0, now: now)
        #expect(week.date == now.addingTimeInterval(604_800))
    }

    @Test func failuresDoubleTheWaitUpToADay() {
        let waits = (1...8).map { failures in
            NextFetch.afterFailure(
                every: .seconds(3600), failures: failures, status: 500, retryAfter: nil, random: 1, now: now
            )
            .date.timeIntervalSince(now) / 3600
        }
        #expect(waits == [1.1, 2, 4, 8, 16, 24, 24, 24])
        let least = NextFetch.afterFailure(
            every: .seconds(3600), failures: 3, status: nil, retryAfter: nil, random: 0, now: now)
        #expect(least.date == now.addingTimeInterval(7200))
    }

    @Test func whatDoesNotPassByItselfStartsAtHours() {
        func hours(_ status: Int) -> Double {
            NextFetch.afterFailure(
                every: .seconds(900), failures: 1, status: status, retryAfter: nil, random: 1, now: now
            )
            .date.timeIntervalSince(now) / 3600
        }
        #expect(hours(404) == 4)
        #expect(hours(403) == 4)
        #expect(hours(400) == 6)
        #expect(hours(429) == 0.275)
        #expect(hours(502) == 0.275)
        #expect(hours(412) == 0.275)
    }

    @Test func aFailureIsNoReasonToAskMoreOftenThanTheOriginWishes() {
        func wait(_ status: Int?, _ failures: Int, _ hours: Double, random: Double = 0) -> NextFetch {
            NextFetch.afterFailure(
                every: .seconds(3600), failures: failures, status: status, retryAfter: .seconds(60),
                wishes: [("the feed's own interval", .seconds(hours * 3600))], random: random, now: now)
        }
        #expect(wait(500, 1, 12).date == now.addingTimeInterval(12 * 3600))
        #expect(wait(500, 1, 12).reason == "the feed's own interval")
        #expect(
            wait(500, 1, 12, random: 1).date == now.addingTimeInterval(13.2 * 3600),
            "those that fail together drift apart")
        #expect(wait(500, 5, 12, random: 1).date == now.addingTimeInterval(16 * 3600))
        #expect(wait(500, 1, 900).date == now.addingTimeInterval(86_400))
        #expect(wait(nil, 1, 12).date == now.addingTimeInterval(3600), "nobody was asked")
    }

    @Test func retryAfterIsObeyedAndCapped() {
        func wait(_ seconds: Int, random: Double = 0) -> NextFetch {
            NextFetch.afterFailure(
                every: .seconds(3600), failures: 1, status: 503, retryAfter: .seconds(seconds), random: random, now: now
            )
        }
        #expect(wait(9000).date == now.addingTimeInterval(9000))
        #expect(wait(9000).reason == "the origin's Retry-After")
        #expect(wait(9000, random: 1).date == now.addingTimeInterval(9600), "others heard the same")
        #expect(wait(0, random: 1).date == now.addingTimeInterval(3960))
        #expect(wait(999_999_999, random: 1).date == now.addingTimeInterval(86_400))
    }

    @Test func thoseWhoHeardTheSameDateDoNotComeInTheSameSecond() throws {
        func wait(_ seconds: Int, random: Double) -> Double {
            let wish = [(reason: "the origin's cache lifetime", wait: Duration.seconds(seconds))]
            let next = NextFetch.afterSuccess(
                every: .seconds(900), wishes: wish, phase: 0.5, random: random, now: now)
            return next.date.timeIntervalSince(now)
        }
        #expect([0, 0.5, 1].map { wait(1800, random: $0) } == [1800, 1890, 1980], "a tenth of the wait")
        #expect([0, 0.5, 1].map { wait(36_000, random: $0) } == [36_000, 36_300, 36_600], "ten minutes at most")
        #expect([0, 1].map { wait(900, random: $0) } == [945, 945], "the interval is later, and its own")
        let noon = Date(timeIntervalSince1970: 1_700_049_600)
        let opening = [0, 0.5, 1].map { chance in
            NextFetch.afterSuccess(
                every: .seconds(900), wishes: [], hints: PollingHints(skipHours: [12]), phase: 0.5, random: chance,
                now: noon)
        }
        #expect(opening.map { $0.date.timeIntervalSince(noon) } == [3600, 3900, 4200], "nor at the full hour")
        #expect(NextFetch.hostPause(number: 1, retryAfter: .seconds(60), random: 0.5) == 63)
    }
}

@Suite struct HostKeyTests {
    @Test(arguments: [
        ("https://User:pw@Example.ORG:8443/x", "example.org:8443", false),
        ("http://example.org?x", "example.org", false),
        ("http://[::1]:80/", "[::1]", true), ("http://[0:0:0:0:0:0:0:1]/", "[0:0:0:0:0:0:0:1]", true),
        ("http://127.0.0.9/", "127.0.0.9", true), ("http://127.000.000.001/", "127.000.000.001", true),
        ("http://0x7F.1:81/", "0x7f.1:81", true), ("http://127.0.0.08/", "127.0.0.08", false),
        ("http://localhost:1/", "localhost:1", true), ("http://127.example.org/", "127.example.org", false),
        ("http://127.0.0.1.example.org/", "127.0.0.1.example.org", false),
        ("file:///tmp/x", "", true), ("http://v.example./", "v.example", false),
        ("http://v.example:080/", "v.example", false), ("https://v.example.:08443/", "v.example:8443", false),
        ("https://v.example.:8443/", "v.example:8443", false),
        ("http://v.example:/", "v.example", false), ("https://v%2eex%41mple/", "v.example", false),
        ("https://[2001:db8::1]:0443/", "[2001:db8::1]", false), ("http://localhost./", "localhost", true),
        ("http://v.example:443/", "v.example:443", false),
        ("https://bücher.example:8443/", "xn--bcher-kva.example:8443", false),
        ("https://BU\u{308}CHER.example./", "xn--bcher-kva.example", false),
        ("https://b%C3%BCcher.example:443/", "xn--bcher-kva.example", false),
        ("https://XN--bcher-kva.example/", "xn--bcher-kva.example", false),
    ])
    func isTheAuthorityWithoutTheUser(_ url: String, _ name: String, _ isLocal: Bool) {
        let key = HostKey(url: url)
        #expect(key.name == name)
        #expect(key.isLocal == isLocal)
    }

    @Test(arguments: [
        ("http://[fd00::1]/", true), ("http://[fc::1]/", false), ("http://192.168.1.5:81/", true),
        ("http://[::ffff:192.168.1.5]/", true), ("http://nas2/", true), ("http://v.example9/", false),
        ("http://localhost/", false), ("http://127.0.0.1/", false), ("http://0300.0250.1/", true),
        ("http://0xc0.0xa9.1.1/", false),
    ])
    func isOnAPrivateNetwork(_ url: String, _ isPrivate: Bool) {
        #expect(HostKey(url: url).isPrivate == isPrivate)
    }

    @Test(arguments: [
        ("[2001:db8::1]", "http://[2001:DB8::1]:8080/", true),
        ("[2001:db8::1]:8080", "http://[2001:db8::1]:8080/", true),
        ("[2001:db8::1]:9", "http://[2001:db8::1]:8080/", false), ("h.example:443", "https://h.example/x", true),
        ("h.example:80", "http://h.example/x", true), ("h.example", "http://h.example:81/x", true),
        ("h.example:443", "https://h.example:444/x", false), ("[::1]", "http://[::1]:8080/", true),
    ])
    func isNamedWithOrWithoutItsPort(_ name: String, _ url: String, _ isNamed: Bool) {
        let pace = HostPace(parallel: 7, gap: .zero)
        #expect((HostPaces(named: [name: pace]).pace(of: HostKey(url: url)) == pace) == isNamed)
    }
}
