import Dispatch
import Foundation

/// The time of day, passed in wherever something depends on it, so that tests own time.
public protocol WallClock: Sendable {
    var now: Date { get }
    /// Returns at or after `deadline`. Throws `CancellationError` when the task is cancelled.
    func sleep(until deadline: Date) async throws
    /// Returns after so long, whatever is done to the time of day where the clock can tell. Throws `CancellationError` when the
    /// task is cancelled.
    func sleep(for duration: Duration) async throws
}

extension WallClock {
    /// By the time of day: of a clock that has nothing else to go by.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.addingTimeInterval(duration / .seconds(1)))
    }
}

/// The machine's clock.
public struct SystemClock: WallClock {
    public init() {}

    public var now: Date {
        #if DEBUG
            Date() + Self.offset
        #else
            Date()
        #endif
    }

    #if DEBUG
        /// Seconds by which a test has the clock be wrong; a release build has none of it.
        private static let offset = ProcessInfo.processInfo.environment["CRIER_CLOCK_OFFSET"].flatMap(Double.init) ?? 0
    #endif

    public func sleep(until deadline: Date) async throws {
        while !Task.isCancelled {
            let remaining = deadline.timeIntervalSince(now)
            guard remaining > 0 else { return }
            // By the wall clock, as the deadline is: it comes at once where the clock is set beyond it.
            await QuietTimer.wait { $0.schedule(wallDeadline: .now() + min(remaining, Self.longest)) }
        }
        throw CancellationError()
    }

    public func sleep(for duration: Duration) async throws {
        await QuietTimer.wait(for: duration)
        if Task.isCancelled { throw CancellationError() }
    }

    /// In seconds; a dispatch time has an end.
    private static let longest: TimeInterval = 30 * 86_400
}
