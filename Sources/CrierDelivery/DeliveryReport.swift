import CrierNotifications
import CrierStore

/// What became of the deliveries that were due.
public struct DeliveryReport: Sendable, Hashable, Codable {
    /// A sink that did not accept, how often, and why the last time.
    public struct Trouble: Sendable, Hashable, Codable {
        /// How many deliveries.
        public var count: Int
        /// Of the last of them.
        public var reason: String
        /// Whether the sink is not there, and was not when it was tried last: others have waited for that since then.
        public var isRepeated: Bool

        public init(count: Int, reason: String, isRepeated: Bool = false) {
            self.count = count
            self.reason = reason
            self.isRepeated = isRepeated
        }

        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            count = try members.decode(Int.self, forKey: .count)
            reason = try members.decode(String.self, forKey: .reason)
            // An agent of an earlier version does not tell.
            isRepeated = try members.decodeIfPresent(Bool.self, forKey: .isRepeated) ?? false
        }

        static func + (one: Self, other: Self) -> Self {
            Self(
                count: one.count + other.count, reason: other.reason, isRepeated: one.isRepeated && other.isRepeated)
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
        waiting.merge(other.waiting, uniquingKeysWith: +)
        dead.merge(other.dead, uniquingKeysWith: +)
    }
}

extension DeliveryReport {
    var isEmpty: Bool { delivered.isEmpty && waiting.isEmpty && dead.isEmpty }

    func isWithoutTrouble(at sink: String) -> Bool { waiting[sink] == nil && dead[sink] == nil }

    /// - Parameter isRepeated: Whether others wait for the same reason already.
    mutating func count(_ change: DeliveryChange, at sink: String, isRepeated: Bool = false) {
        func note(_ reason: String, in troubles: WritableKeyPath<Self, [String: Trouble]>) {
            let trouble = Trouble(count: 1, reason: reason, isRepeated: isRepeated)
            self[keyPath: troubles][sink] = self[keyPath: troubles][sink].map { $0 + trouble } ?? trouble
        }
        switch change {
        case .delivered: delivered[sink, default: 0] += 1
        case .retry(_, let reason): note(reason, in: \.waiting)
        case .deferred(_, let reason): note(reason ?? "the run was stopped", in: \.waiting)
        case .postponed(_, let reason): note(reason ?? "", in: \.waiting)
        case .dead(let reason): note(reason, in: \.dead)
        case .suppressed: suppressed += 1
        }
    }
}
