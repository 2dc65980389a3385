import CrierContent
import CrierStore
import Foundation

/// What a source has had of a document whose items are called otherwise since its address or mapping was changed.
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
    /// - Parameters:
    ///   - isElsewhere: Whether it has another address.
    ///   - known: Those of its items that are known already.
    /// - Returns: Nil where all that is dated before the last visit counts as known, unless some are known already.
    func itemsMetBefore(
        in content: DecodedContent, _ isElsewhere: Bool, of source: Source, _ state: SourceState,
        beside known: Set<String>
    ) throws(StoreError) -> ItemsMetBefore? {
        // Of what was read since an edit nothing is asked.
        let edited = state.awaitsItems(at: clock.now) ? state.knownSince : nil
        guard state.fingerprint == nil || edited != nil,
            let lastSucceeded = edited == nil ? state.lastSucceeded : state.knownUntil
        else { return nil }
        // What is stored of those that are there is no other's.
        let present = known.isEmpty ? [] : Set(content.items.map(\.identifier))
        let marks = try store.marks(of: source.name).filter { mark in edited.map { mark.firstSeen < $0 } ?? true }
        let album = ItemAlbum(marks, without: present, upTo: clock.now)
        // Of a document that was empty nothing tells where it was before.
        let mayBeElsewhere = isElsewhere || edited != nil
        let found = album.known(among: content.items, before: lastSucceeded, isElsewhere: mayBeElsewhere)
            .filter { !known.contains($0.identifier) }
        if found.isEmpty { return nil }
        var met = ItemsMetBefore(identifiers: Set(found.map(\.identifier)))
        guard known.isEmpty, let newest = album.newest, album.isOfOneFeed(content.items, found) else { return met }
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

    /// - Parameter present: The identifiers of those that are not to be recognized in others; they count where it is asked what is of one
    ///   item alone.
    init(_ all: [StoredMark], without present: Set<String>, upTo now: Date) {
        let stored = all.filter { !present.contains($0.identifier) }
        self.stored = stored
        self.now = now
        dated = Set(stored.compactMap { Self.look($0.title, $0.date) })
        let places = Dictionary(grouping: all) { $0.url.flatMap(Self.path) }
        placed = Dictionary(
            uniqueKeysWithValues: places.compactMap { path, marks in
                path.flatMap { marks.count == 1 && !present.contains(marks[0].identifier) ? ($0, marks[0]) : nil }
            })
    }

    /// Dates ahead say nothing.
    var newest: Date? { stored.map { $0.date ?? $0.firstSeen }.filter { $0 <= now }.max() }
    /// When an item was last found that was not known.
    var lastAddition: Date? { stored.map(\.firstSeen).max() }

    func hasDays(before date: Date) -> Bool {
        stored.contains { $0.date.map { $0.addingTimeInterval(86_400) <= date } ?? false }
    }

    /// By title and date; by an address of its own and the date, or the title unless it has come since the last visit; without dates by
    /// that address alone where the document is at the same one as before.
    func known(among items: [ContentItem], before lastVisit: Date, isElsewhere: Bool) -> [ContentItem] {
        let places = Dictionary(grouping: items) { $0.url.flatMap(Self.path) }.mapValues(\.count)
        return items.filter { item in
            if let look = Self.look(item.title, item.date), dated.contains(look) { return true }
            guard let path = item.url.flatMap(Self.path), places[path] == 1, let mark = placed[path] else {
                return false
            }
            if item.date == nil, mark.date == nil, !isElsewhere { return true }
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
