import CrierNotifications
import CrierStore
import Foundation

/// How many notifications a sink that shows each at once has taken of late: more than ten within a minute are a flood.
struct Flood: Sendable {
    /// In seconds.
    static let span: TimeInterval = 60
    /// What is more urgent comes whenever it comes, and is not counted.
    static let levels = ..<InterruptionLevel.timeSensitive

    private var taken: [Date] = []
    /// When the sink was found not to be there, and has taken nothing since.
    var missed: Date?

    /// It has taken something, and so many that were not urgent.
    mutating func note(_ count: Int, at now: Date) {
        taken = recent(at: now) + Array(repeating: now, count: count)
        missed = nil
    }

    /// How many more may come one by one.
    func room(at now: Date) -> Int { max(0, HeldSummary.limit - recent(at: now).count) }

    /// When there is room for more than now; nil where nothing was taken of late.
    func end(at now: Date) -> Date? { recent(at: now).min()?.addingTimeInterval(Self.span) }

    /// When a summary is to be tried next where the sink was not there a moment ago: not with each one that it takes in.
    func nextTrial(at now: Date) -> Date? {
        guard let missed, missed <= now else { return nil }
        return missed.addingTimeInterval(Self.span)
    }

    /// Of a clock that was set back nothing counts.
    private func recent(at now: Date) -> [Date] {
        taken.filter { $0 <= now && $0 > now.addingTimeInterval(-Self.span) }
    }
}

extension UserNotificationCenter {
    /// Whether so many may be raised there one by one now, have to wait for others, or come as one summary.
    private enum Verdict { case raise, wait, sum }

    /// What is due at a sink without what has to wait, as more came within a minute than anybody reads one by one. When nothing
    /// more is to be expected, or the minute is over, it is one summary.
    ///
    /// - Parameter look: What is due there now.
    func withoutFlood(
        at sink: String, now: Date, _ look: () throws(StoreError) -> [Delivery]
    ) throws(StoreError) -> [Delivery] {
        let due = try look()
        crowded.remove(sink)
        guard isFloodable(sink) else { return due }
        switch try verdict(on: due, at: sink, now) {
        case .raise: return due
        case .wait:
            crowded.insert(sink)
            return due.filter { !Self.isFloodable($0) }
        case .sum:
            let earliest = floods[sink]?.nextTrial(at: now)
            try store.release(.flood, of: sink, at: now, notBefore: earliest) { summary(of: $0, beyond: 1, at: now) }
            return try look()
        }
    }

    private func verdict(on due: [Delivery], at sink: String, _ now: Date) throws(StoreError) -> Verdict {
        let flood = floods[sink] ?? Flood()
        if due.allSatisfy({ !Self.isFloodable($0) || HeldSummary.isOne($0) }) { return .raise }
        // Also where few are due: what a summary stands for that waits for its sink counts each.
        if try store.waitingCount(for: .flood, at: sink) <= flood.room(at: now) { return .raise }
        return flood.end(at: now) != nil && isMoreExpected(at: sink) ? .wait : .sum
    }

    /// Whether it is kept from floods: where what is late comes as one summary, too.
    private func isFloodable(_ sink: String) -> Bool {
        own.contains(.summaries) && sinks[sink]?.retries.expiration != nil
    }

    /// What has failed may be refused for what it says, and would keep the others back.
    private static func isFloodable(_ delivery: Delivery) -> Bool {
        delivery.attempts == 0 && Flood.levels.contains(delivery.request.content.interruptionLevel)
    }

    func noteFlood(_ ended: [EndedDelivery], at sink: String) {
        guard isFloodable(sink) else { return }
        let delivered = ended.filter(\.change.isDelivered)
        if delivered.isEmpty { return }
        let count = delivered.count { Flood.levels.contains($0.delivery.request.content.interruptionLevel) }
        floods[sink, default: Flood()].note(count, at: clock.now)
    }

    func noteAbsence(of sink: String, at now: Date) {
        if isFloodable(sink) { floods[sink, default: Flood()].missed = now }
    }

    func isCrowded(_ sink: String, at now: Date) -> Bool {
        crowded.contains(sink) && floods[sink]?.end(at: now) != nil
    }

    /// When there is room again at a sink where something waits for that.
    func endOfFlood(after date: Date) -> Date? {
        let now = clock.now
        return crowded.compactMap { floods[$0]?.end(at: now) }.filter { $0 > date }.min()
    }
}
