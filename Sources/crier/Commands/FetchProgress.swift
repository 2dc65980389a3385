import CrierAgent
import CrierDelivery
import CrierFetch
import CrierNotifications
import Dispatch
import Foundation
import Synchronization

/// Tells each failure as it comes, and on a terminal how far the run is.
///
/// On a thread of its own, which nobody waits for before the end: a terminal that was told to stop (Ctrl-S) must not stop
/// those who fetch.
final class FetchProgress: Sendable {
    private let queue = DispatchQueue(label: "crier progress")
    private let count: Int
    private let isShown: Bool
    private let isQuiet: Bool
    private let done = Atomic(0)
    private let hasTold = Atomic(false)
    /// What tells how far the run is; of the queue, as is whether it makes way for a notification.
    nonisolated(unsafe) private var line: String?
    nonisolated(unsafe) private var isAway = false

    /// - Parameters:
    ///   - isShown: Whether it tells how far the run is.
    ///   - isQuiet: Whether it tells of nothing but failures.
    init(count: Int, isShown: Bool, isQuiet: Bool = false) {
        self.count = count
        self.isQuiet = isQuiet
        self.isShown = isShown && count > 1
    }

    /// By what notifications are printed: on the same terminal the line makes way for each, and comes back behind it.
    var output: DescriptorWriter {
        guard isShown, Terminal.stdoutIsTerminal else { return .standardOutput }
        return DescriptorWriter(STDOUT_FILENO) {
            await withCheckedContinuation { continuation in
                self.queue.async {
                    self.clear()
                    self.isAway = true
                    continuation.resume()
                }
            }
        } after: {
            self.queue.async {
                self.isAway = false
                self.draw()
            }
        }
    }

    /// To be told in its turn.
    func tell(_ report: FetchReport) {
        // Most have nothing to say.
        if isShown || report.failure != nil || report.content != nil && !isQuiet { tell(VisitAccount(report)) }
    }

    /// To be told in its turn.
    func tell(_ report: VisitAccount) {
        guard isShown || report.failure != nil || !report.remarks.isEmpty && !isQuiet else { return }
        hasTold.store(true, ordering: .releasing)
        queue.async { self.show(report) }
    }

    /// Does not end before everything is told.
    func during<Result>(_ run: () async throws -> Result) async throws -> Result {
        do {
            let result = try await run()
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    /// Returns once everything is told, and the line is taken away that tells how far the run is.
    func end() async {
        guard hasTold.load(ordering: .acquiring) else { return }
        await withCheckedContinuation { continuation in
            queue.async {
                self.clear()
                self.line = nil
                continuation.resume()
            }
        }
    }

    private func show(_ report: VisitAccount) {
        let done = done.add(1, ordering: .relaxed).newValue
        clear()
        if let failure = report.failure, !report.networkIsDown {
            let next = report.nextFetch.map { "; next visit \(RelativeTime.words($0, from: SystemClock().now))" } ?? ""
            Terminal.note("\(report.source.shown): \(failure.stage.rawValue) failed: \(failure.cause.shown)\(next)")
        }
        if !isQuiet { for remark in report.remarks { Terminal.note("\(report.source.shown): \(remark.shown)") } }
        line = isShown && done < count ? "\(done) of \(count) sources" : nil
        draw()
    }

    private func draw() {
        if let line, !isAway { Terminal.write(line, to: STDERR_FILENO) }
    }

    private func clear() {
        if line != nil, !isAway { Terminal.write("\r\u{1b}[K", to: STDERR_FILENO) }
    }
}
