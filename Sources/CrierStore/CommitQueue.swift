import Synchronization

/// Puts the commits of fetches that end at about the same time into one transaction, since each transaction waits for the disk.
///
/// A commit waits for the company of fetches that are under way, for a moment: until there is enough of it, until no more
/// is to come, or until it has waited for as long as it may.
public final class CommitQueue: Sendable {
    fileprivate typealias Waiter = (fetch: FetchCommit, resume: CheckedContinuation<Result<Int, StoreError>, Never>)

    fileprivate struct State {
        var waiting: [Waiter] = []
        /// Of all those that wait.
        var items = 0
        var isWriting = false
        /// Fetches under way that have not come to their commit yet.
        var announced = 0
        /// Counts what was taken out of ``waiting``, so that a timer knows what it was set for.
        var batch = 0
        var isOverdue = false
    }

    /// So many commits are company enough, or those of so many items.
    fileprivate static let enough = 32
    fileprivate static let enoughItems = 500

    private let store: Store
    private let longestWait: Duration
    private let state = Mutex(State())

    /// - Parameter longestWait: For company.
    public init(_ store: Store, longestWait: Duration = .milliseconds(20)) {
        self.store = store
        self.longestWait = longestWait
    }

    /// A fetch begins that ends with ``commit(_:)`` or ``withdraw()``.
    public func announce() { state.withLock { $0.announced += 1 } }

    /// A fetch that was announced has nothing to write.
    public func withdraw() {
        let isDue = state.withLock { state in
            state.announced -= 1
            return state.begin()
        }
        if isDue { Task { write() } }
    }

    /// - Returns: As ``Store/commit(_:)`` does, when the fetch is on the disk.
    @discardableResult
    public func commit(_ fetch: FetchCommit) async throws(StoreError) -> Int {
        let result = await withCheckedContinuation { continuation in
            let (isDue, timed) = state.withLock { state -> (Bool, Int?) in
                let isFirst = state.waiting.isEmpty
                state.waiting.append((fetch, continuation))
                state.items += fetch.items.count
                state.announced = max(0, state.announced - 1)
                let isDue = state.begin()
                return (isDue, isFirst && !isDue ? state.batch : nil)
            }
            if isDue { write() }
            if let timed { Task { await write(batch: timed) } }
        }
        return try result.get()
    }

    /// One transaction; what came meanwhile is the next task's, so that this one can go on.
    private func write() {
        let waiters = state.withLock { $0.take() }
        for (waiter, result) in zip(waiters, results(of: waiters.map(\.fetch))) {
            waiter.resume.resume(returning: result)
        }
        let isDue = state.withLock { state in
            state.isWriting = false
            return state.begin()
        }
        if isDue { Task { write() } }
    }

    /// Writes what has waited for long enough, if it still does.
    private func write(batch: Int) async {
        try? await Task.sleep(for: longestWait)
        let isDue = state.withLock { state in
            guard state.batch == batch else { return false }
            state.isOverdue = true
            return state.begin()
        }
        if isDue { write() }
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

extension CommitQueue.State {
    /// Whether the caller is to write now.
    fileprivate mutating func begin() -> Bool {
        let isDue =
            announced <= 0 || isOverdue || waiting.count >= CommitQueue.enough || items >= CommitQueue.enoughItems
        guard !isWriting, !waiting.isEmpty, isDue else { return false }
        isWriting = true
        return true
    }

    fileprivate mutating func take() -> [CommitQueue.Waiter] {
        defer {
            waiting = []
            items = 0
            batch += 1
            isOverdue = false
        }
        return waiting
    }
}
