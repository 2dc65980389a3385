import struct Foundation.Date
import struct Foundation.TimeZone

/// Reads the dates that feeds and content APIs write.
///
/// RFC 822, 2822 and 5322, RFC 3339, W3CDTF, ISO 8601 (basic, week and ordinal forms too), asctime, Unix time, and what
/// publishers make of them: missing parts, other languages, other orders.
public enum DateParser {
    /// The instant that a text names; nil where it names none, or an impossible one such as 25:61.
    ///
    /// - Parameters:
    ///   - timeZone: the zone of a date that names none.
    ///   - datesAreLocal: whether the date is in `timeZone` even where the text says another zone.
    public static func parse(_ text: String, timeZone: TimeZone, datesAreLocal: Bool = false) -> Date? {
        withUTF8(of: text) { parse(utf8: $0, timeZone: timeZone, datesAreLocal: datesAreLocal) }
    }

    /// Longer texts are no dates; the bound keeps hostile input cheap.
    private static let longestText = 120

    static func parse(utf8 bytes: UnsafeBufferPointer<UInt8>, timeZone: TimeZone, datesAreLocal: Bool) -> Date? {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start].isASCIISpace { start += 1 }
        while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
        guard end > start, end - start <= longestText else { return nil }
        let cursor = ByteCursor(bytes, from: start, to: end)
        if let instant = UnixTime.parse(cursor) { return instant }
        guard let civil = ISODate.parse(cursor) ?? WrittenDate.parse(cursor), civil.isPossible else { return nil }
        return date(of: civil, timeZone: timeZone, datesAreLocal: datesAreLocal)
    }

    private static func date(of civil: CivilTime, timeZone: TimeZone, datesAreLocal: Bool) -> Date {
        let seconds = civil.secondsAsUTC
        let offset =
            if let offset = civil.offset, !datesAreLocal { offset } else { self.offset(of: seconds, in: timeZone) }
        let instant = Double(seconds - offset)
        return Date(timeIntervalSince1970: civil.nanosecond == 0 ? instant : instant + Double(civil.nanosecond) / 1e9)
    }

    /// The zone's offset at a local time. A time that a clock change skips or repeats takes the offset before the
    /// change.
    private static func offset(of localSeconds: Int, in timeZone: TimeZone) -> Int {
        // GMT is the default and needs no look at the zone's rules.
        if timeZone == .gmt { return 0 }
        func offset(at seconds: Int) -> Int {
            timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        let before = offset(at: localSeconds - 86_400)
        if offset(at: localSeconds - before) == before { return before }
        let after = offset(at: localSeconds + 86_400)
        return offset(at: localSeconds - after) == after ? after : before
    }
}

/// Seconds or milliseconds since 1970, as JSON APIs write them: 10 or 13 digits and nothing else.
enum UnixTime {
    static func parse(_ cursor: ByteCursor) -> Date? {
        var cursor = cursor
        let count = cursor.digitCount
        guard count == 10 || count == 13, cursor.index + count == cursor.end else { return nil }
        guard let value = cursor.digits(count) else { return nil }
        return Date(timeIntervalSince1970: count == 10 ? Double(value) : Double(value) / 1000)
    }
}
