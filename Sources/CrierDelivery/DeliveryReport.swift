import CrierNotifications
import CrierStore

import struct Foundation.Date

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

    /// What waits for a sink: one that is left alone for a while, or for the next attempt of each.
    public struct Pause: Sendable, Hashable, Codable {
        /// How many deliveries.
        public var count: Int
        /// When the next attempt is made.
        public var until: Date

        public init(count: Int, until: Date) {
            self.count = count
            self.until = until
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
    /// Those accepted with which something is amiss all the same, such as one of several addresses, by sink.
    public var remarks: [String: Trouble] = [:]
    /// Sinks that this run has left alone, as attempts of earlier ones failed.
    public var paused: [String: Pause] = [:]
    /// What waits for another attempt at others, as earlier runs could not deliver it, by sink.
    public var later: [String: Pause] = [:]
    /// How many wait for sinks that are gone, by sink.
    public var gone: [String: Int] = [:]

    public init() {}

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        delivered = try members.decode([String: Int].self, forKey: .delivered)
        held = try members.decode(Int.self, forKey: .held)
        newlyHeld = try members.decode(Int.self, forKey: .newlyHeld)
        quieted = try members.decode(Int.self, forKey: .quieted)
        suppressed = try members.decode(Int.self, forKey: .suppressed)
        waiting = try members.decode([String: Trouble].self, forKey: .waiting)
        dead = try members.decode([String: Trouble].self, forKey: .dead)
        // An agent of an earlier version does not tell these.
        remarks = try members.decodeIfPresent([String: Trouble].self, forKey: .remarks) ?? [:]
        paused = try members.decodeIfPresent([String: Pause].self, forKey: .paused) ?? [:]
        later = try members.decodeIfPresent([String: Pause].self, forKey: .later) ?? [:]
        gone = try members.decodeIfPresent([String: Int].self, forKey: .gone) ?? [:]
    }

    mutating func add(_ other: DeliveryReport) {
        delivered.merge(other.delivered, uniquingKeysWith: +)
        held = other.held
        newlyHeld += other.newlyHeld
        quieted = other.quieted
        suppressed += other.suppressed
        waiting.merge(other.waiting, uniquingKeysWith: +)
        dead.merge(other.dead, uniquingKeysWith: +)
        remarks.merge(other.remarks, uniquingKeysWith: +)
        // As it is now; of what failed in this very run that is said already.
        paused = other.paused.filter { isWithoutTrouble(at: $0.key) }
        later = other.later.filter { isWithoutTrouble(at: $0.key) }
        gone = other.gone.filter { isWithoutTrouble(at: $0.key) }
    }
}

extension DeliveryReport {
    var isEmpty: Bool { delivered.isEmpty && waiting.isEmpty && dead.isEmpty }

    /// Whether something waits for authorization, or until it is no longer quiet.
    var waitsForUser: Bool { held + quieted > 0 }

    /// Without what came of the deliveries at each sink.
    func ofNoSink() -> Self {
        var rest = self
        (rest.delivered, rest.waiting, rest.dead, rest.remarks) = ([:], [:], [:], [:])
        return rest
    }

    func isWithoutTrouble(at sink: String) -> Bool { waiting[sink] == nil && dead[sink] == nil }

    /// - Parameter isRepeated: Whether others wait for the same reason already.
    mutating func count(_ change: DeliveryChange, at sink: String, isRepeated: Bool = false) {
        func note(_ reason: String, in troubles: WritableKeyPath<Self, [String: Trouble]>) {
            self[keyPath: troubles].add(Trouble(count: 1, reason: reason, isRepeated: isRepeated), at: sink)
        }
        switch change {
        case .delivered(_, let remark):
            delivered[sink, default: 0] += 1
            if let remark { note(remark, in: \.remarks) }
        case .retry(_, let reason, _): note(reason, in: \.waiting)
        case .deferred(_, let reason): note(reason ?? "the run was stopped", in: \.waiting)
        case .postponed(_, let reason): note(reason ?? "", in: \.waiting)
        case .dead(let reason): note(reason, in: \.dead)
        }
    }
}

extension [String: DeliveryReport.Trouble] {
    mutating func add(_ trouble: Value, at sink: String) { self[sink] = self[sink].map { $0 + trouble } ?? trouble }
}
