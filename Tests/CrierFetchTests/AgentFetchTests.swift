import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch

@Suite struct BellTests {
    @Test func aRingBeforeTheWaitIsKeptUntilItIsTaken() async throws {
        let clock = ManualClock()
        let bell = Bell()
        bell.ring()
        try await clock.sleep(until: .distantFuture, orRingOf: bell)
        #expect(bell.take())
        #expect(!bell.isRung)
    }

    @Test func aRingEndsTheWait() async throws {
        let clock = ManualClock()
        let bell = Bell()
        async let wait: Void = clock.sleep(until: .distantFuture, orRingOf: Bell(), bell)
        await clock.waitForSleepers()
        bell.ring()
        try await wait
        #expect(clock.deadlines.isEmpty, "nobody sleeps on")
    }

    @Test func theDateEndsTheWaitAndCancellationDoes() async throws {
        let clock = ManualClock()
        let date = clock.now.addingTimeInterval(10)
        async let wait: Void = clock.sleep(until: date, orRingOf: Bell())
        await clock.waitForSleepers()
        clock.advance(by: 10)
        try await wait
        let task = Task { try await clock.sleep(until: .distantFuture, orRingOf: Bell()) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

@Suite struct AgentFetchTests {
    private func source(_ name: String, every: Duration) -> Source {
        Source(name: name, address: .url("https://\(name).example/"), every: every)
    }

    @Test func sourcesOfAboutTheSameDateShareAWakeUp() throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        var sources = ["hourly", "other", "later"].map { source($0, every: .seconds(3600)) }
        var dates = [100.0, 130, 140].map(now.addingTimeInterval)
        func agenda() throws -> FetchAgenda {
            var agenda = try FetchAgenda(sources)
            agenda.note(
                zip(sources, dates).map { source, date in
                    var report = FetchReport(source: source.name, result: .noData)
                    report.nextFetch = date
                    return report
                })
            return agenda
        }
        #expect(try agenda().wakeUp(after: now) == now.addingTimeInterval(136))
        #expect(try agenda().due(at: now.addingTimeInterval(136)).map(\.name) == ["hourly", "other"])
        // One that can wait for less is not kept waiting by the others.
        sources.append(source("quick", every: .seconds(60)))
        dates.append(now.addingTimeInterval(110))
        #expect(try agenda().wakeUp(after: now) == now.addingTimeInterval(110.6))
        #expect(try agenda().next(after: now) == now.addingTimeInterval(100))
    }

    @Test func theLoopEndsAtTheBellAndNotInARound() async throws {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", [ScriptedAnswer(steps: [.gate("go"), .close])])
        let bell = Bell()
        let source = bench.source
        let loop = Task { try await bench.scheduler.run([source], until: bell) { _ in } }
        await bench.origin.received(1)
        bell.ring()
        await bench.origin.open("go")
        try await loop.value
        #expect(try bench.state().failures == 1, "the round was brought to its end")
        await bench.origin.stop()
    }

    @Test func theLoopSleepsUntilTheSourceIsDueAndTheSlackIsOver() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let source = bench.source
        let loop = Task { try await bench.scheduler.run([source]) { _ in } }
        await bench.origin.received(1)
        await bench.clock.waitForSleepers()
        let next = try #require(try bench.state().nextFetch)
        // At the latest it looks after an hour.
        #expect(bench.clock.deadlines == [min(next.addingTimeInterval(36), bench.clock.now.addingTimeInterval(3600))])
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
        await bench.origin.stop()
    }

    @Test func aClockThatIsSetBackMakesTheLoopLookAnew() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let clock = LeapingClock()
        let fetcher = ContentFetcher(store: bench.store, transport: CurlTransport(), clock: clock, userAgent: "t")
        let scheduler = FetchScheduler(fetcher: fetcher, store: bench.store, clock: clock)
        let (source, bell, start) = (bench.source, Bell(), clock.now)
        let visits = Mutex<[TimeInterval]>([])
        try await scheduler.run([source], until: bell) { _ in
            let count = visits.withLock { visits in
                visits.append(clock.now.timeIntervalSince(start))
                return visits.count
            }
            if count == 2 { bell.ring() }
            clock.leap(by: -30 * 86_400)
        }
        let second = try #require(visits.withLock { $0.last })
        #expect(-30 * 86_400...(-29 * 86_400) ~= second, "not when it would have been due by the other clock")
        await bench.origin.stop()
    }

