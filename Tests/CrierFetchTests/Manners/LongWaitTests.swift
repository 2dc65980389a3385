import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch

/// Waits that are longer than a round, than the usual interval, or than the time that the clock is right.
@Suite struct LongWaitTests {
    private let store: Store
    private let transport = ScriptedTransport()

    init() throws {
        store = try Store.inMemory()
    }

    private func scheduler(_ clock: any WallClock, _ hosts: HostPaces) -> FetchScheduler {
        let fetcher = ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "t", hosts: hosts)
        return FetchScheduler(fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true })
    }

    private func source(_ name: String, on host: String = "h.example") -> Source {
        let url = "https://\(host)/\(name)"
        transport.script(url, body: MannersBench.rss(""))
        return Source(name: name, address: .url(url))
    }

    @Test(.timeLimit(.minutes(5))) func aGapLongerThanARoundIsSleptThrough() async throws {
        let clock = ManualClock()
        let scheduler = scheduler(clock, HostPaces(named: ["h.example": HostPace(gap: .seconds(120))]))
        let sources = [source("a"), source("b")]
        let begin = clock.now
        let loop = Task { try await scheduler.run(sources) { _ in } }
        await clock.waitForSleepers()
        #expect(transport.requests.map(\.url) == ["https://h.example/a"])
        // A round has no time for more of this host; the next one leaves what is left.
        clock.advance(by: FetchScheduler.roundPause)
        await clock.waitForSleepers()
        #expect(clock.deadlines == [begin.addingTimeInterval(120)])
        clock.advance(to: begin.addingTimeInterval(120))
        await clock.waitForSleepers()
        #expect(transport.requests.map(\.url) == ["https://h.example/a", "https://h.example/b"])
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
    }

    @Test func whatARoundLeavesWaitsForItsHostAndKeepsItsPlace() throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let sources = [source("a"), source("b"), source("other", on: "other.example"), source("c")]
        var agenda = try FetchAgenda(sources)
        agenda.note(
            zip(sources, [10.0, 20, 5, -60]).map { source, ago in
                var report = FetchReport(source: source.name, result: .noData)
                report.nextFetch = now.addingTimeInterval(-ago)
                return report
            })
        #expect(agenda.due(at: now).map(\.name) == ["b", "a", "other"])
        agenda.postpone(["a": now.addingTimeInterval(120)])
        #expect(agenda.due(at: now).map(\.name) == ["other"])
        #expect(agenda.next(after: now) == now.addingTimeInterval(120))
        #expect(agenda.wakeUp(after: now) == now.addingTimeInterval(120), "no slack is added")
        #expect(agenda.due(at: now.addingTimeInterval(120)).map(\.name) == ["b", "a", "other", "c"])
    }

    @Test func anEditedSourceKeepsItsPlaceAmongThoseThatAreDue() throws {
        let clock = ManualClock()
        var sources = [source("a"), source("b")]
        for (source, ago) in zip(sources, [10.0, 20]) {
            var state = SourceState(name: source.name)
            (state.visited, state.nextFetch) = (source.fingerprint, clock.now - ago)
            try store.commit(FetchCommit(state: state, date: clock.now))
        }
        sources[1].mapping.format = .atom
        #expect(try scheduler(clock, HostPaces()).due(among: sources).due.map(\.name) == ["b", "a"])
    }

    /// One host that has more than its pace allows, and another: each source comes round, in spite of the crowd.
    @Test(.timeLimit(.minutes(5))) func nobodyStarvesWhereThereIsMoreThanAHostsPaceAllows() async throws {
        let clock = LeapingClock(end: Date(timeIntervalSince1970: 1_700_000_000 + 6 * 3600))
        let scheduler = scheduler(clock, HostPaces(named: ["h.example": HostPace(gap: .seconds(120))]))
        let crowd = (0..<40).map { source("s\($0)") }
        let sources = crowd + [source("other", on: "other.example")]
        await #expect(throws: CancellationError.self) { try await scheduler.run(sources) { _ in } }
        var counts: [String: Int] = [:]
        for request in transport.requests { counts[request.url, default: 0] += 1 }
        #expect(counts.count == 41)
        let visits = crowd.map { counts["https://h.example/\($0.name)", default: 0] }
        #expect(visits.reduce(0, +) >= 150)
        #expect(visits.allSatisfy { (3...6).contains($0) }, "\(visits)")
        #expect(counts["https://other.example/other", default: 0] >= 4)
    }

    @Test(.timeLimit(.minutes(5))) func noVisitBeginsAfterTheBell() async throws {
        let clock = ManualClock()
        let scheduler = scheduler(clock, HostPaces(named: ["h.example": HostPace(gap: .seconds(30))]))
        let (sources, bell) = ([source("a"), source("b")], Bell())
        let loop = Task { try await scheduler.run(sources, until: bell) { _ in } }
        await clock.waitForSleepers()
        bell.ring()
        try await loop.value
        #expect(transport.requests.map(\.url) == ["https://h.example/a"])
        #expect(try scheduler.due(among: sources).due.map(\.name) == ["b"], "it comes next")
    }

    /// Answers once the gate is open.
    private struct HeldTransport: HTTPTransport {
        let base: ScriptedTransport
        let gate: Bell

        func send(
            _ request: HTTPRequest, beforeRedirect: RedirectObserver
        ) async throws(HTTPError) -> HTTPResponse {
            let answer = try await base.send(request, beforeRedirect: beforeRedirect)
            await gate.wait()
            return answer
        }
    }

    @Test(.timeLimit(.minutes(5))) func norDoesOneThatWaitedForAFreePlace() async throws {
        let (bell, gate, clock) = (Bell(), Bell(), LeapingClock())
        let begun = Mutex(0)
        let observer = FetchObserver(
            began: { _ in
                guard
                    begun.withLock({
                        $0 += 1
                        return $0
                    }) == FetchScheduler.parallelFetches
                else { return }
                bell.ring()
                gate.ring()
            })
        let fetcher = ContentFetcher(
            store: store, transport: HeldTransport(base: transport, gate: gate), clock: clock, userAgent: "t")
        let scheduler = FetchScheduler(
            fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true }, observer: observer)
        let sources = (0..<FetchScheduler.parallelFetches + 8).map { source("s\($0)", on: "h\($0).example") }
        try await scheduler.run(sources, until: bell) { _ in }
        #expect(transport.requests.count == FetchScheduler.parallelFetches)
        #expect(try scheduler.due(among: sources).due.count == 8)
    }

    @Test(.timeLimit(.minutes(5))) func aNetworkThatStaysDownIsLookedAtEverMoreRarely() async throws {
        let clock = ManualClock()
        let scheduler = scheduler(clock, HostPaces())
        let sources = [source("a", on: "a.example"), source("b", on: "b.example")]
        for source in sources {
            guard case .url(let url) = source.address else { continue }
            transport.script(url, [.failure(HTTPError(.resolve, "no host"))])
        }
        let loop = Task { try await scheduler.run(sources) { _ in } }
        for pause in [60.0, 120, 240, 480, 900, 900] {
            await clock.waitForSleepers()
            #expect(clock.deadlines == [clock.now.addingTimeInterval(pause)])
            clock.advance(by: pause)
        }
        await clock.waitForSleepers()
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
        #expect(try store.states().isEmpty)
    }

    @Test(arguments: [1.0, 3]) func theUsersLeastIntervalOfDaysIsNoClockThatWasAhead(days: Double) async throws {
        let clock = ManualClock()
        let scheduler = scheduler(clock, HostPaces(minimumInterval: .seconds(days * 86_400)))
        let sources = (0..<8).map { source("s\($0)", on: "h\($0).example") }
        _ = try await scheduler.fetch(sources) { _ in }
        clock.advance(by: 600)
        #expect(try scheduler.due(among: sources).due.isEmpty)
        clock.advance(by: days * 86_400 * 1.1)
        #expect(try scheduler.due(among: sources).due.count == 8)
    }

    @Test func aClockThatIsSetBackDuringAGapLengthensNoWait() async throws {
        let clock = SetBackClock()
        let scheduler = scheduler(clock, HostPaces())
        let reports = try await scheduler.fetch([source("a"), source("b")]) { _ in }
        #expect(reports.map(\.result) == [.newData, .newData])
        #expect(clock.hasBeenSetBack)
    }

    @Test func whatIsVisitedOnRequestOnlyStaysSoWhereItsHostWantsToBeLeftAlone() async throws {
        let clock = LeapingClock()
        let scheduler = scheduler(clock, HostPaces())
        let gone = source("a")
        transport.script("https://h.example/a", status: 410)
        for _ in 0..<2 {
            _ = try await scheduler.fetch([gone]) { _ in }
            clock.leap(by: 8 * 86_400)
        }
        var host = HostState(name: "h.example")
        host.pausedUntil = clock.now + 600
        try store.notePause(of: host)
        let report = try await scheduler.fetch([gone], isForced: true) { _ in }.first
        #expect(report?.refusal?.reason == .host("h.example"))
        clock.leap(by: 600)
        #expect(try scheduler.due(among: [gone]).due.isEmpty)
    }

    @Test func aSourceThatWasGoneWhileTheClockWasAheadRestsForAWeek() async throws {
        let clock = LeapingClock()
        let scheduler = scheduler(clock, HostPaces())
        let gone = source("a")
        transport.script("https://h.example/a", status: 410)
        clock.leap(by: 30 * 86_400)
        _ = try await scheduler.fetch([gone]) { _ in }
        clock.leap(by: -30 * 86_400)
        _ = try await scheduler.fetch([gone]) { _ in }
        #expect(try store.state(of: "a").goneSince == clock.now)
        #expect(try store.state(of: "a").nextFetch == clock.now.addingTimeInterval(7 * 86_400))
        #expect(try scheduler.due(among: [gone]).due.isEmpty)
    }

    /// Whoever else has heard the same date does not come back in the same second.
    @Test(arguments: [503, 429]) func retryAfterIsAnsweredWithALittlePatience(_ status: Int) async throws {
        let bench = try await MannersBench(chance: 0.5)
        bench.transport.script("https://h.example/a", status: status, fields: ["Retry-After": "5000"])
        let start = bench.clock.now
        _ = try await bench.elsewhere.fetch([bench.source("a", on: "h.example")]) { _ in }
        #expect(try bench.state("a").nextFetch == start.addingTimeInterval(5250))
        let pause = try bench.store.hosts()["h.example"]?.pausedUntil
        #expect(pause == (status == 429 ? start.addingTimeInterval(5250) : nil))
        await bench.origin.stop()
    }
}

/// Is set back by hours as soon as somebody waits; who waits for a date then waits for hours.
private final class SetBackClock: WallClock {
    private let time = Mutex((now: Date(timeIntervalSince1970: 1_700_000_000), isRight: false))

    var now: Date { time.withLock { $0.now } }
    var hasBeenSetBack: Bool { time.withLock { $0.isRight } }

    func sleep(until deadline: Date) async throws { throw CancellationError() }

    func sleep(for duration: Duration) async throws {
        time.withLock { time in
            if !time.isRight { time.now -= 8 * 3600 }
            time.isRight = true
            time.now += duration / .seconds(1)
        }
    }
}
