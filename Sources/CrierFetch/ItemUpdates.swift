import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// Known items that changed: told by what makes a reader look again, their title, text and address. Dates do not count: many
/// feeds move them without a reason.
enum ItemUpdates {
    /// An item that changes for ever is not told for ever.
    static let limit = 24

    static func hash(of item: ContentItem) -> [UInt8] {
        let parts = [item.title, item.summary, item.url].map { $0 ?? "" }
        return Array(Fingerprint.of(Array(parts.joined(separator: "\u{0}").utf8)).prefix(16))
    }

    /// Those of the items that are known and not as they were, each identifier once, in document order.
    static func among(_ items: [ContentItem], known: [String: KnownContent]) -> [ContentItem] {
        items.filter { item in
            guard let before = known[item.identifier], before.updates < limit else { return false }
            return before.hash != hash(of: item)
        }
    }
}

extension NotificationComposer {
    /// The notifications of items that changed: more than ten become one summary.
    func updates(_ findings: Findings) -> [Composition.Part] {
        guard source.notify == .each, source.updates != .ignore, !findings.updated.isEmpty else { return [] }
        if findings.updated.count > Self.floodLimit {
            return grouped(findings.updated, findings).map { sinks, items in
                Composition.Part(
                    request: summary(of: items, findings, kind: "updated", sinks), items: items, sinks: sinks)
            }
        }
        return findings.updated.map { item in
            var request = notification(of: item, findings)
            if source.updates == .notify {
                request = NotificationRequest(
                    identifier: "\(request.identifier)/update-\(findings.change(of: item))", content: request.content)
            }
            return Composition.Part(
                request: request, items: [item], sinks: findings.sinks(of: item),
                isReplacing: source.updates == .replace)
        }
    }
}
