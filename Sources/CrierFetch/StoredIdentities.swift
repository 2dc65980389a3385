import CrierContent
import CrierStore

/// What a document calls its items is read together with what is stored of them, where it does not tell enough.
extension ContentFetcher {
    /// Calls items as they were called before: of those that share an identifier the one that it stood for, and those without
    /// one of which nothing has changed but the date, or how the address is written.
    func settleIdentifiers(
        of content: inout DecodedContent?, in source: Source, _ state: SourceState
    ) throws(StoreError) {
        guard let items = content?.items, !items.isEmpty else { return }
        let isDeclared = items.allSatisfy { $0.identifier == $0.declaredIdentifier }
        // Nearly always.
        if isDeclared, try !store.hasMadeIdentifiers(of: source.name) { return }
        var settled = items
        let clashes = ItemIdentity.clashes(in: items)
        let plain = ItemIdentity.plainIdentifiers(of: items)
        var owners = try store.owners(of: Set(plain), in: source.name)
        let open = items.indices.filter { clashes.contains(plain[$0]) || owners[plain[$0]] == nil }
        let extended = Set(open.flatMap { ItemIdentity.extendedIdentifiers(of: items[$0], plain[$0]) })
        try owners.merge(store.owners(of: extended, in: source.name)) { own, _ in own }
        if !clashes.isEmpty, !owners.isEmpty { ItemIdentity.assign(to: &settled, owners: owners) }
        ItemIdentity.restore(&settled, owners: owners)
        let stored = try store.identifiers(
            ofUndeclared: settled, in: source.name, lastRead: state.lastRead, canonical: CanonicalURL.ofAllSpellings)
        for (place, identifier) in stored { settled[place].identifier = identifier }
        content?.items = settled
    }
}
