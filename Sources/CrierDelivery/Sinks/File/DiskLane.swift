import Dispatch

/// Runs all work of an actor that reads and writes files, on a queue of its own: where the disk does not answer, no other sink waits
/// for it.
final class DiskLane: SerialExecutor {
    private let queue = DispatchQueue(label: "crier disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
