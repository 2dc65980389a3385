import CrierContent
import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

@Suite struct PaceTests {
    @Test func requestsToOneHostAreAGapApartAlsoAcrossRuns() async throws {
        let bench = try await MannersBench()
        await bench.origin.handle { _ in ScriptedAnswer(body: MannersBench.rss("")) }
        let start = bench.clock.now
        _ = try await bench.scheduler.fetch([bench.source("a"), bench.source("b")]) { _ in }
        #expect(bench.clock.now == start.addingTimeInterval(2))
        _ = try await bench.scheduler.fetch([bench.source("c")]) { _ in }
        #expect(bench.clock.now == start.addingTimeInterval(4))
        #expect(try bench.store.hosts()["127.0.0.1:\(bench.origin.port)"]?.lastStarted == bench.clock.now)
        #expect(await bench.origin.requests.count == 3)
        await bench.origin.stop()
    }

    /// Such as `crier try` beside it.
    @Test func aRunTakesTurnsWithWhoeverAsksTheHostMeanwhile() async throws {
        let bench = try await MannersBench()
        let host = "127.0.0.1:\(bench.origin.port)"
        let start = bench.clock.now
        await bench.origin.handle { [clock = bench.clock, store = bench.store] request in
            if request.target == "/a" {
                clock.leap(by: 1.5)
                try? store.noteStart(at: host, clock.now)
            }
            return ScriptedAnswer(body: MannersBench.rss(""))
        }
        _ = try await bench.scheduler.fetch([bench.source("a"), bench.source("b")]) { _ in }
        #expect(bench.clock.now == start + 3.5)
        #expect(await bench.origin.requests.map(\.target) == ["/a", "/b"])
        await bench.origin.stop()
    }

