import CrierDelivery
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation

/// A suite of what becomes of notifications: it has a state and a clock of its own.
protocol DeliverySuite {
    var store: Store { get }
    var clock: ManualClock { get }
}

extension DeliverySuite {
    func center(_ sinks: NamedSink..., quietHours: QuietHours = QuietHours()) -> UserNotificationCenter {
        UserNotificationCenter(store: store, sinks: sinks, quietHours: quietHours, clock: clock)
    }

    /// One that may raise what it is given.
    func center(_ sinks: [String: any NotificationSink], _ retries: RetryPolicy = .webhook)
        async throws -> UserNotificationCenter
    {
        let center = UserNotificationCenter(
            store: store, sinks: sinks.map { named($0.key, $0.value, retries) }, clock: clock)
        try await center.setAuthorization(.authorized)
        return center
    }

    func request(_ identifier: String, _ title: String = "T") -> NotificationRequest {
        NotificationRequest(identifier: identifier, content: NotificationContent(title: title))
    }

    func named(
        _ name: String, _ sink: any NotificationSink, _ retries: RetryPolicy = .webhook, isOrdered: Bool = false
    ) -> NamedSink {
        NamedSink(name: name, sink: sink, retries: retries, isOrdered: isOrdered)
    }

    /// Each has its identifier for its title.
    func add(_ identifiers: [String], _ level: InterruptionLevel = .active, to sinks: [String]) throws {
        for identifier in identifiers {
            let content = NotificationContent(title: identifier, interruptionLevel: level)
            try store.add(NotificationRequest(identifier: identifier, content: content), to: sinks, at: clock.now)
        }
    }

    /// Has a source tell of these, each of which has its identifier for its title.
    func commit(_ source: String, _ identifiers: [String], to sink: String) throws {
        let requests = identifiers.map { request($0, $0) }
        try store.commit(
            FetchCommit(state: SourceState(name: source), requests: requests, sinks: [sink], date: clock.now))
    }
}

extension Store {
    /// In which the user has allowed notifications.
    static func authorized(at date: Date) throws -> Store {
        let store = try Store.inMemory()
        try store.setNotificationSettings(.authorized, at: date)
        return store
    }
}

/// It tells whoever waits for it of its attempts.
actor ToldSink: NotificationSink {
    private var script: [DeliveryOutcome]
    private let (attempts, attempted) = AsyncStream<String>.makeStream()

    init(_ script: [DeliveryOutcome] = []) { self.script = script }

    /// The title of the next request that is attempted, or was.
    nonisolated func next() async -> String? {
        for await title in attempts { return title }
        return nil
    }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        attempted.yield(attempt.request.content.title)
        return script.isEmpty ? .delivered() : script.removeFirst()
    }
}

/// It tells what it is asked to raise, and waits for the answer that it is to give.
actor AskedSink: NotificationSink {
    nonisolated var attemptLimit: Duration { .seconds(86_400) }
    private let (asked, ask) = AsyncStream.makeStream(of: String.self)
    private let (answers, giveAnswer) = AsyncStream.makeStream(of: DeliveryOutcome.self)

    /// The identifier of the next request that it is asked for, or was.
    nonisolated func next() async -> String? {
        for await identifier in asked { return identifier }
        return nil
    }

    func answer(_ outcome: DeliveryOutcome) { giveAnswer.yield(outcome) }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        ask.yield(attempt.request.identifier)
        for await outcome in answers { return outcome }
        return .deferred(reason: "the run was stopped")
    }
}

/// It answers as soon as its task is cancelled, and not before.
actor CancelledSink: NotificationSink {
    nonisolated let defersSingly: Bool
    private let outcome: DeliveryOutcome
    private let (beginnings, begin) = AsyncStream<Void>.makeStream()
    private let never = AsyncStream<Void>.makeStream()

    init(_ outcome: DeliveryOutcome = .failed(reason: "cut short"), defersSingly: Bool = false) {
        self.outcome = outcome
        self.defersSingly = defersSingly
    }

    func begins() async { for await _ in beginnings { return } }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        begin.yield()
        for await _ in never.stream {}
        return outcome
    }
}
