import Foundation

/// What a word in a date means.
enum DateWord {
    enum Meridiem {
        case morning, afternoon
    }

    /// What a number counts by the letters that stand right after it.
    enum Unit: Equatable {
        case year, month, day, hour, minute, second
        case meridiem(Meridiem)
    }

    case month(Int)
    /// 0 is Sunday.
    case weekday(Int)
    case meridiem(Meridiem)
    /// Seconds east of UTC.
    case zone(Int)
    /// The year before the first of another calendar, and the year itself where the word has it.
    case era(start: Int, year: Int?)
    /// Vietnamese `tháng`: a number that follows is the month.
    case monthMark
    case filler
    case unknown

    static func of(_ word: ByteCursor) -> DateWord {
        guard let key = asciiKey(word) else { return localized(word) }
        if let word = english(key, length: word.end - word.index) { return word }
        if let offset = ZoneName.offset(ofKey: key) { return .zone(offset) }
        return localized(word)
    }

    static func unit(_ word: ByteCursor) -> Unit? {
        if let key = asciiKey(word) {
            switch key {
            case Self.am: return .meridiem(.morning)
            case Self.pm: return .meridiem(.afternoon)
            default: return Self.ordinalEndings.contains(key) ? .day : nil
            }
        }
        switch text(of: word) {
        case "년", "年": return .year
        case "월", "月": return .month
        case "일", "日", "º", "号": return .day
        case "시", "時", "时", "点": return .hour
        case "분", "分": return .minute
        case "초", "秒": return .second
        default: return nil
        }
    }

    /// Up to eight ASCII letters in lower case as one number, the first letter highest; nil for other words.
    static func asciiKey(_ word: ByteCursor) -> UInt64? {
        guard word.end - word.index <= 8 else { return nil }
        var key: UInt64 = 0
        for position in word.index..<word.end {
            guard word.bytes[position] < 0x80 else { return nil }
            key = key << 8 | UInt64(word.bytes[position].asciiLowercased)
        }
        return key
    }

    static func key(_ letters: String) -> UInt64 { letters.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    private static let am = key("am")
    private static let pm = key("pm")
    private static let ordinalEndings = Set(["st", "nd", "rd", "th", "er"].map(key))

    /// English months and days of the week by three letters or more of their names.
    private static func english(_ key: UInt64, length: Int) -> DateWord? {
        if length < 3 {
            switch key {
            case Self.am: return .meridiem(.morning)
            case Self.pm: return .meridiem(.afternoon)
            default: return nil
            }
        }
        let head = key >> UInt64((length - 3) * 8)
        if let number = Self.months.firstIndex(of: head), isHead(key, length, of: Self.monthNames[number]) {
            return .month(number + 1)
        }
        if let number = Self.weekdays.firstIndex(of: head), isHead(key, length, of: Self.weekdayNames[number]) {
            return .weekday(number)
        }
        return nil
    }

    private static func isHead(_ key: UInt64, _ length: Int, of name: String) -> Bool {
        if length == 3 { return true }
        let bytes = name.utf8
        guard length <= bytes.count else { return false }
        var head: UInt64 = 0
        for byte in bytes.prefix(length) { head = head << 8 | UInt64(byte) }
        return head == key
    }

    private static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    /// The keys of the first three letters.
    static let months = monthNames.map { key(String($0.prefix(3))) }
    static let weekdays = weekdayNames.map { key(String($0.prefix(3))) }

    private static func text(of word: ByteCursor) -> String {
        String(utf8: word.bytes[word.index..<word.end])
    }

    private static func localized(_ word: ByteCursor) -> DateWord {
        let text = text(of: word).lowercased().replacing(".", with: "")
        if let month = MonthNames.month(text) { return .month(month) }
        if let (start, year) = Eras.named(text) { return .era(start: start, year: year) }
        switch text {
        case "오전", "上午", "午前", "ص", "صباحا", "صباحًا": return .meridiem(.morning)
        case "오후", "下午", "午後", "م", "مساء", "مساءً": return .meridiem(.afternoon)
        case "tháng", "thg": return .monthMark
        case "wednesday": return .weekday(3)
        case "at", "à", "às", "um", "uhr", "de", "del", "of", "the", "г", "в", "gada", "năm", "ngày", "พศ", "คศ":
            return .filler
        default: return .unknown
        }
    }

    /// The number that a Vietnamese word is in the name of a month: `tháng mười một` is the eleventh.
    static func vietnameseNumber(_ word: ByteCursor) -> Int? {
        vietnameseNumbers.firstIndex(of: text(of: word).lowercased().precomposedStringWithCanonicalMapping).map {
            $0 + 1
        }
    }

    private static let vietnameseNumbers = ["một", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười"]
}
