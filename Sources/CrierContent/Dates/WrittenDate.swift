import struct Foundation.TimeZone

/// Dates as mail and people write them: RFC 822 with all its faults, asctime, numeric dates, other languages.
///
/// One pass over the words and numbers puts each where only it can belong; what is left over is placed at the end.
struct WrittenDate {
    /// - Parameter timeZone: the source's, where names of zones are to mean what they mean there.
    static func parse(_ cursor: ByteCursor, namesIn timeZone: TimeZone) -> CivilTime? {
        var date = WrittenDate(cursor: cursor, timeZone: timeZone)
        return date.read() ? date.civilTime() : nil
    }

    /// A number whose place is not known yet.
    struct Number {
        var value: Int
        var digits: Int
    }

    let timeZone: TimeZone
    var cursor: ByteCursor
    var month: Int?
    var monthStandsFirst = false
    var weekday: Int?
    var numericDate: CivilTime?
    var clock: CivilTime?
    var clockHasSeconds = false
    /// Whether a dash or a second time has followed the time: what comes then is the end of a range.
    var isTimeOver = false
    /// The hour at the end of a range.
    var endHour: Int?
    var meridiem: DateWord.Meridiem?
    /// The zone of those who write so, where the text names none.
    var scriptOffset: Int?
    var namedOffset: Int?
    var numericOffset: Int?
    var first: Number?
    var second: Number?
    var third: Number?
    var markedDay: Int?
    var markedYear: Int?
    /// The year before the first of the calendar that a word names: 平成.
    var era: Int?
    /// Whether a word that nobody knows stands before the year, which may be of a calendar that nobody knows.
    var hasUnknownWord = false
    /// Whether a word is Thai: then years are of the Buddhist calendar, and the day stands before the month.
    let isThai: Bool
    /// Whether the next number or Vietnamese number word is the month.
    var expectsMonth = false

    private init(cursor: ByteCursor, timeZone: TimeZone) {
        self.cursor = cursor
        self.timeZone = timeZone
        let text = cursor.bytes[cursor.index..<cursor.end]
        isThai = zip(text, text.dropFirst()).contains(where: Self.isThai)
    }

    /// Whether a Thai letter begins with these bytes.
    static func isThai(_ lead: UInt8, _ next: UInt8) -> Bool { lead == 0xE0 && (next == 0xB8 || next == 0xB9) }

    var hasDate: Bool { numericDate != nil || first != nil || month != nil }

    /// Whether year, month and day are all there, so that nothing that follows can be one of them.
    var isDateComplete: Bool {
        if numericDate != nil { return true }
        guard month != nil else { return false }
        return second != nil || (markedYear != nil && (markedDay != nil || first != nil))
    }

    // MARK: Reading

