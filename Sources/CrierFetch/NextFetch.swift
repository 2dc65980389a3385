import CrierContent
import CrierStore
import Foundation

/// When a source is due again, and which rule says so. Pure.
public struct NextFetch: Sendable, Hashable {
    public let date: Date
    /// In words, for `crier why`.
    public let reason: String

    /// Origins may postpone by this much; hints of years are seen in the wild.
    static let longestPostponement: TimeInterval = 86_400

    /// Between two visits to somebody else's server.
    package static let leastInterval = Duration.seconds(900)

    /// Those who may come again at one moment, set by an origin, come within this much after it.
    private static let longestSpread: TimeInterval = 600

    /// So many equal bodies in a row make a source that cannot be asked conditionally a daily one.
    static let unchangedBodies = 3

    /// What an origin has set, where it lies ahead. A date beyond every rule was set by a clock that was ahead.
    static func postponement(until date: Date?, now: Date) -> Date? {
        guard let date, date > now, date <= now.addingTimeInterval(longestPostponement + 1) else { return nil }
        return date
    }

    // States hold these words, and ``isByInterval(_:)`` reads them: another wording is a migration.
    private static let intervalReason = "its interval of "
    private static let skipReason = SourceState.skipReason

    /// Whether a date was set by the interval of its source, with or without hours to leave out.
    static func isByInterval(_ reason: String) -> Bool { reason.hasPrefix(intervalReason) || reason == skipReason }

    /// No rule sets a date further ahead than this, in seconds: a stored one that is means that the clock was set back.
    static func furthest(every: Duration, hints: PollingHints = PollingHints()) -> TimeInterval {
        let skipped = hints.skipHours.isEmpty && hints.skipDays.isEmpty ? 0 : 8 * 86_400.0
        return max(max(every, leastInterval).timeInterval, longestPostponement) * 1.1 + skipped + 1
    }

    /// Whole seconds, never early, and outside of the hours and days at which the feed says not to come.
    private init(
        after wait: TimeInterval, _ reason: String, hints: PollingHints, random: () -> Double, now: Date
    ) {
        let date = now.addingTimeInterval(wait).nextWholeSecond
        let open = Self.moved(date, outOf: hints, random: random)
        self.date = open
        self.reason = open == date ? reason : Self.skipReason
    }

    /// After an answer: the interval, or later where the origin asks for it.
    ///
    /// - Parameters:
    ///   - wishes: What the origin says, in words, and for how long from now.
    ///   - floor: The least interval; zero for what is this machine's own.
    ///   - phase: 0..<1, stable per source, so that sources of one interval do not fire together. It only ever postpones.
    ///   - random: 0..<1, see ``spread(_:random:)``.
    static func afterSuccess(
        every: Duration, wishes: [(reason: String, wait: Duration)], floor: Duration = .zero,
        hints: PollingHints = PollingHints(), phase: Double, random: @autoclosure () -> Double, now: Date
    ) -> NextFetch {
        let interval = max(every, floor).timeInterval * (1 + 0.1 * phase)
        var wait = interval
        var reason =
            every < floor
            ? "the least interval of \(floor.words), longer than its own of \(every.words)"
            : "\(intervalReason)\(every.words)"
        for wish in wishes {
            let asked = min(wish.wait.timeInterval, longestPostponement)
            if asked > wait {
                wait = asked
                reason = wish.reason
            }
        }
        if wait > interval { wait = spread(wait, random: random()) }
        return NextFetch(after: wait, reason, hints: hints, random: random, now: now)
    }

    /// How long to wait where an origin asks for a wait, in seconds: what it says is often a date, at which everybody would come
    /// who has heard it, on all machines in the same second. Never early; later by up to a tenth, and up to ten minutes.
    ///
    /// - Parameter random: 0..<1.
    private static func spread(_ asked: TimeInterval, random: Double) -> TimeInterval {
        min(asked + min(0.1 * asked, longestSpread) * random, longestPostponement)
    }

