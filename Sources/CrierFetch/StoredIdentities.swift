import CrierContent
import CrierStore
import Foundation

/// What a document calls its items is read together with what is stored of them, where it does not tell enough.
extension ContentFetcher {
    /// Calls items as they were called before: of those that share an identifier the one that it stood for, and those without
    /// one of which nothing has changed but the date, or how the address is written.
    func settleIdentifiers(
        of content: inout DecodedContent?, in source: Source, _ state: SourceState
    ) throws(StoreError) {
        guard let items = content?.items, !items.isEmpty else { return }
        let isDeclared = items.allSatisfy { $0.identifier == $0.declaredIdentifier }
        let lastRead = state.fingerprint == nil ? nil : state.lastRead
        let plain = isDeclared ? items.map(\.identifier) : ItemIdentity.plainIdentifiers(of: items)
        let reused = try reusedIdentifiers(of: items, plain, in: source, since: lastRead)
        // Nearly always.
        if isDeclared, reused.isEmpty, try !store.hasMadeIdentifiers(of: source.name) { return }
        var settled = items
        var owners = try store.owners(of: Set(plain), in: source.name)
        let shared = Dictionary(grouping: items.indices) { plain[$0] }.filter { _, places in
            places.contains { items[$0].identifier != items[places[0]].identifier }
        }
        let open = items.indices.filter { place in
            shared[plain[place]] != nil || owners[plain[place]]?.isEqual(to: items[place]) != true
        }
        let names = Set(open.flatMap { ItemIdentity.identifiers(of: items[$0], plain[$0]) })
        try owners.merge(store.owners(of: names, in: source.name)) { own, _ in own }
        let strangers = open.filter { place in
            shared[plain[place]] != nil
                && !ItemIdentity.identifiers(of: items[place], plain[place]).dropFirst().contains { owners[$0] != nil }
        }
        // Of one day, several may have one title.
        let dates = strangers.compactMap { items[$0].published }.filter { !$0.mayBeDay(in: source.mapping.timeZone) }
        let made = try store.madeOwners(of: dates, in: source.name)
        ItemIdentity.settle(
            &settled, plain: plain, owners: owners, made: made.filter { owners[$0.key] == nil }, reused: reused)
        let stored = try store.identifiers(
            ofUndeclared: settled, in: source.name, lastRead: state.lastRead, canonical: CanonicalURL.ofAllSpellings)
        for (place, identifier) in stored { settled[place].identifier = identifier }
        content?.items = settled
    }

    /// Those that what came out since a reading has of something else. Where that is known by another, the items have but changed their
    /// places, as those of a chart.
    private func reusedIdentifiers(
        of items: [ContentItem], _ plain: [String], in source: Source, since lastRead: Date?
    ) throws(StoreError) -> Set<String> {
        guard let lastRead else { return [] }
        let latest = items.indices.filter { items[$0].published.map { $0 > lastRead } ?? false }
        if latest.isEmpty { return [] }
        let owners = try store.owners(of: Set(latest.map { plain[$0] }), in: source.name)
        let others = latest.filter { owners[plain[$0]]?.isSucceeded(by: items[$0], since: lastRead) == true }
        if others.isEmpty { return [] }
        let stored = try store.namesakes(of: others.map { items[$0] }, in: source.name)
        let strangers = others.filter { place in
            let item = items[place]
            return !stored.contains { $0.title == item.title && $0.url == item.url && $0.saysTheSame(as: item) }
        }
        return Set(strangers.map { plain[$0] })
    }
}
