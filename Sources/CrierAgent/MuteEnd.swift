import CrierFetch
import Foundation

/// When muting ends, as a person says it: `1h`, `until 08:00`.
public enum MuteEnd {
    /// - Parameters:
    ///   - now: The end lies after it, by ten years at most.
    ///   - timeZone: Of a time of day.
    public static func date(_ words: [String], now: Date, timeZone: TimeZone) throws(UnclearTime) -> Date {
        if words.count == 2, words[0] == "until" {
            guard let minutes = ClockTime.minutes(words[1]),
                let time = try? CalendarExpression("\(minutes / 60 % 24):\(minutes % 60)"),
                let date = time.next(after: now, in: timeZone)
            else { throw UnclearTime(description: "\(quoted(words[1])) is not a time of day such as 08:00") }
            return date
        }
        guard words.count == 1, let word = words.first else {
            throw UnclearTime(description: "say for how long (1h) or until when (until 08:00)")
        }
        let isBehind = word.hasPrefix("-") && (try? DurationText.parse(String(word.dropFirst()))) != nil
        if DurationText.isTooLong(word) { throw UnclearTime(description: "\(quoted(word)) is longer than ten years") }
        let duration = try? DurationText.parse(word)
        if isBehind || duration == .zero {
            throw UnclearTime(
                description: "the end of \(quoted(word)) does not lie ahead; say for how long from now on, such as 1h")
        }
        guard let duration else {
            throw UnclearTime(
                description: "\(quoted(word)) is not a time such as 30m, 1h or 2d; until when is said by until 08:00")
        }
        return now.addingTimeInterval(duration / .seconds(1))
    }
}
