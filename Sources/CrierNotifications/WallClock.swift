import Foundation

/// The time of day, passed in wherever something depends on it, so that tests own time.
public protocol WallClock: Sendable {
    var now: Date { get }
    /// Returns at or after `deadline`, or, where the time of day is set back meanwhile and the clock can tell, once as long has passed
    /// as it was until then: whoever waits looks again at what is due. Throws `CancellationError` when the task is cancelled.
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
        try await Self.sleep(until: deadline, slack: 2) { now }
    }

    /// - Parameter slack: So many seconds later than the time of day another clock counts, lest it be ahead of that.
    package static func sleep(until deadline: Date, slack: TimeInterval, _ now: () -> Date) async throws {
        let pause = deadline.timeIntervalSince(now())
        guard pause > 0 else { return try Task.checkCancellation() }
        let end = ContinuousClock.now + .seconds(min(pause, QuietTimer.forEver) + slack)
        while !Task.isCancelled {
            let (remaining, left) = (deadline.timeIntervalSince(now()), (end - .now) / .seconds(1))
            guard remaining > 0, left > 0 else { return }
            // By the wall clock, as the deadline is: it comes at once where the clock is set beyond it.
            await QuietTimer.wait(wall: min(remaining, longest), atMost: left)
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
