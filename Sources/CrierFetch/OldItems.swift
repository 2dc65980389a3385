import CrierContent
import CrierStore
import Foundation

/// What came out before its source was read, and shows only now.
extension ContentFetcher {
    /// Leaves out what a longer list has after an edit, and what fills a list of so many items when another is deleted.
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
        // A list that has grown has had an older item put into it.
        let count = try store.itemCount(of: source.name, seenSince: lastRead.addingTimeInterval(-ItemSighting.accuracy))
        guard content.items.count <= count else { return [] }
        let before = new.count
        new.removeAll { behind.contains($0.identifier) && $0.wasThere(by: firstSighting, days: days) ?? false }
        return Findings.takenForKnown(before - new.count, .otherLeft)
    }
}

extension [ContentItem] {
    /// The identifiers of those that stand behind all that are known and are dated before any of them, as those are that a list of the
    /// latest has no room for; before all of them where the oldest stands first. None where the known ones do not tell which it is.
    fileprivate func behind(those known: Set<String>) -> Set<String> {
        let places = indices.filter { known.contains(self[$0].identifier) }
        let dates = places.compactMap { self[$0].date }
        guard let first = places.first, let last = places.last, let earliest = dates.min(),
            let newest = dates.first, let oldest = dates.last, newest != oldest
        else { return [] }
        let behind = newest < oldest ? self[..<first] : self[(last + 1)...]
        return Set(behind.filter { $0.date.map { $0 < earliest } ?? false }.map(\.identifier))
    }
}
