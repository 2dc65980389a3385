import CrierContent
import CrierStore
import Foundation

/// What came out before its source was read, and shows only now.
extension ContentFetcher {
    /// Leaves out what dates and places tell to have been there, where identifiers do not.
    ///
    /// - Returns: What is said of it.
    func leaveOutKnown(
        among new: inout [ContentItem], of content: DecodedContent, _ recognition: ItemRecognition,
        _ findings: Findings, after answer: OriginAnswer, in source: Source, _ state: SourceState
    ) throws(StoreError) -> [String] {
        let known = recognition.known.identifiers
        let zone = source.mapping.timeZone
        if known.isEmpty, let lastVisit = state.lastVisit(of: source, beforeMoveBy: answer) {
            let isOtherHost = !HostMove(from: state.lastURL ?? "", to: answer.url).isNone
            return Findings.takenForKnown(new.removeAll(upTo: lastVisit, zone) { _ in isOtherHost }, .otherReading)
        }
        // When no identifier is known after a change of address or mapping, it is they that have changed: only dates can
        // tell what is new.
        let areOthers = (recognition.isNoneKnown || findings.startsAnew) && state.fingerprint == nil
        // What has no date has come since the document before, where that was empty; after an edit, what has an address of its own.
        let areOld = areOthers && (recognition.isNoneRenamed || findings.startsAnew) && !state.cameEmpty(from: source)
        let mayBeNew = areOld && !recognition.isElsewhere && findings.lastItems != nil
        let own = mayBeNew ? content.items.withOwnAddresses : []
        let floor = state.floor(
            for: content, areOthers: areOthers, newest: recognition.met?.newest, lastItems: findings.lastItems,
            at: findings.now)
        guard let floor else {
            return findings.startsAnew
                ? [] : try leaveOutOld(among: &new, of: content, besides: known, in: source, state)
        }
        let isByDay = areOthers ? recognition.met?.tellsDays == true : state.isKnownSinceBaseline
        let rest = areOthers ? [] : state.rest(of: content, behind: known, at: findings.now)
        let count = new.removeAll(upTo: floor, isByDay ? zone : nil) {
            areOld && !own.contains($0.identifier) || rest.contains($0.identifier)
        }
        return Findings.takenForKnown(count, areOthers ? .otherReading : .littleBefore)
    }

    /// So many that have left a list at its end have not just been deleted.
    private static let fewestDropped = 3

    /// Leaves out what a longer list has after an edit, and what a list of the latest has room for when another is taken out of it.
    ///
    /// - Parameter known: The identifiers of those items of the document that are known.
    /// - Returns: What is said of it.
    private func leaveOutOld(
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
        let since = lastRead.addingTimeInterval(-ItemSighting.accuracy)
        let former = try store.document(of: source.name, since: since)
        guard let earliest = former.earliest else { return [] }
        if content.items.count > former.count {
            // One that has let its oldest go is a window, which somebody has made larger.
            let count = try store.itemCount(of: source.name, dated: earliest, lastSeenBefore: since)
            if count < Self.fewestDropped { return [] }
        }
        let before = new.count
        new.removeAll { item in
            guard behind.contains(item.identifier), let date = item.date, date < earliest else { return false }
            return item.wasThere(by: firstSighting, days: days) ?? false
        }
        return Findings.takenForKnown(before - new.count, .otherLeft)
    }
}

extension [ContentItem] {
    /// The identifiers of those whose addresses no other has.
    fileprivate var withOwnAddresses: Set<String> {
        let byAddress = Dictionary(grouping: self) { $0.url.map(CanonicalURL.ofAllSpellings) }
        return Set(byAddress.filter { $0 != nil && $1.count == 1 }.flatMap(\.value).map(\.identifier))
    }

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
