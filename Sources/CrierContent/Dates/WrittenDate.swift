/// Dates as mail and people write them: RFC 822 with all its faults, asctime, numeric dates, other languages.
///
/// One pass over the words and numbers puts each where only it can belong; what is left over is placed at the end.
struct WrittenDate {
    static func parse(_ cursor: ByteCursor) -> CivilTime? {
        var date = WrittenDate(cursor: cursor)
        return date.read() ? date.civilTime() : nil
    }

    /// A number whose place is not known yet.
    private struct Number {
        var value: Int
        var digits: Int
    }

    private var cursor: ByteCursor
    private var month: Int?
    private var monthStandsFirst = false
    private var weekday: Int?
    private var numericDate: CivilTime?
    private var clock: CivilTime?
    private var meridiem: DateWord.Meridiem?
    private var namedOffset: Int?
    private var numericOffset: Int?
    private var first: Number?
    private var second: Number?
    private var third: Number?
    private var markedDay: Int?
    private var markedYear: Int?

    private init(cursor: ByteCursor) {
        self.cursor = cursor
    }

    private var hasDate: Bool { numericDate != nil || first != nil || month != nil }

    /// Whether year, month and day are all there, so that nothing that follows can be one of them.
    private var isDateComplete: Bool {
        if numericDate != nil { return true }
        guard month != nil else { return false }
        return second != nil || (markedYear != nil && (markedDay != nil || first != nil))
    }

    // MARK: Reading

    private mutating func read() -> Bool {
        while !cursor.isAtEnd {
            let byte = cursor.current
            let isRead =
                if byte.isASCIIDigit { number() } else if skipMinus() {
                    sign(isNegative: true)
                } else if byte.isASCIILetter || byte >= 0x80 { word() } else { mark() }
            guard isRead else { return false }
        }
        return true
    }

    private mutating func mark() -> Bool {
        let byte = cursor.current
        switch byte {
        case 0x28: return comment()
        case 0x2B, 0x2D:
            cursor.index += 1
            return sign(isNegative: byte == 0x2D)
        case 0x20, 0x09...0x0D, 0x2C, 0x2E, 0x2F, 0x3B, 0x3A, 0x22, 0x27, 0x5B, 0x5D, 0x7C:
            cursor.index += 1
            return true
        default: return false
        }
    }

    /// `(Coordinated Universal Time)`, nested as RFC 5322 §3.2.2 has it.
    private mutating func comment() -> Bool {
        var depth = 0
        while !cursor.isAtEnd {
            if cursor.current == 0x28 { depth += 1 }
            if cursor.current == 0x29 { depth -= 1 }
            cursor.index += 1
            if depth == 0 { return true }
        }
        return true
    }

    /// U+2212, as typographers write it.
    private mutating func skipMinus() -> Bool {
        guard cursor.current == 0xE2, cursor.peek(1) == 0x88, cursor.peek(2) == 0x92 else { return false }
        cursor.index += 3
        return true
    }

    /// An offset after a time; a separator anywhere else.
    private mutating func sign(isNegative: Bool) -> Bool {
        guard clock != nil, numericOffset == nil, cursor.current.isASCIIDigit else { return true }
        let count = cursor.digitCount
        guard count <= 4, let value = cursor.digits(count) else { return false }
        let hours = count > 2 ? value / 100 : value
        var minutes = count > 2 ? value % 100 : 0
        var seconds = 0
        if count <= 2, cursor.skip(0x3A) {
            guard let given = cursor.digits(2) else { return false }
            minutes = given
            if cursor.current == 0x3A, cursor.peek(1).isASCIIDigit {
                cursor.index += 1
                seconds = cursor.digits(2) ?? 0
            }
        }
        guard hours < 24, minutes < 60 else { return false }
        let offset = hours * 3600 + minutes * 60 + seconds
        numericOffset = isNegative ? -offset : offset
        return true
    }

    private mutating func number() -> Bool {
        let count = cursor.digitCount
        let next = cursor.peek(count)
        if count <= 2 {
            if next == 0x3A, cursor.peek(count + 1).isASCIIDigit { return time(hourDigits: count) }
            if next | 0x20 == 0x68, cursor.peek(count + 1).isASCIIDigit { return time(hourDigits: count) }
            if next == 0x2E, isDateComplete, clock == nil, cursor.peek(count + 2).isASCIIDigit {
                return time(hourDigits: count)
            }
        }
        guard count <= 4, let value = cursor.digits(count) else { return false }
        if numericDate == nil, month == nil, first == nil, Self.isDateMark(next), cursor.peek(1).isASCIIDigit {
            return numericDate(from: Number(value: value, digits: count))
        }
        if let unit = unit() { return place(value, as: unit, digits: count) }
        let number = Number(value: value, digits: count)
        if first == nil {
            first = number
        } else if second == nil {
            second = number
        } else if third == nil {
            third = number
        } else {
            return false
        }
        return true
    }

