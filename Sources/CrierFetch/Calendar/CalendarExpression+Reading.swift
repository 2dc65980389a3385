import Foundation

/// Why a text is no calendar expression.
public struct CalendarExpressionError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}

extension CalendarExpression {
    /// Reads an expression such as `mon..fri 08:30`, `Sat *-*-1..7 18:00 Europe/Berlin` or `weekly`.
    ///
    /// - Throws: ``CalendarExpressionError`` with a sentence that names the part at fault.
    public init(_ text: String) throws(CalendarExpressionError) {
        self.text = text
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { throw CalendarExpressionError("a calendar expression is empty") }
        timeZone = Self.takeZone(&words)
        guard !words.isEmpty else { throw CalendarExpressionError("`\(text)` says no time") }
        if words.count == 1, let meaning = Self.shorthands[words[0].lowercased()] {
            words = meaning.split(separator: " ").map(String.init)
        }
        var weekdays: Set<Int> = []
        if let first = words.first, first.first?.isLetter == true {
            weekdays = try Self.weekdays(words.removeFirst())
        }
        var date = "*-*-*"
        if let first = words.first, !first.contains(":") { date = words.removeFirst() }
        let time = words.isEmpty ? "00:00:00" : words.removeFirst()
        if let word = words.first {
            throw CalendarExpressionError("`\(word)` is too much in `\(text)`\(Self.hint(ofLate: word))")
        }
        self.weekdays = weekdays
        (years, months, days, countsFromMonthEnd) = try Self.date(date)
        (hours, minutes, seconds) = try Self.time(time)
    }

    /// What systemd takes for them.
    private static let shorthands = [
        "minutely": "*-*-* *:*:00", "hourly": "*-*-* *:00:00", "daily": "*-*-* 00:00:00",
        "monthly": "*-*-01 00:00:00", "weekly": "Mon *-*-* 00:00:00", "yearly": "*-01-01 00:00:00",
        "annually": "*-01-01 00:00:00", "quarterly": "*-01,04,07,10-01 00:00:00",
        "semiannually": "*-01,07-01 00:00:00",
    ]

    private static func takeZone(_ words: inout [String]) -> TimeZone? {
        guard let last = words.last, last == "UTC" || last.contains("/"), last.first?.isLetter == true,
            let zone = TimeZone(identifier: last)
        else { return nil }
        words.removeLast()
        return zone
    }

    /// Where a word belongs that stands behind the time.
    private static func hint(ofLate word: String) -> String {
        if (try? weekdays(word)) != nil { return ": days stand before the time, as in `\(word) 08:30`" }
        return word.first?.isLetter == true ? ": a time zone is written as Europe/Berlin or UTC" : ""
    }

    static let weekdayNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Monday is 0: `mon`, `Monday`; nil where it is none.
    package static func weekday(named name: String) -> Int? {
        let name = name.lowercased()
        return weekdayNames.firstIndex { $0 == name || $0.prefix(3) == name }
    }

    private static func weekdays(_ text: String) throws(CalendarExpressionError) -> Set<Int> {
        var days: Set<Int> = []
        for part in text.split(separator: ",") {
            let ends = part.replacing("..", with: "-").split(separator: "-", omittingEmptySubsequences: false)
            let numbers = ends.compactMap { weekday(named: String($0)) }
            guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last, ends.count <= 2
            else {
                throw CalendarExpressionError("`\(part)` is no day of the week, such as `mon`, or `mon..fri`")
            }
            // Over the end of a week, too, as quiet hours have it.
            for step in 0...((last - first + 7) % 7) { days.insert((first + step) % 7) }
        }
        return days
    }

    private typealias DateFields = (years: Field, months: Field, days: Field, countsFromMonthEnd: Bool)

    private static func date(_ text: String) throws(CalendarExpressionError) -> DateFields {
        let countsFromEnd = text.contains("~")
        var parts = text.replacing("~", with: "-").split(separator: "-", omittingEmptySubsequences: false).map(
            String.init)
        if parts.count == 2 { parts.insert("*", at: 0) }
        guard parts.count == 3 else {
            throw CalendarExpressionError("`\(text)` is neither a date, such as `*-*-1`, nor a time, such as `08:30`")
        }
        return (
            try field(parts[0], "year", 1970...lastYear), try field(parts[1], "month", 1...12),
            try field(parts[2], "day", 1...31, countsDown: countsFromEnd), countsFromEnd
        )
    }

    private typealias TimeFields = (hours: Field, minutes: Field, seconds: Field)

    private static func time(_ text: String) throws(CalendarExpressionError) -> TimeFields {
        guard !isSeveralTimes(text) else {
            throw CalendarExpressionError(
                "`\(text)` is more than one time: hours with the same minutes go together as `08,18:30`, others take a "
                    + "digest each")
        }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 { parts.append("00") }
        guard parts.count == 3 else { throw CalendarExpressionError("`\(text)` is no time, such as `08:30`") }
        return (
            try field(parts[0], "hour", 0...23), try field(parts[1], "minute", 0...59),
            try field(parts[2], "second", 0...59)
        )
    }

    /// `08:30,18:00`, which systemd takes for 08:18:00 and 08:30:00. Where a part is no time of day, as in `*:00,30:00`, that
    /// is meant.
    private static func isSeveralTimes(_ text: String) -> Bool {
        let times = text.split(separator: ",", omittingEmptySubsequences: false)
        return times.count > 1
            && times.allSatisfy { time in
                let numbers = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? .max }
                return (2...3).contains(numbers.count) && numbers[0] < 24 && numbers.dropFirst().allSatisfy { $0 < 60 }
            }
    }

    /// `*`, or `5`, `1..5`, `0/15`, `1..20/5` or several of them with commas between.
    ///
    /// - Parameter countsDown: Whether steps without an end lead to the least value.
    private static func field(
        _ text: String, _ name: String, _ range: ClosedRange<Int>, countsDown: Bool = false
    ) throws(CalendarExpressionError) -> Field {
        var field = Field()
        if text == "*" { return field }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let wrong = CalendarExpressionError(
                "`\(part)` is no \(name): a number from \(range.lowerBound) to \(range.upperBound), a range such as "
                    + "`\(range.lowerBound)..\(range.lowerBound + 1)`, a step such as `\(range.lowerBound)/2`, or `*`")
            let halves = part.split(separator: "/", omittingEmptySubsequences: false)
            guard halves.count <= 2, let values = halves.first else { throw wrong }
            var step: Int?
            if halves.count == 2 {
                guard let number = Int(halves[1]), number > 0 else { throw wrong }
                step = number
            }
            let ends = values.replacing("..", with: "~").split(separator: "~", omittingEmptySubsequences: false)
            let numbers = ends.compactMap { end in
                end.allSatisfy(\.isNumber) ? Int(end).map { completed($0, name) } : nil
            }
            guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last, ends.count <= 2,
                range.contains(first), range.contains(last), first <= last
            else { throw wrong }
            guard let step, ends.count == 1 else {
                field.parts.append(Part(first: first, last: last, step: step ?? 1))
                continue
            }
            field.parts.append(
                countsDown
                    ? Part(first: (first - range.lowerBound) % step + range.lowerBound, last: first, step: step)
                    : Part(first: first, last: nil, step: step))
        }
        return field
    }

    /// Years of two digits are 1970 to 2069.
    private static func completed(_ number: Int, _ name: String) -> Int {
        guard name == "year", number < 100 else { return number }
        return number + (number < 70 ? 2000 : 1900)
    }
}
