import struct Foundation.Date

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Dates in header fields (RFC 9110 §5.6.7), read and written without any locale.
public enum HTTPDate {
    /// Reads IMF-fixdate, the RFC 850 form and asctime's; nil for anything else.
    ///
    /// - Parameter now: tells the century of a two-digit year: a date more than 50 years ahead is of the one before.
    public static func parse(_ text: String, now: Date) -> Date? {
        let words = text.split { $0 == " " || $0 == "," }.map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where isUTC(words[5]): return date(words[1], words[2], words[3], words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where isUTC(words[3]):
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 else { return nil }
            guard parts[2].count == 2 else { return date(parts[0], parts[1], parts[2], words[2]) }
            return recentDate(parts[0], parts[1], shortYear: parts[2], words[2], now: now)
        // Sun Nov  6 08:49:37 1994
        case 5: return date(words[2], words[1], words[4], words[3])
        default: return nil
        }
    }

    /// IMF-fixdate. With `+0000` for the zone it is that of mails, too (RFC 5322 §3.3).
    package static func text(_ date: Date, zone: String = "GMT") -> String {
        var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = months[Int(parts.tm_mon)]
        let name = month.prefix(1).uppercased() + month.dropFirst()
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(weekday), \(two(parts.tm_mday)) \(name) \(Int(parts.tm_year) + 1900) \(time) \(zone)"
    }

    private static func isUTC(_ zone: String) -> Bool { ["GMT", "UTC", "+0000"].contains(zone.uppercased()) }

    private static func recentDate(
        _ day: String, _ month: String, shortYear: String, _ time: String, now: Date
    ) -> Date? {
        guard let year = number(shortYear, 0...99) else { return nil }
        let limit = now.addingTimeInterval(50 * 365.25 * 86_400)
        return [2000, 1900].lazy.compactMap { date(day, month, String($0 + year), time) }.first { $0 <= limit }
    }

    private static func date(_ day: String, _ month: String, _ year: String, _ time: String) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard clock.count == 3, let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59),
            // A leap second is counted as the next one.
            let second = number(clock[2], 0...60),
            let month = months.firstIndex(of: month.lowercased()), let year = number(year, 1...9999),
            let day = number(day, 1...31), day <= daysOfMonth(month + 1, year)
        else { return nil }
        let days = daysSince1970(year, month + 1, day)
        return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), range.contains(value)
        else { return nil }
        return value
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func daysOfMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts years from 1 March, so that a leap day is a year's last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let month = month > 2 ? month - 3 : month + 9
        let leapDays = year / 4 - year / 100 + year / 400
        // 153 days for every five months from March on; 719 469 days from 1 March of year 0 to 1970.
        return year * 365 + leapDays + (153 * month + 2) / 5 + day - 719_469
    }
}
