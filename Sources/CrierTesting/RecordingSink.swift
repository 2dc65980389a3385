import CrierNotifications

/// A sink for tests: answers by script and remembers every attempt.
public actor RecordingSink: NotificationSink {
    /// The attempts made, in order.
    public private(set) var attempts: [DeliveryAttempt] = []
    private var script: [DeliveryOutcome]
    private let otherwise: DeliveryOutcome

    /// Answers with the outcomes of `script`, one per attempt, and with `otherwise` when they are used up.
    public init(_ script: [DeliveryOutcome] = [], otherwise: DeliveryOutcome = .delivered()) {
        self.script = script
        self.otherwise = otherwise
    }

    /// The identifiers of the requests in the order of their attempts.
    public var identifiers: [String] { attempts.map(\.request.identifier) }

    /// Appends to the script.
    public func answerNext(_ outcome: DeliveryOutcome) { script.append(outcome) }

    public func deliver(_ attempt: DeliveryAttempt) -> DeliveryOutcome {
        attempts.append(attempt)
        return script.isEmpty ? otherwise : script.removeFirst()
    }
}