    private static func isDateMark(_ byte: UInt8) -> Bool { byte == 0x2D || byte == 0x2F || byte == 0x2E }

    /// `1:55`, `15:04:05.123`, `15h04`, `15.04`; a second time replaces the first, which some write as 00:00:00 before it.
    private mutating func time(hourDigits: Int) -> Bool {
        var time = CivilTime(year: 1, month: 1, day: 1)
        time.hour = cursor.digits(hourDigits) ?? 0
        // `12.30.00` is Finnish and Italian.
        let separator: UInt8 = cursor.current == 0x2E ? 0x2E : 0x3A
        cursor.index += 1
        let minuteDigits = cursor.digitCount
        guard minuteDigits <= 2, let minute = cursor.digits(minuteDigits) else { return false }
        time.minute = minute
        if cursor.current == separator, cursor.peek(1).isASCIIDigit {
            cursor.index += 1
            let secondDigits = cursor.digitCount
            guard secondDigits <= 2, let second = cursor.digits(secondDigits) else { return false }
            time.second = second
            guard ISODate.fraction(&cursor, into: &time) else { return false }
        } else if cursor.current == 0x3A, cursor.peek(1).isASCIILetter {
            return false
        }
        clock = time
        return true
    }

    /// `2006-1-2`, `2006/01-02`, `2.1.2006`, `1/2/2006`, `06-1-2`.
    private mutating func numericDate(from head: Number) -> Bool {
        let separator = cursor.current
        cursor.index += 1
        guard let middle = shortNumber(), Self.isDateMark(cursor.current) else { return false }
        cursor.index += 1
        let count = cursor.digitCount
        guard count >= 1, count <= 4, let last = cursor.digits(count) else { return false }
        let tail = Number(value: last, digits: count)
        if cursor.current == 0x2D, cursor.peek(1).isASCIIDigit { return false }
        numericDate = civilDate(head, middle, tail, separator: separator)
        return numericDate != nil
    }

    private mutating func shortNumber() -> Int? {
        let count = cursor.digitCount
        return count >= 1 && count <= 2 ? cursor.digits(count) : nil
    }

    /// Which of three numbers is the year, the month and the day.
    private func civilDate(_ head: Number, _ middle: Int, _ tail: Number, separator: UInt8) -> CivilTime? {
        if head.digits >= 3 {
            return tail.digits <= 2 ? CivilTime(year: head.value, month: middle, day: tail.value) : nil
        }
        guard tail.digits == 4 || tail.digits == 2 || (separator == 0x2D && head.digits == 2) else { return nil }
        if separator == 0x2D, tail.digits <= 2 {
            return CivilTime(year: CivilTime.fullYear(head.value, digits: 2), month: middle, day: tail.value)
        }
        let year = CivilTime.fullYear(tail.value, digits: tail.digits)
        let dayFirst = CivilTime(year: year, month: middle, day: head.value)
        guard separator == 0x2F || separator == 0x20 else { return dayFirst }
        // With slashes the month comes first, unless there is no such month or the day of the week says otherwise.
        let monthFirst = CivilTime(year: year, month: head.value, day: middle)
        guard dayFirst.isPossible else { return monthFirst }
        guard monthFirst.isPossible else { return dayFirst }
        if let weekday, monthFirst.weekday != weekday, dayFirst.weekday == weekday { return dayFirst }
        return monthFirst
    }

    // MARK: Words

    private mutating func word() -> Bool {
        let start = cursor.index
        while cursor.current.isASCIILetter || cursor.current >= 0x80 { cursor.index += 1 }
        noteKorean(at: start)
        switch DateWord.of(ByteCursor(cursor.bytes, from: start, to: cursor.index)) {
        case .month(let value):
            // A first month may be a day of the week: French `mar.` is Tuesday.
            guard month == nil || monthStandsFirst else { return false }
            monthStandsFirst = month == nil && !hasDate
            month = value
        case .weekday(let value): weekday = value
        case .meridiem(let value): meridiem = value
        case .zone(let offset):
            if cursor.index - start == 1, let half = dottedMeridiem(at: start) {
                meridiem = half
                return true
            }
            // `T` parts date and time; the military letters and `at` are zones only after a time.
            if clock == nil, cursor.index - start == 1 { return isWordOfItsOwn || isDateTimeSeparator(at: start) }
            if clock == nil, offset == ZoneName.atlantic, cursor.index - start == 2 { return true }
            if namedOffset == nil { namedOffset = offset }
        case .summerTime: namedOffset = namedOffset.map { $0 + 3600 }
        case .filler: return true
        case .unknown:
            // A day of the week in a language we do not know stands first; a zone we do not know stands after the time.
            // After the whole date it is a day of the week, or "at".
            return !hasDate || clock != nil || isDateComplete
        }
        return true
    }

