import CrierNotifications

/// What became of the deliveries that were due.
public struct DeliveryReport: Sendable, Hashable, Codable {
    /// A sink that did not accept, how often, and why the last time.
    public struct Trouble: Sendable, Hashable, Codable {
        /// How many deliveries.
        public var count: Int
        /// Of the last of them.
        public var reason: String

        public init(count: Int, reason: String) {
            self.count = count
            self.reason = reason
        }
    }

    /// Notifications accepted, by sink.
    public var delivered: [String: Int] = [:]
    /// Deliveries that wait for authorization, earlier ones too.
    public var held = 0
    /// Those of them that this run came to hold.
    public var newlyHeld = 0
    /// Deliveries that wait for the end of quiet hours, or of muting.
    public var quieted = 0
    /// Recorded without being raised.
    public var suppressed = 0
    /// To be tried again, by sink.
    public var waiting: [String: Trouble] = [:]
    /// Given up, by sink.
    public var dead: [String: Trouble] = [:]

    public init() {}

    mutating func add(_ other: DeliveryReport) {
        delivered.merge(other.delivered, uniquingKeysWith: +)
        held = other.held
        newlyHeld += other.newlyHeld
        quieted = max(quieted, other.quieted)
        suppressed += other.suppressed
        waiting.merge(other.waiting) { Trouble(count: $0.count + $1.count, reason: $1.reason) }
        dead.merge(other.dead) { Trouble(count: $0.count + $1.count, reason: $1.reason) }
    }
}