    @Test func aRunObeysAHostThatAskedAnotherForFewerRequestsMeanwhile() async throws {
        let bench = try await MannersBench()
        var paused = HostState(name: "127.0.0.1:\(bench.origin.port)")
        paused.pausedUntil = bench.clock.now + 5000
        paused.pauses = 1
        await bench.origin.handle { [store = bench.store, paused] _ in
            try? store.notePause(of: paused)
            return ScriptedAnswer(body: MannersBench.rss(""))
        }
        let reports = try await bench.scheduler.fetch([bench.source("a"), bench.source("b")]) { _ in }
        #expect(reports.map(\.refusal?.until) == [nil, paused.pausedUntil])
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    /// What a clock that was ahead has written keeps nobody waiting for longer than the gap.
    @Test(arguments: [1.5, 3.0, 31_536_000.0]) func aStartThatLiesAheadIsNobodysTurn(_ seconds: Double) async throws {
        let bench = try await MannersBench()
        await bench.origin.handle { _ in ScriptedAnswer(body: MannersBench.rss("")) }
        let begin = bench.clock.now
        try bench.store.noteStart(at: "127.0.0.1:\(bench.origin.port)", begin + seconds)
        _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in }
        #expect(bench.clock.now <= begin + 6)
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    /// Two sources that lead to a third host, and one that is there.
    @Test func aRedirectIsFollowedAtThePaceOfTheHostThatItLeadsTo() async throws {
        let bench = try await RedirectingBench()
        let begin = bench.clock.now
        let reports = try await bench.scheduler.fetch(bench.sources, until: .distantFuture) { _ in }
        #expect(reports.map(\.result) == [.newData, .newData, .newData])
        #expect(await bench.origin.requests.count == 5)
        #expect(try #require(try bench.store.hosts()["cdn.example"]?.lastStarted) >= begin.addingTimeInterval(4))
        #expect(try bench.store.hosts()["a.example"]?.lastStarted == begin)
        await bench.origin.stop()
    }

    @Test func aRedirectWaitsWhileTheHostThatItLeadsToIsAnsweringAnother() async throws {
        let bench = try await RedirectingBench(isGated: true)
        async let run = bench.scheduler.fetch(bench.sources, until: .distantFuture) { _ in }
        await bench.origin.received(3)
        // Long enough for the others to have asked: each time the clock has leapt by seconds.
        let leap = bench.clock.now.addingTimeInterval(30)
        for _ in 0..<10_000 where bench.clock.now < leap { await Task.yield() }
        #expect(await bench.origin.requests.count { $0.target.hasPrefix("http://cdn.example/") } == 1)
        await bench.origin.open("go")
        #expect(try await run.map(\.result) == [.newData, .newData, .newData])
        #expect(await bench.origin.requests.count == 5)
        await bench.origin.stop()
    }

    @Test func aNamedHostTakesAsManyRequestsAtOnceAsItsPaceSays() async throws {
        let bench = try await MannersBench(HostPace(parallel: 3, gap: .zero))
        let body = Array(MannersBench.rss("").utf8)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
        await bench.origin.handle { _ in ScriptedAnswer(steps: [.gate("go"), .bytes(head + body)]) }
        let sources = (0..<6).map { bench.source("s\($0)") }
        async let run = bench.scheduler.fetch(sources) { _ in }
        await bench.origin.received(3)
        #expect(await bench.origin.requests.count == 3)
        await bench.origin.open("go")
        #expect(try await run.count == 6)
        await bench.origin.stop()
    }

    @Test func anAdoptedAddressIsPacedByItsOwnHost() async throws {
        let bench = try await MannersBench()
        for path in ["a", "b"] { bench.transport.script("https://h.example/\(path)", body: MannersBench.rss("")) }
        let moved = bench.source("a", on: "old.example")
        var state = SourceState(name: "a")
        state.move = SourceMove(configured: "https://old.example/a")
        state.move?.adopted = "https://h.example/a"
        state.visited = moved.fingerprint
        try bench.store.commit(FetchCommit(state: state, date: bench.clock.now))
        let start = bench.clock.now
        _ = try await bench.elsewhere.fetch([moved, bench.source("b", on: "h.example")]) { _ in }
        #expect(bench.transport.requests.map(\.url) == ["https://h.example/a", "https://h.example/b"])
        #expect(bench.clock.now == start.addingTimeInterval(2))
        #expect(try bench.store.hosts().keys.sorted() == ["h.example"])
        await bench.origin.stop()
    }

    @Test func aRedirectFromThisMachineToAnotherHasTheLeastIntervalOfOthers() async throws {
        let bench = try await MannersBench(nil)
        var source = bench.source("a", on: "localhost")
        source.every = .seconds(1)
        let answer = HTTPResponse(
            status: 200, body: Array(MannersBench.rss("").utf8), url: "https://h.example/a",
            redirects: [HTTPRedirect(status: 302, from: "https://localhost/a", to: "https://h.example/a")])
        bench.transport.script("https://localhost/a", [.success(answer)])
        let report = try await bench.elsewhere.fetch([source]) { _ in }.first
        #expect(try #require(report?.nextFetch).timeIntervalSince(bench.clock.now) >= 900)
        await bench.origin.stop()
    }

    @Test func loopbackHostsAreNotPaced() async throws {
        let bench = try await MannersBench(nil)
        await bench.origin.handle { _ in ScriptedAnswer(body: MannersBench.rss("")) }
        let start = bench.clock.now
        _ = try await bench.scheduler.fetch((0..<20).map { bench.source("s\($0)") }) { _ in }
        #expect(bench.clock.now == start)
        #expect(await bench.origin.requests.count == 20)
        await bench.origin.stop()
    }

    @Test func whatDoesNotFitIntoARunIsLeftForTheNext() async throws {
        let bench = try await MannersBench(HostPace(gap: .seconds(400)))
        await bench.origin.handle { _ in ScriptedAnswer(body: MannersBench.rss("")) }
        let sources = (0..<3).map { bench.source("s\($0)") }
        #expect(try await bench.scheduler.fetch(sources) { _ in }.count == 2)
        #expect(try bench.scheduler.due(among: sources).due.map(\.name) == ["s2"])
        await bench.origin.stop()
    }

    @Test func anIntervalBelowAQuarterOfAnHourIsLengthenedAndSaysSo() async throws {
        let bench = try await MannersBench()
        await bench.origin.handle { _ in ScriptedAnswer(body: MannersBench.rss("")) }
        var source = bench.source("a")
        source.every = .seconds(60)
        let start = bench.clock.now
        _ = try await bench.scheduler.fetch([source]) { _ in }
        #expect(try #require(bench.state("a").nextFetch).timeIntervalSince(start) >= 900)
        #expect(try bench.state("a").nextFetchReason?.contains("least interval of 15 min") == true)
        await bench.origin.stop()
    }

    @Test(arguments: [(false, nil, 86_400.0), (true, nil, 3600), (false, "\"1\"", 3600)])
    func equalBodiesThatCannotBeAskedForConditionallyAreReadOnceADay(
        _ isChosen: Bool, _ etag: String?, _ wait: Double
    ) async throws {
        let bench = try await MannersBench(HostPace(gap: .zero))
        let fields: HTTPFields = etag.map { ["ETag": $0] } ?? [:]
        await bench.origin.script("/a", [ScriptedAnswer(fields: fields, body: MannersBench.rss(""))])
        var source = bench.source("a")
        source.isEveryChosen = isChosen
        for _ in 0..<4 { _ = try await bench.scheduler.fetch([source]) { _ in } }
        let next = try #require(bench.state("a").nextFetch).timeIntervalSince(bench.clock.now)
        #expect(next >= wait && next <= wait * 1.1 + 1)
        await bench.origin.stop()
    }

    /// A POST, and an address that is another one at each visit, as object stores sign them.
    @Test(arguments: [true, false]) func soAreThoseWhoseValidatorsAreNeverSent(isPost: Bool) async throws {
        let bench = try await MannersBench(HostPace(gap: .zero))
        let body = ScriptedAnswer(fields: ["ETag": "\"1\""], body: MannersBench.rss(""))
        await bench.origin.script("/b", [body])
        let redirects = (1...4).map { ScriptedAnswer(status: 302, fields: ["Location": "/b?sig=\($0)"]) }
        await bench.origin.script("/a", isPost ? [body] : redirects)
        var source = bench.source("a")
        if isPost { source.request.body = "q=1" }
        for _ in 0..<4 { _ = try await bench.scheduler.fetch([source]) { _ in } }
        #expect(await bench.origin.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
        let state = try bench.state("a")
        #expect(try #require(state.nextFetch).timeIntervalSince(try #require(state.lastFetched)) >= 86_400)
        await bench.origin.stop()
    }

    @Test(arguments: [
        ("<ttl>300</ttl>", 18_000.0),
        ("<sy:updatePeriod xmlns:sy=\"http://purl.org/rss/1.0/modules/syndication/\">daily</sy:updatePeriod>", 86_400),
        // It is 22:13 GMT on a Tuesday.
        ("<skipHours><hour>23</hour><hour>0</hour></skipHours>", 10_000),
        ("<skipDays><day>Tuesday</day><day>Wednesday</day></skipDays>", 92_800),
        ("<skipDays><day>Tuesday</day><day>Wednesday</day><day>Thursday</day></skipDays>", 179_200),
    ])
    func theFeedsOwnWordsPostponeTheNextVisitAlsoAfterANotModified(_ elements: String, _ least: Double) async throws {
        let bench = try await MannersBench(HostPace(gap: .zero))
        await bench.origin.script(
            "/a",
            [
                ScriptedAnswer(fields: ["ETag": "\"1\""], body: MannersBench.rss(elements)),
                ScriptedAnswer(status: 304),
            ])
        for _ in 0..<2 {
            _ = try await bench.scheduler.fetch([bench.source("a")]) { _ in }
            let wait = try #require(bench.state("a").nextFetch).timeIntervalSince(bench.clock.now)
            #expect(wait >= least && wait <= least + 700)
            #expect(try bench.scheduler.due(among: [bench.source("a")]).due.isEmpty)
        }
        await bench.origin.stop()
    }
}

/// Sources on a.example and b.example, which redirect to cdn.example, and one on that, behind one scripted proxy.
private struct RedirectingBench {
    let origin: ScriptedOrigin
    let store: Store
    let clock = LeapingClock()
    let scheduler: FetchScheduler
    let sources = ["cdn.example", "a.example", "b.example"].map {
        Source(name: $0, address: .url("http://\($0)/\($0.prefix(1))"))
    }

    /// - Parameter isGated: Whether the source on cdn.example is answered when the gate `go` is open.
    init(isGated: Bool = false) async throws {
        origin = try await ScriptedOrigin()
        store = try Store.inMemory()
        let transport = CurlTransport(environment: ["http_proxy": origin.url()])
        let fetcher = ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "t")
        scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true })
        let body = Array(MannersBench.rss("").utf8)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
        await origin.handle { request in
            if request.target == "http://cdn.example/c", isGated {
                return ScriptedAnswer(steps: [.gate("go"), .bytes(head + body)])
            }
            if request.target.hasPrefix("http://cdn.example/") { return ScriptedAnswer(steps: [.bytes(head + body)]) }
            return ScriptedAnswer(status: 302, fields: ["Location": "http://cdn.example/\(request.target.suffix(1))"])
        }
    }
}
