import CrierFetch
import CrierStore
import Foundation

extension Configuration {
    private func renames(in store: Store) throws(StoreError) -> [SourceRename] {
        try SourceRename.among(sources + disabledSources, in: store)
    }

    /// Lets sources that are called otherwise in the configuration keep what is remembered of them. Returns which.
    @discardableResult
    public func adoptRenames(in store: Store, at date: Date) throws(StoreError) -> [SourceRename] {
        let renames = try renames(in: store)
        if renames.isEmpty { return [] }
        try store.renameSources(Dictionary(uniqueKeysWithValues: renames.map { ($0.from, $0.to) }), at: date)
        return renames
    }

    /// The state as the next run will find it, for those who only look: it is that itself, or where something is called
    /// otherwise by now, a copy in memory.
    public func foreseen(_ store: Store, at date: Date) throws(StoreError) -> Store {
        guard try !renames(in: store).isEmpty, let copy = try Store.copy(ofFileAt: store.path) else { return store }
        try adoptRenames(in: copy, at: date)
        return copy
    }
}
