import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What happens to a visit whose redirect leads to a host that has to be waited for.
@Suite struct RedirectTurnTests {
    @Test func theWaitForATurnIsNotTheTimeOfTheOrigin() async throws {
        let clock = ManualClock()
        let bench = try await TurnBench(clock: clock, gap: .seconds(60), budget: .seconds(30))
        let start = clock.now
        try bench.store.noteStart(at: "hub.example", start, .process)
        async let run = bench.scheduler.fetch([bench.source("a")]) { _ in }
        await clock.waitForSleepers(2)
        #expect(clock.deadlines == [start + 30, start + 60], "of the budget and of the gap")
        clock.advance(by: 30)
        for _ in 0..<100_000 where clock.deadlines != [start + 60, start + 60] { await Task.yield() }
        #expect(clock.deadlines == [start + 60, start + 60], "the budget is longer by what was waited")
        clock.advance(by: 30)
        #expect(try await run.map(\.result) == [.newData])
        await bench.origin.stop()
    }

    @Test func aTurnThatComesAfterTheRunsEndLeavesTheSourceDue() async throws {
        let bench = try await TurnBench(clock: LeapingClock(), gap: .seconds(400))
        let sources = ["a", "b", "c"].map(bench.source)
        let reports = try await bench.scheduler.fetch(sources) { _ in }
        let left = try #require(reports.first { $0.refusal != nil })
        #expect(left.refusal?.reason == .pace("hub.example"))
        #expect(left.failure == nil)
        #expect(reports.count { $0.result == .newData } == 2)
        #expect(try bench.store.state(of: left.source) == SourceState(name: left.source))
        #expect(try bench.scheduler.due(among: sources).due.map(\.name) == [left.source])
        #expect(await bench.origin.requests.count == 5)
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
        let report = try await bench.scheduler.fetch([bench.source("a")]) { _ in }.first
        #expect(report?.refusal?.reason == .host("hub.example"))
        #expect(report?.failure == nil)
        #expect(await bench.origin.requests.map(\.target) == ["http://hub.example/full", "http://a.example/feed"])
        let state = try bench.store.state(of: "a")
        #expect(state.failures == 0)
        #expect(state.nextFetch == start + 5000)
        #expect(state.nextFetchReason == "hub.example, which asked for fewer requests (429)")
        try await clock.sleep(until: start + 5000)
        #expect(try await bench.scheduler.fetch([bench.source("a")]) { _ in }.first?.result == .newData)
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
        #expect(await bench.origin.requests.map(\.target) == ["/a", "/b", "/c"])
        await bench.origin.stop()
    }
}

/// Sources on hosts of their own, which all redirect to hub.example, behind one scripted proxy.
private struct TurnBench {
    let origin: ScriptedOrigin
    let store: Store
    let scheduler: FetchScheduler

    init(clock: any WallClock, gap: Duration = .seconds(2), budget: Duration? = nil) async throws {
        origin = try await ScriptedOrigin()
        store = try Store.inMemory()
        let fetcher = ContentFetcher(
            store: store, transport: CurlTransport(environment: ["http_proxy": origin.url()]), clock: clock,
            userAgent: "t", hosts: HostPaces(named: ["hub.example": HostPace(gap: gap)]), budget: budget)
        scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true })
        for name in ["a", "b", "c"] {
            let target = "http://hub.example/\(name)"
            await origin.script(
                "http://\(name).example/feed", [ScriptedAnswer(status: 302, fields: ["Location": target])])
            await origin.script(target, [ScriptedAnswer(body: MannersBench.rss(""))])
        }
    }

    func source(_ name: String) -> Source { Source(name: name, address: .url("http://\(name).example/feed")) }
}
