import CrierContent
import CrierNotifications
import CrierStore

/// Where visits read documents, and the state: away from libcurl's lane, if that is where they are made, as no transfer goes on
/// meanwhile. The state makes them wait for a disk, and for another process that writes.
///
/// That is ``QuietLane``, which also delivers: on several threads, they would wait for one another at the state.
struct Aside: Sendable {
    private let lane: UnownedTaskExecutor?

    /// - Parameter lane: Nil: visits are made where nobody is kept from anything.
    init(_ lane: (any TaskExecutor)?) {
        self.lane = lane?.asUnownedTaskExecutor()
    }

    /// Nil: where the task is now.
    var executor: (any TaskExecutor)? {
        guard let lane, withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor == lane }) else { return nil }
        return QuietLane.shared
    }

    /// Bytes that are read within a few milliseconds.
    private static let short = 256 << 10
    /// The same of a page, into which expressions look.
    private static let shortPage = 32 << 10

    /// Where a document is read. Nil: where the task is now.
    ///
    /// A long one on the threads that all tasks share, as many as the machine has cores: all that is delivered meanwhile would wait for
    /// it on the lane.
    func executor(reading document: ContentDocument?, by mapping: ContentMapping) -> (any TaskExecutor)? {
        guard let executor else { return nil }
        let isPage = mapping.format == .html || mapping.format == .xml
        return document.map { $0.body.count > (isPage ? Self.shortPage : Self.short) } ?? false
            ? globalConcurrentExecutor : executor
    }

    /// Where a file is waited for, as it may lie on a disk that does not answer: never the lane of a command, an agent's above all.
    /// Nil: where the task is now.
    var patientExecutor: (any TaskExecutor)? {
        guard let current = withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }),
            current == lane || current == QuietLane.shared.asUnownedTaskExecutor()
        else { return nil }
        return PatientExecutor()
    }

    func callAsFunction<T: Sendable>(_ work: () throws(StoreError) -> T) async throws(StoreError) -> T {
        guard let executor else { return try work() }
        return try await withTaskExecutorPreference(executor) { () async throws(StoreError) in try work() }
    }

    /// What cannot be written in company is written alone, so that each has its own verdict.
    ///
    /// - Returns: Why an entry could not be written, each in its place; nil where it was.
    func commit(_ entries: [CommitEntry], in store: Store) async -> [StoreError?] {
        await withTaskExecutorPreference(executor) { () async in store.commit(each: entries) }
    }
}
