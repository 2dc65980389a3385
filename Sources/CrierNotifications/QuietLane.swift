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
