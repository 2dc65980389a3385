import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// Known items that changed: told by what makes a reader look again, their title, address and the words of summary and content.
/// Neither markup nor white space counts, in which trackers change with each answer, nor what of an address does not change where
/// it leads, nor do dates, which many feeds move without a reason.
enum ItemUpdates {
    /// An item that changes for ever is not told for ever.
    static let limit = 24

    /// Of each of the items, by identifier.
    static func hashes(of items: [ContentItem]) -> [String: [UInt8]] {
        let session = VisitorSession(in: items)
        let hashes = items.map { item in
            let address = item.url.map { CanonicalURL.of(session.removed(from: $0)) }
            return (item.identifier, ItemHash(of: item, at: address).bytes)
        }
        return Dictionary(hashes) { first, _ in first }
    }

    /// Where no item of a document has a part any longer that two or more of those that are known had, it is the document that comes
    /// without: nothing is said of that part, which stays as it was, and is no update when it is back.
    static func keepMissing(in hashes: inout [String: [UInt8]], known: [String: KnownContent]) {
        let before = known.compactMapValues { ItemHash($0.hash) }
        var now = hashes.compactMapValues { ItemHash($0) }
        let missing = ItemHash.Part.allCases.filter { part in
            !now.values.contains { $0.has(part) } && before.count { $1.has(part) && now[$0] != nil } > 1
        }
        if missing.isEmpty { return }
        for identifier in now.keys {
            for part in missing { now[identifier]?.keep(part, of: before[identifier]) }
        }
        hashes = now.mapValues(\.bytes)
    }

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
        return ItemHash(of: former, at: formerAddress.map(CanonicalURL.of)).bytes
    }

    /// As much of a content as is stored.
    private static func kept(_ content: String) -> String { PlainText.cut(content, to: ContentBounds.summary) }

    /// As it was made before its parts had hashes of their own, of three quarters of a fingerprint; before addresses were compared by
    /// where they lead, of all of it; and before the content counted, of half.
    private static func formerHash(of item: ContentItem, like hash: [UInt8]) -> [UInt8] {
        let parts =
            if hash.count == 16 {
                [item.title, item.summary, item.url].map { Array(($0 ?? "").utf8) }
            } else {
                [item.title, hash.count == 24 ? item.url.map(CanonicalURL.of) : item.url].map { Array(($0 ?? "").utf8) }
                    + [item.summary, item.content].map(ItemHash.words)
            }
        return Array(Fingerprint.of(Array(parts.joined(separator: [0]))).prefix(hash.count))
    }

    /// Those of the items that are known and not as they were, each identifier once, in document order. A site that moves to another
    /// host gives other addresses to all of them: where nothing else has changed of most, it is no update of any of these.
    ///
    /// - Parameter hashes: Of them.
    static func among(
        _ items: [ContentItem], _ hashes: [String: [UInt8]], known: [String: KnownContent]
    ) -> [ContentItem] {
        var moves: [String: HostMove] = [:]
        let changed = items.filter { item in
            guard let before = known[item.identifier], before.updates < limit else { return false }
            guard let former = ItemHash(before.hash), let hash = hashes[item.identifier].flatMap({ ItemHash($0) })
            else {
                return before.hash != formerHash(of: item, like: before.hash)
            }
            let changes = hash.changes(since: former)
            if changes == [.address] { moves[item.identifier] = move(of: item, since: before) }
            return !changes.isEmpty
        }
        let count = items.count { known[$0.identifier] != nil }
        guard moves.count > 1, moves.count * 2 > count, Set(moves.values).count == 1 else { return changed }
        return changed.filter { moves[$0.identifier] == nil }
    }

    /// Where an item has gone that is as it was but for the host of its address; nil for any other.
    private static func move(of item: ContentItem, since before: KnownContent) -> HostMove? {
        guard let url = item.url.map(CanonicalURL.of), let former = before.url.map(CanonicalURL.of),
            let path = CanonicalURL.withoutHost(url), path == CanonicalURL.withoutHost(former)
        else { return nil }
        return HostMove(from: former, to: url)
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
