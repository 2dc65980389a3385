import CrierDelivery
import CrierFetch

import struct Foundation.TimeZone

/// Periods of the day as the configuration writes them: `22:30-07:30`, `mon..fri 22:30-07:30`, `sat,sun 00:00-24:00 Europe/Berlin`.
enum QuietHoursText {
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let expected =
        "a period such as 22:30-07:30, with days (mon..fri) before it and a time zone after it if need be"

    /// The pattern for the JSON Schema; whole text.
    static var pattern: String {
        let day = "[A-Za-z]{3,9}"
        let time = "([01]?[0-9]|2[0-3]):[0-5][0-9]"
        return
            "^ *(\(day)(\\.\\.\(day))?(,\(day)(\\.\\.\(day))?)* +)?\(time)-(\(time)|24:00)( +(UTC|GMT|[A-Za-z_]+/\\S+))? *$"
    }

    /// - Parameter timeZone: Of a period that names none.
    static func parse(_ text: String, timeZone: TimeZone) throws(ValueComplaint) -> QuietHours.Period {
        var words = text.split(separator: " ").map(String.init)
        guard let index = words.firstIndex(where: { $0.contains(":") }), index <= 1, words.count - index <= 2 else {
            throw ValueComplaint("\(quoted(text)) is not a period of the day", expected: expected)
        }
        var zone = timeZone
        if words.count - index == 2 {
            guard case .timeZone(let named) = try OptionType.timeZone.value(of: words.removeLast()) else {
                throw ValueComplaint("\(quoted(text)) is not a period of the day", expected: expected)
            }
            zone = named
        }
        let times = words[index].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard times.count == 2, let start = ClockTime.minutes(times[0]), start < 1440,
            let end = ClockTime.minutes(times[1])
        else {
            throw ValueComplaint("\(quoted(words[index])) is not from one time to another", expected: expected)
        }
        guard start != end else {
            throw ValueComplaint(
                "\(quoted(words[index])) begins and ends at the same time",
                expected: "two times that differ, or 00:00-24:00 for whole days")
        }
        let days = index == 1 ? try days(words[0]) : Set(1...7)
        return QuietHours.Period(days: days, start: start, end: end, timeZone: zone)
    }

    /// `mon`, `mon..fri`, `fri..mon`, `sat,sun`.
    private static func days(_ text: String) throws(ValueComplaint) -> Set<Int> {
        var result: Set<Int> = []
        for range in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = range.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
            var numbers: [Int] = []
            for end in ends {
                guard let index = CalendarExpression.weekday(named: end) else {
                    throw ValueComplaint(
                        "\(quoted(end)) is not a day", expected: listed(days, "or"),
                        suggestion: nearest(to: end, among: days))
                }
                numbers.append(index)
            }
            guard let first = numbers.first, numbers.count <= 2, let last = numbers.last else {
                throw ValueComplaint("\(quoted(text)) are not days", expected: "days such as mon..fri or sat,sun")
            }
            for step in 0...((last - first + 7) % 7) { result.insert((first + step) % 7 + 1) }
        }
        return result
    }
}

extension ConfigurationReader {
    mutating func quietHours(_ values: SectionValues, of configuration: Configuration) -> QuietHours {
        var hours = QuietHours()
        for period in values.list("quiet-hours") ?? [] {
            do {
                hours.periods.append(try QuietHoursText.parse(period.value, timeZone: configuration.timeZone))
            } catch {
                report(error, at: period.position, path: "quiet-hours")
            }
        }
        return hours
    }
}
