import CrierContent
import CrierStore
import Foundation

/// An item without an identifier of its own is told by its date, and a date without a zone is another one in another zone. So
/// when a source's zone changes, which by default is the machine's, its items are also looked up as they were called before.
extension ContentFetcher {
    /// The identifiers of a document's items in the zone of the last document; empty where that is the same.
    func formerIdentifiers(
        _ document: ContentDocument, of source: Source, _ state: SourceState
    ) throws(ContentError) -> [String] {
        guard let name = state.timeZone, name != source.mapping.timeZone.identifier,
            let zone = TimeZone(identifier: name)
        else { return [] }
        var mapping = source.mapping
        mapping.timeZone = zone
        return try ContentDecoder(mapping: mapping, programs: programs).decode(document).items.map(\.identifier)
    }

    /// Those of the items that are known, now or as they were called before.
    ///
    /// - Parameter hashes: Of the items, where updates are followed.
    func known(
        _ items: [ContentItem], formerly former: [String], of source: Source, _ hashes: [String: [UInt8]], _ now: Date
    ) throws(StoreError) -> KnownItems {
        let session = VisitorSession(in: hashes.isEmpty ? [] : items)
        var known = try store.known(items, of: source.name, at: now) {
            hashes[$0.identifier]
        } formerHash: {
            ItemUpdates.formerHash(of: $0, as: $1, session)
        }
        if former.isEmpty { return known }
        let formerlyKnown = try store.knownIdentifiers(of: source.name, among: former)
        for (item, former) in zip(items, former) where formerlyKnown.contains(former) {
            known.insert(item.identifier)
        }
        return known
    }
}
