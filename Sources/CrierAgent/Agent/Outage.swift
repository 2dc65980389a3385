import CrierFetch
import Synchronization

/// Tells once that the network is down beyond this machine's own, and why, until a host there is reached again.
final class Outage: Sendable {
    private let isTold = Mutex(false)

    /// What there is to say now; nil mostly.
    func words(after report: FetchReport) -> String? {
        let begins = isTold.withLock { isTold in
            guard report.isCutOff != isTold else { return false }
            if report.isCutOff || report.hasLeftNetwork { isTold = report.isCutOff }
            return report.isCutOff
        }
        guard begins, let cause = report.failure?.cause else { return nil }
        return "the network is down, and nothing is counted against sources: \(cause)"
    }
}
