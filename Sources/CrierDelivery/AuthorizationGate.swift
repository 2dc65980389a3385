import CrierNotifications

/// The one place that says what authorization means for a delivery.
///
/// | status | terminal attached | unattended |
/// |---|---|---|
/// | notDetermined | asks once, when there is something to show | holds |
/// | authorized | delivers | delivers |
/// | denied | suppresses | suppresses |
enum AuthorizationGate {
    /// What becomes of what is due.
    enum Verdict: Sendable, Hashable {
        /// Held ones are released too.
        case deliver
        /// Nothing is lost: it waits for the user's word.
        case hold
        /// The user is asked; without an answer it is held.
        case ask
        /// Recorded, never raised.
        case suppress
    }

    /// - Parameter canAsk: Whether a terminal is attached and the user was not asked yet.
    static func verdict(_ status: AuthorizationStatus, canAsk: Bool) -> Verdict {
        switch status {
        case .authorized: .deliver
        case .denied: .suppress
        case .notDetermined: canAsk ? .ask : .hold
        }
    }
}
