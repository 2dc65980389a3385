import CrierContent
import CrierStore
import Foundation

/// A site that moves to https or another host, or a feed that gets identifiers or another format, calls all its items otherwise
/// from one visit to the next.
extension ContentFetcher {
    /// Those items of a document that are stored under other identifiers.
    func renamedItems(
        of content: DecodedContent, in source: Source, _ state: SourceState, _ known: KnownItems
    ) throws(StoreError) -> [ContentItem] {
        let strangers = content.items.filter { !known.identifiers.contains($0.identifier) }
        // Nearly always.
        if strangers.isEmpty { return [] }
        let respelled = try itemsOfOtherSpelling(among: strangers, of: content.items, in: source, state)
        let nameless = try itemsOnceNameless(among: strangers, of: content.items, in: source)
        let found = nameless.isEmpty ? respelled : NewItems.unique(respelled + nameless)
        let isNoneKnown = known.identifiers.isEmpty
        // What is new in a feed is hardly ever most of it, and hardly ever older than the last document. But where all is called
        // as it was before, or a server beside the other calls it otherwise, so is what was told in between.
        let isMost = isNoneKnown || strangers.count * 2 > content.items.count
        guard state.fingerprint != nil else { return found }
        if !isMost, try !mayBeBelated(strangers, in: source, state) { return found }
        let foundOnes = Set(found.map(\.identifier))
        let all = try namesakes(in: content, source, strictly: !isNoneKnown, lastRead: state.lastRead)
        let others = all.filter {
            !foundOnes.contains($0.item.identifier) && !known.identifiers.contains($0.item.identifier)
        }
        // Of few, others must be stored under both names already: one alone may be another that says the same, but where it is
        // called by the number of its page's edition, or all that it says was there before.
        let isOneOfSeveral = found.count + (isMost ? others.count : all.count) > 1
        return found + others.filter { isOneOfSeveral || $0.isItself }.map(\.item)
    }

    /// Whether one of some unknown items was there when the document was read last, by its date, and may have had another name then.
    private func mayBeBelated(
        _ strangers: [ContentItem], in source: Source, _ state: SourceState
    ) throws(StoreError) -> Bool {
        let belated = strangers.filter { $0.isOlder(than: state.lastRead, zone: source.mapping.timeZone) }
        if belated.isEmpty { return false }
        return try !store.namesakes(of: belated, in: source.name, dated: true).isEmpty
    }

    /// Those that are stored with `http` for `https` or the other way round, or with the same title and with `www.` or a slash at
    /// the end or without: some origins have one in this answer and the other in the next.
    private func itemsOfOtherSpelling(
        among strangers: [ContentItem], of items: [ContentItem], in source: Source, _ state: SourceState
    ) throws(StoreError) -> [ContentItem] {
        let twins = strangers.flatMap { item in
            // What is dated since then by its time is new, nearly always.
            let isNew = item.date.map { date in
                state.lastRead.map { $0 < date } ?? false && !date.mayBeDay(in: source.mapping.timeZone)
            }
            return item.identifiersOfOtherSpelling(inAll: isNew != true).map { (item, identifier: $0) }
        }
        if twins.isEmpty { return [] }
        let stored = try store.knownIdentifiers(of: source.name, among: twins.map(\.identifier))
        if stored.isEmpty { return [] }
        let titles = try store.namesakes(of: strangers, in: source.name).map { ($0.identifier, $0.title) }
        let titled = Dictionary(titles) { first, _ in first }
        let (clashes, present) = (ItemIdentity.clashes(in: items), Set(items.map(\.identifier)))
        return twins.filter { item, twin in
            stored.contains(twin) && !present.contains(twin) && !clashes.contains(item.identifier)
                && (titled[twin] == .some(item.title) || item.identifiersOfOtherSpelling(inAll: false) == [twin])
        }.map(\.0)
    }

