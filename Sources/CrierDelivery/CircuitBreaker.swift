import CrierNotifications

import struct Foundation.Date

/// When a sink that fails again and again is left alone, and for how long.
public struct CircuitBreaker: Sendable, Hashable {
    /// Failed attempts in a row that pause a sink.
    public var threshold: Int
    /// The first pause; each further failed attempt doubles it.
    public var firstPause: Duration
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
        return min(firstPause * (1 << min(failures - threshold, 16)), longestPause)
    }
}

/// What is told, through another sink, of one that does not work.
enum SinkNotice {
    static func request(of sink: String, title: String, reason: String, at date: Date) -> NotificationRequest {
        let content = NotificationContent(
            title: title, body: "\(reason)\nNothing is lost: its notifications wait. `crier status` shows them.",
            threadIdentifier: "crier")
        return NotificationRequest(
            identifier: "crier/sink-\(sink)-\(Int(date.timeIntervalSince1970 * 1000))", content: content)
    }
}
