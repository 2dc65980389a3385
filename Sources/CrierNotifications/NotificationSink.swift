import struct Foundation.Date

/// A place where notifications are raised: a terminal, a desktop, a web service.
///
/// A sink makes one attempt and says how it ended; when to try again is not its business.
///
/// It is called on a thread of Crier's on which other sinks work, too, unless the task that delivers has chosen an executor: a call that
/// blocks that thread keeps all of them waiting, and its own deadline. Such work belongs on a thread of its own.
public protocol NotificationSink: Sendable {
    /// Makes one attempt. Returns when the notification is raised (or has not been), never later than the sink's own deadline.
    ///
    /// The task is cancelled when the attempt takes too long, or when the run is stopped. Then the sink ends what it does and
    /// returns at once: with ``DeliveryOutcome/delivered(receipt:remark:)`` where the notification was raised nevertheless. Whoever
    /// delivers waits for that, however long it takes, as an attempt that is given up while its call goes on would be made
    /// twice: a call that takes no notice of being cancelled needs a time limit of its own.
    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome
    /// Whether notifications of one source must arrive in their order: then one that has to be tried again keeps the later
    /// ones of its source waiting. Those that a program adds are of no source, and wait for no other.
    var isOrdered: Bool { get }

    /// Whether what it defers says nothing of the next notification, which is raised then. Else the sink is not there now, and
    /// nothing is raised before it may be back.
    var defersSingly: Bool { get }
    /// Whether what it accepted outlives a power cut, or has left this machine; then the record of it has to as well. Where it
    /// is only with the kernel, a record that lasts would say of something lost that it was delivered.
    var outlivesPowerCut: Bool { get }
    /// Whether an attempt is a mere write, which ends by itself: no timer is set for it.
    var isMereWrite: Bool { get }
    /// Whether somebody is told of what it raises. Where it is only kept for whoever looks, as in a file, that another sink does
    /// not work is told elsewhere, if it can be.
    var reachesPerson: Bool { get }
    /// How long an attempt may take before its task is cancelled, where it is no mere write: longer than the sink's own limit, which
    /// knows better how to end it. Two minutes unless the sink says otherwise.
    var attemptLimit: Duration { get }

    /// What tells where its notifications go from everywhere else, such as an address: one that said it is gone is tried again once
    /// this is another. It may be secret, as no more than a hash of it is kept. Nil, unless the sink says otherwise, where it cannot
    /// be told.
    var destination: String? { get async }

    /// What it makes of a notification; may have to be asked of a program that is running.
    var capabilities: SinkCapabilities { get async }
}

/// A sink that raises several notifications at once for less than one after the other, as a file that waits for its disk once.
public protocol BatchNotificationSink: NotificationSink {
    /// How many notifications it takes at once, 1 or more; less counts as 1.
    var batchLimit: Int { get }
    /// One attempt at several, in their order. The outcome, with its receipt, is that of each: all of them are raised, or none is.
    ///
    /// - Parameter attempts: From 1 to ``batchLimit`` of them.
    func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome
}

extension BatchNotificationSink {
    /// As several that are one.
    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await deliver([attempt]) }
}

extension NotificationSink {
    /// How many notifications it is given at once.
    package var mostAtOnce: Int { (self as? any BatchNotificationSink).map { max(1, $0.batchLimit) } ?? 1 }

    /// - Parameter attempts: From 1 to ``mostAtOnce`` of them.
    package func deliver(together attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        if let sink = self as? any BatchNotificationSink { return await sink.deliver(attempts) }
        return await deliver(attempts[0])
    }

    public var isOrdered: Bool { false }
    public var defersSingly: Bool { false }
    public var outlivesPowerCut: Bool { true }
    public var isMereWrite: Bool { false }
    public var reachesPerson: Bool { true }
    public var attemptLimit: Duration { .seconds(120) }
    public var destination: String? { nil }
}

/// One notification on its way to one sink, as the sink sees it.
public struct DeliveryAttempt: Sendable, Hashable {
    /// What is to be raised.
    public let request: NotificationRequest
    /// 1, and one more each time that the request took the place of an earlier one of its identifier.
    public let revision: Int
    /// 1 for the first attempt.
    public let number: Int
    /// When the request was made: the same at every attempt.
    public let created: Date
    /// What the sink returned when it raised an earlier notification of the same identifier, which this one replaces, or when it
    /// put this one off.
    public let receipt: String?
    /// Whether it, or something of it, may have been raised before without a record of that: a sink that can look does so. Also
    /// true where it has only waited, and nothing was tried, and of what replaces an earlier request: what is found under its
    /// identifier may be that.
    public let mayBeRaised: Bool

    public init(
        request: NotificationRequest, revision: Int = 1, number: Int = 1, created: Date, receipt: String? = nil,
        mayBeRaised: Bool = false
    ) {
        self.request = request
        self.revision = revision
        self.number = number
        self.created = created
        self.receipt = receipt
        self.mayBeRaised = mayBeRaised
    }

    /// What a receiver tells repeats by: the same at every attempt of one revision of a request, and of no other.
    public var idempotencyKey: String {
        revision == 1 ? request.identifier : "\(request.identifier)\u{0}\(revision)"
    }
}

/// How one attempt ended.
///
/// Of a reason and a remark one line of 500 characters is kept and told, of a receipt what stands before the first NUL.
public enum DeliveryOutcome: Sendable, Hashable {
    /// Accepted. The receipt is the sink's own name for what it raised; the remark says what is amiss all the same.
    case delivered(receipt: String? = nil, remark: String? = nil)
    /// The sink is not there now (no session bus, no terminal), or wants this one later: waits, and does not count as an attempt. It is
    /// tried again after a minute at first, and after a quarter of an hour once it has waited for hours, whatever the sink's schedule.
    case deferred(reason: String)
    /// Did not work; tried again by the sink's schedule, and not before `retryAfter` from now.
    case failed(reason: String, retryAfter: Duration? = nil)
    /// Nobody was reached beyond this machine's own network: a failed attempt, unless it is known that the whole network is down. Then it
    /// is put off as by ``deferred(reason:)``, and due when a host can be reached again.
    case unreached(reason: String)
    /// No answer came, and it may have been raised all the same: tried again by the sink's schedule, always under its own
    /// identifier and never within a summary, so that a receiver can tell that it has it. Not before `retryAfter` from now, where
    /// somebody on the way asked for that.
    case unanswered(reason: String, retryAfter: Duration? = nil)
    /// This one was not taken yet, which says nothing of the sink, nor of the next: tried again by its schedule. Where some have it
    /// already, the receipt names them to the next attempt: it is never within a summary then.
    case putOff(reason: String, receipt: String? = nil)
    /// The sink will never accept this notification.
    case rejected(reason: String)
    /// The sink is gone for good (HTTP 410): nothing more is sent to it until the user says so, or its
    /// ``NotificationSink/destination`` is another.
    case gone(reason: String)

    /// Why nothing was raised; nil where it was.
    package var reason: String? {
        switch self {
        case .delivered: nil
        case .failed(let reason, _), .unreached(let reason), .unanswered(let reason, _), .deferred(let reason),
            .putOff(let reason, _), .rejected(let reason), .gone(let reason):
            reason
        }
    }
}
