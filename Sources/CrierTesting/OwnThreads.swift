import Foundation

/// Runs each job of a task on a thread of its own, for work that waits in the kernel: the threads that all tasks share are as
/// many as the machine has cores, and where two tests make them wait, the one they wait for never runs.
public final class OwnThreads: TaskExecutor {
    public static let shared = OwnThreads()

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// What a file or pipe holds up to its end, however long that takes to come.
    public static func everything(in file: FileHandle) async throws -> String {
        try await withTaskExecutorPreference(shared) { () async throws in
            String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }
}
