import Foundation
import UnixSignals

/// SIGINT or SIGTERM ended the work.
public struct Interruption: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The number of the signal.
    public let signal: Int32

    public var description: String { "ended by \(signal == SIGINT ? "SIGINT" : "SIGTERM")" }
    public var errorDescription: String? { description }

    /// Runs the work; SIGINT and SIGTERM cancel its task, and what it was about to write is written or not, never half. Once it
    /// has ended they do what they did before.
    ///
    /// - Throws: What the work throws; ``Interruption`` when a signal ended it.
    public static func cancelOnSignals<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let before = SignalActions()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        SignalActions.trap.set()
        defer { before.set() }
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

/// What the process does on SIGINT and on SIGTERM.
private struct SignalActions: @unchecked Sendable {
    /// What dispatch does. It takes a signal over once for all of the process's life, the first time that somebody traps it, and
    /// gives none back: so this is read then, and set again each time after.
    static let trap = SignalActions()

    private var interrupt = sigaction()
    private var terminate = sigaction()

    init() {
        sigaction(SIGINT, nil, &interrupt)
        sigaction(SIGTERM, nil, &terminate)
    }

    func set() {
        for (signal, action) in [(SIGINT, interrupt), (SIGTERM, terminate)] {
            var action = action
            sigaction(signal, &action, nil)
        }
    }
}
