import CrierFetch
import Synchronization

/// Tells once that the network is down, and why, until a host beyond it is reached again.
final class Outage: Sendable {
    private let isTold = Mutex(false)

    /// What there is to say now; nil mostly.
    func words(after report: FetchReport) -> String? {
        let begins = isTold.withLock { isTold in
            guard report.networkIsDown != isTold else { return false }
            if report.networkIsDown || report.hasLeftNetwork { isTold = report.networkIsDown }
            return report.networkIsDown
        }
        guard begins, let cause = report.failure?.cause else { return nil }
        return "the network is down, and nothing is counted against sources: \(cause)"
    }
}
