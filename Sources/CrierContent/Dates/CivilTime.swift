import struct Foundation.Date
import typealias Foundation.TimeInterval

/// A date and a time of day as they are written, before they are placed on the time line.
package struct CivilTime {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0
    /// Seconds east of UTC; nil where the text names no zone.
    var offset: Int?

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// A time of day without a date.
    init(hour: Int) {
        self.init(year: 1, month: 1, day: 1)
        self.hour = hour
    }

    /// Whether the calendar and the clock have such a moment: a leap second and 24:00:00 (ISO 8601) do, 25:61 does not.
    var isPossible: Bool {
        guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1 else { return false }
        guard day <= Self.days(inMonth: month, of: year) else { return false }
        if hour == 24 { return minute == 0 && second == 0 && nanosecond == 0 }
        return hour < 24 && minute < 60 && second <= 60
    }

    /// Seconds since 1970 of this date and time taken as UTC.
    var secondsAsUTC: Int { Self.daysSince1970(year: year, month: month, day: day) * 86_400 + secondsOfDay }

    var secondsOfDay: Int { hour * 3600 + minute * 60 + second }

    /// The offsets that zones have, −12:00 to +14:00, in seconds.
    static let offsets = -43_200...50_400

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, for years from 1: the year is made to begin in March,
    /// so that the leap day is its last day.
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }

    /// 0 is Sunday … 6 is Saturday.
    var weekday: Int {
        let days = Self.daysSince1970(year: year, month: month, day: day) + 4
        return ((days % 7) + 7) % 7
    }

    /// The date of a day of the year (1…366), nil where the year has no such day.
    init?(year: Int, ordinal: Int) {
        guard ordinal >= 1, ordinal <= (Self.isLeap(year) ? 366 : 365) else { return nil }
        var month = 1
        var day = ordinal
        while day > Self.days(inMonth: month, of: year) {
            day -= Self.days(inMonth: month, of: year)
            month += 1
        }
        self.init(year: year, month: month, day: day)
    }

    /// The date of an ISO 8601 week (1…53) and its day (1 is Monday … 7 is Sunday); nil where the year has no such week.
    init?(year: Int, week: Int, weekday: Int) {
        guard week >= 1, week <= 53, weekday >= 1, weekday <= 7 else { return nil }
        if week == 53 {
            // A year has 53 weeks where it begins on a Thursday, or is a leap year and begins on a Wednesday.
            let first = CivilTime(year: year, month: 1, day: 1).weekday
            guard first == 4 || (first == 3 && Self.isLeap(year)) else { return nil }
        }
        // 4 January is always in week 1.
        let fourth = CivilTime(year: year, month: 1, day: 4)
        let ordinal = 4 - (fourth.weekday + 6) % 7 + (week - 1) * 7 + weekday - 1
        let length = Self.isLeap(year) ? 366 : 365
        if ordinal < 1 {
            self.init(year: year - 1, ordinal: ordinal + (Self.isLeap(year - 1) ? 366 : 365))
        } else if ordinal > length {
            self.init(year: year + 1, ordinal: ordinal - length)
        } else {
            self.init(year: year, ordinal: ordinal)
        }
    }

    /// The century of a year of two or three digits (RFC 5322 §4.3).
    static func fullYear(_ value: Int, digits: Int) -> Int {
        switch digits {
        case 2: value < 50 ? 2000 + value : 1900 + value
        case 3: 1900 + value
        default: value
        }
    }
}

extension CivilTime {
    /// The date and time in UTC, whole seconds.
    init(_ date: Date) {
        let seconds = Int(date.boundedSince1970.rounded(.down))
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        var year = 1970 + Int((Double(days) / 365.2425).rounded(.down))
        while Self.daysSince1970(year: year, month: 1, day: 1) > days { year -= 1 }
        while Self.daysSince1970(year: year + 1, month: 1, day: 1) <= days { year += 1 }
        let ordinal = days - Self.daysSince1970(year: year, month: 1, day: 1) + 1
        self = CivilTime(year: year, ordinal: ordinal) ?? CivilTime(year: year, month: 1, day: 1)
        hour = rest / 3600
        minute = rest % 3600 / 60
        second = rest % 60
        offset = 0
    }

    /// `2003-12-31T10:14:55Z`
    var iso8601: String {
        String(unsafeUninitializedCapacity: 20) { text in
            _ = text.initialize(fromContentsOf: "0000-00-00T00:00:00Z".utf8)
            func write(_ value: Int, before end: Int) {
                var rest = value
                var place = end
                while rest > 0 {
                    place -= 1
                    text[place] += UInt8(rest % 10)
                    rest /= 10
                }
            }
            write(year, before: 4)
            write(month, before: 7)
            write(day, before: 10)
            write(hour, before: 13)
            write(minute, before: 16)
            write(second, before: 19)
            return 20
        }
    }
}

extension Date {
    /// Seconds since 1970 of the nearest moment of the years 1 to 9999: dates of outsiders can be anything. One that is no number is
    /// the first of them, as `max` gives it only as its first argument.
    package var boundedSince1970: TimeInterval { min(max(-62_135_596_800, timeIntervalSince1970), 253_402_300_799) }
}
