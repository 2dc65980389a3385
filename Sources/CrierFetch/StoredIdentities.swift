import CrierContent
import CrierStore

/// What a document calls its items is read together with what is stored of them, where it does not tell enough.
extension ContentFetcher {
    /// Calls items as they were called before: of those that share an identifier the one that it stood for, and those without
    /// one of which nothing has changed but the date, or how the address is written.
    func settleIdentifiers(
        of content: inout DecodedContent?, in source: Source, _ state: SourceState
    ) throws(StoreError) {
        // Nearly always.
        guard let items = content?.items, items.contains(where: { $0.identifier != $0.declaredIdentifier }) else {
            return
        }
        var settled = items
        let clashes = ItemIdentity.clashes(in: items)
        if !clashes.isEmpty {
            let owners = try store.owners(of: clashes, in: source.name)
            if !owners.isEmpty { ItemIdentity.assign(to: &settled, owners: owners) }
        }
        let stored = try store.identifiers(
            ofUndeclared: settled, in: source.name, lastRead: state.lastRead, canonical: CanonicalURL.ofAllSpellings)
        for (place, identifier) in stored { settled[place].identifier = identifier }
        content?.items = settled
    }
}
