import struct Foundation.Date

/// The time of day, passed in wherever something depends on it, so that tests own time.
public protocol WallClock: Sendable {
    var now: Date { get }
    /// Returns at or after `deadline`. Throws `CancellationError` when the task is cancelled.
    func sleep(until deadline: Date) async throws
}

/// The machine's clock.
public struct SystemClock: WallClock {
    public init() {}

    public var now: Date { Date() }

    public func sleep(until deadline: Date) async throws {
        while true {
            let remaining = deadline.timeIntervalSinceNow
            guard remaining > 0 else { return }
            try await Task.sleep(for: .seconds(remaining))
        }
    }
}
