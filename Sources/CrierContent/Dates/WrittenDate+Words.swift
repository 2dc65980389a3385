extension WrittenDate {
    // MARK: Words

    mutating func word() -> Bool {
        let start = cursor.index
        if skipElision() { return true }
        skipWord()
        noteScript(at: start)
        let word = ByteCursor(cursor.bytes, from: start, to: cursor.index)
        if expectsMonth, let number = DateWord.vietnameseNumber(word), month == nil || number <= 2 {
            // `mười` is ten, `mười một` eleven.
            month = (month ?? 0) + number
            expectsMonth = month == 10
            return true
        }
        switch DateWord.of(word) {
        case .month(let value):
            // A first month may be a day of the week: French `mar.` is Tuesday.
            guard month == nil || monthStandsFirst else { return false }
            monthStandsFirst = month == nil && !hasDate
            month = value
        case .weekday(let value): weekday = value
        case .meridiem(let value): place(value)
        case .zone(let offset): return zone(offset, named: word)
        case .era(let start, let year):
            era = start
            markedYear = year
        case .monthMark: expectsMonth = true
        case .filler: return true
        case .unknown: return unknown(word)
        }
        return true
    }

    /// Catalan `d'abril`.
    private mutating func skipElision() -> Bool {
        guard cursor.current | 0x20 == 0x64, month == nil else { return false }
        let length =
            cursor.peek(1) == 0x27
            ? 2 : cursor.peek(1) == 0xE2 && cursor.peek(2) == 0x80 && cursor.peek(3) == 0x99 ? 4 : 0
        cursor.index += length
        return length > 0
    }

    /// To the end of a word; Thai has points within (`พ.ย.`).
    private mutating func skipWord() {
        while true {
            let byte = cursor.current
            if byte.isASCIILetter {
                cursor.index += 1
            } else if byte >= 0x80 {
                if byte == 0xC2 || byte == 0xE2, punctuation != nil { return }
                cursor.index += 1
            } else if byte == 0x2E, Self.isThai(cursor.peek(1), cursor.peek(2)),
                Self.isThai(cursor.peek(-3), cursor.peek(-2))
            {
                cursor.index += 1
            } else {
                return
            }
        }
    }

    private mutating func unknown(_ word: ByteCursor) -> Bool {
        if clock != nil, let offset = zoneInWords(from: word.index) {
            if namedOffset == nil { namedOffset = offset }
            return true
        }
        if clock != nil, endsInTime, !cursor.bytes[cursor.index..<cursor.end].contains(where: \.isASCIIDigit) {
            // The rest of a zone that we do not know is none that we do: `Central Pacific Standard Time`.
            cursor.index = cursor.end
            return true
        }
        if month == nil, numericDate == nil, let value = MonthTypos.month(word) {
            month = value
            return true
        }
        hasUnknownWord = true
        // A day of the week in a language we do not know stands first; a zone we do not know stands after the time.
        // After the whole date it is a day of the week, or "at".
        return !hasDate || clock != nil || isDateComplete
    }

    // MARK: Zones

    private mutating func zone(_ offset: Int, named name: ByteCursor) -> Bool {
        let start = name.index
        let length = name.end - start
        let key = DateWord.asciiKey(name) ?? 0
        if length == 1, let half = dottedMeridiem(at: start) {
            place(half)
            return true
        }
        if clock == nil {
            // `T` parts date and time; the military letters and `at` are zones only after a time. Lithuanian has `m.` and
            // `d.` for year and day.
            if length == 1 {
                return isWordOfItsOwn || isDateTimeSeparator(at: start) || (hasDate && cursor.current == 0x2E)
            }
            // A Polish Friday is `pt.`
            if ZoneName.isWord(key) || (weekday == nil && ZoneName.isWeekday(key)) { return true }
        } else if endsInTime {
            // `GMT Standard Time`, and `W. Europe Standard Time`, whose first letter is no zone.
            if let inWords = zoneInWords(from: start) {
                if namedOffset == nil { namedOffset = inWords }
                return true
            }
            if length == 1 || cursor.end - cursor.index > 5 {
                cursor.index = cursor.end
                return true
            }
        }
        if namedOffset == nil { namedOffset = ZoneName.offset(ofKey: key, in: timeZone) ?? offset }
        skipSummerName()
        return true
    }

    /// `EST5EDT`: what follows the name says the same in another way (POSIX `TZ`).
    private mutating func skipSummerName() {
        let digits = cursor.digitCount
        guard clock != nil, digits == 1 || digits == 2, cursor.peek(digits).isASCIILetter else { return }
        cursor.index += digits
        while cursor.current.isASCIILetter { cursor.index += 1 }
    }

    /// Whether the text ends in `Time`, as zones in words do.
    private var endsInTime: Bool {
        let end = cursor.end
        return end - cursor.index >= 5 && cursor.bytes[end - 5] == 0x20
            && zip(cursor.bytes[end - 4..<end], "time".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// Moves over the words to the end of the text if they name a zone.
    private mutating func zoneInWords(from start: Int) -> Int? {
        let rest = cursor.bytes[start..<cursor.end]
        guard rest.allSatisfy({ $0.isASCIILetter || $0 == 0x20 || $0 == 0x2E || $0 == 0x2D }) else { return nil }
        let words = String(utf8: rest).lowercased().split { $0 == " " || $0 == "." }.map(String.init)
        guard let offset = ZoneName.offset(ofWords: words) else { return nil }
        cursor.index = cursor.end
        return offset
    }

    // MARK: Letters and signs

    /// Feeds that write Korean leave the zone out, which is Korea's.
    private mutating func noteScript(at start: Int) {
        if 0xEA...0xED ~= cursor.bytes[start] { scriptOffset = ZoneName.korea }
    }

    /// `a.m.`, `p.m.`, and Spanish `p. m.`
    private mutating func dottedMeridiem(at start: Int) -> DateWord.Meridiem? {
        let letter = cursor.bytes[start] | 0x20
        guard letter == 0x61 || letter == 0x70, cursor.current == 0x2E else { return nil }
        var rest = cursor
        rest.index += 1
        rest.skipSpaces()
        guard rest.current | 0x20 == 0x6D, !rest.peek(1).isASCIILetter else { return nil }
        cursor.index = rest.index + 1
        return letter == 0x61 ? .morning : .afternoon
    }

    /// Spanish `a las 12:00`.
    private var isWordOfItsOwn: Bool { isDateComplete && cursor.current == 0x20 }

    private func isDateTimeSeparator(at start: Int) -> Bool {
        cursor.bytes[start] | 0x20 == 0x74 && hasDate && cursor.current.isASCIIDigit
    }

    /// What a number is by the letters that follow it: `2nd`, `2º`, `2004년`, `5月`, `3pm`.
    mutating func unit() -> DateWord.Unit? {
        guard cursor.current.isASCIILetter || cursor.current >= 0x80 else { return nil }
        let start = cursor.index
        var end = start
        while end < cursor.end, cursor.bytes[end].isASCIILetter || cursor.bytes[end] >= 0x80 { end += 1 }
        guard let unit = DateWord.unit(ByteCursor(cursor.bytes, from: start, to: end)) else { return nil }
        cursor.index = end
        noteScript(at: start)
        return unit
    }

    /// The year that a number marked as one is; none where a word before it may name a calendar that nobody knows.
    private func year(_ value: Int, digits: Int) -> Int? {
        if let era { return era + value }
        if digits < 4, hasUnknownWord { return nil }
        return digits == 3 ? Eras.minguo + value : CivilTime.fullYear(value, digits: digits)
    }

    mutating func place(_ value: Int, as unit: DateWord.Unit, digits: Int) -> Bool {
        switch unit {
        case .year:
            guard let year = year(value, digits: digits) else { return false }
            markedYear = year
        case .month: month = value
        case .day: markedDay = value
        case .hour: place(CivilTime(hour: value))
        case .minute where !isTimeOver: clock?.minute = value
        case .second where !isTimeOver: clock?.second = value
        case .minute, .second: break
        case .meridiem(let half):
            place(CivilTime(hour: value))
            place(half)
        }
        return true
    }
}
