import CrierHashing

/// Decides what tells an item from every other of its source.
///
/// The chain: the identifier the document declares; else link and publication date; else the link; else title and
/// publication date; else a hash of title and summary. Never the position, since orders change.
///
/// **Clashes.** Some documents give one identifier to several items. If such an item's identity then depended on its
/// company, it would be taken for new whenever the company changes. So the item with the oldest publication date keeps
/// the plain identifier, and only the others are extended: by their link, where that is not enough by their title and
/// text, at last by everything. A single item that is later joined by a newer one, or that remains when the older ones
/// are gone, is thus known under its plain identifier, and the newer one is new. Where no one is the oldest (dates absent or
/// equal), all of them are extended.
///
/// What is remembered of identifiers says more (see ``settle(_:plain:owners:)``).
public enum ItemIdentity {
    /// The longest identifier, in UTF-8 bytes; a longer one is replaced by its hash.
    public static let maximumLength = 256

    /// The plain identifiers that several items, which are not equal, would have.
    public static func clashes(in items: [ContentItem]) -> Set<String> {
        let isDeclared = { (item: ContentItem) in item.identifier == item.declaredIdentifier }
        // Nearly always.
        if items.allSatisfy(isDeclared) { return [] }
        var items = items
        assignPlain(to: &items)
        if isClashFree(items) { return [] }
        let distinct = originals(of: items).enumerated().filter { $0 == $1 }.map { items[$0.offset].identifier }
        return Set(Dictionary(grouping: distinct, by: \.self).filter { $0.value.count > 1 }.keys)
    }

    /// The identifiers that an item may have in one company or another, the plain one first.
    ///
    /// - Parameter plain: That which it has in none.
    public static func identifiers(of item: ContentItem, _ plain: String) -> [String] {
        var item = item
        item.identifier = plain
        return [plain]
            + Extent.allCases.map { extent in
                item.identifier = extended(item, by: extent)
                return item.identifier
            }
    }

    /// Gives every item an identifier that no other item has. Copies share theirs: the first of them has the categories of all.
    public static func assign(to items: inout [ContentItem]) {
        assignPlain(to: &items)
        if isClashFree(items) { return }
        // Copies are set aside meanwhile: they are no clash.
        let originals = originals(of: items)
        let places = items.indices.filter { originals[$0] == $0 }
        var distinct = places.map { items[$0] }
        for extent in Extent.allCases where !isClashFree(distinct) {
            extendClashing(&distinct, by: extent)
        }
        for (place, item) in zip(places, distinct) { items[place].identifier = item.identifier }
        for index in items.indices { items[index].identifier = items[originals[index]].identifier }
        mergeCategories(of: &items, originals)
    }

    /// A feed that has an item once for each of its categories has one item.
    private static func mergeCategories(of items: inout [ContentItem], _ originals: [Int]) {
        var categories: [Int: Set<String>] = [:]
        for (index, original) in originals.enumerated() where original != index {
            for category in items[index].categories
            where items[original].categories.count < ContentBounds.list
                && categories[original, default: Set(items[original].categories)].insert(category).inserted
            {
                items[original].categories.append(category)
            }
        }
    }

    static func assignPlain(to items: inout [ContentItem]) {
        let session = VisitorSession(in: items)
        for index in items.indices { items[index].identifier = plainIdentifier(of: items[index], session) }
    }

    private static func isClashFree(_ items: [ContentItem]) -> Bool {
        var identifiers = Set<String>(minimumCapacity: items.count)
        // By index, which copies no item.
        return items.indices.allSatisfy { identifiers.insert(items[$0].identifier).inserted }
    }

    /// What is added to an identifier that several items have.
    private enum Extent: CaseIterable { case link, text, everything }

    /// Extends the identifiers that clash.
    private static func extendClashing(_ items: inout [ContentItem], by extent: Extent) {
        let groups = Dictionary(grouping: items.indices, by: { items[$0].identifier }).values.filter { $0.count > 1 }
        for group in groups {
            let keeper = extent == .link ? oldest(of: group, in: items) : nil
            for index in group where index != keeper {
                items[index].identifier = extended(items[index], by: extent)
            }
        }
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
        case .text: hash("+text", [item.identifier] + text(of: item))
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
        var bytes: [UInt8] = []
        for part in [kind] + parts {
            bytes += "\(part.utf8.count):".utf8
            bytes += part.utf8
        }
        return "sha256:" + SHA256.hash(bytes).hexadecimal
    }
}
