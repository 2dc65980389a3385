import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What happens to a visit whose redirect leads to a host that has to be waited for.
@Suite(.timeLimit(.minutes(1))) struct RedirectTurnTests {
    @Test func theWaitForATurnIsNotTheTimeOfTheOrigin() async throws {
        let clock = ManualClock()
        let bench = try await TurnBench(clock: clock, gap: .seconds(60), budget: .seconds(30))
        let start = clock.now
        try bench.store.noteStart(at: "hub.example", start, .process)
        async let run = bench.scheduler.fetch([bench.sources[0]]) { _ in }
        await clock.waitForSleepers(2)
        #expect(clock.deadlines == [start + 30, start + 60], "of the budget and of the gap")
        clock.advance(by: 30)
        await clock.waitForSleepers(2, until: start + 60)
        #expect(clock.deadlines == [start + 60, start + 60], "the budget is longer by what was waited")
        clock.advance(by: 30)
        #expect(try await run.map(\.result) == [.newData])
        await bench.origin.stop()
    }

    @Test func aTurnThatComesAfterTheRunsEndLeavesTheSourceDue() async throws {
        let bench = try await TurnBench(clock: LeapingClock(), gap: .seconds(400))
        let reports = try await bench.scheduler.fetch(bench.sources) { _ in }
        let left = try #require(reports.first { $0.refusal != nil })
        #expect(left.refusal?.reason == .pace("hub.example"))
        #expect(left.failure == nil)
        #expect(reports.count { $0.result == .newData } == 2)
        #expect(try bench.store.state(of: left.source) == SourceState(name: left.source))
        #expect(try bench.scheduler.due(among: bench.sources).due.map(\.name) == [left.source])
        #expect(await bench.origin.requests.count == 5)
        await bench.origin.stop()
    }

    @Test func whoComesAfterTheRunsEndIsDueOneAfterAnother() async throws {
        let bench = try await TurnBench(clock: LeapingClock(), gap: .seconds(400), names: ["a", "b", "c", "d", "e"])
        let reports = try await bench.scheduler.fetch(bench.sources) { _ in }
        let dates = reports.compactMap { $0.refusal?.until }.sorted()
        try #require(dates.count == 3)
        #expect(zip(dates, dates.dropFirst()).map { $1.timeIntervalSince($0) } == [400, 400])
        await bench.origin.stop()
    }

    @Test func whoIsKnownToLeadToAHostIsNotAskedWhereItsTurnComesTooLate() async throws {
        let clock = LeapingClock()
        let bench = try await TurnBench(clock: clock, gap: .seconds(400), names: [])
        let names = ["1", "2", "3", "4", "5"]
        for name in names.dropLast() { await bench.lead("pub.example", name) }
        await bench.origin.script(bench.url("pub.example", "5"), [ScriptedAnswer(body: MannersBench.rss(""))])
        let sources = names.map { Source(name: $0, address: .url(bench.url("pub.example", $0))) }
        _ = try await bench.scheduler.fetch(sources, until: clock.now + 3600) { _ in }
        let before = await bench.origin.requests.count
        try await clock.sleep(until: clock.now + 3600)
        let reports = try await bench.scheduler.fetch(sources) { _ in }
        let asked = await bench.origin.requests.dropFirst(before).map(\.target)
            .filter { $0.hasPrefix(bench.url("pub.example", "")) }
        #expect(asked == ["1", "2", "5"].map { bench.url("pub.example", $0) }, "the last leads nowhere")
        let left = reports.filter { $0.refusal != nil }
        #expect(left.map(\.source).sorted() == ["3", "4"])
        #expect(Set(left.map(\.refusal?.reason)) == [.pace("hub.example")])
        let dates = left.compactMap { $0.refusal?.until }.sorted()
        #expect(dates.last?.timeIntervalSince(try #require(dates.first)) == 400)
        await bench.origin.stop()
    }

    @Test func anAgentSleepsUntilTheTurnOfWhatIsKnownToLeadToAHost() async throws {
        let clock = ManualClock()
        let bench = try await TurnBench(clock: clock, gap: .seconds(600), names: ["a"])
        #expect(try await bench.scheduler.fetch(bench.sources) { _ in }.map(\.result) == [.newData])
        clock.advance(by: 7200)
        try bench.store.noteStart(at: "hub.example", clock.now, .process)
        let run = Task { try await bench.scheduler.run(bench.sources) { _ in } }
        await clock.waitForSleepers()
        let wait = try #require(clock.deadlines.first).timeIntervalSince(clock.now)
        #expect(600...636 ~= wait, "with the hundredth of its interval that a source can wait")
        #expect(await bench.origin.requests.count == 2, "those of the first visit")
        run.cancel()
        _ = await run.result
        await bench.origin.stop()
    }

    @Test func aClockThatIsSetBackShortensTheLine() async throws {
        let hub = HostKey(url: "http://hub.example/")
        let paces = HostPaces(named: ["hub.example": HostPace(gap: .seconds(60))])
        let pacer = try HostPacer(store: .inMemory(), aside: Aside(nil), paces: paces, remembers: false, hosts: [hub])
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try await pacer.start(at: hub, now: start))
        for now in [start, start - 8 * 3600] {
            #expect([60, 120, 180].map { now + $0 } == (1...3).map { _ in pacer.takePlace(at: hub, now: now) })
        }
    }

    @Test func requestsThatWereUnderWayTogetherAreOneComplaint() throws {
        let hub = HostKey(url: "http://hub.example/")
        let pacer = try HostPacer(
            store: .inMemory(), aside: Aside(nil), paces: HostPaces(), remembers: false, hosts: [hub])
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let first = pacer.note(429, isOfLimit: true, retryAfter: nil, by: hub, now: start)
        let second = pacer.note(429, isOfLimit: true, retryAfter: nil, by: hub, now: start + 1)
        #expect(first?.pauses == 1 && second?.pauses == 1)
        #expect(second?.pausedUntil == first?.pausedUntil?.addingTimeInterval(1))
        let late = try #require(second?.pausedUntil) + 1
        let third = pacer.note(429, isOfLimit: true, retryAfter: nil, by: hub, now: late)
        #expect(third?.pauses == 2)
        let pauses = [first?.pausedUntil?.timeIntervalSince(start), third?.pausedUntil?.timeIntervalSince(late)]
        #expect(pauses[1] == pauses[0].map { 2 * $0 }, "one that comes later doubles the pause")
    }

    @Test func onlyPausesWithoutLengthAreCountedAndAnAnswerEndsTheCount() throws {
        let hub = HostKey(url: "http://hub.example/")
        let pacer = try HostPacer(
            store: .inMemory(), aside: Aside(nil), paces: HostPaces(), remembers: false, hosts: [hub]
        ) { 0 }
        var now = Date(timeIntervalSince1970: 1_700_000_000)
        func note(_ status: Int, _ retryAfter: Duration? = nil) -> HostState? {
            pacer.note(status, isOfLimit: status == 429, retryAfter: retryAfter, by: hub, now: now)
        }
        let end = now + 5000
        #expect(note(429, .seconds(5000))?.pausedUntil == end)
        #expect(note(429, .seconds(60))?.pausedUntil == end, "no shorter wish ends it earlier")
        now = end
        #expect(note(429)?.pauses == 1)
        #expect(note(404) == nil)
        #expect(note(200)?.pauses == 0)
        #expect(note(200) == nil)
    }

    @Test func whoWaitsForATurnKeepsNobodyFromTheRunsSlots() async throws {
        let names = (1...FetchScheduler.parallelFetches + 1).map { "lead-\($0)" }
        let bench = try await TurnBench(clock: ManualClock(), gap: .seconds(10), names: names)
        let url = "http://other.example/feed"
        await bench.origin.script(url, [ScriptedAnswer(body: MannersBench.rss(""))])
        let sources = bench.sources + [Source(name: "other", address: .url(url))]
        let run = Task { try await bench.scheduler.fetch(sources) { _ in } }
        // Of each that leads to hub.example, of the one there whose turn it is, and of the other.
        await bench.origin.received(names.count + 2)
        #expect(await bench.origin.requests.contains { $0.target == url }, "no second has passed")
        run.cancel()
        _ = try? await run.value
        await bench.origin.stop()
    }

    @Test func aRedirectToAPausedHostIsNotFollowed() async throws {
        let clock = LeapingClock()
        let bench = try await TurnBench(clock: clock)
        await bench.origin.script(
            "http://hub.example/full", [ScriptedAnswer(status: 429, fields: ["Retry-After": "5000"])])
        let start = clock.now
        let full = Source(name: "full", address: .url("http://hub.example/full"))
        _ = try await bench.scheduler.fetch([full]) { _ in }
        clock.leap(by: 10)
        for purpose in [FetchPurpose.dryRun, .commit] {
            let report = try await bench.scheduler.fetch([bench.sources[0]], purpose: purpose) { _ in }.first
            #expect(report?.refusal?.reason == .host("hub.example"))
            #expect(report?.failure == nil)
        }
        let again = try await bench.scheduler.fetch([bench.sources[0]], isForced: true) { _ in }.first
        #expect(again?.refusal?.reason == .floor, "nor is who leads there asked anew each time")
        let asked = ["http://hub.example/full", "http://a.example/feed", "http://a.example/feed"]
        #expect(await bench.origin.requests.map(\.target) == asked)
        let state = try bench.store.state(of: "a")
        #expect(state.failures == 0)
        #expect(state.nextFetch == start + 5000)
        #expect(state.nextFetchReason == "hub.example, which asked for fewer requests")
        try await clock.sleep(until: start + 5000)
        #expect(try await bench.scheduler.fetch([bench.sources[0]]) { _ in }.first?.result == .newData)
        await bench.origin.stop()
    }

    @Test func aRedirectWithinAHostGoesAtOnceAndTheNextVisitWaitsAGapFromThere() async throws {
        let bench = try await MannersBench()
        await bench.origin.handle { [clock = bench.clock] request in
            if request.target != "/a" { return ScriptedAnswer(body: MannersBench.rss("")) }
            clock.leap(by: 5)
            return ScriptedAnswer(status: 302, fields: ["Location": "/b"])
        }
        let start = bench.clock.now
        _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in }
        #expect(bench.clock.now == start + 5)
        _ = try await bench.scheduler.fetch([bench.source("c")]) { _ in }
        #expect(bench.clock.now == start + 7)
        _ = try await bench.scheduler.fetch([bench.source("a"), bench.source("c")], purpose: .dryRun) { _ in }
        #expect(bench.clock.now == start + 16, "also where nothing is written down")
        #expect(await bench.origin.requests.map(\.target) == ["/a", "/b", "/c", "/a", "/b", "/c"])
        await bench.origin.stop()
    }
}

