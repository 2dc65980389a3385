import CrierContent
import CrierStore
import Foundation

/// What came out before its source was read, and shows only now.
extension ContentFetcher {
    /// Leaves out what a longer list has after an edit, and what a list of the latest has room for when another is taken out of it.
    ///
    /// - Parameter known: The identifiers of those items of the document that are known.
    /// - Returns: What is said of it.
    func leaveOutOld(
        among new: inout [ContentItem], of content: DecodedContent, besides known: Set<String>, in source: Source,
        _ state: SourceState
    ) throws(StoreError) -> [String] {
        if new.isEmpty { return [] }
        let days = source.mapping.timeZone
        if let floor = state.floorOfEdit(for: content, besides: known) {
            return Findings.takenForKnown(new.removeAll(upTo: floor, days) { _ in false }, .otherReading)
        }
        guard source.first != .all, state.fingerprint != nil, let lastRead = state.lastRead else { return [] }
        let behind = content.items.behind(those: known)
        guard new.contains(where: { behind.contains($0.identifier) }),
            let firstSighting = try store.firstSighting(of: source.name)
        else { return [] }
        // What has left since counts, too: the item is older than all that the list had.
        let former = try store.document(of: source.name, since: lastRead.addingTimeInterval(-ItemSighting.accuracy))
        guard content.items.count <= former.count, let earliest = former.earliest else { return [] }
        let before = new.count
        new.removeAll { item in
            guard behind.contains(item.identifier), let date = item.date, date < earliest else { return false }
            return item.wasThere(by: firstSighting, days: days) ?? false
        }
        return Findings.takenForKnown(before - new.count, .otherLeft)
    }
}

extension [ContentItem] {
    /// So many moments in their order tell that a list is one of the latest, and is not ordered by something else.
    private static let leastMoments = 8

    /// The identifiers of those that stand behind all that are known, in a list that is ordered by date; before all of them where the
    /// oldest stands first.
    fileprivate func behind(those known: Set<String>) -> Set<String> {
        let places = indices.filter { known.contains(self[$0].identifier) }
        let dates = places.compactMap { self[$0].date }
        guard let first = places.first, let last = places.last, dates.count == places.count,
            Set(dates).count >= Self.leastMoments
        else { return [] }
        let pairs = zip(dates, dates.dropFirst())
        if pairs.allSatisfy(>=) { return Set(self[(last + 1)...].map(\.identifier)) }
        return pairs.allSatisfy(<=) ? Set(self[..<first].map(\.identifier)) : []
    }
}
