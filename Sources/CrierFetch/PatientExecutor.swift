import CrierContent
import Dispatch

/// Runs tasks on threads of their own, however many wait.
///
/// A jq program runs in a child process, and the thread that asked for it waits. The threads that all tasks share are as
/// many as the machine has cores: where two wait, on a small machine nothing else goes on, no deadline is met.
final class PatientExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "crier programs", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension Source {
    /// Whether reading it may wait for jq programs.
    var runsPrograms: Bool {
        only != nil || skip != nil || rules.contains { $0.when != nil } || mapping.runsPrograms
    }
}
