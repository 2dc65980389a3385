import Dispatch

/// Runs all work of a command, the agent above all, one job after another, on one thread that ends when there is nothing to do.
///
/// It is in no hurry, and so takes one core at most. The threads that all tasks share cost more than time: once they have been
/// used, dispatch counts them once a second on Linux (its event_workqueue.c), and an idle process is never left alone.
package final class QuietLane: TaskExecutor {
    package static let shared = QuietLane()

    private let queue: DispatchQueue
    /// The lane as the place of an actor: what that does waits there for a disk, or for another process, whoever calls it, and keeps no thread
    /// that a program shares with us.
    package let isolation: any SerialExecutor

    private init() {
        queue = DispatchQueue(label: "crier lane")
        isolation = Isolation(queue: queue)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Not the lane itself: an executor of tasks that isolates as well cannot go on with an actor's work where it is.
    private final class Isolation: SerialExecutor {
        private let queue: DispatchQueue

        init(queue: DispatchQueue) {
            self.queue = queue
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
}

extension QuietLane {
    /// Does work on the lane where the task has no place of its own: it would wait on a thread that all tasks of the program share.
    package static func whereNoneIsChosen<T, Failure>(
        _ work: () async throws(Failure) -> T
    ) async throws(Failure) -> T {
        if withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) != nil { return try await work() }
        return try await withTaskExecutorPreference(shared, operation: work)
    }
}
