/// Writes what fetches leave behind, those that end together in one transaction.
package struct CommitWriter: Sendable {
    private let store: Store
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: Where the transactions are written, for those who may not wait for a disk; nil: by those who commit.
    package init(_ store: Store, on executor: (any TaskExecutor)? = nil) {
        self.store = store
        self.executor = executor
    }

    /// What fails in company is written alone, so that each has its own verdict.
    ///
    /// - Throws: The first failure, when all have been tried.
    package func commit(_ entries: [CommitEntry]) async throws(StoreError) {
        try await withTaskExecutorPreference(executor) { () async throws(StoreError) in try write(entries) }
    }

    private func write(_ entries: [CommitEntry]) throws(StoreError) {
        do throws(StoreError) { _ = try store.commit(entries) } catch {
            if entries.count == 1 { throw error }
            var failure: StoreError?
            for entry in entries {
                do throws(StoreError) { _ = try store.commit([entry]) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }
}
