import CrierNotifications
import Crypto
import Foundation

/// One notification in place of many that waited for authorization.
enum HeldSummary {
    /// More than this many become one.
    static let limit = 10

    /// The identifier follows from what it stands for and when: the same ones may be held, and told, another time.
    static func request(for held: [NotificationRequest], sink: String, at date: Date) -> NotificationRequest {
        let identifiers = held.map(\.identifier).sorted().joined(separator: "\n")
        let digest = SHA256.hash(data: Data("\(sink)\n\(date.timeIntervalSince1970)\n\(identifiers)".utf8))
        let newestFirst = Array(held.reversed())
        var lines = newestFirst.prefix(limit).map { "• \($0.content.title)" }
        if held.count > limit { lines.append("and \(held.count - limit) more") }
        let items = newestFirst.prefix(50).flatMap { request -> [UserInfoValue] in
            if case .array(let items)? = request.content.userInfo["items"] { items } else { [] }
        }
        let content = NotificationContent(
            title: "\(held.count) notifications waited for you", body: lines.joined(separator: "\n"),
            threadIdentifier: "crier", userInfo: ["items": .array(Array(items.prefix(50)))])
        let name = digest.prefix(16).map { String(format: "%02x", $0) }.joined()
        return NotificationRequest(identifier: "crier/waited-\(name)", content: content)
    }
}
