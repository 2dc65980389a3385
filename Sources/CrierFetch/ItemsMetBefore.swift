import CrierContent
import CrierStore
import Foundation

/// Those items of a document that a source has had under other identifiers and perhaps at another address.
struct ItemsMetBefore {
    let identifiers: Set<String>
    /// The date of the newest item that the source has had, where another address is read now: what came later there was never told,
    /// however often the former one has answered since. Nil where the same one is read otherwise, which would have told it.
    let newest: Date?
}

extension ContentFetcher {
    /// What a source has had of a document all of whose items are called otherwise since its address or mapping was changed: by title
    /// and date. Nil where that does not tell that it is what was read before: one item alone may say the same by chance.
    ///
    /// - Parameter isElsewhere: Whether it has another address.
    func itemsMetBefore(
        in content: DecodedContent, _ isElsewhere: Bool, of source: Source, _ state: SourceState
    ) throws(StoreError) -> ItemsMetBefore? {
        guard state.fingerprint == nil, state.lastSucceeded != nil else { return nil }
        let stored = try store.namesakes(of: content.items, in: source.name, dated: true)
        if stored.isEmpty { return nil }
        let known = Set(stored.map { DatedTitle(title: $0.title, second: $0.date?.second) })
        let met = content.items.filter { item in
            item.date != nil && known.contains(DatedTitle(title: item.title, second: item.date?.second))
        }
        guard Set(met.map(\.identifier)).count > 1 else { return nil }
        return ItemsMetBefore(
            identifiers: Set(met.map(\.identifier)),
            newest: isElsewhere ? try store.newestDate(of: source.name, upTo: clock.now) : nil)
    }
}

private struct DatedTitle: Hashable {
    let title: String?
    let second: Int64?
}
