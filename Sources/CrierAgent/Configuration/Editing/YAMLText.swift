/// Text as a YAML scalar that every reader, of YAML 1.1 or 1.2, takes for the same text; quoted only where needed.
enum YAMLText {
    /// A scalar on one line. `inFlow`: inside `[ ]` or `{ }`.
    static func scalar(_ text: String, inFlow: Bool = false) -> String {
        if text.unicodeScalars.contains(where: needsEscape) { return doubleQuoted(text) }
        if isPlain(text, inFlow: inFlow) { return text }
        return "'" + text.replacing("'", with: "''") + "'"
    }

    /// `[a, b]`.
    static func list(_ texts: [String]) -> String {
        "[" + texts.map { scalar($0, inFlow: true) }.joined(separator: ", ") + "]"
    }

    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.first, text.last != " ", text.last != ":" else { return false }
        if " -?:,[]{}#&*!|>'\"%@`".contains(first) || text.hasPrefix("...") { return false }
        if text.contains(": ") || text.contains(" #") { return false }
        if inFlow, text.contains(where: { ",[]{}?".contains($0) }) { return false }
        return !words.contains(text.lowercased()) && !looksLikeNumber(text)
    }

    /// What YAML 1.1 takes for booleans and nothing, and the two special keys.
    private static let words: Set = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "<<", "=", ".inf", ".nan",
    ]

    /// Numbers in all bases, sexagesimal ones (`12:30`), and dates.
    private static func looksLikeNumber(_ text: String) -> Bool {
        let digits = text.drop { "+-.".contains($0) }
        guard let first = digits.first, first.isASCII, first.isNumber else { return text.lowercased() == "+.inf" }
        if first == "0", let base = digits.dropFirst().first, "xobXOB".contains(base) { return true }
        return digits.allSatisfy { ($0.isASCII && $0.isNumber) || "+-.:_ eETtZz".contains($0) }
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFFFE, 0xFFFF: true
        case 0x20..<0x7F: false
        // What nobody sees, or what turns the line around it, such as U+202E.
        default: scalar.properties.generalCategory == .format
        }
    }

    private static func doubleQuoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where needsEscape(scalar):
                let digits = String(scalar.value, radix: 16)
                let (mark, length) = scalar.value > 0xFFFF ? ("\\U", 8) : ("\\u", 4)
                result += mark + String(repeating: "0", count: length - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
