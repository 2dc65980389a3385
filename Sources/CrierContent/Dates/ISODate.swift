/// ISO 8601 and its profiles RFC 3339 and W3CDTF; only forms that begin with the year.
enum ISODate {
    /// nil where the text has another form, which ``WrittenDate`` may know.
    static func parse(_ start: ByteCursor) -> CivilTime? {
        var cursor = start
        guard var time = date(&cursor) else { return nil }
        if cursor.isAtEnd { return time }
        let isMarked = cursor.current | 0x20 == 0x74
        guard isMarked || cursor.current == 0x20 else { return nil }
        cursor.index += 1
        guard let hasSeconds = clock(&cursor, into: &time) else { return nil }
        if cursor.isAtEnd { return time }
        if isMarked, hasSeconds, time.secondsOfDay > 0, let offset = zoneWithoutPlus(cursor) {
            time.offset = offset
            return time
        }
        guard let offset = zone(&cursor), cursor.isAtEnd else { return nil }
        // Behind a time without seconds what no zone has is the end of a range: `18:00-20:00`.
        if hasSeconds || CivilTime.offsets.contains(offset) { time.offset = offset }
        return time
    }

    private static func date(_ cursor: inout ByteCursor) -> CivilTime? {
        if cursor.current == 0x2D { return centuryless(&cursor) }
        switch cursor.digitCount {
        case 4: return dashed(&cursor)
        case 8: return fields(&cursor, 4, 2, 2)
        case 7: return cursor.digits(4).flatMap { year in ordinal(&cursor, year: year) }
        case 6: return fields(&cursor, 2, 2, 2)
        case 5: return cursor.digits(2).flatMap { ordinal(&cursor, year: CivilTime.fullYear($0, digits: 2)) }
        case 12: return compact(&cursor, withSeconds: false)
        case 14: return compact(&cursor, withSeconds: true)
        case 2: return shortDashed(&cursor)
        default: return nil
        }
    }

    /// `2003`, `2003-12`, `2003-12-31`, `2003-365`, `2003-W52`, `2003-W52-3`, `2003W523`.
    private static func dashed(_ cursor: inout ByteCursor) -> CivilTime? {
        guard let year = cursor.digits(4) else { return nil }
        if cursor.isAtEnd { return CivilTime(year: year, month: 1, day: 1) }
        let dash = cursor.skip(0x2D)
        if cursor.current | 0x20 == 0x77 { return week(&cursor, year: year) }
        guard dash else { return nil }
        switch cursor.digitCount {
        case 3: return ordinal(&cursor, year: year)
        case 2:
            guard let month = cursor.digits(2) else { return nil }
            if cursor.isAtEnd { return CivilTime(year: year, month: month, day: 1) }
            guard cursor.skip(0x2D), cursor.digitCount == 2, let day = cursor.digits(2) else { return nil }
            return CivilTime(year: year, month: month, day: day)
        default: return nil
        }
    }

    /// `-0312` and `-03-12`: year and month without the century.
    private static func centuryless(_ cursor: inout ByteCursor) -> CivilTime? {
        cursor.index += 1
        guard let year = cursor.digits(2) else { return nil }
        _ = cursor.skip(0x2D)
        guard let month = cursor.digits(2), cursor.isAtEnd else { return nil }
        return CivilTime(year: CivilTime.fullYear(year, digits: 2), month: month, day: 1)
    }

    /// `03-12-31` and `03-365`; `31-12-2003` is not ours.
    private static func shortDashed(_ cursor: inout ByteCursor) -> CivilTime? {
        guard let short = cursor.digits(2), cursor.skip(0x2D) else { return nil }
        let year = CivilTime.fullYear(short, digits: 2)
        if cursor.digitCount == 3 { return ordinal(&cursor, year: year) }
        guard cursor.digitCount == 2, let month = cursor.digits(2), cursor.skip(0x2D) else { return nil }
        guard cursor.digitCount == 2, let day = cursor.digits(2) else { return nil }
        return CivilTime(year: year, month: month, day: day)
    }

