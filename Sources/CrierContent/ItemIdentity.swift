import Crypto

import struct Foundation.Date

/// Decides what tells an item from every other of its source.
///
/// The chain: the identifier the document declares; else link and publication date; else the link; else title and
/// publication date; else a hash of all the content. Never the position, since orders change.
///
/// **Clashes.** Some documents give one identifier to several items. If such an item's identity then depended on its
/// company, it would be taken for new whenever the company changes. So the item with the oldest publication date keeps
/// the plain identifier, and only the others are extended: by their link, where others of them have that too by title and date as
/// well, or without a date by title and text, at last by everything. A single item that is later joined by a newer one, or that remains when the older ones
/// are gone, is thus known under its plain identifier, and the newer one is new. Where it is remembered what the plain
/// identifier stands for, it is kept by that item instead, or by none. Where no one is the oldest (dates absent or equal),
/// all of them are extended: an item may then be told twice when its first clash appears or its last one ends, but none is
/// ever taken for another and lost.
public enum ItemIdentity {
    /// The longest identifier, in UTF-8 bytes; a longer one is replaced by its hash.
    public static let maximumLength = 256

    /// What an identifier stands for, as it was last read.
    public struct Owner: Sendable, Hashable {
        let url: String?
        let title: String?
        let date: Date?

        /// - Parameter date: Of publication, else of the last change.
        public init(url: String?, title: String?, date: Date? = nil) {
            self.url = url
            self.title = title
            self.date = date
        }

        /// In how many respects an item is the owner; not at all where 0.
        func likeness(to item: ContentItem) -> Int {
            [url != nil && url == item.url, title != nil && title == item.title, isDated(as: item)].count(where: \.self)
        }

        private func isDated(as item: ContentItem) -> Bool {
            // What is stored has milliseconds.
            guard let date, let other = item.date else { return false }
            return abs(date.timeIntervalSince(other)) < 0.002
        }

        /// Whether an item of the same link is surely the owner.
        func isSurely(_ item: ContentItem) -> Bool {
            title != nil && title == item.title && (date == nil || item.date == nil || isDated(as: item))
        }

        /// What of it tells some of a group from the others: what all of them have says of none that it is the owner.
        func telling(_ group: [ContentItem]) -> Owner? {
            func differ(_ isAlike: (ContentItem) -> Bool) -> Bool { !group.allSatisfy(isAlike) }
            let telling = Owner(
                url: differ { $0.url == group[0].url } ? url : nil,
                title: differ { $0.title == group[0].title } ? title : nil,
                date: differ { $0.date == group[0].date } ? date : nil)
            return telling.url == nil && telling.title == nil && telling.date == nil ? nil : telling
        }
    }

    /// The plain identifiers that several items, which are not equal, would have, and those by link that these items may have
    /// instead: it has to be known what they stand for.
    public static func clashes(in items: [ContentItem]) -> Set<String> {
        let isDeclared = { (item: ContentItem) in item.identifier == item.declaredIdentifier }
        // Nearly always.
        if items.allSatisfy(isDeclared) { return [] }
        var items = items
        assignPlain(to: &items)
        if isClashFree(items) { return [] }
        let distinct = originals(of: items).enumerated().filter { $0 == $1 }.map { items[$0.offset] }
        let clashing = Dictionary(grouping: distinct, by: \.identifier).values.filter { $0.count > 1 }.joined()
        return Set(clashing.flatMap { [$0.identifier, extended($0, by: .link)] })
    }

    /// Gives every item an identifier that no other item has. Items that are equal in everything share theirs.
    ///
    /// - Parameter owners: What is remembered of plain identifiers that clash.
    public static func assign(to items: inout [ContentItem], owners: [String: Owner] = [:]) {
        assignPlain(to: &items)
        if isClashFree(items) { return }
        // Copies are set aside meanwhile: they are no clash.
        let originals = originals(of: items)
        let places = items.indices.filter { originals[$0] == $0 }
        var distinct = places.map { items[$0] }
        extendClashing(&distinct, owners)
        for group in clashing(distinct) {
            for index in group { distinct[index].identifier = extended(distinct[index], by: .everything) }
        }
        for (place, item) in zip(places, distinct) { items[place].identifier = item.identifier }
        for index in items.indices { items[index].identifier = items[originals[index]].identifier }
    }

    private static func assignPlain(to items: inout [ContentItem]) {
        let session = VisitorSession(in: items)
        for index in items.indices { items[index].identifier = plainIdentifier(of: items[index], session) }
    }

    private static func isClashFree(_ items: [ContentItem]) -> Bool {
        var identifiers = Set<String>(minimumCapacity: items.count)
        // By index, which copies no item.
        return items.indices.allSatisfy { identifiers.insert(items[$0].identifier).inserted }
    }

    /// What is added to an identifier that several items have.
    private enum Extent { case link, title, everything }

    private static func clashing(_ items: [ContentItem]) -> [[Int]] {
        Dictionary(grouping: items.indices, by: { items[$0].identifier }).values.filter { $0.count > 1 }
    }

