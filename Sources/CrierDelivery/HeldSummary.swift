import CrierNotifications
import CrierStore
import Crypto
import Foundation

/// One notification in place of many that waited.
enum HeldSummary {
    /// More than this many that waited for authorization become one.
    static let limit = 10

    /// The identifier follows from what it stands for and when: the same ones may wait, and be told, another time.
    static func request(for waiting: WaitingNotifications, at date: Date) -> NotificationRequest {
        let identifiers = waiting.newest.map(\.identifier).sorted().joined(separator: "\n")
        let digest = SHA256.hash(
            data: Data("\(waiting.sink)\n\(date.timeIntervalSince1970)\n\(waiting.count)\n\(identifiers)".utf8))
        // The order of equal ones stays: the newest first.
        let ranked = waiting.newest.enumerated().sorted { one, other in
            (-one.element.content.relevanceScore, one.offset) < (-other.element.content.relevanceScore, other.offset)
        }
        var lines = ranked.prefix(limit).map { "• \($0.element.content.title)" }
        if waiting.count > limit { lines.append("and \(waiting.count - limit) more") }
        let items = waiting.newest.flatMap { request -> [UserInfoValue] in
            if case .array(let items)? = request.content.userInfo["items"] { items } else { [] }
        }
        let content = NotificationContent(
            title: "\(waiting.count) notifications waited for you", body: lines.joined(separator: "\n"),
            threadIdentifier: "crier",
            interruptionLevel: waiting.newest.map(\.content.interruptionLevel).max() ?? .active,
            userInfo: ["items": .array(Array(items.prefix(WaitingNotifications.limit)))])
        let name = digest.prefix(16).map { String(format: "%02x", $0) }.joined()
        return NotificationRequest(identifier: Store.summaryPrefix + name, content: content)
    }
}