    /// Those that are stored as what declares no identifier, with the same title, address and time: without a time, many may be called so
    /// one after the other.
    private func itemsOnceNameless(
        among strangers: [ContentItem], of items: [ContentItem], in source: Source
    ) throws(StoreError) -> [ContentItem] {
        let timed = strangers.filter { item in
            let hasTime = item.published.map { !$0.mayBeDay(in: source.mapping.timeZone) } ?? false
            return item.declaredIdentifier != nil && item.url != nil && hasTime
        }
        if timed.isEmpty { return [] }
        guard try store.hasMadeIdentifiers(of: source.name) else { return [] }
        let nameless = Dictionary(grouping: timed, by: \.namelessIdentifier)
        let stored = try store.knownIdentifiers(of: source.name, among: Array(nameless.keys))
        if stored.isEmpty { return [] }
        let titles = try store.namesakes(of: timed, in: source.name).map { ($0.identifier, $0.title) }
        let titled = Dictionary(titles) { first, _ in first }
        let present = Set(items.map(\.identifier))
        return nameless.flatMap { twin, items in
            items.count == 1 && !present.contains(twin) && titled[twin] == .some(items[0].title) ? items : []
        }
    }

    /// Those items whose titles, addresses and dates are stored under other names; of another host only where all have moved to one.
    ///
    /// What a mapping reads may have the identifiers that the user has chosen. One alone may be another that says the same.
    ///
    /// - Parameter isStrict: Whether to take only those with a date and an address of their own.
    private func namesakes(
        in content: DecodedContent, _ source: Source, strictly isStrict: Bool, lastRead: Date?
    ) throws(StoreError) -> [Namesake] {
        let areChosen = !content.format.isFeed && source.mapping.fields[.id] != nil
        guard !areChosen, content.items.count > 1 else { return [] }
        let present = Set(content.items.map(\.identifier))
        let all = try store.namesakes(of: content.items, in: source.name, dated: isStrict)
        let absent = all.filter { !present.contains($0.identifier) }
        if absent.isEmpty { return [] }
        let zone = source.mapping.timeZone
        let marks = VisitMarks(in: content.items, and: absent, zone: zone)
        let stored = Dictionary(grouping: absent) { Likeness($0, marks) }
        let addresses = Dictionary(grouping: content.items, by: \.url)
        let titles = Dictionary(grouping: content.items, by: \.title)
        var found: [Namesake] = []
        for case (let likeness?, let items) in Dictionary(grouping: content.items, by: { Likeness($0, marks) }) {
            guard items.count == 1, let item = items.first, let former = stored[likeness] else { continue }
            let isAlone = addresses[item.url]?.count == 1
            if isStrict, !isAlone || item.date == nil { continue }
            // What lies ahead, as a forecast or a departure, may be told because of its text; what was there has been corrected.
            let isOld = item.isOlder(than: lastRead, zone: zone)
            let isOnlyOne = isAlone && isOld && item.title != nil && titles[item.title]?.count == 1
            // An edition of a page is one of its own text.
            let same = former.filter { stored in
                isOnlyOne || isAlone && CanonicalURL.areEditions(stored.identifier, item.identifier)
                    || stored.mayBe(item, whoseAddressIsItsOwn: isAlone)
            }
            if !same.isEmpty { found.append(Namesake(item, same, lastRead: isOld ? lastRead : nil)) }
        }
        // Some may be stored as they were before an earlier move, too.
        let isOneMove = !found.filter { !$0.moves.contains(where: \.isNone) }.commonMoves.isEmpty
        let alike = found.filter { isOneMove || $0.moves.contains(where: \.isNone) }
        guard !isStrict, let lastRead else { return alike }
        let reading = try LastReading(of: source, at: lastRead, by: store, now: clock.now)
        let known = alike + reading.repeated(in: content.items, absent, beside: alike)
        let knownOnes = Set(known.map(\.item.identifier))
        let others = content.items.filter {
            addresses[$0.url]?.count == 1 && !knownOnes.contains($0.identifier)
        }
        return known + reading.elsewhere(among: others, absent, beside: known)
    }
}