    /// Extends the identifiers that clash: by the link where nothing else of the group has had it, as far as is known, else by the
    /// title too. So an identifier does not change with the company, and none goes to another item.
    private static func extendClashing(_ items: inout [ContentItem], _ owners: [String: Owner]) {
        for group in clashing(items) {
            let owner = owners[items[group[0]].identifier]
            let keeper = keeper(of: group, in: items, owner)
            let sharing = Dictionary(grouping: group, by: { items[$0].url })
            for (url, places) in sharing {
                let isOwnersToo = keeper == nil && owner?.url == url
                for index in places where index != keeper {
                    items[index].identifier = extended(items[index], by: .link)
                }
                if places.count == 1, !isOwnersToo { continue }
                let known = places.filter { $0 != keeper && owners[items[$0].identifier]?.isSurely(items[$0]) == true }
                for index in places where index != keeper && (known.count != 1 || index != known[0]) {
                    items[index].identifier = extended(items[index], by: .title)
                }
            }
        }
    }

    /// The item of a group that keeps its identifier; nil: none.
    private static func keeper(of group: [Int], in items: [ContentItem], _ owner: Owner?) -> Int? {
        guard var owner else { return oldest(of: group, in: items) }
        owner = owner.telling(group.map { items[$0] }) ?? owner
        let best = group.map { owner.likeness(to: items[$0]) }.max() ?? 0
        let likely = group.filter { best > 0 && owner.likeness(to: items[$0]) == best }
        return likely.count > 1 ? oldest(of: likely, in: items) : likely.first
    }

    /// The one item that was published before all others.
    private static func oldest(of group: [Int], in items: [ContentItem]) -> Int? {
        let dated = group.compactMap { index in items[index].published.map { (index, $0) } }
        guard let first = dated.min(by: { $0.1 < $1.1 }) else { return nil }
        return dated.count(where: { $0.1 == first.1 }) == 1 ? first.0 : nil
    }

    private static func plainIdentifier(of item: ContentItem, _ session: VisitorSession) -> String {
        let declared = session.removed(from: item.declaredIdentifier?.trimmingASCIISpaces() ?? "")
        if !declared.isEmpty { return isStorable(declared) ? declared : hash("id", [declared]) }
        let link = session.removed(from: item.url ?? "")
        let date = item.published.map { String($0.timeIntervalSince1970) } ?? ""
        if !link.isEmpty { return date.isEmpty ? hash("link", [link]) : hash("link+date", [link, date]) }
        if let title = item.title, !title.isEmpty, !date.isEmpty { return hash("title+date", [title, date]) }
        return hash("content", text(of: item))
    }

    /// Short enough, and without the controls (NUL among them) at which one store or sink or another would cut it off.
    private static func isStorable(_ identifier: String) -> Bool {
        identifier.utf8.count <= maximumLength && withUTF8(of: identifier) { !TextWriter.hasControl($0) }
    }

    private static func extended(_ item: ContentItem, by extent: Extent) -> String {
        switch extent {
        case .link: hash("+link", [item.identifier, item.url ?? ""])
        case .title:
            if let date = item.date {
                hash("+title", [item.identifier, item.title ?? "", String(date.timeIntervalSince1970)])
            } else {
                hash("+text", [item.identifier] + text(of: item))
            }
        case .everything: hash("+everything", [item.identifier] + everything(of: item))
        }
    }

    private static func text(of item: ContentItem) -> [String] { [item.title ?? "", item.summary ?? ""] }

    private static func everything(of item: ContentItem) -> [String] {
        let dates = [item.published, item.updated].map { $0.map { String($0.timeIntervalSince1970) } ?? "" }
        let attachments = item.attachments.flatMap {
            [
                $0.url, $0.type ?? "", $0.length.map { String($0) } ?? "", $0.duration.map { String($0) } ?? "",
                $0.title ?? "",
            ]
        }
        let lists = [item.authors, attachments, item.categories].flatMap { [String($0.count)] + $0 }
        let rest = [item.content, item.image, item.commentsURL, item.externalURL, item.sourceTitle].map { $0 ?? "" }
        return text(of: item) + dates + [item.declaredIdentifier ?? "", item.url ?? ""] + lists + rest
    }

    /// Every part goes in with its length, so that parts cannot run into each other.
    static func hash(_ kind: String, _ parts: [String]) -> String {
        var hasher = SHA256()
        for part in [kind] + parts {
            hasher.update(data: Array("\(part.utf8.count):".utf8))
            hasher.update(data: Array(part.utf8))
        }
        let digits = Array("0123456789abcdef".utf8)
        let hex = hasher.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "sha256:" + String(decoding: hex, as: UTF8.self)
    }
}

extension String {
    /// Without ASCII white space at its ends.
    func trimmingASCIISpaces() -> String {
        guard utf8.first?.isASCIISpace == true || utf8.last?.isASCIISpace == true else { return self }
        let head = utf8.drop(while: \.isASCIISpace)
        guard let last = head.lastIndex(where: { !$0.isASCIISpace }) else { return "" }
        return String(decoding: head[...last], as: UTF8.self)
    }
}