    /// After a failure: the interval doubles with each failure in a row, up to a day, with fresh jitter over the upper half.
    /// It is never shorter than the interval, nor than the origin's wishes, and never the same for sources that failed together.
    ///
    /// - Parameters:
    ///   - status: Of the answer, where there was one: some 4xx do not pass by themselves and start at hours.
    ///   - retryAfter: RFC 9110 §10.2.3.
    ///   - wishes: As after an answer. Where there was none, nobody was asked too often.
    ///   - random: 0..<1.
    static func afterFailure(
        every: Duration, failures: Int, status: Int?, retryAfter: Duration?,
        wishes: [(reason: String, wait: Duration)] = [], floor: Duration = .zero,
        hints: PollingHints = PollingHints(), random: Double, now: Date
    ) -> NextFetch {
        let interval = max(every, floor).timeInterval
        let start = max(interval, firstWait(status))
        let doubled = min(start * pow(2, Double(min(failures, 20) - 1)), longestPostponement)
        let least = max(interval, doubled / 2)
        var wait = least + (max(doubled, interval * 1.1) - least) * random
        var reason = failures == 1 ? "a failed fetch" : "\(failures) failed fetches in a row"
        for wish in status == nil ? [] : wishes {
            let asked = min(wish.wait.timeInterval, longestPostponement) * (1 + 0.1 * random)
            if asked > wait { (wait, reason) = (asked, wish.reason) }
        }
        if let asked = retryAfter?.timeInterval, min(asked, longestPostponement) > wait {
            wait = spread(asked, random: random)
            reason = "the origin's Retry-After"
        }
        return NextFetch(after: wait, reason, hints: hints, random: { random }, now: now)
    }

    /// For how many seconds a host that was asked too often is left alone: as long as it says, and a little longer, else ("at once" being no
    /// answer) 10 min, doubling up to 4 h.
    ///
    /// - Parameter random: 0..<1, see ``spread(_:random:)``.
    static func hostPause(number: Int, retryAfter: Duration?, random: Double) -> TimeInterval {
        if let retryAfter, retryAfter > .zero { return spread(retryAfter.timeInterval, random: random) }
        return min(600 * pow(2, Double(min(max(number, 1), 20) - 1)), 4 * 3600)
    }

    /// The first hour from then on that is open (RSS 2.0 skipHours and skipDays, GMT); a feed that closes them all means none.
    private static func moved(_ date: Date, outOf hints: PollingHints, random: () -> Double) -> Date {
        guard !(hints.skipHours.isEmpty && hints.skipDays.isEmpty) else { return date }
        guard let first = Int(exactly: (date.timeIntervalSince1970 / 3600).rounded(.down)) else { return date }
        for hour in first...(first + 8 * 24) {
            // 1970-01-01 was a Thursday, the fifth day of a week that begins on Sunday.
            let day = (hour.flooredQuotient(24) + 4).flooredRemainder(7) + 1
            if hints.skipHours.contains(hour.flooredRemainder(24)) || hints.skipDays.contains(day) { continue }
            if hour == first { return date }
            // Not all of them at the full hour.
            return Date(timeIntervalSince1970: Double(hour) * 3600 + longestSpread * random()).nextWholeSecond
        }
        return date
    }

    private static func firstWait(_ status: Int?) -> TimeInterval {
        switch status {
        case 403, 404: 4 * 3600
        // 412 is about what was asked besides the address, and is asked no more.
        case 401, 408, 410, 412, 429: 0
        case let status? where (400..<500).contains(status): 6 * 3600
        default: 0
        }
    }
}

extension Date {
    /// Itself, if it is one.
    var nextWholeSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

extension Int {
    fileprivate func flooredRemainder(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }

    fileprivate func flooredQuotient(_ divisor: Int) -> Int { (self - flooredRemainder(divisor)) / divisor }
}
