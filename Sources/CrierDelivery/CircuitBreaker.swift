import CrierNotifications

import struct Foundation.Date

/// When a sink that fails again and again is left alone, and for how long.
public struct CircuitBreaker: Sendable, Hashable {
    /// Failed attempts in a row that pause a sink: 1 or more.
    public var threshold: Int
    /// The first pause; each further failed attempt doubles it.
    public var firstPause: Duration
    /// What the doubling ends at: at most two days (``Store/longestWait``).
    public var longestPause: Duration

    public init(
        threshold: Int = 5, firstPause: Duration = .seconds(900), longestPause: Duration = .seconds(6 * 3600)
    ) {
        self.threshold = threshold
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// How long a sink is paused after so many failed attempts in a row; nil is not at all. After a pause the first attempt
    /// decides.
    public func pause(after failures: Int) -> Duration? {
        guard failures >= threshold else { return nil }
        var pause = min(max(firstPause, .zero), longestPause)
        // Step by step, as the product may be more than a duration holds.
        for _ in 0..<min(max(0, failures - max(threshold, 0)), 16) where pause < longestPause {
            pause = pause < longestPause / 2 ? pause * 2 : longestPause
        }
        return pause
    }
}
