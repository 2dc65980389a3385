import struct Foundation.Date

/// A place where notifications are raised: a terminal, a desktop, a web service.
///
/// A sink makes one attempt and says how it ended; when to try again is not its business.
public protocol NotificationSink: Sendable {
    /// Makes one attempt. Returns when the notification is raised (or has not been), never later than the sink's own deadline.
    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome

    /// What it makes of a notification; may have to be asked of a program that is running.
    var capabilities: SinkCapabilities { get async }
}

/// One notification on its way to one sink, as the sink sees it.
public struct DeliveryAttempt: Sendable, Hashable {
    public let request: NotificationRequest
    /// 1 for the first attempt.
    public let number: Int
    /// When the request was made: the same at every attempt.
    public let created: Date
    /// What the sink returned when it raised an earlier notification of the same identifier, which this one replaces.
    public let receipt: String?

    public init(request: NotificationRequest, number: Int = 1, created: Date, receipt: String? = nil) {
        self.request = request
        self.number = number
        self.created = created
        self.receipt = receipt
    }
}

/// How one attempt ended.
public enum DeliveryOutcome: Sendable, Hashable {
    /// Accepted. The receipt is the sink's own name for what it raised.
    case delivered(receipt: String? = nil)
    /// The sink is not there now (no session bus, no terminal): waits, and does not count as an attempt.
    case deferred(reason: String)
    /// Did not work; tried again by the sink's schedule, and not before `retryAfter` from now.
    case failed(reason: String, retryAfter: Duration? = nil)
    /// The sink will never accept this notification.
    case rejected(reason: String)
    /// The sink is gone for good (HTTP 410): nothing more is sent to it until the user says so.
    case gone(reason: String)
}