extension LastReading {
    /// Those that have another path, too: most of those that may have been there, by title, time and text, or by three titles and times
    /// that are past. Another engine has other excerpts of all.
    fileprivate func elsewhere(
        among items: [ContentItem], _ stored: [StoredNamesake], beside known: [Namesake]
    ) -> [Namesake] {
        let count = items.count(where: mayHaveHeld)
        let alike = DatedTitle.namesakes(among: items, stored, zone).ifMost(of: count, beside: known)
        if !alike.isEmpty { return alike }
        let past = items.filter { $0.isOlder(than: date, zone: zone) }
        return DatedTitle.namesakes(among: past, stored, zone, byText: false)
            .ifMost(of: count, beside: known, titles: 3)
    }
}

/// By what an item is recognized whose page has another path, too, as where a site is built below another folder.
private struct DatedTitle: Hashable {
    let title: String
    /// With its time.
    let second: Int64
    /// What tells many pages of one path apart; nil where that is not asked.
    let query: String?
    /// Counts aside.
    let text: String?

    private init?(_ title: String?, _ date: Date?, _ summary: String?, query: String?, zone: TimeZone) {
        guard let title, let date, !date.mayBeDay(in: zone) else { return nil }
        (self.title, second, self.query) = (title, date.second, query)
        text = summary.map(\.withoutDigits)
    }

    /// By title, time and text, and by what the query says: of one path, there may be many pages that say the same. Pages that had a
    /// query have a path of their own instead where a site gets readable addresses, or the other way round.
    ///
    /// - Parameters:
    ///   - items: Items of a document of which none is known, each with an address of its own.
    ///   - isByText: Whether their texts must be the same.
    static func namesakes(
        among items: [ContentItem], _ stored: [StoredNamesake], _ zone: TimeZone, byText isByText: Bool = true
    ) -> [Namesake] {
        let stored = stored.filter { $0.url != nil }
        let (former, present) = (Pages(stored.map(\.url)), Pages(items.map(\.url)))
        func pairs(
            _ stored: [StoredNamesake], withQuery: Bool
        ) -> [(item: ContentItem, former: [StoredNamesake])] {
            let stored = Dictionary(grouping: stored) {
                DatedTitle(
                    $0.title, $0.date, isByText ? $0.summary : nil,
                    query: withQuery ? former.query(of: $0.url) : nil, zone: zone)
            }
            let looks = Dictionary(grouping: items.filter { $0.url != nil }) {
                DatedTitle(
                    $0.title, $0.date, isByText ? $0.summary : nil,
                    query: withQuery ? present.query(of: $0.url) : nil, zone: zone)
            }
            return looks.compactMap { look, items in
                guard let look, items.count == 1, let item = items.first else { return nil }
                let same = (stored[look] ?? []).filter { stored in
                    // One has a query, and the other a path of its own instead.
                    withQuery
                        || (former.query(of: stored.url) == nil) != (present.query(of: item.url) == nil)
                            && Pages.path(of: stored.url) != Pages.path(of: item.url)
                }
                return same.isEmpty ? nil : (item, same)
            }
        }
        let found = pairs(stored, withQuery: true)
        let met = Set(found.map(\.item.identifier))
        let taken = Set(found.flatMap(\.former).map(\.identifier))
        let others = pairs(stored.filter { !taken.contains($0.identifier) }, withQuery: false)
        return (found + others.filter { !met.contains($0.item.identifier) }).map { Namesake($0.item, $0.former) }
    }
}

extension String {
    /// As it is where it holds another number.
    var withoutDigits: String { filter { !$0.isNumber } }
}

extension ContentItem {
    /// Whether it was there when a document was read, by a date that has its time.
    fileprivate func isOlder(than lastRead: Date?, zone: TimeZone) -> Bool {
        guard let date, let lastRead, date < lastRead else { return false }
        return !date.mayBeDay(in: zone)
    }
}

extension StoredNamesake {
    /// By what both say: of those that share an address, as all lines of a log do, their titles and days are not enough.
    fileprivate func mayBe(_ item: ContentItem, whoseAddressIsItsOwn isAlone: Bool) -> Bool {
        guard let summary, let other = item.summary else { return isAlone }
        return summary == other
    }
}

