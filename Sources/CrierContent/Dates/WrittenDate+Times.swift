extension WrittenDate {
    // MARK: Times

    /// The first time holds, but for the midnight that some write before the time; any other second one ends a range.
    mutating func place(_ time: CivilTime, hasSeconds: Bool = false) {
        if let clock, isTimeOver || !isMidnight(clock) {
            isTimeOver = true
            endHour = endHour ?? time.hour
            return
        }
        if clock != nil { meridiem = nil }
        clock = time
        clockHasSeconds = hasSeconds
    }

    private func isMidnight(_ time: CivilTime) -> Bool {
        let hour = meridiem == .morning && time.hour == 12 ? 0 : time.hour
        return hour + time.minute + time.second + time.nanosecond == 0
    }

    /// In `10 am to 2 pm` the first half of the day holds, in `6:00–8:00 pm` the only one; `11:30–1:00 pm` begins in the
    /// other.
    mutating func place(_ half: DateWord.Meridiem) {
        guard isTimeOver else {
            meridiem = half
            return
        }
        guard meridiem == nil else { return }
        let isOther = if let endHour, let clock { clock.hour % 12 > endHour % 12 } else { false }
        meridiem = isOther == (half == .morning) ? .afternoon : .morning
    }

    /// Moves over `am`, `PM` or `p.m`, and blanks before it.
    static func meridiem(_ cursor: inout ByteCursor) -> DateWord.Meridiem? {
        var rest = cursor
        rest.skipSpaces()
        let letter = rest.current | 0x20
        guard letter == 0x61 || letter == 0x70 else { return nil }
        let length = rest.peek(1) | 0x20 == 0x6D ? 2 : rest.peek(1) == 0x2E && rest.peek(2) | 0x20 == 0x6D ? 3 : 0
        let after = rest.peek(length)
        guard length > 0, !after.isASCIILetter, after < 0x80 else { return nil }
        cursor.index = rest.index + length
        return letter == 0x61 ? .morning : .afternoon
    }

    /// French `18 h 30` and `18 h`, also with the blanks of typographers (U+00A0, U+202F).
    mutating func spacedTime(hourDigits: Int) -> Bool {
        var rest = self
        guard let hour = rest.cursor.digits(hourDigits), rest.skipBlank(), rest.cursor.current | 0x20 == 0x68,
            !rest.cursor.peek(1).isASCIILetter
        else { return false }
        rest.cursor.index += 1
        var time = CivilTime(hour: hour)
        var behind = rest
        if behind.skipBlank(), behind.cursor.digitCount == 2, let minute = behind.cursor.digits(2) {
            time.minute = minute
            rest = behind
        }
        cursor = rest.cursor
        place(time)
        return true
    }

    private mutating func skipBlank() -> Bool {
        if cursor.skip(0x20) { return true }
        guard let (mark, length) = punctuation, mark == .other else { return false }
        cursor.index += length
        return true
    }

    // MARK: Offsets and ranges

    /// An offset after a time, or the dash of a range; a separator anywhere else.
    mutating func sign(_ sign: Punctuation) -> Bool {
        guard clock != nil else { return true }
        if let (hour, rest) = rangeEnd(behind: sign) {
            cursor = rest
            isTimeOver = true
            endHour = hour
            return true
        }
        guard numericOffset == nil, cursor.current.isASCIIDigit else {
            // The dash of `18:00 – 20:00`.
            if sign != .plus { isTimeOver = true }
            return true
        }
        return offset(isNegative: sign != .plus)
    }

    /// `0530`, `05:30`, `5`, `00:00:00`; one that no zone has is passed over.
    private mutating func offset(isNegative: Bool) -> Bool {
        let count = cursor.digitCount
        // `+00000` is no longer than it should be, but says what is meant.
        guard count <= 6, let value = cursor.digits(count), count <= 4 || value == 0 else { return false }
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
        let offset = (hours * 3600 + minutes * 60 + seconds) * (isNegative ? -1 : 1)
        if CivilTime.offsets.contains(offset) { numericOffset = offset }
        return true
    }

    /// The time that ends a range (`20:00` in `18:00–20:00`), and what is behind it; nil where none stands here, or where it
    /// may as well be an offset.
    private func rangeEnd(behind sign: Punctuation) -> (hour: Int, rest: ByteCursor)? {
        let digits = cursor.digitCount
        guard sign != .plus, digits == 1 || digits == 2 else { return nil }
        let mark = cursor.peek(digits)
        var end = self
        end.clock = nil
        var hour = 0
        if mark == 0x3A || mark == 0x2E || mark | 0x20 == 0x68, cursor.peek(digits + 1).isASCIIDigit {
            guard end.time(hourDigits: digits), let time = end.clock, time.hour <= 24, time.minute < 60 else {
                return nil
            }
            hour = time.hour
            if mark != 0x3A || -time.secondsOfDay < CivilTime.offsets.lowerBound { return (hour, end.cursor) }
        } else {
            hour = end.cursor.digits(digits) ?? 0
            // What has a blank before it alone is a minus sign, where a zone may be so far from UTC.
            let isApart = cursor.peek(cursor.peek(-1) == 0x2D ? -2 : -4) == 0x20
            let isOffset = sign == .minus && isApart && CivilTime.offsets.contains(-3600 * hour)
            if isFullHour(digits: digits), namedOffset == nil, !clockHasSeconds, !isOffset {
                end.cursor.index += 1
                return (hour, end.cursor)
            }
        }
        var rest = end.cursor
        // Typographers put a dash between two times, an offset has a hyphen or a minus sign; and no offset is in the
        // afternoon.
        let isRange = (sign == .dash && namedOffset == nil) || Self.meridiem(&rest) != nil
        return isRange && !clockHasSeconds ? (hour, end.cursor) : nil
    }
}
