/// Durations as the configuration writes them: `90s`, `15m`, `1h30m`, `2d`, `1w`.
enum DurationText {
    private static let units: [(name: String, seconds: Int)] = [
        ("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]
    /// Ten years: beyond it a duration is a mistake.
    private static let longest = 520 * 604_800
    private static let examples = ["90s", "15m", "1h30m", "2d", "1w"]

    /// - Parameter least: What is less is not taken.
    static func expectation(atLeast least: Duration) -> String {
        let taken = examples.filter { seconds(of: $0).map { .seconds($0) >= least } ?? false }
        let limit = least > .seconds(1) ? " of at least \(describe(least))" : ""
        return "a duration\(limit) such as \(listed(taken, "or"))"
    }

    /// The pattern for the JSON Schema; whole text.
    static let pattern = "^(?=[0-9])([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$"

    /// Units descend, each at most once.
    ///
    /// - Parameter least: What is less is not suggested.
    static func parse(_ text: String, atLeast least: Duration = .zero) throws(ValueComplaint) -> Duration {
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            throw ValueComplaint("\(quoted(text)) has no unit", expected: choices(of: text, atLeast: least))
        }
        guard let seconds = seconds(of: text) else {
            let meant = normalised(text).flatMap(seconds(of:)).map { Duration.seconds($0) }
            throw ValueComplaint(
                "\(quoted(text)) is not a duration", expected: expectation(atLeast: least),
                suggestion: meant.flatMap { isTaken($0, atLeast: least) ? describe($0) : nil })
        }
        guard seconds <= longest else {
            throw ValueComplaint("\(quoted(text)) is longer than ten years", expected: expectation(atLeast: least))
        }
        return .seconds(seconds)
    }

    private static func isTaken(_ duration: Duration, atLeast least: Duration) -> Bool {
        least <= duration && duration <= .seconds(longest)
    }

    /// Of digits without a unit, with those units with which they are taken.
    private static func choices(of digits: String, atLeast least: Duration) -> String {
        guard digits.count <= 6 else { return listed(units.reversed().map { "N\($0.name)" }, "or") }
        let choices = units.reversed().map { digits + $0.name }.filter { choice in
            seconds(of: choice).map { isTaken(.seconds($0), atLeast: least) } ?? false
        }
        return choices.isEmpty ? expectation(atLeast: least) : listed(choices, "or")
    }

    /// Whether it is a duration, but for its length.
    static func isTooLong(_ text: String) -> Bool { seconds(of: text).map { $0 > longest } ?? false }

    /// Whole seconds as ``parse(_:)`` reads them, in the largest units.
    static func describe(_ duration: Duration) -> String {
        var rest = Int(duration.components.seconds)
        var text = ""
        for unit in units where rest >= unit.seconds {
            text += "\(rest / unit.seconds)\(unit.name)"
            rest %= unit.seconds
        }
        return text.isEmpty ? "0s" : text
    }

    private static func seconds(of text: String) -> Int? {
        var rest = text.utf8[...]
        var total = 0
        for unit in units {
            let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            guard !digits.isEmpty, rest.dropFirst(digits.count).starts(with: unit.name.utf8) else { continue }
            guard digits.count <= 12, let count = Int(Substring(digits)) else { return nil }
            total += count * unit.seconds
            rest = rest.dropFirst(digits.count + 1)
        }
        return rest.isEmpty && !text.isEmpty ? total : nil
    }

    /// `1 hour 30 min` as `1h30m`; nil if it holds other words.
    private static func normalised(_ text: String) -> String? {
        let words = ["weeks", "days", "hours", "hrs", "minutes", "mins", "seconds", "secs"]
        var result = ""
        var rest = Substring(text.lowercased().filter { !$0.isWhitespace })
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let word = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard !digits.isEmpty, let unit = word.first, words.contains(where: { $0.hasPrefix(word) }) else {
                return nil
            }
            result += "\(digits)\(unit)"
            rest = rest.dropFirst(digits.count + word.count)
        }
        return result
    }
}
