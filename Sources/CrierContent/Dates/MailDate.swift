/// Dates as mail writes them, without faults (RFC 5322 sections 3.3 and 4.3): `Wed, 31 Dec 2003 10:14:55 GMT`. Nearly all of RSS are
/// such, and ``WrittenDate``, which reads the same out of them, takes five times as long.
enum MailDate {
    /// nil where the text has another form.
    static func parse(_ start: ByteCursor) -> CivilTime? {
        var cursor = start
        if cursor.peek(3) == UInt8(ascii: ",") {
            guard name(&cursor, of: DateWord.weekdays) != nil else { return nil }
            cursor.index += 1
            guard cursor.skip(0x20) else { return nil }
        }
        let digits = cursor.digitCount
        guard digits == 1 || digits == 2, let day = cursor.digits(digits), cursor.skip(0x20),
            let month = name(&cursor, of: DateWord.months), cursor.skip(0x20),
            cursor.digitCount == 4, let year = cursor.digits(4), cursor.skip(0x20)
        else { return nil }
        var time = CivilTime(year: year, month: month + 1, day: day)
        guard let hour = cursor.digits(2), cursor.skip(0x3A), let minute = cursor.digits(2) else { return nil }
        time.hour = hour
        time.minute = minute
        if cursor.skip(0x3A) {
            guard let second = cursor.digits(2) else { return nil }
            time.second = second
        }
        guard cursor.skip(0x20), let offset = zone(cursor) else { return nil }
        time.offset = offset
        return time
    }

    /// Which of the names, each told by three letters, the next three are.
    private static func name(_ cursor: inout ByteCursor, of names: [UInt64]) -> Int? {
        guard cursor.index + 3 <= cursor.end,
            let key = DateWord.asciiKey(ByteCursor(cursor.bytes, from: cursor.index, to: cursor.index + 3))
        else { return nil }
        cursor.index += 3
        return names.firstIndex(of: key)
    }

    /// `GMT`, `+0100`: seconds east of UTC.
    private static func zone(_ start: ByteCursor) -> Int? {
        var cursor = start
        if cursor.skip(0x47) { return cursor.skip(0x4D) && cursor.skip(0x54) && cursor.isAtEnd ? 0 : nil }
        let isNegative = cursor.current == 0x2D
        guard isNegative || cursor.current == 0x2B else { return nil }
        cursor.index += 1
        guard let hours = cursor.digits(2), let minutes = cursor.digits(2), cursor.isAtEnd, hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * (isNegative ? -60 : 60)
        return CivilTime.offsets.contains(offset) ? offset : nil
    }
}