    private mutating func read() -> Bool {
        while !cursor.isAtEnd {
            let byte = cursor.current
            let isRead =
                if byte.isASCIIDigit {
                    number()
                } else if byte.isASCIILetter {
                    word()
                } else if byte < 0x80 {
                    mark()
                } else if let punctuation = punctuation {
                    separate(by: punctuation)
                } else { word() }
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
            return sign(byte == 0x2D ? .minus : .plus)
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

    enum Punctuation {
        case plus, minus, dash, other
    }

    /// What typographers write: a no-break space (U+00A0), a hyphen or minus sign (U+2010, U+2011, U+2212), a dash
    /// (U+2012…U+2015), or another of the spaces, quotes and marks from U+2000 to U+203F.
    var punctuation: (mark: Punctuation, length: Int)? {
        switch (cursor.current, cursor.peek(1)) {
        case (0xC2, 0xA0): (.other, 2)
        case (0xE2, 0x80):
            switch cursor.peek(2) {
            case 0x90, 0x91: (.minus, 3)
            case 0x92...0x95: (.dash, 3)
            default: (.other, 3)
            }
        case (0xE2, 0x88): cursor.peek(2) == 0x92 ? (.minus, 3) : nil
        default: nil
        }
    }

    private mutating func separate(by punctuation: (mark: Punctuation, length: Int)) -> Bool {
        cursor.index = min(cursor.index + punctuation.length, cursor.end)
        return punctuation.mark == .other ? true : sign(punctuation.mark)
    }

    private mutating func number() -> Bool {
        let count = cursor.digitCount
        let next = cursor.peek(count)
        if count <= 2 {
            if next == 0x3A, cursor.peek(count + 1).isASCIIDigit { return time(hourDigits: count) }
            if next | 0x20 == 0x68, cursor.peek(count + 1).isASCIIDigit { return time(hourDigits: count) }
            if isFullHour(digits: count), let hour = cursor.digits(count) {
                cursor.index += 1
                return place(hour, as: .hour, digits: count)
            }
            if let hour = hour(digits: count) { return hour }
            if spacedTime(hourDigits: count) { return true }
            if next == 0x2E, isDateComplete, clock == nil, cursor.peek(count + 2).isASCIIDigit {
                return time(hourDigits: count)
            }
        }
        guard count <= 4, let value = cursor.digits(count) else { return false }
        if numericDate == nil, month == nil, first == nil, Self.isDateMark(next), cursor.peek(1).isASCIIDigit {
            return numericDate(from: Number(value: value, digits: count))
        }
        if let unit = unit() { return place(value, as: unit, digits: count) }
        if expectsMonth, month == nil {
            expectsMonth = false
            month = value
            return true
        }
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

    /// French `10h`.
    func isFullHour(digits: Int) -> Bool {
        cursor.peek(digits) | 0x20 == 0x68 && !cursor.peek(digits + 1).isASCIILetter
    }

    /// `10 a.m.`, `3 PM`: an hour without minutes, with a space before the half of the day.
    private mutating func hour(digits: Int) -> Bool? {
        guard cursor.peek(digits) == 0x20 else { return nil }
        var rest = cursor
        rest.index += digits
        guard let half = Self.meridiem(&rest), let value = cursor.digits(digits), 1...12 ~= value else { return nil }
        cursor.index = rest.index
        place(CivilTime(hour: value))
        place(half)
        return true
    }

    private static func isDateMark(_ byte: UInt8) -> Bool { byte == 0x2D || byte == 0x2F || byte == 0x2E }

    /// `1:55`, `15:04:05.123`, `15h04`, `15.04`.
    mutating func time(hourDigits: Int) -> Bool {
        var time = CivilTime(hour: cursor.digits(hourDigits) ?? 0)
        // `12.30.00` is Finnish and Italian.
        let separator: UInt8 = cursor.current == 0x2E ? 0x2E : 0x3A
        cursor.index += 1
        let minuteDigits = cursor.digitCount
        guard minuteDigits <= 2, let minute = cursor.digits(minuteDigits) else { return false }
        time.minute = minute
        let hasSeconds = cursor.current == separator && cursor.peek(1).isASCIIDigit
        if hasSeconds {
            cursor.index += 1
            let secondDigits = cursor.digitCount
            guard secondDigits <= 2, let second = cursor.digits(secondDigits) else { return false }
            time.second = second
            ISODate.fraction(&cursor, into: &time)
        } else if cursor.current == 0x3A, cursor.peek(1).isASCIILetter {
            return false
        }
        place(time, hasSeconds: hasSeconds)
        return true
    }

    /// `2006-1-2`, `2006/01-02`, `2.1.2006`, `1/2/2006`, `06-1-2`.
    private mutating func numericDate(from head: Number) -> Bool {
        let separator = cursor.current
        cursor.index += 1
        guard let middle = shortNumber(), Self.isDateMark(cursor.current) else { return false }
        cursor.index += 1
        let count = cursor.digitCount
        guard count <= 4, let last = cursor.digits(count) else { return false }
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
            // Three digits are a year of another calendar.
            guard head.digits == 4, tail.digits <= 2, let year = year(of: head) else { return nil }
            return CivilTime(year: year, month: middle, day: tail.value)
        }
        guard tail.digits == 4 || tail.digits == 2 || (separator == 0x2D && head.digits == 2) else { return nil }
        if separator == 0x2D, tail.digits <= 2 {
            return CivilTime(year: CivilTime.fullYear(head.value, digits: 2), month: middle, day: tail.value)
        }
        guard let year = year(of: tail) else { return nil }
        let dayFirst = CivilTime(year: year, month: middle, day: head.value)
        guard separator == 0x2F || separator == 0x20 else { return dayFirst }
        // With slashes the month comes first, unless there is no such month, or the day of the week or the language says otherwise.
        let monthFirst = CivilTime(year: year, month: head.value, day: middle)
        guard dayFirst.isPossible else { return monthFirst }
        guard monthFirst.isPossible else { return dayFirst }
        let fit = [monthFirst, dayFirst].filter { $0.weekday == weekday }
        return fit.count == 1 ? fit[0] : isThai ? dayFirst : monthFirst
    }

    // MARK: Placing

    private func civilTime() -> CivilTime? {
        guard var time = numericDate ?? namedDate(), numericDate == nil || (month == nil && first == nil),
            era == nil || markedYear != nil
        else { return nil }
        if let clock {
            time.hour = clock.hour
            time.minute = clock.minute
            time.second = clock.second
            time.nanosecond = clock.nanosecond
        }
        if let meridiem {
            if meridiem == .afternoon, time.hour < 12 { time.hour += 12 }
            if meridiem == .morning, time.hour == 12 { time.hour = 0 }
        }
        time.offset = numericOffset ?? namedOffset ?? scriptOffset
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
            guard let number = rest.0, number.digits >= 2, let year = year(of: number) else { return nil }
            return CivilTime(year: year, month: month, day: markedDay)
        }
        guard let head = rest.0 else { return nil }
        guard let tail = rest.1 else {
            return head.digits == 4 ? year(of: head).map { CivilTime(year: $0, month: month, day: 1) } : nil
        }
        // The year is the longer number, or the one that cannot be a day; in doubt the second.
        let yearIsFirst = head.digits > 2 || (tail.digits <= 2 && head.value > 31)
        if yearIsFirst { rest = (tail, head) }
        guard let day = rest.0, let number = rest.1, day.digits <= 2, number.digits >= 2, let year = year(of: number)
        else { return nil }
        return CivilTime(year: year, month: month, day: day.value)
    }

    /// The year that a number is; in Thai, a short one could be of either calendar.
    private func year(of number: Number) -> Int? {
        guard isThai else { return CivilTime.fullYear(number.value, digits: number.digits) }
        guard number.digits == 4 else { return nil }
        return number.value > Eras.firstBuddhistYear ? number.value - Eras.buddhist : number.value
    }
}