    /// Feeds that write Korean leave the zone out, which is Korea's.
    private mutating func noteKorean(at start: Int) {
        let lead = cursor.bytes[start]
        if lead >= 0xEA, lead <= 0xED, namedOffset == nil { namedOffset = ZoneName.korea }
    }

    /// `a.m.` and `p.m.`
    private mutating func dottedMeridiem(at start: Int) -> DateWord.Meridiem? {
        let letter = cursor.bytes[start] | 0x20
        guard letter == 0x61 || letter == 0x70, cursor.current == 0x2E, cursor.peek(1) | 0x20 == 0x6D else {
            return nil
        }
        cursor.index += 2
        return letter == 0x61 ? .morning : .afternoon
    }

    /// Spanish `a las 12:00`.
    private var isWordOfItsOwn: Bool { isDateComplete && cursor.current == 0x20 }

    private func isDateTimeSeparator(at start: Int) -> Bool {
        cursor.bytes[start] | 0x20 == 0x74 && hasDate && cursor.current.isASCIIDigit
    }

    /// What a number is by the letters that follow it: `2nd`, `2º`, `2004년`, `5月`, `3pm`.
    private mutating func unit() -> DateWord.Unit? {
        guard cursor.current.isASCIILetter || cursor.current >= 0x80 else { return nil }
        let start = cursor.index
        var end = start
        while end < cursor.end, cursor.bytes[end].isASCIILetter || cursor.bytes[end] >= 0x80 { end += 1 }
        guard let unit = DateWord.unit(ByteCursor(cursor.bytes, from: start, to: end)) else { return nil }
        cursor.index = end
        noteKorean(at: start)
        return unit
    }

    private mutating func place(_ value: Int, as unit: DateWord.Unit, digits: Int) -> Bool {
        switch unit {
        case .year: markedYear = CivilTime.fullYear(value, digits: digits)
        case .month: month = value
        case .day: markedDay = value
        case .hour, .minute, .second:
            var time = clock ?? CivilTime(year: 1, month: 1, day: 1)
            if unit == .hour {
                time.hour = value
            } else if unit == .minute {
                time.minute = value
            } else {
                time.second = value
            }
            clock = time
        case .meridiem(let half):
            var time = CivilTime(year: 1, month: 1, day: 1)
            time.hour = value
            clock = time
            meridiem = half
        }
        return true
    }

    // MARK: Placing

    private func civilTime() -> CivilTime? {
        guard var time = numericDate ?? namedDate(), numericDate == nil || (month == nil && first == nil)
        else { return nil }
        if let clock {
            time.hour = clock.hour
            time.minute = clock.minute
            time.second = clock.second
            time.nanosecond = clock.nanosecond
            guard clock.hour <= 24 else { return nil }
        }
        if let meridiem {
            if meridiem == .afternoon, time.hour < 12 { time.hour += 12 }
            if meridiem == .morning, time.hour == 12 { time.hour = 0 }
        }
        time.offset = numericOffset ?? namedOffset
        return time
    }

    /// The date from a month's name, or a marked month, and the numbers around it.
    private func namedDate() -> CivilTime? {
        guard let month else {
            guard let first, let second, let third, second.digits <= 2 else { return nil }
            return civilDate(first, second.value, third, separator: 0x20)
        }
        guard third == nil else { return nil }
        var rest = (first, second)
        if markedDay != nil || markedYear != nil { guard rest.1 == nil else { return nil } }
        if let markedYear {
            return CivilTime(year: markedYear, month: month, day: markedDay ?? rest.0?.value ?? 1)
        }
        if let markedDay {
            guard let year = rest.0, year.digits >= 2 else { return nil }
            return CivilTime(year: CivilTime.fullYear(year.value, digits: year.digits), month: month, day: markedDay)
        }
        guard let head = rest.0 else { return nil }
        guard let tail = rest.1 else {
            return head.digits == 4 ? CivilTime(year: head.value, month: month, day: 1) : nil
        }
        // The year is the longer number, or the one that cannot be a day; in doubt the second.
        let yearIsFirst = head.digits > 2 || (tail.digits <= 2 && head.value > 31)
        if yearIsFirst { rest = (tail, head) }
        guard let day = rest.0, let year = rest.1, day.digits <= 2, year.digits >= 2 else { return nil }
        return CivilTime(year: CivilTime.fullYear(year.value, digits: year.digits), month: month, day: day.value)
    }
}
