import Dispatch

/// Runs tasks on the curl thread, between libcurl's own work.
///
/// A visit to an origin that has nothing new is little besides its request: on other threads, handing it over and back takes
/// more time than all the rest. What takes long, or waits for a disk, is to leave the lane, as no transfer goes on meanwhile.
final class CurlLane: TaskExecutor {
    private let mailbox: CurlMailbox
    private let trust: TrustStore

    init(_ mailbox: CurlMailbox, trust: TrustStore) {
        self.mailbox = mailbox
        self.trust = trust
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        switch mailbox.run(job, on: asUnownedTaskExecutor()) {
        case .first: CurlLoop.start(mailbox, trust: trust)
        case .posted: break
        // What is left to do when the thread is gone is done nevertheless.
        case .refused: Self.run(job, on: asUnownedTaskExecutor())
        }
    }

    /// Elsewhere.
    static func run(_ job: UnownedJob, on lane: UnownedTaskExecutor) {
        DispatchQueue.global().async { job.runSynchronously(on: lane) }
    }
}
