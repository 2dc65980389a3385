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
        // Nearly always.
        if isDeclared, try !store.hasMadeIdentifiers(of: source.name),
            try !areReused(in: items, of: source, since: lastRead)
        {
            return
        }
        var settled = items
        let plain = ItemIdentity.plainIdentifiers(of: items)
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
            &settled, plain: plain, owners: owners, made: made.filter { owners[$0.key] == nil }, lastRead: lastRead)
        let stored = try store.identifiers(
            ofUndeclared: settled, in: source.name, lastRead: state.lastRead, canonical: CanonicalURL.ofAllSpellings)
        for (place, identifier) in stored { settled[place].identifier = identifier }
        content?.items = settled
    }

    /// Whether what came out since a reading has the identifier of something else.
    private func areReused(
        in items: [ContentItem], of source: Source, since lastRead: Date?
    ) throws(StoreError) -> Bool {
        guard let lastRead else { return false }
        let latest = items.filter { $0.published.map { $0 > lastRead } ?? false }
        if latest.isEmpty { return false }
        let owners = try store.owners(of: Set(latest.map(\.identifier)), in: source.name)
        return latest.contains { owners[$0.identifier]?.isSucceeded(by: $0, since: lastRead) == true }
    }
}
