import CrierContent
import Dispatch

/// Runs tasks on threads of their own, however many wait.
///
/// A jq program runs in a child process, and the thread that asked for it waits. The threads that all tasks share are as
/// many as the machine has cores: where two wait, on a small machine nothing else goes on, no deadline is met.
final class PatientExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // One job on each queue, and not all on a concurrent one: that would be served by the threads that all tasks share (see
        // ``QuietLane``).
        DispatchQueue(label: "crier programs").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension Source {
    /// Whether reading it may wait for jq programs.
    var runsPrograms: Bool {
        self.only != nil || self.skip != nil || self.rules.contains { $0.when != nil } || self.mapping.runsPrograms
    }
}