extension ContentItem {
    /// What the item would be called were what it is called by, its identifier or its address, spelled otherwise; none where that is
    /// no address of the web, or does not tell the item from others.
    ///
    /// - Parameter isInAll: Whether in more than the scheme.
    fileprivate func identifiersOfOtherSpelling(inAll isInAll: Bool) -> [String] {
        guard let address = declaredIdentifier ?? url, Self.identifier(of: self) == identifier else { return [] }
        return CanonicalURL.otherSpellings(of: address, ofAll: isInAll).map { spelling in
            var twin = self
            if declaredIdentifier != nil { twin.declaredIdentifier = spelling } else { twin.url = spelling }
            return Self.identifier(of: twin)
        }
    }

    /// What it would be called if it declared no identifier.
    fileprivate var namelessIdentifier: String {
        var twin = self
        twin.declaredIdentifier = nil
        return Self.identifier(of: twin)
    }

    /// Whether its identifier is its address, in whatever spelling, or it has none.
    var isCalledByItsAddress: Bool {
        guard let declaredIdentifier, declaredIdentifier != url else { return true }
        return url.map(CanonicalURL.ofAllSpellings) == CanonicalURL.ofAllSpellings(declaredIdentifier)
    }

    private static func identifier(of item: ContentItem) -> String {
        var items = [item]
        ItemIdentity.assign(to: &items)
        return items[0].identifier
    }
}

/// The parameters that have one value in all links of a document, or had one in all that are stored of its items and are in none of its
/// links: they say something of the visit and tell no item from another, such as a token that is new each time. But they may also be the
/// issue that all of them are of: so they only are where nothing else is said to tell items from one another, and each has its time.
private struct VisitMarks {
    private var names: Set<String> = []
    private let zone: TimeZone

    /// - Parameters:
    ///   - stored: What is stored of them under other names.
    ///   - zone: In which dates may stand for days.
    init(in items: [ContentItem], and stored: [StoredNamesake], zone: TimeZone) {
        self.zone = zone
        guard items.allSatisfy(\.isCalledByItsAddress) else { return }
        let links = Set(items.compactMap(\.url))
        let left = Self.common(Set(stored.compactMap(\.url))).subtracting(links.flatMap(Self.parameters).map(\.name))
        names = Self.common(links).union(left)
    }

    private static func parameters(of link: String) -> [URLQueryItem] {
        URLComponents(string: link)?.percentEncodedQueryItems ?? []
    }

    /// The names of the parameters that are alike in several addresses.
    private static func common(_ links: Set<String>) -> Set<String> {
        guard links.count > 1 else { return [] }
        var common: Set<URLQueryItem>?
        for link in links {
            let parameters = Set(parameters(of: link))
            common = common?.intersection(parameters) ?? parameters
            if common?.isEmpty == true { return [] }
        }
        return Set((common ?? []).map(\.name))
    }

    /// - Parameter date: That of the item.
    func removed(from url: String, date: Date?) -> String {
        guard !names.isEmpty, let date, !date.mayBeDay(in: zone), var parts = URLComponents(string: url) else {
            return url
        }
        parts.removeParameters(named: names.contains)
        return parts.string ?? url
    }
}

/// By what an item is recognized that is called otherwise.
private struct Likeness: Hashable {
    let title: String?
    /// Without its host where there is a date, and without marks of the visit.
    let address: Substring
    /// Seconds.
    let date: Int64?

    init?(_ stored: StoredNamesake, _ marks: VisitMarks) {
        guard let url = stored.url else { return nil }
        self.init(title: stored.title, url: url, date: stored.date, marks)
    }

    /// nil for an item that nothing but its identifier may tell from others.
    init?(_ item: ContentItem, _ marks: VisitMarks) {
        guard let url = item.url, item.date != nil || item.isCalledByItsAddress else { return nil }
        self.init(title: item.title, url: url, date: item.date, marks)
    }

    private init(title: String?, url: String, date: Date?, _ marks: VisitMarks) {
        self.title = title
        let url = CanonicalURL.ofAllSpellings(marks.removed(from: url, date: date))
        address = (date == nil ? nil : CanonicalURL.withoutHost(url)) ?? url[...]
        self.date = date?.second
    }
}
