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

    /// Where files are waited for, as one may lie on a disk that does not answer: never the lane of a command, an agent's above all.
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
