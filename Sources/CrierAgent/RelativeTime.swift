import Foundation

/// Dates in the words of a person who looks now.
package enum RelativeTime {
    package static func words(_ date: Date?, from now: Date, never: String = "never") -> String {
        guard let date else { return never }
        let seconds = date.timeIntervalSince(now)
        if abs(seconds) < 1 { return seconds < 0 ? "just now" : "now" }
        let span = span(abs(seconds))
        return seconds < 0 ? "\(span) ago" : "in \(span)"
    }

    /// Of what is yet to come, be it due by now.
    package static func ahead(_ date: Date, from now: Date) -> String {
        date.timeIntervalSince(now) < 1 ? "in a moment" : words(date, from: now)
    }

    /// One number and its unit.
    package static func span(_ seconds: TimeInterval) -> String {
        switch seconds {
        case ..<60: "\(Int(seconds.rounded(.up))) s"
        case ..<3570: "\(Int((seconds / 60).rounded())) min"
        case ..<172_800: "\(Int((seconds / 3600).rounded())) h"
        default: "\(Int((seconds / 86_400).rounded())) days"
        }
    }

    /// The date and time in a zone, the machine's where none is named, to the second.
    package static func absolute(_ date: Date, in zone: TimeZone = .current) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: zone).year().month().day()
                .time(includingFractionalSeconds: false).timeZone(separator: .colon))
    }
}
