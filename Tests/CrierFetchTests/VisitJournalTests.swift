import CrierContent
import CrierHTTP
import CrierTesting
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CrierFetch
@testable import CrierStore

/// What a run's visits leave is written many at once, and none waits long for others.
@Suite(.timeLimit(.minutes(5))) struct VisitJournalTests {
    let store: Store
    let clock = ManualClock()

    init() throws {
        store = try Store.inMemory()
    }

    // MARK: - In a run

    @Test func visitsThatFindNothingShareTransactions() async throws {
        let (origin, transport) = (try await ScriptedOrigin(), CurlTransport())
        let sources = try await visited((0..<100).map { "s\($0)" }, at: origin, through: transport)
        let transactions = Tally()
        try await store.writer.write { db in db.add(transactionObserver: transactions, extent: .databaseLifetime) }
        let told = Mutex<Set<String>>([])
        let reports = try await scheduler(transport).fetch(sources, isForced: true) { report in
            told.withLock { _ = $0.insert(report.source) }
        }
        #expect(Set(reports.map(\.source)) == Set(sources.map(\.name)) && reports.count == 100)
        #expect(told.withLock { $0 } == Set(sources.map(\.name)))
        #expect(try store.states().values.allSatisfy { $0.lastStatus == 304 })
        #expect(transactions.count.withLock { $0 } < 50)
        await transport.shutdown()
        await origin.stop()
    }

    @Test func aVisitIsWrittenAndToldWhileAnotherIsUnderWay() async throws {
        let (origin, transport) = (try await ScriptedOrigin(), CurlTransport())
        var sources = try await visited(["quick"], at: origin, through: transport)
        await origin.script("/slow", [ScriptedAnswer(steps: [.gate("slow"), .close])])
        sources.append(Source(name: "slow", address: .url(origin.url("/slow")), sinks: ["stdout"]))
        let (told, tell) = AsyncStream.makeStream(of: String.self)
        let scheduler = scheduler(transport)
        async let reports = scheduler.fetch(sources, isForced: true) { tell.yield($0.source) }
        var names = told.makeAsyncIterator()
        #expect(await names.next() == "quick")
        #expect(try store.state(of: "quick").lastStatus == 304)
        #expect(try store.state(of: "slow").lastFetched == nil)
        await origin.open("slow")
        #expect(try await reports.count == 2)
        await transport.shutdown()
        await origin.stop()
    }

    @Test func whatARunHasMadeIsWrittenAlsoWhereItIsCutShort() async throws {
        let (origin, transport) = (try await ScriptedOrigin(), CurlTransport())
        var sources = try await visited(["quick"], at: origin, through: transport)
        await origin.script("/slow", [.hang])
        sources.append(Source(name: "slow", address: .url(origin.url("/slow")), sinks: ["stdout"]))
        let run = Mutex<Task<Void, any Error>?>(nil)
        let observer = FetchObserver(ended: { name in
            if name == "quick" { run.withLock { $0?.cancel() } }
        })
        let scheduler = scheduler(transport, observer)
        let task = run.withLock { [sources] run in
            let task = Task { _ = try await scheduler.fetch(sources, isForced: true) { _ in } }
            run = task
            return task
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try store.state(of: "quick").lastStatus == 304)
        #expect(try store.state(of: "slow").lastFetched == nil, "what a signal cut short says nothing")
        await transport.shutdown()
        await origin.stop()
    }

    // MARK: - By itself

    @Test func soManyDocumentsWaitTogetherAndNoMore() async throws {
        let journal = journal()
        let most = FetchScheduler.parallelFetches / 2
        let slots = FetchSlots(most)
        for number in 0..<most {
            #expect(try store.states().isEmpty)
            await slots.acquire()
            try await journal.note(visit("s\(number)", items: [ContentItem(identifier: "a")], slots))
        }
        #expect(try store.states().count == most)
        #expect(journal.reports.count == most)
        for _ in 0..<most { await slots.acquire() }
    }

    @Test func whatCannotBeWrittenGivesItsSlotBack() async throws {
        try store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER no BEFORE INSERT ON source WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        let (journal, slots) = (journal(), FetchSlots(2))
        for name in ["bad", "good"] {
            await slots.acquire()
            try await journal.note(visit(name, items: [ContentItem(identifier: "a")], slots))
        }
        await #expect(throws: StoreError.self) { try await journal.write() }
        #expect(Set(try store.states().keys) == ["good"])
        #expect(journal.reports.map(\.source) == ["good"], "what was written is told")
        for _ in 0..<2 { await slots.acquire() }
    }

    @Test func whoWantsToBeLeftAloneIsWrittenDownAtOnceWithThoseBefore() async throws {
        let journal = journal()
        try await journal.note(visit("before"))
        #expect(try store.states().isEmpty)
        var refused = FetchCommit(state: SourceState(name: "refused"), date: clock.now)
        refused.state.wishes.refusedUntil = clock.now.addingTimeInterval(3600)
        try await journal.note(
            FinishedVisit(FetchReport(source: "refused", result: .failed), CommitEntry(refused)))
        #expect(Set(try store.states().keys) == ["before", "refused"])
        #expect(journal.reports.map(\.source) == ["before", "refused"])
    }

    @Test func whereNobodyKeepsTimeEachIsWrittenAtOnce() async throws {
        try await journal(gathers: false).note(visit("s"))
        #expect(try store.states().count == 1)
    }

    // MARK: - Made for them

    private func scheduler(_ transport: CurlTransport, _ observer: FetchObserver = FetchObserver()) -> FetchScheduler {
        let fetcher = ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "crier-test/1")
        return FetchScheduler(fetcher: fetcher, store: store, clock: clock, observer: observer)
    }

    /// Sources that have been read, and have not changed since.
    private func visited(
        _ names: [String], at origin: ScriptedOrigin, through transport: CurlTransport
    ) async throws -> [Source] {
        let feed = """
            <rss version="2.0"><channel><title>F</title><item><guid>1</guid><title>One</title></item></channel></rss>
            """
        for name in names {
            let whole = ScriptedAnswer(fields: ["ETag": "\"a\""], body: feed)
            await origin.script("/\(name)", [whole, ScriptedAnswer(status: 304)])
        }
        let sources = names.map { Source(name: $0, address: .url(origin.url("/\($0)")), sinks: ["stdout"]) }
        _ = try await scheduler(transport).fetch(sources) { _ in }
        return sources
    }

    private func journal(gathers: Bool = true) -> VisitJournal {
        VisitJournal(store, aside: Aside(nil), purpose: .commit, gathers: gathers, count: 0) { _ in }
    }

    private func visit(_ name: String, items: [ContentItem] = [], _ slots: FetchSlots? = nil) throws -> FinishedVisit {
        let host = HostKey(url: "https://a.example/")
        let turn = try slots.map { slots in
            let pacer = try HostPacer(
                store: store, aside: Aside(nil), paces: HostPaces(), remembers: false, hosts: [host])
            return HostTurn(pacer, at: host, slots: slots, clock: clock, until: .distantFuture)
        }
        let fetch = FetchCommit(state: SourceState(name: name), items: items, date: clock.now)
        return FinishedVisit(FetchReport(source: name, result: .noData), CommitEntry(fetch), turn)
    }
}

private final class Tally: TransactionObserver, Sendable {
    let count = Mutex(0)

    func observes(eventsOfKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { count.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: Database) {}
}
