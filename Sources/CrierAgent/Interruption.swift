import Logging
import ServiceLifecycle
import Synchronization

/// Ends work in order when the process is told to end.
public enum Interruption {
    /// Runs the work; SIGINT and SIGTERM cancel its task, and what it was about to write is written or not, never half.
    ///
    /// - Throws: What the work throws; `CancellationError` when a signal ended it.
    public static func cancelOnSignals<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let service = SingleRun(work)
        var logger = Logger(label: "crier")
        logger.logLevel = .critical
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup)
                ],
                cancellationSignals: [.sigint, .sigterm], logger: logger))
        do {
            try await group.run()
        } catch {
            if service.result == nil { throw error }
        }
        guard let result = service.result else { throw CancellationError() }
        return try result.get()
    }
}

/// Work that ends by itself, as a service.
private final class SingleRun<Output: Sendable>: Service {
    private let work: @Sendable () async throws -> Output
    private let outcome = Mutex<Result<Output, any Error>?>(nil)

    var result: Result<Output, any Error>? { outcome.withLock { $0 } }

    init(_ work: @escaping @Sendable () async throws -> Output) {
        self.work = work
    }

    func run() async throws {
        do {
            let output = try await work()
            outcome.withLock { $0 = .success(output) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
            throw error
        }
    }
}