    @Test(arguments: [FetchPurpose.dryRun, .trial])
    func theLoopComesBackToWhatFailsWhereNothingIsWritten(_ purpose: FetchPurpose) async throws {
        let transport = ScriptedTransport()
        let clock = LeapingClock(end: Date(timeIntervalSince1970: 1_700_000_000 + 12 * 3600))
        let store = try Store.inMemory()
        let fetcher = ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "t")
        let scheduler = FetchScheduler(
            fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true })
        transport.script("https://a.example/a", status: 500)
        transport.script("https://b.example/b", [.failure(HTTPError(.resolve, "no b"))])
        let sources = ["a", "b"].map { Source(name: $0, address: .url("https://\($0).example/\($0)")) }
        await #expect(throws: CancellationError.self) { try await scheduler.run(sources, purpose: purpose) { _ in } }
        for source in sources {
            #expect(transport.requests.count { $0.url.hasSuffix(source.name) } > 9, "\(source.name), each hour")
        }
        #expect(try store.states().isEmpty)
    }

    @Test func whatIsOverdueIsFetchedInRoundsWithAPauseBetweenThem() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let sources = (0..<(FetchScheduler.roundSize + 1)).map { number in
            Source(name: "s\(number)", address: .url(bench.origin.url("/feed")), sinks: ["stdout"])
        }
        let loop = Task { try await bench.scheduler.run(sources) { _ in } }
        await bench.clock.waitForSleepers()
        #expect(bench.clock.deadlines == [bench.clock.now.addingTimeInterval(FetchScheduler.roundPause)])
        #expect(await bench.origin.requests.count == FetchScheduler.roundSize)
        bench.clock.advance(by: FetchScheduler.roundPause)
        await bench.origin.received(FetchScheduler.roundSize + 1)
        loop.cancel()
        _ = try? await loop.value
        await bench.origin.stop()
    }

    @Test func aFetchThatSpendsItsBudgetIsEndedAndRecorded() async throws {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", [.hang])
        let fetcher = ContentFetcher(
            store: bench.store, transport: CurlTransport(), clock: bench.clock, userAgent: "t", budget: .seconds(30))
        let source = bench.source
        async let report = fetcher.fetch(source)
        await bench.origin.received(1)
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: 30)
        #expect(try await report.failure == FetchFailure(.fetch, "the time budget of 30 s for one fetch is spent"))
        let state = try bench.state()
        #expect(state.lastResult == .failed && state.failures == 1)
        await bench.origin.closed(1)
        await bench.origin.stop()
    }

    @Test func aClockThatIsSetAheadSpendsNoBudget() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let fetcher = ContentFetcher(
            store: bench.store, transport: CurlTransport(), clock: SetAheadClock(), userAgent: "t", budget: .seconds(30)
        )
        #expect(try await fetcher.fetch(bench.source).result == .newData)
        await bench.origin.stop()
    }

    @Test func aMinimumIntervalOfTheUserHoldsForEverySource() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let fetcher = ContentFetcher(
            store: bench.store, transport: CurlTransport(), clock: bench.clock, userAgent: "t",
            hosts: HostPaces(minimumInterval: .seconds(7200)))
        let report = try await fetcher.fetch(bench.source)
        let wait = try #require(report.nextFetch).timeIntervalSince(bench.clock.now)
        #expect(wait >= 7200 && wait < 7200 * 1.1 + 1)
        #expect(report.nextFetchReason == "the least interval of 2 h, longer than its own of 1 h")
        await bench.origin.stop()
    }

    @Test func twoSourcesOfOneNameAreAMistakeThatIsSaid() async throws {
        let bench = try await FetchBench()
        let scheduler = bench.scheduler
        let twice = [bench.source, bench.source]
        let error = #expect(throws: StoreError.self) { _ = try scheduler.due(among: twice) }
        #expect(error?.kind == .invalidRequest && error?.description == "two sources are called news")
        await #expect(throws: StoreError.self) { _ = try await scheduler.fetch(twice) { _ in } }
        await #expect(throws: StoreError.self) { try await scheduler.run(twice) { _ in } }
        await bench.origin.stop()
    }

    /// The state's texts end there: it would be taken for another.
    @Test func aNameThatHoldsANULIsAMistakeThatIsSaid() async throws {
        let bench = try await FetchBench()
        let (scheduler, fetcher) = (bench.scheduler, bench.fetcher)
        func changed(_ change: (inout Source) -> Void) -> Source {
            var source = bench.source
            change(&source)
            return source
        }
        let odd = [
            ("source news2", changed { $0.name = "news\u{0}2" }), ("sink desk", changed { $0.sinks = ["desk\u{0}"] }),
            ("sink desk", changed { $0.rules = [ItemRule(sinks: ["desk\u{0}"])] }),
            ("digest m", changed { $0.digests = ["\u{0}m"] }),
        ]
        for (name, source) in odd {
            let error = #expect(throws: StoreError.self) { _ = try scheduler.due(among: [source]) }
            #expect(error?.kind == .invalidRequest && error?.description == "the name of the \(name) holds a NUL")
            await #expect(throws: StoreError.self) { _ = try await fetcher.fetch(source) }
        }
        #expect(try bench.store.states().isEmpty)
        await bench.origin.stop()
    }

    @Test func aStateThatIsGoneIsTold() async throws {
        let bench = try await FetchBench()
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.file("crier.sqlite"))
        let fetcher = ContentFetcher(store: store, transport: CurlTransport(), clock: bench.clock, userAgent: "test")
        let scheduler = FetchScheduler(
            fetcher: fetcher, store: store, clock: bench.clock, network: NetworkPath { true })
        let source = bench.source
        try FileManager.default.removeItem(atPath: folder.file("crier.sqlite"))
        await #expect(throws: StoreError.self) { _ = try await scheduler.fetch([source]) { _ in } }
        await #expect(throws: StoreError.self) { _ = try await fetcher.fetch(source) }
        #expect(await bench.origin.requests.isEmpty)
        await bench.origin.stop()
    }

    /// Its user shuts it down; what would have been answered nobody knows.
    @Test func whatTheTransportCutsShortSaysNothingAboutTheSource() async throws {
        let bench = try await FetchBench()
        let transport = ScriptedTransport()
        transport.script(bench.origin.url("/feed"), [.failure(HTTPError(.cancelled, "shut down"))])
        let fetcher = ContentFetcher(store: bench.store, transport: transport, clock: bench.clock, userAgent: "test")
        let report = try await fetcher.fetch(bench.source)
        #expect(report.result == .failed && report.nextFetch == bench.clock.now.addingTimeInterval(60))
        #expect(try bench.store.states().isEmpty)
        await bench.origin.stop()
    }

    @Test func partsOfASecondAreSaid() {
        let words = [0.5, 1.5, 0.25, 5, 59.6, 90, 0].map { Duration.seconds($0).words }
        #expect(words == ["0.5 s", "1.5 s", "0.25 s", "5 s", "1 min", "1 min 30 s", "0 s"])
        #expect((Duration.seconds(Int64.min) * 2).words == "0 s")
    }

    @Test func aPaceIsOfOneAtLeast() { #expect(HostPace(parallel: 0).parallel == 1) }
}

/// Set ahead so far that every date has come; no length of time is over by that.
private struct SetAheadClock: WallClock {
    let now = Date()
    func sleep(until deadline: Date) async throws {}
    func sleep(for duration: Duration) async throws { try await SystemClock().sleep(for: duration) }
}