/// Sources on hosts of their own, which all redirect to hub.example, behind one scripted proxy.
private struct TurnBench {
    let origin: ScriptedOrigin
    let store: Store
    let scheduler: FetchScheduler
    let sources: [Source]

    init(
        clock: any WallClock, gap: Duration = .seconds(2), budget: Duration? = nil, names: [String] = ["a", "b", "c"]
    ) async throws {
        origin = try await ScriptedOrigin()
        store = try Store.inMemory()
        let fetcher = ContentFetcher(
            store: store, transport: CurlTransport(environment: ["http_proxy": origin.url()]), clock: clock,
            userAgent: "t", hosts: HostPaces(named: ["hub.example": HostPace(gap: gap)]), budget: budget
        ) { 0 }
        scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true })
        sources = names.map { Source(name: $0, address: .url("http://\($0).example/feed")) }
        for name in names { await lead("\(name).example", "feed") }
    }

    func url(_ host: String, _ path: String) -> String { "http://\(host)/\(path)" }

    /// Has hub.example hold the document of another host.
    func lead(_ host: String, _ path: String) async {
        let target = url("hub.example", "\(host)/\(path)")
        await origin.script(url(host, path), [ScriptedAnswer(status: 302, fields: ["Location": target])])
        await origin.script(target, [ScriptedAnswer(body: MannersBench.rss(""))])
    }
}
