import CrierNotifications

/// A sink for tests: answers by script and remembers every attempt.
public actor RecordingSink: NotificationSink {
    public nonisolated let defersSingly: Bool
    /// The attempts made, in order.
    public private(set) var attempts: [DeliveryAttempt] = []
    private var script: [DeliveryOutcome]
    private let answer: @Sendable (DeliveryAttempt) -> DeliveryOutcome

    /// Answers with the outcomes of `script`, one per attempt, and with `otherwise` when they are used up.
    public init(
        _ script: [DeliveryOutcome] = [], otherwise: DeliveryOutcome = .delivered(), defersSingly: Bool = false
    ) {
        self.script = script
        self.defersSingly = defersSingly
        answer = { _ in otherwise }
    }

    /// Answers each attempt by a rule.
    public init(answering answer: @escaping @Sendable (DeliveryAttempt) -> DeliveryOutcome) {
        script = []
        defersSingly = false
        self.answer = answer
    }

    /// The identifiers of the requests in the order of their attempts.
    public var identifiers: [String] { attempts.map(\.request.identifier) }

    /// Appends to the script.
    public func answerNext(_ outcome: DeliveryOutcome) { script.append(outcome) }

    public func deliver(_ attempt: DeliveryAttempt) -> DeliveryOutcome {
        attempts.append(attempt)
        return script.isEmpty ? answer(attempt) : script.removeFirst()
    }
}
