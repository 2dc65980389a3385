import CrierStore

import struct Foundation.Date

/// When a failed delivery is attempted again: one value per kind of sink.
public struct RetryPolicy: Sendable, Hashable {
    /// The delay after the first failed attempt, after the second, and so on: each at most two days (``Store/longestWait``).
    public var delays: [Duration]
    /// The delay after all further ones, at most two days; nil gives up, unless the sink takes nothing else either.
    public var further: Duration?
    /// How far a delay may be drawn from the stated one, as a part of it: 0…1; what is beyond counts as the nearest.
    public var jitter: Double
    /// The longest wait a receiver can ask for, at most two days.
    public var retryAfterLimit: Duration
    /// Of a sink that shows each at once: what is older than this when it is there again comes as one summary, and so do more than
    /// ten within a minute; nil tells each, however late and however many.
    public var expiration: Duration?
    /// When the sink is left alone; nil is never. One that is takes nothing: what waits there is not given up for attempts.
    public var breaker: CircuitBreaker?

    public init(
        delays: [Duration], further: Duration? = nil, jitter: Double = 0, retryAfterLimit: Duration = .seconds(86_400),
        expiration: Duration? = nil, breaker: CircuitBreaker? = CircuitBreaker()
    ) {
        self.delays = delays
        self.further = further
        self.jitter = jitter
        self.retryAfterLimit = retryAfterLimit
        self.expiration = expiration
        self.breaker = breaker
    }

    /// Ten attempts over some three days: the schedule of Standard Webhooks, ±20 %.
    public static let webhook = RetryPolicy(
        delays: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(Duration.seconds), jitter: 0.2)

    /// Three attempts in a minute, then one every 15 minutes; what is a day old comes as a summary, as do more than ten at once.
    public static let desktop = RetryPolicy(
        delays: [.seconds(20), .seconds(40)], further: .seconds(900), expiration: .seconds(86_400))

    /// Due again soon, so that the next run takes it and this one does not. Each run has an output of its own: what was
    /// wrong with one says nothing of the next.
    public static let stdout = RetryPolicy(delays: [.seconds(10)], further: .seconds(30), breaker: nil)

    /// Twelve attempts over two days. Services say themselves when they have had too much.
    public static let service = RetryPolicy(
        delays: [10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 72_000].map(Duration.seconds),
        jitter: 0.2)

    /// Eight attempts over some two days, the first soon: a server that has not seen a sender before may put the first off.
    public static let email = RetryPolicy(
        delays: [300, 900, 3_600, 10_800, 21_600, 43_200, 86_400].map(Duration.seconds), jitter: 0.2)

    /// Six attempts within some two hours: a program of the user's own.
    public static let program = RetryPolicy(delays: [30, 120, 600, 1_800, 3_600].map(Duration.seconds), jitter: 0.1)

    /// A file: after a minute, then every quarter of an hour, until the disk has room.
    public static let file = RetryPolicy(delays: [.seconds(60)], further: .seconds(900))

    /// How many attempts are made where the schedule alone counts; nil: they go on.
    var attempts: Int? { further == nil ? delays.count + 1 : nil }

    /// In seconds: later than now, also in the milliseconds of the store.
    private static let leastDelay = 0.002

    /// When to try again after attempt `number` (1 is the first) has failed; nil when the delivery is dead.
    ///
    /// - Parameters:
    ///   - retryAfter: What the receiver asked for: never earlier than that.
    ///   - isSinkBroken: Whether so many attempts in a row have failed there that it is left alone (``breaker``). That says nothing
    ///     of the notification, which is tried on after each ``CircuitBreaker/longestPause``.
    public func nextAttempt(
        after number: Int, now: Date, retryAfter: Duration? = nil, isSinkBroken: Bool = false,
        random: inout some RandomNumberGenerator
    ) -> Date? {
        let last = further ?? (isSinkBroken ? breaker?.longestPause : nil)
        guard let delay = number >= 1 && number <= delays.count ? delays[number - 1] : last else { return nil }
        // No number is no jitter: `max` gives it only as its first argument.
        let jitter = min(max(0, jitter), 1)
        let drawn = delay / .seconds(1) * Double.random(in: (1 - jitter)...(1 + jitter), using: &random)
        let asked = min(retryAfter ?? .zero, retryAfterLimit) / .seconds(1)
        return now.addingTimeInterval(min(max(drawn, asked, Self.leastDelay), Store.longestWait))
    }
}