    private static func fields(_ cursor: inout ByteCursor, _ years: Int, _ months: Int, _ days: Int) -> CivilTime? {
        guard let year = cursor.digits(years), let month = cursor.digits(months), let day = cursor.digits(days)
        else { return nil }
        return CivilTime(year: CivilTime.fullYear(year, digits: years), month: month, day: day)
    }

    /// `200312311014` and `20031231101455`, with a zone too, and with a fraction as directories write it (RFC 4517 §3.3.13).
    private static func compact(_ cursor: inout ByteCursor, withSeconds: Bool) -> CivilTime? {
        guard var time = fields(&cursor, 4, 2, 2), let hour = cursor.digits(2), let minute = cursor.digits(2)
        else { return nil }
        time.hour = hour
        time.minute = minute
        if withSeconds, let second = cursor.digits(2) {
            time.second = second
            fraction(&cursor, into: &time)
        }
        if cursor.isAtEnd { return time }
        guard let offset = zone(&cursor), CivilTime.offsets.contains(offset) else { return nil }
        time.offset = offset
        return cursor.isAtEnd ? time : nil
    }

    private static func ordinal(_ cursor: inout ByteCursor, year: Int) -> CivilTime? {
        cursor.digits(3).flatMap { CivilTime(year: year, ordinal: $0) }
    }

    private static func week(_ cursor: inout ByteCursor, year: Int) -> CivilTime? {
        cursor.index += 1
        guard let week = cursor.digits(2) else { return nil }
        _ = cursor.skip(0x2D)
        return CivilTime(year: year, week: week, weekday: cursor.digits(1) ?? 1)
    }

    /// `10:14`, `10:14:55`, `10:14:55.1234`, `1014`, `101455`, `10`: whether it has seconds; nil for what is no time.
    private static func clock(_ cursor: inout ByteCursor, into time: inout CivilTime) -> Bool? {
        guard let hour = cursor.digits(2) else { return nil }
        time.hour = hour
        let extended = cursor.skip(0x3A)
        guard extended || cursor.current.isASCIIDigit else { return false }
        guard let minute = cursor.digits(2) else { return nil }
        time.minute = minute
        guard extended ? cursor.skip(0x3A) : cursor.current.isASCIIDigit else { return false }
        guard let second = cursor.digits(2) else { return nil }
        time.second = second
        fraction(&cursor, into: &time)
        return true
    }

    /// Digits after a point or a comma; those beyond nanoseconds are dropped.
    static func fraction(_ cursor: inout ByteCursor, into time: inout CivilTime) {
        guard cursor.current == 0x2E || cursor.current == 0x2C, cursor.peek(1).isASCIIDigit else { return }
        cursor.index += 1
        var scale = 100_000_000
        var nanosecond = 0
        while cursor.current.isASCIIDigit {
            nanosecond += Int(cursor.current &- 0x30) * scale
            scale /= 10
            cursor.index += 1
        }
        time.nanosecond = nanosecond
    }

    /// ` 08:00` and ` 0800` at the end: a plus is a space in the query of an address. Behind midnight it is the time.
    private static func zoneWithoutPlus(_ start: ByteCursor) -> Int? {
        var cursor = start
        guard cursor.skip(0x20), let hours = cursor.digits(2) else { return nil }
        _ = cursor.skip(0x3A)
        guard let minutes = cursor.digits(2), [0, 30, 45].contains(minutes), cursor.isAtEnd else { return nil }
        let offset = hours * 3600 + minutes * 60
        return CivilTime.offsets.contains(offset) ? offset : nil
    }

    /// `Z`, `+08:00`, `+0800`, `+08`, also after a space.
    private static func zone(_ cursor: inout ByteCursor) -> Int? {
        cursor.skipSpaces()
        if cursor.current | 0x20 == 0x7A {
            cursor.index += 1
            return 0
        }
        guard cursor.current == 0x2B || cursor.current == 0x2D else { return nil }
        let sign = cursor.current == 0x2D ? -1 : 1
        cursor.index += 1
        guard let hours = cursor.digits(2) else { return nil }
        let colon = cursor.skip(0x3A)
        let minutes = cursor.digits(2)
        if colon && minutes == nil { return nil }
        guard hours < 24, minutes ?? 0 < 60 else { return nil }
        return sign * (hours * 3600 + (minutes ?? 0) * 60)
    }
}
