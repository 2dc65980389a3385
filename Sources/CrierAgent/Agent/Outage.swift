import CrierFetch
import CrierNotifications
import CrierStore
import Synchronization

/// Tells once that the network is down beyond this machine's own, and why, until a host there is reached again; the state has a note
/// of it meanwhile.
final class Outage: Sendable {
    private let store: Store
    private let clock: any WallClock
    /// Called when a host is reached again: deliveries may be due.
    private let ended: @Sendable () -> Void
    /// Nil until the first visit that tells.
    private let isDown = Mutex<Bool?>(nil)

    init(store: Store, clock: any WallClock, ended: @escaping @Sendable () -> Void = {}) {
        self.ended = ended
        self.store = store
        self.clock = clock
    }

    /// What there is to say now; nil mostly.
    func words(after report: FetchReport) -> String? {
        // Nearly always: hosts are reached, as they were.
        if !report.networkIsDown, isDown.withLock({ $0 == false }) { return nil }
        guard report.isCutOff || report.hasLeftNetwork else { return nil }
        let hasChanged = isDown.withLock { isDown in
            defer { isDown = report.isCutOff }
            return isDown != report.isCutOff
        }
        guard hasChanged else { return nil }
        // Where no note can be taken, the log has it all the same, and the next host that is reached ends it.
        let cause = report.failure?.cause
        if (try? store.noteNetwork(isDown: report.isCutOff, because: cause, at: clock.now)) == nil, !report.isCutOff {
            isDown.withLock { $0 = nil }
        }
        if !report.isCutOff { ended() }
        guard report.isCutOff, let cause else { return nil }
        return "the network is down, and nothing is counted against sources: \(cause)"
    }
}

extension NetworkOutage {
    /// Since when it is, and with what it began.
    package var words: String { RelativeTime.absolute(since) + (cause.map { " (\($0))" } ?? "") }
}
