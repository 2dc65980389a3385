import CrierContent
import CrierStore
import Foundation

/// What a source has had of a document all of whose items are called otherwise since its address or mapping was changed.
struct ItemsMetBefore {
    /// Of those that are stored, whatever they are called there.
    let identifiers: Set<String>
    /// The date of the newest item that the source has had, where the same is read at another address now, and the former one has long
    /// stood still: what came later was never told, however often that has answered since.
    var newest: Date?
    /// Whether others of the same day are new: where days are remembered, those that are stored are all that were there.
    var tellsDays = false
}

extension ContentFetcher {
    /// - Parameter isElsewhere: Whether it has another address.
    /// - Returns: Nil where all that is dated before the last visit counts as known.
    func itemsMetBefore(
        in content: DecodedContent, _ isElsewhere: Bool, of source: Source, _ state: SourceState
    ) throws(StoreError) -> ItemsMetBefore? {
        guard state.fingerprint == nil, let lastSucceeded = state.lastSucceeded else { return nil }
        let album = ItemAlbum(try store.marks(of: source.name), upTo: clock.now)
        let known = album.known(among: content.items, before: lastSucceeded)
        if known.isEmpty { return nil }
        var met = ItemsMetBefore(identifiers: Set(known.map(\.identifier)))
        guard let newest = album.newest, album.isOfOneFeed(content.items, known) else { return met }
        let isStill = album.lastAddition.map { lastSucceeded.timeIntervalSince($0) >= ItemAlbum.longStill } ?? false
        if isElsewhere, isStill { met.newest = newest }
        met.tellsDays = album.hasDays(before: met.newest ?? lastSucceeded)
        return met
    }
}

/// What is stored of a source's items, to recognize them by.
private struct ItemAlbum {
    /// So long, in seconds, an address has had nothing new that has stood still.
    static let longStill = 2 * 86_400.0

    private struct Look: Hashable {
        let title: String
        let second: Int64
    }

    private let stored: [StoredMark]
    private let dated: Set<Look>
    /// By addresses that one item has, whatever its host.
    private let placed: [Substring: StoredMark]
    private let now: Date

    init(_ stored: [StoredMark], upTo now: Date) {
        self.stored = stored
        self.now = now
        dated = Set(stored.compactMap { Self.look($0.title, $0.date) })
        let places = Dictionary(grouping: stored) { $0.url.flatMap(Self.path) }
        placed = Dictionary(
            uniqueKeysWithValues: places.compactMap { path, marks in
                path.flatMap { marks.count == 1 ? ($0, marks[0]) : nil }
            })
    }

    /// Dates ahead say nothing.
    var newest: Date? { stored.map { $0.date ?? $0.firstSeen }.filter { $0 <= now }.max() }
    /// When an item was last found that was not known.
    var lastAddition: Date? { stored.map(\.firstSeen).max() }

    func hasDays(before date: Date) -> Bool {
        stored.contains { $0.date.map { $0.addingTimeInterval(86_400) <= date } ?? false }
    }

    /// By title and date; by an address of its own and the date, or the title unless it has come since the last visit.
    func known(among items: [ContentItem], before lastVisit: Date) -> [ContentItem] {
        let places = Dictionary(grouping: items) { $0.url.flatMap(Self.path) }.mapValues(\.count)
        return items.filter { item in
            if let look = Self.look(item.title, item.date), dated.contains(look) { return true }
            guard let path = item.url.flatMap(Self.path), places[path] == 1, let mark = placed[path] else {
                return false
            }
            if let title = item.title, title == mark.title, item.date.map({ $0 <= lastVisit }) ?? true { return true }
            return item.date.map { $0.second == mark.date?.second } ?? false
        }
    }

    /// Whether those are what was read before: of what the document has from the oldest of them to the newest that is stored they are
    /// most, and more than one, which may say the same by chance.
    func isOfOneFeed(_ items: [ContentItem], _ known: [ContentItem]) -> Bool {
        guard let newest, let oldest = known.compactMap(\.date).min() else { return false }
        let looks = Set(known.compactMap { Self.look($0.title, $0.date) })
        let between = items.count { $0.date.map { (oldest...max(oldest, newest)).contains($0) } ?? false }
        return looks.count > 1 && known.count * 2 > between
    }

    private static func look(_ title: String?, _ date: Date?) -> Look? {
        guard let title, let date else { return nil }
        return Look(title: title, second: date.second)
    }

    /// Of an address that leads to more than a host.
    private static func path(of url: String) -> Substring? {
        CanonicalURL.withoutHost(CanonicalURL.ofAllSpellings(url)).flatMap { $0.isEmpty ? nil : $0 }
    }
}
