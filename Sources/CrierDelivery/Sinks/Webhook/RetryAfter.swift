import struct Foundation.Date

/// The `Retry-After` field (RFC 9110 §10.2.3): seconds, or an HTTP date.
enum RetryAfter {
    /// How long from now; nil for what cannot be read, and for what is over already.
    static func duration(of field: String, now: Date) -> Duration? {
        let text = PlainText.line(field)
        if let seconds = Int64(text) { return seconds > 0 ? .seconds(seconds) : nil }
        guard let date = date(text) else { return nil }
        let wait = date.timeIntervalSince(now)
        return wait > 0 ? .seconds(wait) : nil
    }

    /// The three forms of RFC 9110 §5.6.7; they differ in the order of the parts and in what stands between them.
    private static func date(_ text: String) -> Date? {
        let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }.dropFirst().filter { $0 != "GMT" }
        guard parts.count == 4 else { return nil }
        let isAscTime = Int(parts[0]) == nil
        let (day, month) = isAscTime ? (parts[1], parts[0]) : (parts[0], parts[1])
        let (time, year) = isAscTime ? (parts[2], parts[3]) : (parts[3], parts[2])
        let clock = time.split(separator: ":").compactMap { Int($0) }
        guard let day = Int(day), (1...31).contains(day), let month = months.firstIndex(of: String(month)),
            let year = Int(year), (0...9999).contains(year), clock.count == 3,
            (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        // Two digits are read as the century we live in: such a date is never an old one here.
        let days = daysSince1970(year: year < 100 ? 2000 + year : year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]))
    }

    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ").map(String.init)

    /// The proleptic Gregorian calendar, counted in years that begin in March.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
