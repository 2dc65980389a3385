import CrierNotifications
import Foundation

/// One notification on its way to one sink: a row of the outbox.
public struct Delivery: Sendable, Hashable {
    /// Where a delivery stands; what is delivered, suppressed or dead is over.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Due at ``Delivery/nextAttempt``.
        case pending
        /// Waits for the user's authorization.
        case held
        /// Accepted by the sink.
        case delivered
        /// Recorded, and never to be raised.
        case suppressed
        /// Given up; the user may try it again.
        case dead
    }

    /// Its number, by which the user names it.
    public let id: Int64
    /// What is to be raised, as it is now.
    public let request: NotificationRequest
    /// The name of the source it tells of; nil where a program made it, or the source is gone.
    public let source: String?
    /// The name of the sink that it goes to.
    public let sink: String
    public let state: State
    /// Attempts made.
    public internal(set) var attempts: Int
    /// Where it is pending; not before its sink's pause is over.
    public let nextAttempt: Date
    /// Why the last attempt did not work, or why it was suppressed.
    public let lastError: String?
    /// The sink's own name for what it raised under this identifier.
    public let receipt: String?
    /// When the request was made.
    public let created: Date
    /// When it was delivered, suppressed or given up.
    public let ended: Date?
    /// 1, and one more each time that the request took the place of an earlier one of its identifier.
    public let requestRevision: Int
    /// Whether it waits for the end of quiet hours, or of muting.
    public let isQuieted: Bool
    /// Whether it waits for its sink, which said that it is gone (``Store/goneSinks()``).
    public let isSinkGone: Bool
    /// Since when nothing but its sink keeps it: when the request was made, or the user's word or the end of quiet let it go.
    package let readySince: Date
    /// Rises with each change.
    var revision: Int64

    /// Of one that was taken for an attempt: whether it, or something of it, may have been raised before without a record of
    /// that, as the process was killed, the state could not be written, or the user had it tried again meanwhile. Also true
    /// of one that has only waited, for the user, for the end of quiet hours or for its sink, and of a later revision of a request.
    public var mayBeRaised: Bool { revision > 1 }
}

/// A delivery, and what has become of it.
package typealias EndedDelivery = (delivery: Delivery, change: DeliveryChange)

/// What becomes of a delivery.
package enum DeliveryChange: Sendable, Hashable {
    case delivered(receipt: String?, remark: String? = nil)
    /// The attempt did not work; tried again at a date. A receipt is of those who have it already.
    case retry(at: Date, reason: String, receipt: String? = nil)
    /// The sink was not there to try, or the run was stopped: the attempt does not count. The reason is nil where nothing is amiss.
    case deferred(at: Date, reason: String?)
    /// Due at another date, without an attempt.
    case postponed(at: Date, reason: String?)
    case dead(reason: String)
}

/// An attempt that did not work.
public struct FailedAttempt: Sendable, Hashable, Encodable {
    /// 1 for the first attempt of a schedule.
    public let number: Int
    /// When it had ended.
    public let ended: Date
    /// One sentence.
    public let reason: String
}
