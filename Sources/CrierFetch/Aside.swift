import CrierStore

/// Where visits read documents and the state: away from their lane, as no transfer goes on meanwhile. The state makes them
/// wait for a disk, and for another process that writes.
struct Aside: Sendable {
    /// Nil: where the visit is made.
    let executor: (any TaskExecutor)?

    init(_ lane: (any TaskExecutor)?) {
        executor = lane == nil ? nil : globalConcurrentExecutor
    }

    func callAsFunction<T: Sendable>(_ work: () throws(StoreError) -> T) async throws(StoreError) -> T {
        guard let executor else { return try work() }
        return try await withTaskExecutorPreference(executor) { () async throws(StoreError) in try work() }
    }
}
