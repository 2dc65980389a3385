import Foundation

/// When a source is due again, and which rule says so. Pure.
public struct NextFetch: Sendable, Hashable {
    public let date: Date
    /// In words, for `crier why`.
    public let reason: String

    /// Origins may postpone by this much; hints of years are seen in the wild.
    static let longestPostponement: TimeInterval = 86_400

    /// No rule sets a date further ahead than this, in seconds: a stored one that is means that the clock was set back.
    static func furthest(every: Duration) -> TimeInterval { max(every.timeInterval * 1.1, longestPostponement) + 1 }

    /// Whole seconds, never early.
    private init(after wait: TimeInterval, _ reason: String, now: Date) {
        date = Date(timeIntervalSince1970: (now.timeIntervalSince1970 + wait).rounded(.up))
        self.reason = reason
    }

    /// After an answer: the interval, or later where the origin asks for it.
    ///
    /// - Parameters:
    ///   - wishes: What the origin says, in words, and for how long from now.
    ///   - phase: 0..<1, stable per source, so that sources of one interval do not fire together. It only ever postpones.
    static func afterSuccess(every: Duration, wishes: [(reason: String, wait: Duration)], phase: Double, now: Date)
        -> NextFetch
    {
        let interval = every.timeInterval
        var wait = interval * (1 + 0.1 * phase)
        var reason = "its interval of \(every.words)"
        for wish in wishes {
            let asked = min(wish.wait.timeInterval, longestPostponement)
            if asked > wait {
                wait = asked
                reason = wish.reason
            }
        }
        return NextFetch(after: wait, reason, now: now)
    }

    /// After a failure: the interval doubles with each failure in a row, up to a day, with fresh jitter over the upper half.
    ///
    /// - Parameters:
    ///   - status: Of the answer, where there was one: some 4xx do not pass by themselves and start at hours.
    ///   - retryAfter: RFC 9110 §10.2.3.
    static func afterFailure(
        every: Duration, failures: Int, status: Int?, retryAfter: Duration?, random: Double, now: Date
    ) -> NextFetch {
        let start = max(every.timeInterval, firstWait(status))
        let doubled = min(start * pow(2, Double(min(failures, 20) - 1)), longestPostponement)
        var wait = max(every.timeInterval, doubled * (0.5 + 0.5 * random))
        var reason = failures == 1 ? "a failed fetch" : "\(failures) failed fetches in a row"
        if let asked = retryAfter?.timeInterval, min(asked, longestPostponement) > wait {
            wait = min(asked, longestPostponement)
            reason = "the origin's Retry-After"
        }
        return NextFetch(after: wait, reason, now: now)
    }

    private static func firstWait(_ status: Int?) -> TimeInterval {
        switch status {
        case 403, 404: 4 * 3600
        case 401, 408, 410, 429: 0
        case let status? where (400..<500).contains(status): 6 * 3600
        default: 0
        }
    }
}

extension Duration {
    var timeInterval: TimeInterval {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// Such as `90 s`, `15 min`, `1 h 30 min`, `2 d`.
    public var words: String {
        let seconds = Int(timeInterval.rounded())
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        .filter { $0.0 > 0 }.prefix(2).map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}
