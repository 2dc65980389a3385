import CrierContent
import CrierStore
import Foundation

/// What is known of a source's last document, by which another is recognized that calls, dates or links all of it otherwise.
struct LastReading {
    let date: Date
    /// In which dates may stand for days.
    let zone: TimeZone
    private let now: Date
    /// What was seen less than a day before it counts, too, see ``ItemSighting``.
    private let document: (count: Int, earliest: Date?)

    init(of source: Source, at date: Date, by store: Store, now: Date) throws(StoreError) {
        (self.date, zone, self.now) = (date, source.mapping.timeZone, now)
        document = try store.document(of: source.name, since: date.addingTimeInterval(-ItemSighting.accuracy))
    }

    /// Whether an item may have been in it by its date: what came out since then, or is older than all that was there, tells
    /// nothing of what has become of that.
    func mayHaveHeld(_ item: ContentItem) -> Bool {
        guard let date = item.date else { return true }
        return date <= self.date && document.earliest.map { $0 <= date } ?? true
    }

    /// Those of which most were in it, of three titles at least, by title and page: what has a date that is past, and the others if
    /// they say the same.
    ///
    /// - Parameters:
    ///   - items: All of a document of which no identifier is known.
    ///   - stored: What is stored and not in it, with the titles of some.
    ///   - known: Those that are recognized already.
    func repeated(
        in items: [ContentItem], _ stored: [StoredNamesake], beside known: [Namesake]
    ) -> [Namesake] {
        let recent = stored.filter { $0.wasThere(at: date) }
        let names = TitledPages(of: items, and: recent)
        let knownOnes = Set(known.map(\.item.identifier))
        let others = names.ownItems.filter { !knownOnes.contains($0.identifier) }
        let pairs = names.pairs(of: others, with: recent)
        let fresh = FreshDates(of: pairs.filter { $0.item.wasThere(by: date, days: zone) == false }, now: now)
        let found = namesakes(among: pairs, fresh)
        let pairedOnes = Set(pairs.map(\.item.identifier))
        let countable = items.count { mayHaveHeld($0) || pairedOnes.contains($0.identifier) }
        let count = min(countable, document.count) - known.count
        if found.ifMost(of: count, beside: known, titles: 3, times: 1).isEmpty { return [] }
        // What had left before may have come back.
        return namesakes(among: names.pairs(of: others, with: stored), fresh)
    }

    private func namesakes(among pairs: [TitledPages.Pair], _ fresh: FreshDates) -> [Namesake] {
        let found = pairs.compactMap { item, stored -> (namesake: Namesake, isUnmoved: Bool)? in
            let same = rivals(of: item, among: stored).filter { isSame(item, $0, fresh) }
            if same.isEmpty { return nil }
            let isUnmoved = same.contains { $0.date?.second == item.date?.second && $0.saysTheSame(as: item) }
            return (Namesake(item, same), isUnmoved)
        }
        // Several may be late at once, and have the same titles each time, as what stations have measured; not those of many days.
        let past = found.map(\.namesake.item).filter { $0.wasThere(by: date, days: zone) == true }
        let areOfManyDays = Set(past.compactMap(\.date).map { CalendarDay($0, in: zone) }).count >= 3
        return found.filter { found in
            areOfManyDays || found.isUnmoved || found.namesake.item.wasThere(by: date, days: zone) != true
        }.map(\.namesake)
    }

    /// What an item may be: where its date is not past, it may say again what it said before something else.
    private func rivals(of item: ContentItem, among stored: [StoredNamesake]) -> [StoredNamesake] {
        if item.wasThere(by: date, days: zone) == true { return stored }
        let last = stored.map(\.lastSeen).max()
        return stored.filter { $0.lastSeen == last }
    }

    private func isSame(_ item: ContentItem, _ stored: StoredNamesake, _ fresh: FreshDates) -> Bool {
        let saysTheSame = stored.saysTheSame(as: item)
        // Other zones and days move dates by less than a day.
        let shift = stored.date.flatMap { former in item.date.map { abs($0.timeIntervalSince(former)) } }
        let isOfOneDay = shift ?? 0 < 86_400
        switch item.wasThere(by: date, days: zone) {
        case true?:
            return saysTheSame || item.url != nil && isOfOneDay
        case false?:
            // A day that was not over.
            let hadBegun = item.date.map { $0 <= date } ?? false
            return saysTheSame && (hadBegun && isOfOneDay || fresh.sayNothing)
                || fresh.areNow && stored.saysTheSame(as: item, besidesNumbers: true)
        case nil:
            // A query that has changed, and not come or gone, may be that of the next issue.
            let isIssue = !Pages.areAlike(stored.url, item.url)
            return saysTheSame || item.url != nil && item.isCalledByItsAddress && !isIssue
        }
    }
}

/// The dates of those items of a document that came out since the last reading, by what they say: documents that are made for each
/// request, or whenever something is published, may date all items by that.
private struct FreshDates {
    private static let moment = 60.0

    /// Whether all are of the moment of the request.
    let areNow: Bool
    /// Whether they say nothing of the items: all are of one moment, which is that of the request, or the items were of several days.
    let sayNothing: Bool

    init(of pairs: [TitledPages.Pair], now: Date) {
        let dates = pairs.compactMap(\.item.date)
        let (first, last) = (dates.min() ?? .distantPast, dates.max() ?? .distantFuture)
        let areOne = last.timeIntervalSince(first) <= Self.moment
        areNow = areOne && abs(now.timeIntervalSince(last)) <= Self.moment
        let days = Set(pairs.flatMap(\.stored).compactMap(\.date).map { CalendarDay($0, in: .gmt) })
        sayNothing = areNow || areOne && days.count >= 3
    }
}

/// Titles and pages, by which items are recognized.
private struct TitledPages {
    typealias Pair = (item: ContentItem, stored: [StoredNamesake])

    private struct Name: Hashable {
        let title: String
        /// Whatever the host; nil where no item has an address.
        let page: Substring?
    }

    /// Those whose address, or title where none has one, is no other's.
    let ownItems: [ContentItem]
    /// Whether all have paths of their own, so that queries tell none from another.
    private let areByPath: Bool

    init(of items: [ContentItem], and stored: [StoredNamesake]) {
        let isLinked = items.contains { $0.url != nil }
        let groups = Dictionary(grouping: items) { isLinked ? $0.url : $0.title }
        ownItems = items.filter { item in
            (isLinked ? item.url : item.title).map { groups[$0]?.count == 1 } ?? false
        }
        let paths = items.compactMap(\.url).map(Pages.path)
        let former = Dictionary(grouping: stored.filter { $0.url != nil }) { Pages.path(of: $0.url) }
        areByPath =
            Set(paths).count == paths.count && former.values.allSatisfy { Set($0.map(\.title)).count == 1 }
    }

    func pairs(of items: [ContentItem], with stored: [StoredNamesake]) -> [Pair] {
        let named = Dictionary(grouping: stored) { name($0.title, $0.url) }
        return items.compactMap { item in
            guard let name = name(item.title, item.url) else { return nil }
            return named[name].map { (item, $0) }
        }
    }

    private func name(_ title: String?, _ url: String?) -> Name? {
        guard let title else { return nil }
        let page = url.map(CanonicalURL.ofAllSpellings).flatMap(CanonicalURL.withoutHost)
        guard url == nil || page != nil else { return nil }
        return Name(title: title, page: areByPath ? page?.prefix { $0 != "?" } : page)
    }
}
