/// Writes what fetches leave behind, those that end together in one transaction.
package struct CommitWriter: Sendable {
    private let store: Store
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: Where the transactions are written, for those who may not wait for a disk; nil: by those who commit.
    package init(_ store: Store, on executor: (any TaskExecutor)? = nil) {
        self.store = store
        self.executor = executor
    }

    /// What cannot be written in company is written alone, so that each has its own verdict.
    ///
    /// - Returns: Why an entry could not be written, each in its place; nil where it was.
    package func commit(_ entries: [CommitEntry]) async -> [StoreError?] {
        await withTaskExecutorPreference(executor) { () async in failures(of: entries) }
    }

    package func commit(_ entry: CommitEntry) async throws(StoreError) {
        if let failure = await commit([entry])[0] { throw failure }
    }

    private func failures(of entries: [CommitEntry]) -> [StoreError?] {
        do throws(StoreError) {
            _ = try store.commit(entries)
            return entries.map { _ in nil }
        } catch {
            // A disk that is full and a state that is locked are so for each of them.
            let isOwn = error.kind == .failed || error.kind == .invalidRequest
            guard isOwn, entries.count > 1 else { return entries.map { _ in error } }
            return entries.flatMap { failures(of: [$0]) }
        }
    }
}
