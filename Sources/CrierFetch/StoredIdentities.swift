import CrierContent
import CrierStore
import Foundation

/// What a document calls its items is read together with what is stored of them, where it does not tell enough.
extension ContentFetcher {
    /// Calls the items of a document as they were called before, and looks up what is stored of them.
    ///
    /// - Returns: Also by what updates of them are told, where these are followed.
    func settle(
        _ reading: inout Reading, of source: Source, _ state: SourceState, _ now: Date
    ) throws(StoreError) -> (known: KnownItems, hashes: [String: [UInt8]]) {
        let isBaseline = state.lastSucceeded == nil
        if !isBaseline { try settleIdentifiers(of: &reading.content, in: source, state) }
        guard let content = reading.content else { return (KnownItems(), [:]) }
        let found = try known(content.items, reading, of: source, isBaseline, now)
        guard let settled = try settleLone(content.items, found.known, in: source) else { return found }
        reading.content?.items = settled
        return try known(settled, reading, of: source, isBaseline, now)
    }

    private func known(
        _ items: [ContentItem], _ reading: Reading, of source: Source, _ isBaseline: Bool, _ now: Date
    ) throws(StoreError) -> (known: KnownItems, hashes: [String: [UInt8]]) {
        let hashes = source.updates == .ignore ? [:] : ItemUpdates.hashes(of: items)
        if isBaseline { return (KnownItems(), hashes) }
        return (try known(items, formerly: reading.formerIdentifiers, of: source, hashes, now), hashes)
    }

    /// So many are looked at whether they come alone; where more are not as they are stored, it is the document that has changed.
    private static let mostLone = 32

    /// Where an item has the identifier of one that is not like it, and that was shared before, it may be another which comes
    /// alone. One that nothing ever shared its identifier with has been edited.
    ///
    /// - Returns: Nil where all are called as they should be.
    private func settleLone(
        _ items: [ContentItem], _ known: KnownItems, in source: Source
    ) throws(StoreError) -> [ContentItem]? {
        // Nearly always.
        if known.edited.isEmpty { return nil }
        let clashes = ItemIdentity.clashes(in: items)
        let lone = known.edited.filter { !clashes.contains(items[$0].identifier) }.prefix(Self.mostLone)
        let sharers = try store.sharers(of: lone.map { items[$0] }, in: source.name)
        if sharers.isEmpty { return nil }
        let present = Set(items.map(\.identifier))
        var settled = items
        for place in lone {
            guard let known = sharers[items[place].identifier] else { continue }
            let identifier = ItemIdentity.identifier(ofLone: items[place], among: known)
            if !present.contains(identifier) { settled[place].identifier = identifier }
        }
        return settled
    }

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
            ofUndeclared: settled, in: source.name, lastRead: state.lastRead, canonical: CanonicalURL.of)
        for (place, identifier) in stored { settled[place].identifier = identifier }
        content?.items = settled
    }
}
