import Synchronization

/// Puts the commits of fetches that end at the same time into one transaction, since each transaction waits for the disk.
///
/// None waits for company: while one transaction is written, what comes meanwhile gathers for the next.
public final class CommitQueue: Sendable {
    /// A class, as a fetch leaves much behind, all of which would be copied with each hand that it passes through.
    private final class Waiter: Sendable {
        let fetch: FetchCommit
        private let reply: CheckedContinuation<Result<Int, StoreError>?, Never>

        init(_ fetch: FetchCommit, _ reply: CheckedContinuation<Result<Int, StoreError>?, Never>) {
            self.fetch = fetch
            self.reply = reply
        }

        /// - Parameter result: What came of its commit; nil where it is to write.
        func resume(_ result: Result<Int, StoreError>?) { reply.resume(returning: result) }
    }

    private struct State {
        var waiting: [Waiter] = []
        var isWriting = false
    }

    private let store: Store
    private let state = Mutex(State())

    public init(_ store: Store) {
        self.store = store
    }

    /// - Returns: As ``Store/commit(_:)`` does, when the fetch is on the disk.
    @discardableResult
    public func commit(_ fetch: FetchCommit) async throws(StoreError) -> Int {
        let result = await withCheckedContinuation { reply in
            let isFirst = state.withLock { state in
                defer { state.isWriting = true }
                if state.isWriting { state.waiting.append(Waiter(fetch, reply)) }
                return !state.isWriting
            }
            if isFirst { reply.resume(returning: nil) }
        }
        return try (result ?? write(fetch)).get()
    }

    /// One transaction, for those who wait as well; what came meanwhile is written by the first of them, so that this one can
    /// go on.
    private func write(_ fetch: FetchCommit) -> Result<Int, StoreError> {
        let others = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let results = results(of: [fetch] + others.map(\.fetch))
        for (other, result) in zip(others, results.dropFirst()) { other.resume(result) }
        let next = state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting ? state.waiting.removeFirst() : nil
        }
        next?.resume(nil)
        return results[0]
    }

    /// What fails in company is written alone, so that each has its own verdict.
    private func results(of fetches: [FetchCommit]) -> [Result<Int, StoreError>] {
        do throws(StoreError) {
            return try store.commit(fetches).map { .success($0) }
        } catch {
            if fetches.count == 1 { return [.failure(error)] }
            return fetches.map { fetch in Result { () throws(StoreError) in try store.commit(fetch) } }
        }
    }
}
