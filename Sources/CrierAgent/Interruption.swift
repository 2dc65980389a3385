import UnixSignals

/// SIGINT or SIGTERM ended the work.
public struct Interruption: Error, Sendable, Hashable {
    /// The number of the signal.
    public let signal: Int32

    /// Runs the work; SIGINT and SIGTERM cancel its task, and what it was about to write is written or not, never half.
    ///
    /// - Throws: What the work throws; ``Interruption`` when a signal ended it.
    public static func cancelOnSignals<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await signal in signals { throw Interruption(signal: signal.rawValue) }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }
}
