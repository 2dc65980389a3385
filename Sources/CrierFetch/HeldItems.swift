import CrierContent
import CrierStore
import Foundation

/// What the daily policy holds, as a visit finds it.
struct HeldItems: Sendable, Hashable {
    /// Those whose time has come.
    var due: [ContentItem] = []
    /// The identifiers of the others; empty where they were not read.
    var waiting: Set<String> = []
    /// The earliest moment that one of those waits for.
    var next: Date?
}

/// Under the daily policy an item that is dated ahead waits for its day, also when the document does not change, and until its
/// document dates it otherwise. All of a day come together: what is told of it later than the first would not be told.
extension ContentFetcher {
    /// - Parameter content: Nil where it says what it said before.
    func heldItems(
        of source: Source, _ state: SourceState, in content: DecodedContent?, _ now: Date
    ) throws(StoreError) -> HeldItems {
        guard let upcoming = state.upcoming else { return HeldItems() }
        let end = source.endOfDay(at: now)
        if content == nil, upcoming > end { return HeldItems(next: upcoming) }
        let isTold = source.notify == .daily && AccountedDays(after: state, of: source, now).includesToday
        let stored = try store.heldItems(of: source.name)
        let present = Dictionary((content?.items ?? []).map { ($0.identifier, $0) }) { first, _ in first }
        var held = HeldItems()
        for before in stored {
            let item = present[before.item.identifier] ?? before.item
            // By its first sight, or one that is dated a little later each day would be told never.
            let date = NewItems.date(of: item, firstSeen: before.firstSeen)
            if date <= end, !isTold {
                held.due.append(item)
            } else {
                held.waiting.insert(item.identifier)
                held.next = min(held.next ?? date, date)
            }
        }
        return held
    }

    /// New items without those that wait for their day under other identifiers, as the mapping has changed meanwhile: each has the
    /// date, and the title or the address, of one that the document does not call as before.
    func unheld(
        _ new: [ContentItem], in items: [ContentItem], of source: Source, _ state: SourceState
    ) throws(StoreError) -> [ContentItem] {
        guard state.fingerprint == nil, state.upcoming != nil, !new.isEmpty else { return new }
        let present = Set(items.map(\.identifier))
        let absent = try store.heldItems(of: source.name).map(\.item).filter { !present.contains($0.identifier) }
        return new.filter { item in
            // Of several that are alike none is said to be one of the others.
            let twins = absent.filter { $0.isLike(item) }
            return twins.count != 1 || new.count { $0.isLike(twins[0]) } != 1
        }
    }
}

extension ContentItem {
    fileprivate func isLike(_ other: ContentItem) -> Bool {
        guard let date, let otherDate = other.date, abs(date.timeIntervalSince(otherDate)) < 1 else { return false }
        return title != nil && title == other.title
            || url != nil && url.map(CanonicalURL.ofAllSpellings) == other.url.map(CanonicalURL.ofAllSpellings)
    }
}

extension Source {
    /// The last moment of the day that it is in its zone; to the millisecond, as dates are stored.
    func endOfDay(at now: Date) -> Date {
        let zone = self.mapping.timeZone
        return CalendarDay(now, in: zone).next.moment(0, in: zone).addingTimeInterval(-0.001)
    }
}
