import Synchronization

/// Puts the commits of fetches that end at the same time into one transaction, since each transaction waits for the disk.
///
/// None waits for company: while one transaction is written, what comes meanwhile gathers for the next.
public final class CommitQueue: Sendable {
    private struct Waiter {
        let entry: CommitEntry
        /// Resumed with what came of its commit; with nil where it is to write.
        let reply: CheckedContinuation<Result<Int, StoreError>?, Never>
    }

    private struct State {
        var waiting: [Waiter] = []
        var isWriting = false
    }

    private let store: Store
    private let writers: (any TaskExecutor)?
    private let state = Mutex(State())

    /// - Parameter writers: Where the transactions are written, for those who may not wait for a disk; nil: by those who commit.
    public init(_ store: Store, writesOn writers: (any TaskExecutor)? = nil) {
        self.store = store
        self.writers = writers
    }

    /// - Returns: As ``Store/commit(_:)`` does, when the fetch is on the disk.
    @discardableResult
    public func commit(_ fetch: consuming FetchCommit) async throws(StoreError) -> Int {
        let entry = CommitEntry(consume fetch)
        let result = await withCheckedContinuation { reply in
            let isFirst = state.withLock { state in
                defer { state.isWriting = true }
                if state.isWriting { state.waiting.append(Waiter(entry: entry, reply: reply)) }
                return !state.isWriting
            }
            if isFirst { reply.resume(returning: nil) }
        }
        if let result { return try result.get() }
        return try await withTaskExecutorPreference(writers) { () async in write(entry) }.get()
    }

    /// One transaction, for those who wait as well; what came meanwhile is written by the first of them, so that this one can
    /// go on.
    private func write(_ entry: CommitEntry) -> Result<Int, StoreError> {
        let others = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let results = results(of: [entry] + others.map(\.entry))
        for (other, result) in zip(others, results.dropFirst()) { other.reply.resume(returning: result) }
        let next = state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting ? state.waiting.removeFirst() : nil
        }
        next?.reply.resume(returning: nil)
        return results[0]
    }

    /// What fails in company is written alone, so that each has its own verdict.
    private func results(of entries: [CommitEntry]) -> [Result<Int, StoreError>] {
        do throws(StoreError) {
            return try store.commit(entries).map { .success($0) }
        } catch {
            if entries.count == 1 { return [.failure(error)] }
            return entries.map { entry in Result { () throws(StoreError) in try store.commit([entry])[0] } }
        }
    }
}
