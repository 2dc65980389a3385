import CrierNotifications
import CrierStore
import Foundation
import Logging

/// A sink under its name in the configuration, with the schedule of its retries.
public struct NamedSink: Sendable {
    public let name: String
    public let sink: any NotificationSink
    public let retries: RetryPolicy

    public init(name: String, sink: any NotificationSink, retries: RetryPolicy) {
        self.name = name
        self.sink = sink
        self.retries = retries
    }
}

/// Asks the user on the terminal, with the first notification at hand. Nil: no answer.
public typealias AuthorizationQuestion = @Sendable (_ first: NotificationRequest, _ count: Int) async -> Bool?

/// The second queue: takes due deliveries through the authorization gate to their sinks.
///
/// Crier's counterpart of Apple's `UNUserNotificationCenter`.
public actor UserNotificationCenter {
    let store: Store
    let sinks: [String: NamedSink]
    let clock: any WallClock
    let logger: Logger
    /// Nil where nobody can be asked, and after the one question.
    private var question: AuthorizationQuestion?
    /// What is being attempted: a delivery that is asked for meanwhile leaves it alone.
    private var underWay: Set<Int64> = []

    /// - Parameter question: How to ask; nil where no terminal is attached.
    public init(
        store: Store, sinks: [NamedSink], clock: any WallClock, logger: Logger, question: AuthorizationQuestion? = nil
    ) {
        self.store = store
        self.sinks = Dictionary(sinks.map { ($0.name, $0) }) { first, _ in first }
        self.clock = clock
        self.logger = logger
        self.question = question
    }

    /// Puts a request into the outbox; the next delivery raises it. One of the same identifier is replaced.
    ///
    /// - Parameter names: The sinks it goes to; nil is all of them.
    public func add(_ request: NotificationRequest, to names: [String]? = nil) throws(StoreError) {
        try store.add(request, to: names ?? sinks.keys.sorted(), at: clock.now)
    }

    /// What the user has decided.
    public func notificationSettings() throws(StoreError) -> NotificationSettings {
        try store.notificationSettings()
    }

    /// Stores the user's decision. What waited is released or suppressed by the next delivery.
    public func setAuthorization(
        _ status: AuthorizationStatus, options: AuthorizationOptions = [.alert, .sound, .badge]
    ) throws(StoreError) {
        let settings = NotificationSettings(authorizationStatus: status, options: status == .authorized ? options : [])
        try store.setNotificationSettings(settings, at: clock.now)
    }

    /// Delivers at once and then at every wake-up, until there are no more of them.
    public func run(wakeUps: AsyncStream<Void>) async throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        report.add(try await deliverDue())
        for await _ in wakeUps {
            report.add(try await deliverDue())
        }
        return report
    }

    /// One attempt at every delivery that is due.
    public func deliverDue() async throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        switch try await verdict() {
        case .deliver:
            try releaseHeld()
            report = try await attemptDue()
        case .suppress:
            report.suppressed = try store.suppressWaiting(reason: "notifications are denied", at: clock.now)
        case .hold, .ask:
            report.newlyHeld = try store.holdPending()
            report.held = try store.deliveryCounts()[.held] ?? 0
        }
        return report
    }

    /// False where another call is attempting it.
    func takes(_ delivery: Delivery) -> Bool { underWay.insert(delivery.id).inserted }

    func release(_ deliveries: [Delivery]) {
        underWay.subtract(deliveries.map(\.id))
    }

    /// Asks in context: only when there is something to show, and once.
    private func verdict() async throws(StoreError) -> AuthorizationGate.Verdict {
        let status = try store.notificationSettings().authorizationStatus
        let verdict = AuthorizationGate.verdict(status, canAsk: question != nil)
        guard verdict == .ask, let ask = question else { return verdict }
        let waiting = try store.heldDeliveries() + store.dueDeliveries(at: clock.now)
        guard let first = waiting.first else { return .hold }
        question = nil
        let count = Set(waiting.map(\.request.identifier)).count
        guard let answer = await ask(first.request, count), !Task.isCancelled else { return .hold }
        try setAuthorization(answer ? .authorized : .denied)
        return AuthorizationGate.verdict(answer ? .authorized : .denied, canAsk: false)
    }

    /// What waited for authorization becomes due; more than ten at one sink become one summary.
    private func releaseHeld() throws(StoreError) {
        for (sink, held) in Dictionary(grouping: try store.heldDeliveries(limit: 100_000), by: \.sink) {
            let summary =
                held.count > HeldSummary.limit
                ? HeldSummary.request(for: held.map(\.request), sink: sink, at: clock.now) : nil
            try store.release(held, of: sink, insteadRaising: summary, at: clock.now)
        }
    }
}
