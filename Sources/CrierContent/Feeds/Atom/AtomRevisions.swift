import struct Foundation.Date

/// Entries of one document that share an `atom:id` are one entry, at different times (RFC 4287 §4.1.1). Where they lead to
/// different addresses, or were not published at one time, they may be several all the same, and their identifier was chosen badly.
enum AtomRevisions {
    /// Leaves out the earlier ones, by their `atom:updated`.
    static func keepLatest(of items: inout [ContentItem]) {
        var latest: [String: Int] = [:]
        var earlier: Set<Int> = []
        for (index, item) in items.enumerated() {
            guard let identifier = item.declaredIdentifier, item.updated != nil else { continue }
            guard let other = latest[identifier] else {
                latest[identifier] = index
                continue
            }
            guard areRevisions(item, items[other]) else { continue }
            let isLater = date(of: item) > date(of: items[other])
            earlier.insert(isLater ? other : index)
            if isLater { latest[identifier] = index }
        }
        if earlier.isEmpty { return }
        items = items.enumerated().filter { !earlier.contains($0.offset) }.map(\.element)
    }

    private static func areRevisions(_ one: ContentItem, _ other: ContentItem) -> Bool {
        one.updated != other.updated && one.published != nil && one.published == other.published
            && (one.url == other.url || one.url == nil || other.url == nil)
    }

    private static func date(of item: ContentItem) -> Date { item.updated ?? .distantPast }
}
