import struct Foundation.Date

/// Tells which items of a document are new. Newness is decided by identity; dates only order.
public enum NewItems {
    /// A date further ahead than this, in seconds, is not believed.
    public static let furthestFuture = 86_400.0

    /// The items whose identifiers are not known, each identifier once, the oldest first.
    ///
    /// Items of the same date stand in the document's order, which is turned round where the document begins with its
    /// newest, as nearly all do.
    public static func among(_ items: [ContentItem], known: Set<String>, now: Date) -> [ContentItem] {
        var seen = Set<String>()
        // Places, as an item is a lot to move about.
        let new = items.indices.filter { place in
            let identifier = items[place].identifier
            return !known.contains(identifier) && seen.insert(identifier).inserted
        }
        guard new.count > 1 else { return new.map { items[$0] } }
        let ordered = isOldestFirst(items) ? new : new.reversed()
        let dated = ordered.enumerated().map { (place: $1, date: date(of: items[$1], firstSeen: now), index: $0) }
        return dated.sorted { ($0.date, $0.index) < ($1.date, $1.index) }.map { items[$0.place] }
    }

    /// The first item of each identifier, in the order given.
    public static func unique(_ items: [ContentItem]) -> [ContentItem] {
        var seen = Set<String>(minimumCapacity: items.count)
        let kept = items.indices.filter { seen.insert(items[$0].identifier).inserted }
        return kept.count == items.count ? items : kept.map { items[$0] }
    }

    /// When an item came out; the first-seen date where it has no date, or one more than 24 hours later than that.
    public static func date(of item: ContentItem, firstSeen: Date) -> Date {
        guard let date = item.date, date.timeIntervalSince(firstSeen) <= furthestFuture else { return firstSeen }
        return date
    }

    private static func isOldestFirst(_ items: [ContentItem]) -> Bool {
        let dates = items.lazy.compactMap(\.date)
        guard let first = dates.first, let last = dates.last else { return false }
        return first < last
    }
}
