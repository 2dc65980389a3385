import Dispatch

/// Runs all work of a command, the agent above all, one job after another, on one thread that ends when there is nothing to do.
///
/// It is in no hurry, and so takes one core at most. The threads that all tasks share cost more than time: once they have been
/// used, dispatch counts them once a second on Linux (its event_workqueue.c), and an idle process is never left alone.
package final class QuietLane: TaskExecutor {
    package static let shared = QuietLane()

    private let queue = DispatchQueue(label: "crier lane")

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension QuietLane {
    /// Does work on the lane where the task has no place of its own: it would wait for a disk, or for another process that writes the
    /// state, on a thread that all tasks of a program share.
    package static func whereNoneIsChosen<T, Failure>(
        _ work: () async throws(Failure) -> T
    ) async throws(Failure) -> T {
        if withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) != nil { return try await work() }
        return try await withTaskExecutorPreference(shared) { () async throws(Failure) in
            // Without anything to be done here, the compiler has an actor's work begun on the thread of whoever asked for it.
            arrive()
            return try await work()
        }
    }

    @inline(never)
    private static func arrive() { _ = shared.queue.label }
}
