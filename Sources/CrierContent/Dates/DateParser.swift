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
    ///   - timeZone: the zone of a date that names none; where it is not the machine's, also what `IST` or `CST` means.
    ///   - datesAreLocal: whether the date is in `timeZone` even where the text says another zone.
    public static func parse(_ text: String, timeZone: TimeZone, datesAreLocal: Bool = false) -> Date? {
        withUTF8(of: text) { parse(utf8: $0, timeZone: timeZone, datesAreLocal: datesAreLocal) }
    }

    /// Longer texts are no dates; the bound keeps hostile input cheap.
    private static let longestText = 120

    /// Four digits of an earlier year are a date that is not set (`0001-01-01`, which Go and .NET write) or a year that lost
    /// its century (`0024-11-05`), of which nobody knows which one.
    private static let firstYear = 100

    static func parse(utf8 bytes: UnsafeBufferPointer<UInt8>, timeZone: TimeZone, datesAreLocal: Bool) -> Date? {
        let bytes = ByteText.trimmed(bytes)
        guard !bytes.isEmpty, bytes.count <= longestText else { return nil }
        if let text = DecimalDigits.asASCII(bytes) {
            guard let date = parse(text, timeZone: timeZone, datesAreLocal: datesAreLocal),
                DecimalDigits.ourTimes.contains(date.timeIntervalSince1970)
            else { return nil }
            return date
        }
        let cursor = ByteCursor(bytes)
        if let instant = UnixTime.parse(cursor) { return instant }
        if let (rest, zone) = zoneByName(cursor) {
            return parse(utf8: rest, timeZone: datesAreLocal ? timeZone : zone, datesAreLocal: true)
        }
        guard
            let civil = ISODate.parse(cursor) ?? MailDate.parse(cursor)
                ?? WrittenDate.parse(cursor, namesIn: timeZone),
            civil.isPossible, civil.year >= firstYear, !isBeforeOurEra(cursor)
        else { return nil }
        return date(of: civil, timeZone: timeZone, datesAreLocal: datesAreLocal)
    }

    /// `-0001-11-30`, which PHP makes of a date that is not set.
    private static func isBeforeOurEra(_ cursor: ByteCursor) -> Bool {
        var cursor = cursor
        return cursor.skip(0x2D) && cursor.digitCount == 4 && cursor.peek(4) == 0x2D
    }

    /// A name of the IANA time zone database at the end, such as `America/New_York`, or one such as `ET`, which is of winter and
    /// summer alike, and what stands before it.
    private static func zoneByName(_ cursor: ByteCursor) -> (rest: UnsafeBufferPointer<UInt8>, zone: TimeZone)? {
        let text = cursor.bytes[cursor.index..<cursor.end]
        let isShort = text.last == 0x54 && text.dropLast(2).last == 0x20
        // Nearly all dates have none, which is soon seen.
        guard isShort || ByteText.index(of: 0x2F, in: cursor.bytes, from: cursor.index) != nil else { return nil }
        guard let space = text.lastIndex(of: 0x20), text[space...].dropFirst().first?.isASCIILetter == true,
            isShort || text[space...].contains(0x2F)
        else { return nil }
        let name = String(utf8: text[(space + 1)...])
        guard let zone = (isShort ? ZoneName.wholeYear[name] : name).flatMap(TimeZone.init(identifier:)) else {
            return nil
        }
        return (UnsafeBufferPointer(rebasing: text[..<space]), zone)
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

/// Seconds or milliseconds since 1970, as JSON APIs write them: 10 or 13 digits, with a fraction too, and
/// `/Date(1736164800000)/`, also with a zone behind the number, which changes nothing. Zeros before the number are no
/// instant: `0000000000` is a date that is not set.
enum UnixTime {
    static func parse(_ cursor: ByteCursor) -> Date? {
        var cursor = cursor
        if cursor.current == 0x2F { cursor = withoutDotNet(cursor) ?? cursor }
        let count = cursor.digitCount
        guard count == 10 || count == 13, cursor.current != 0x30, let value = cursor.digits(count) else { return nil }
        var fraction = CivilTime(hour: 0)
        ISODate.fraction(&cursor, into: &fraction)
        guard cursor.isAtEnd else { return nil }
        let number = Double(value) + Double(fraction.nanosecond) / 1e9
        return Date(timeIntervalSince1970: count == 10 ? number : number / 1000)
    }

    private static func withoutDotNet(_ cursor: ByteCursor) -> ByteCursor? {
        let (start, end) = ("/Date(", ")/")
        let text = cursor.bytes[cursor.index..<cursor.end]
        guard text.starts(with: start.utf8), text.suffix(2).elementsEqual(end.utf8) else { return nil }
        let first = cursor.index + start.utf8.count
        let zone = cursor.end - end.utf8.count - "+0000".utf8.count
        let hasZone = zone > first && (cursor.bytes[zone] == 0x2B || cursor.bytes[zone] == 0x2D)
        return ByteCursor(cursor.bytes, from: first, to: hasZone ? zone : cursor.end - end.utf8.count)
    }
}
