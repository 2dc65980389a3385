import struct Foundation.TimeZone

extension OptionType {
    /// The value that a scalar's text means. Lists and mappings are read by ``SectionReader``.
    func value(of text: String) throws(ValueComplaint) -> OptionValue {
        switch self {
        case .text, .expression:
            guard !text.isEmpty else { throw ValueComplaint("an empty text", expected: expectation) }
            return .text(text)
        case .choice(let choices):
            guard choices.contains(text) else {
                throw ValueComplaint(
                    "\(quoted(text)) is not known here", expected: listed(choices, "or"),
                    suggestion: nearest(to: text, among: choices))
            }
            return .text(text)
        case .flag:
            return .flag(try Self.flag(text))
        case .duration(let least):
            let duration = try DurationText.parse(text)
            guard duration >= least else {
                throw ValueComplaint(
                    "\(quoted(text)) is too short", expected: "at least \(DurationText.describe(least))")
            }
            return .duration(duration)
        case .number(let range):
            guard let number = Int(text), range.contains(number) else {
                throw ValueComplaint("\(quoted(text)) is not such a number", expected: expectation)
            }
            return .number(number)
        case .timeZone:
            return .timeZone(try Self.timeZone(text))
        case .url(let schemes):
            _ = try WebAddress(text, schemes: schemes)
            return .text(text)
        case .names:
            return .list([Located(text, FilePosition(line: 1, column: 1))])
        case .command, .fields, .headers, .secret:
            throw ValueComplaint("a single value", expected: expectation)
        }
    }

    /// What a value of another kind should have been.
    var expectation: String {
        switch self {
        case .text: "text"
        case .choice(let values): listed(values, "or")
        case .flag: "true or false"
        case .duration: "a duration such as 90s, 15m, 1h30m, 2d or 1w"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .timeZone: "a time zone such as Asia/Shanghai"
        case .url: "an address"
        case .command: "a list: the program and its arguments, such as [git, log]"
        case .expression(.jq): "a jq program as text"
        case .expression(.ofFormat): "an expression as text"
        case .fields: "a mapping from item fields to expressions, such as {title: .name}"
        case .names: "a name of a sink or a list of them"
        case .headers: "a mapping from field names to text"
        case .secret: "where the secret is found: {env: NAME}, {file: PATH} or {command: [PROGRAM, …]}"
        }
    }

    /// YAML 1.1 also reads `yes` and `on` so, YAML 1.2 (and every editor that checks against the schema) does not.
    private static func flag(_ text: String) throws(ValueComplaint) -> Bool {
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default:
            let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
            throw ValueComplaint(
                "\(quoted(text)) is neither true nor false", expected: "true or false",
                suggestion: meant ?? nearest(to: text, among: ["true", "false"]))
        }
    }

    /// Only names of the database: `TimeZone` alone would also take abbreviations, which mean different zones to
    /// different people.
    private static func timeZone(_ text: String) throws(ValueComplaint) -> TimeZone {
        let isName = text.contains("/") || text == "UTC" || text == "GMT"
        if isName, let zone = TimeZone(identifier: text) { return zone }
        let known = ["UTC", "GMT"] + TimeZone.knownTimeZoneIdentifiers
        let meant = known.first { $0.lowercased().hasSuffix("/" + text.lowercased()) }
        throw ValueComplaint(
            "\(quoted(text)) is not a time zone", expected: "a name such as Asia/Shanghai, Europe/Berlin or UTC",
            suggestion: meant ?? nearest(to: text, among: known))
    }
}
