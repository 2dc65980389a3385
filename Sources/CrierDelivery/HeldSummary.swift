import CrierHashing
import CrierNotifications
import CrierStore
import Foundation

/// One notification in place of many that waited, or came at once.
enum HeldSummary {
    /// More than this many that waited for authorization become one, and so do more that come within a minute where a sink shows
    /// each at once.
    static let limit = 10

    /// Whether a delivery is of one: a source may be called like it.
    static func isOne(_ delivery: Delivery) -> Bool {
        delivery.source == nil && delivery.request.identifier.hasPrefix(Store.summaryPrefix)
    }

    /// The identifier follows from what it stands for and when: the same ones may wait, and be told, another time.
    static func request(for waiting: WaitingNotifications, at date: Date) -> NotificationRequest {
        let identifiers = waiting.newest.map(\.identifier).sorted().joined(separator: "\n")
        let hash = SHA256.hash("\(waiting.sink)\n\(date.timeIntervalSince1970)\n\(waiting.count)\n\(identifiers)")
        let ranked = ranked(waiting.newest)
        var lines = ranked.prefix(limit).map { "• \($0.content.title)" }
        if waiting.count > limit { lines.append("and \(waiting.count - limit) more") }
        let what = waiting.haveWaited ? "notifications waited for you" : "new notifications"
        let content = NotificationContent(
            title: "\(waiting.count) \(what)", body: lines.joined(separator: "\n"),
            threadIdentifier: "crier",
            interruptionLevel: waiting.newest.map(\.content.interruptionLevel).max() ?? .active,
            userInfo: items(of: ranked, others: waiting.count - ranked.count).userInfo)
        let name = hash.prefix(16).hexadecimal
        return NotificationRequest(identifier: Store.summaryPrefix + name, content: content)
    }

    /// The most urgent first, of these the most relevant; of equal ones, sources take turns, so that none hides another, each with
    /// its newest first.
    private static func ranked(_ newest: [NotificationRequest]) -> [NotificationRequest] {
        var turns: [String: Int] = [:]
        let placed = newest.enumerated().map { offset, request in
            let turn = turns[request.content.threadIdentifier, default: 0]
            turns[request.content.threadIdentifier] = turn + 1
            return (rank: (-request.content.relevanceScore, turn, offset), request: request)
        }
        return placed.sorted { one, other in
            let levels = (one.request.content.interruptionLevel, other.request.content.interruptionLevel)
            return levels.0 == levels.1 ? one.rank < other.rank : levels.0 > levels.1
        }.map(\.request)
    }

    /// One of each in turn: another summary among them, of many items, hides none of the others.
    ///
    /// - Parameter others: How many notifications wait besides these. Each counts as one item.
    private static func items(of requests: [NotificationRequest], others: Int) -> ToldItems {
        let all = requests.map { ToldItems(of: $0.content) }
        let most = all.map(\.values.count).max() ?? 0
        let inTurn = (0..<most).flatMap { place in
            all.compactMap { place < $0.values.count ? $0.values[place] : nil }
        }
        return ToldItems(inTurn, omitted: all.map(\.omitted).reduce(others, +))
    }
}

extension UserNotificationCenter {
    /// Nil where they are to be raised each by itself.
    nonisolated func summary(
        of waiting: WaitingNotifications, beyond limit: Int, at now: Date
    ) -> NotificationRequest? {
        own.contains(.summaries) && waiting.count > limit ? HeldSummary.request(for: waiting, at: now) : nil
    }

    /// What waited for authorization becomes due; more than ten at one sink become one summary.
    func releaseHeld() throws(StoreError) {
        let now = clock.now
        try store.release(.authorization, at: now) { waiting in
            summary(of: waiting, beyond: HeldSummary.limit, at: now)
        }
    }

    /// While it is quiet, what may not be raised waits; when it may be, more than one at a sink become one summary.
    /// Returns how many wait.
    func keepQuiet() throws(StoreError) -> Int {
        let now = clock.now
        let quiet = try Quiet(store, quietHours, at: now)
        try store.release(quiet.map { .muting(passing: $0.passing) } ?? .quiet, at: now) { waiting in
            summary(of: waiting, beyond: 1, at: now)
        }
        guard let quiet else { return 0 }
        try store.quietDeliveries(passing: quiet.passing, since: quiet.begin, at: now, without: allUnderWay)
        return try quietedCount()
    }

    /// How many wait for the end of that, and for nothing else.
    func quietedCount() throws(StoreError) -> Int { try store.quietedCount(at: sinkNames, now: clock.now) }
}
