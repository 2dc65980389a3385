import Dispatch

/// Runs all work of the actors that read and write files on a queue of its own, one after the other: where the disk does not answer,
/// nobody else waits for it, and two sinks that write the same file do not get in each other's way.
final class DiskLane: SerialExecutor {
    static let shared = DiskLane()

    private let queue = DispatchQueue(label: "crier disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
