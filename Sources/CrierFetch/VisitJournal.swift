import CrierNotifications
import CrierStore
import Synchronization

import typealias Foundation.TimeInterval

/// A visit that has been made, and what is to be written of it.
///
/// A class: it is much to copy, and passes through many hands.
final class FinishedVisit: Sendable {
    let report: FetchReport
    /// Nil: nothing.
    let entry: CommitEntry?
    /// Whose slot it holds until it is written.
    private let turn: HostTurn?

    /// - Parameter turn: Is over, unless the visit holds a document: then it keeps its slot.
    init(_ report: consuming FetchReport, _ entry: CommitEntry? = nil, _ turn: HostTurn? = nil) {
        self.report = consume report
        self.entry = entry
        let holdsDocument = entry?.fetch.items.isEmpty == false
        self.turn = holdsDocument ? turn : nil
        if holdsDocument { turn?.leave() } else { turn?.end() }
    }

    var holdsDocument: Bool { turn != nil }

    func end() { turn?.end() }

    /// Not inlined: there would be place for another report in each task that writes.
    @inline(never)
    func report(isOvertaken: Bool) -> FetchReport {
        var report = report
        if isOvertaken { report.becomeOvertaken() }
        return report
    }
}

/// Takes a run's visits as they end, and writes them down, many in one transaction: one takes as long as ten visits, and waits for
/// the disk. Each is told when it is written.
///
/// The visits go on meanwhile. Those that hold a document keep their slot, so that there are never too many in memory.
final class VisitJournal: Sendable {
    private struct Book {
        var reports: [FetchReport] = []
        var unwritten: [FinishedVisit] = []
        /// Of those.
        var documents = 0
    }

    /// So many are written at once.
    private static let mostVisits = 256
    private let mostDocuments = max(1, FetchScheduler.slots / 2)
    /// None waits longer for others.
    private static let patience = Duration.milliseconds(100)

    private let store: Store
    private let aside: Aside
    private let purpose: FetchPurpose
    /// Whether a task runs ``keepTime()``; else each visit is written by itself.
    let gathers: Bool
    private let report: @Sendable (FetchReport) async -> Void
    private let book: Mutex<Book>
    /// One at a time, so that what came later is written later.
    private let writing = FetchSlots(1)
    private let (begun, begin) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - gathers: Whether a task runs ``keepTime()``.
    ///   - count: How many visits are to be expected.
    init(
        _ store: Store, aside: Aside, purpose: FetchPurpose, gathers: Bool, count: Int,
        report: @escaping @Sendable (FetchReport) async -> Void
    ) {
        self.store = store
        self.aside = aside
        self.purpose = purpose
        self.gathers = gathers
        self.report = report
        var book = Book()
        book.reports.reserveCapacity(count)
        self.book = Mutex(book)
    }

    /// Of all that were told so far.
    var reports: [FetchReport] { book.withLock { $0.reports } }

    func note(_ visit: FinishedVisit) async throws {
        guard let entry = visit.entry else {
            // Task.checkCancellation() here makes the optimizer of Swift 6.3.1 crash while it splits this coroutine.
            if Task.isCancelled { throw CancellationError() }
            return await tell(visit.report)
        }
        // An origin that wants to be left alone is not forgotten for the sake of others; nor is a first visit.
        let isUrgent = !gathers || !visit.holdsDocument && entry.durability == .powerCut
        let (isFirst, isFull) = book.withLock { book in
            book.unwritten.append(visit)
            if visit.holdsDocument { book.documents += 1 }
            let hasEnough = visit.holdsDocument && book.documents == mostDocuments
            return (book.unwritten.count == 1, hasEnough || book.unwritten.count == Self.mostVisits)
        }
        if isUrgent || isFull {
            try await write()
        } else if isFirst {
            begin.yield()
        }
    }

    /// Until the task is cancelled.
    func keepTime() async throws(StoreError) {
        for await _ in begun {
            await QuietTimer.wait(for: Self.patience)
            if Task.isCancelled { return }
            try await write()
        }
    }

    /// What has been made is written, and told, also when the task is cancelled.
    ///
    /// - Throws: Why the first that could not be written was not, when the others have been told.
    func write() async throws(StoreError) {
        await writing.acquire()
        let visits = book.withLock { book in
            defer { (book.unwritten, book.documents) = ([], 0) }
            return book.unwritten
        }
        let failures = visits.isEmpty ? [] : await aside.commit(visits.compactMap(\.entry), in: store)
        for visit in visits { visit.end() }
        writing.release()
        for (visit, failure) in zip(visits, failures) where failure == nil || failure?.kind == .overtaken {
            await tell(visit.report(isOvertaken: failure != nil))
        }
        guard let failure = failures.lazy.compactMap({ $0 }).first(where: { $0.kind != .overtaken }) else { return }
        // So it is to each of them then.
        if failure.kind == .diskFull { await rest(after: visits) }
        throw failure
    }

    /// In seconds.
    private static let restWithoutRoom: TimeInterval = 3600

    /// The disk has no room for what origins said, but it may have for when to ask them again: else each run would ask for the same.
    ///
    /// Apart, as hardly any run comes here, and none needs a place for it.
    @inline(never)
    private func rest(after visits: [FinishedVisit]) async {
        try? await aside { () throws(StoreError) in
            for fetch in visits.lazy.compactMap({ $0.entry?.fetch }) {
                // One that has no room says nothing of the next.
                try? store.noteRefusal(of: fetch.state.name, by: nil) { state in
                    // What was never visited so keeps its first visit.
                    guard state.visited == fetch.state.visited else { return }
                    state.nextFetch = fetch.date.addingTimeInterval(Self.restWithoutRoom)
                    state.nextFetchReason = "a full disk"
                }
            }
        }
    }

    private func tell(_ report: consuming FetchReport) async {
        if !report.suspectsNetwork, report.refusal == nil { await self.report(report) }
        if purpose == .commit { report.forgetDocument() }
        book.withLock { [report] in $0.reports.append(report) }
    }
}
