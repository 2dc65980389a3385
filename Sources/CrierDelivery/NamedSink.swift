import CrierNotifications

/// A sink under its name in the configuration, with the schedule of its retries.
public struct NamedSink: Sendable {
    /// What requests name it by: one sink each.
    public let name: String
    /// Where its notifications are raised.
    public let sink: any NotificationSink
    /// When it is tried again.
    public let retries: RetryPolicy
    /// Whether notifications of one source must arrive in their order. Those that a program adds are of no source.
    public let isOrdered: Bool
    /// When the task of an attempt is cancelled, for sinks that are no mere write.
    public let deadline: Duration

    /// - Parameters:
    ///   - isOrdered: Besides what the sink itself asks for.
    ///   - deadline: Nil is the sink's own (``NotificationSink/attemptLimit``). An ``EmailSink`` that is cancelled before that may
    ///     hand its mail in twice.
    public init(
        name: String, sink: any NotificationSink, retries: RetryPolicy, isOrdered: Bool = false,
        deadline: Duration? = nil
    ) {
        self.name = name
        self.sink = sink
        self.retries = retries
        self.isOrdered = isOrdered || sink.isOrdered
        self.deadline = deadline ?? sink.attemptLimit
    }

    /// The same sink with the user's wish for order.
    public func ordered(_ isOrdered: Bool) -> NamedSink {
        NamedSink(
            name: name, sink: sink, retries: retries, isOrdered: isOrdered || self.isOrdered, deadline: deadline)
    }

    /// What is kept of ``NotificationSink/destination``, which may be secret.
    var shortDestination: String? { get async { await sink.destination.map(IdentifierToken.token) } }
}

extension NamedSink {
    /// Another sink in its place, with its name, retries and order.
    public func replacing(_ sink: any NotificationSink) -> NamedSink {
        NamedSink(name: name, sink: sink, retries: retries, isOrdered: isOrdered, deadline: deadline)
    }
}
