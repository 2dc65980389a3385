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
        let found = try itemsOfAnotherScheme(among: strangers, of: content.items, in: source)
        guard found.isEmpty, known.identifiers.isEmpty, state.fingerprint != nil else { return found }
        return try namesakes(among: content, in: source)
    }

    /// Those that are stored with `http` for `https` or the other way round: some origins have one in this answer and the other
    /// in the next.
    private func itemsOfAnotherScheme(
        among strangers: [ContentItem], of items: [ContentItem], in source: Source
    ) throws(StoreError) -> [ContentItem] {
        let twins = strangers.compactMap { item in item.identifierOfAnotherScheme.map { (item, identifier: $0) } }
        if twins.isEmpty { return [] }
        let stored = try store.knownIdentifiers(of: source.name, among: twins.map(\.identifier))
        if stored.isEmpty { return [] }
        let (clashes, present) = (ItemIdentity.clashes(in: items), Set(items.map(\.identifier)))
        return twins.filter { item, twin in
            stored.contains(twin) && !present.contains(twin) && !clashes.contains(item.identifier)
        }.map(\.0)
    }

    /// Those items of a feed whose titles, addresses and dates are stored.
    ///
    /// Only where several are: one alone may be another that says the same. What a mapping reads has the identifiers that the
    /// user has chosen.
    private func namesakes(among content: DecodedContent, in source: Source) throws(StoreError) -> [ContentItem] {
        guard [.rss, .atom, .rdf, .jsonFeed].contains(content.format), content.items.count > 1 else { return [] }
        let stored = Set(try store.namesakes(of: content.items, in: source.name).map(Likeness.init))
        if stored.isEmpty { return [] }
        let found = Dictionary(grouping: content.items) { Likeness($0) }.compactMap { likeness, items in
            likeness.flatMap { items.count == 1 && stored.contains($0) ? items[0] : nil }
        }
        return found.count > 1 ? found : []
    }
}

extension ContentItem {
    /// What the item would be called were what it is called by, its identifier or its address, of the other web scheme; nil
    /// where that has none, or does not tell the item from others.
    fileprivate var identifierOfAnotherScheme: String? {
        guard Self.identifier(of: self) == identifier else { return nil }
        var twin = self
        if let declaredIdentifier {
            twin.declaredIdentifier = Self.ofAnotherScheme(declaredIdentifier)
            if twin.declaredIdentifier == nil { return nil }
        } else {
            twin.url = url.flatMap(Self.ofAnotherScheme)
            if twin.url == nil { return nil }
        }
        return Self.identifier(of: twin)
    }

    private static func identifier(of item: ContentItem) -> String {
        var items = [item]
        ItemIdentity.assign(to: &items)
        return items[0].identifier
    }

    private static func ofAnotherScheme(_ address: String) -> String? {
        let schemes = ["http://", "https://"]
        guard let place = schemes.firstIndex(where: address.hasPrefix) else { return nil }
        return schemes[1 - place] + address.dropFirst(schemes[place].count)
    }
}

/// By what an item is recognized that is called otherwise.
private struct Likeness: Hashable {
    let title: String?
    /// Without its host where there is a date.
    let address: Substring
    /// Seconds.
    let date: Int64?

    init(_ stored: StoredNamesake) {
        self.init(title: stored.title, url: stored.url, date: stored.date)
    }

    /// nil for an item that nothing but its identifier may tell from others.
    init?(_ item: ContentItem) {
        guard let url = item.url, item.date != nil || item.declaredIdentifier ?? url == url else { return nil }
        self.init(title: item.title, url: url, date: item.date)
    }

    private init(title: String?, url: String, date: Date?) {
        self.title = title
        let url = CanonicalURL.of(url)
        let host = date == nil ? nil : url.firstRange(of: "://")?.upperBound
        address = host.map { url[$0...].drop { $0 != "/" } } ?? url[...]
        self.date = date.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
    }
}
