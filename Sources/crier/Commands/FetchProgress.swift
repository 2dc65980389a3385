import CrierAgent
import CrierNotifications
import Dispatch
import Foundation

/// Tells each failure as it comes, and on a terminal how far the run is.
///
/// On a thread of its own: a terminal that was told to stop (Ctrl-S) must not stop those who fetch.
actor FetchProgress {
    private let screen = Screen()
    private let count: Int
    private let isShown: Bool
    private var done = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { screen.asUnownedSerialExecutor() }

    init(count: Int, isShown: Bool) {
        self.count = count
        self.isShown = isShown && count > 1
    }

    nonisolated func tell(_ report: VisitAccount) async {
        // Most have nothing to say, and need not come here for that.
        if isShown || report.failure != nil || !report.remarks.isEmpty { await show(report) }
    }

    private func show(_ report: VisitAccount) {
        done += 1
        clear()
        if let failure = report.failure, !report.networkIsDown {
            let next = report.nextFetch.map { "; next visit \(RelativeTime.words($0, from: SystemClock().now))" } ?? ""
            Terminal.note("\(report.source.shown): \(failure.stage.rawValue) failed: \(failure.cause.shown)\(next)")
        }
        for remark in report.remarks { Terminal.note("\(report.source.shown): \(remark.shown)") }
        if isShown, done < count { Terminal.write("\(done) of \(count) sources", to: STDERR_FILENO) }
    }

    /// Takes the line away that tells how far the run is.
    func clear() {
        if isShown { Terminal.write("\r\u{1b}[K", to: STDERR_FILENO) }
    }
}

/// Runs what may have to wait for the terminal.
private final class Screen: SerialExecutor {
    private let queue = DispatchQueue(label: "crier progress")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
