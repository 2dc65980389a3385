import CrierContent
import CrierHashing
import CrierNotifications
import CrierStore
import Foundation

/// Known items that changed: told by what makes a reader look again, their title, address and the words of summary and content.
/// Neither markup nor white space counts, in which trackers change with each answer, nor what of an address does not change where
/// it leads, nor do dates, which many feeds move without a reason.
package enum ItemUpdates {
    /// An item that changes for ever is not told for ever.
    package static let limit = 24

    /// Of each of the items, by identifier.
    static func hashes(of items: [ContentItem]) -> [String: [UInt8]] {
        let session = VisitorSession(in: items)
        let hashes = items.map { item in
            let address = item.url.map { CanonicalURL.of(session.removed(from: $0)) }
            return (item.identifier, Array(hash(of: item, at: address).prefix(length)))
        }
        return Dictionary(hashes) { first, _ in first }
    }

    private static let length = 24

    /// Of an item as it is stored, where updates were not followed then. What is not stored is taken to be as it is now: that more
    /// is known of an item is no update.
    ///
    /// - Parameter session: Of the document that the item is in now.
    static func formerHash(of item: ContentItem, as stored: ContentItem, _ session: VisitorSession) -> [UInt8] {
        var former = item
        former.title = stored.title ?? item.title
        former.summary = stored.summary ?? item.summary
        if let content = stored.content, kept(content) != item.content.map(kept) { former.content = content }
        let address = item.url.map(session.removed)
        // A session is another one at each visit.
        let hasSession = address != item.url
        let formerAddress = hasSession ? address : stored.url ?? address
        return Array(hash(of: former, at: formerAddress.map(CanonicalURL.of)).prefix(length))
    }

    /// As much of a content as is stored.
    private static func kept(_ content: String) -> String { PlainText.cut(content, to: ContentBounds.summary) }

    private static func hash(of item: ContentItem, at address: String?) -> [UInt8] {
        let parts = [item.title, address].map { Array(($0 ?? "").utf8) } + [item.summary, item.content].map(words)
        return SHA256.hash(Array(parts.joined(separator: [0])))
    }

    private static func words(_ text: String?) -> [UInt8] {
        let words = text?.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? []
        return Array(words.joined(separator: [0x20]))
    }

    /// As it was made before the content counted, of half the length of a fingerprint, and before addresses were compared by
    /// where they lead, of all of it.
    private static func formerHash(of item: ContentItem, like hash: [UInt8]) -> [UInt8] {
        guard hash.count == formerLength else { return self.hash(of: item, at: item.url) }
        let parts = [item.title, item.summary, item.url].map { $0 ?? "" }
        return Array(SHA256.hash(parts.joined(separator: "\u{0}")).prefix(formerLength))
    }

    private static let formerLength = 16

    /// Those of the items that are known and not as they were, each identifier once, in document order. A site that moves to another
    /// host, or calls all its pages otherwise, gives other addresses to all of them: where nothing else has changed of most, it is no
    /// update of any of these, which are the moved ones.
    ///
    /// - Parameters:
    ///   - hashes: Of them.
    ///   - isFeed: Whether their addresses are to stay; what an API or a page lists may be known by nothing but them, as tonight's builds.
    static func among(
        _ items: [ContentItem], _ hashes: [String: [UInt8]], known: [String: KnownContent], isFeed: Bool
    ) -> (told: [ContentItem], moved: Set<String>) {
        let changed = items.filter { item in
            guard let before = known[item.identifier], before.updates < limit else { return false }
            let isFormer = before.hash.count != length
            return before.hash != (isFormer ? formerHash(of: item, like: before.hash) : hashes[item.identifier])
        }
        let count = items.count { known[$0.identifier] != nil }
        guard changed.count > 1, changed.count * 2 > count else { return (changed, []) }
        var moves: [String: HostMove] = [:]
        for item in changed { moves[item.identifier] = known[item.identifier].flatMap { move(of: item, since: $0) } }
        let hosts = Set(moves.values)
        let isOneMove = moves.count > 1 && hosts.count == 1 && !hosts.contains(where: \.isNone)
        guard moves.count * 2 > count, isOneMove || isFeed && moves.count >= fewestRenamed else {
            return (changed, [])
        }
        return (changed.filter { moves[$0.identifier] == nil }, Set(moves.keys))
    }

    /// So many pages that are called otherwise at once are a whole site; fewer may be the files of a release.
    private static let fewestRenamed = 5

    /// Where an item has gone that is as it was but for its address; nil for any other.
    private static func move(of item: ContentItem, since before: KnownContent) -> HostMove? {
        let former = before.url.map(CanonicalURL.of)
        guard hash(of: item, at: former).prefix(length).elementsEqual(before.hash) else { return nil }
        return HostMove(from: former ?? "", to: item.url)
    }
}

extension NotificationComposer {
    /// The notifications of items that changed: more than ten become one summary.
    func updates(_ findings: Findings) -> [Composition.Part] {
        guard source.notify == .each, source.updates != .ignore, !findings.updated.isEmpty else { return [] }
        return bounded(findings.updated, findings) { items in
            items.map { item in
                let first = notification(of: item, findings)
                let change = findings.change(of: item)
                var content = first.content
                if change == ItemUpdates.limit {
                    let last = "It has changed \(change) times: no more changes are told of it."
                    content.body += content.body.isEmpty ? last : "\n" + last
                }
                let identifier = source.updates == .notify ? "\(first.identifier)/update-\(change)" : first.identifier
                return Composition.Part(
                    request: NotificationRequest(identifier: identifier, content: content), items: [item],
                    sinks: findings.sinks(of: item), isReplacing: source.updates == .replace)
            }
        } summed: { sinks, items in
            let request = summary(of: items, findings, kind: "updated", sinks)
            let last = items.count { findings.change(of: $0) == ItemUpdates.limit }
            if last == 0 { return request }
            var content = request.content
            content.body += "\n\(last) of them changed \(ItemUpdates.limit) times: no more changes are told of "
            content.body += last == 1 ? "it." : "them."
            return NotificationRequest(identifier: request.identifier, content: content)
        }
    }
}
