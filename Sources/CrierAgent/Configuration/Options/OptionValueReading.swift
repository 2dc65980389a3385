import CrierDelivery
import CrierFetch

import struct Foundation.TimeZone

extension OptionType {
    /// The value that a scalar's text means. Lists and mappings are read by ``ConfigurationReader``.
    func value(of text: String) throws(ValueComplaint) -> OptionValue {
        switch self {
        case .text, .line, .expression:
            return .text(try checked(text))
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
            let duration = try DurationText.parse(text, atLeast: least)
            guard duration >= least else {
                throw ValueComplaint(
                    "\(quoted(text)) is too short", expected: "at least \(DurationText.describe(least))")
            }
            return .duration(duration)
        case .timeZone:
            return .timeZone(try Self.timeZone(text))
        case .url(let schemes), .secretURL(let schemes):
            _ = try WebAddress(text, schemes: schemes)
            if case .secretURL = self { return .textOrSecret(.plain(text)) }
            return .text(text)
        case .path:
            if let complaint = Self.complaint(ofPath: text) { throw complaint }
            return .text(text)
        case .template:
            guard !text.isEmpty else { throw ValueComplaint("an empty text", expected: expectation) }
            do throws(TemplateProblem) { _ = try NotificationTemplate(text, escaping: .plain) } catch {
                throw ValueComplaint(error.description, expected: expectation)
            }
            return .text(text)
        case .mailAddress:
            try Self.checkMailAddress(text)
            return .text(text)
        case .topic, .room:
            return .text(try name(text))
        case .count(let least):
            return .count(try Self.count(text, atLeast: least))
        case .port:
            return .count(try port(text))
        case .calendar:
            do throws(CalendarExpressionError) { return .calendar(try CalendarExpression(text)) } catch {
                throw ValueComplaint(printable(error.description), expected: expectation)
            }
        case .choices(let choices):
            _ = try OptionType.choice(choices).value(of: text)
            return .list([Located(text, FilePosition(line: 1, column: 1))])
        case .mailAddresses:
            try Self.checkMailAddress(text)
            return .list([Located(text, FilePosition(line: 1, column: 1))])
        case .names, .texts, .periods:
            return .list([Located(text, FilePosition(line: 1, column: 1))])
        case .command, .fields, .headers, .authorization, .secret, .secrets, .rules:
            throw ValueComplaint("a single value", expected: expectation)
        }
    }

    /// What a service calls where it takes notifications.
    private func name(_ text: String) throws(ValueComplaint) -> String {
        if self == .topic, text.wholeMatch(of: /[-_A-Za-z0-9]{1,64}/) == nil {
            throw ValueComplaint("\(quoted(text)) is not a topic of ntfy", expected: expectation)
        }
        if self == .room, !text.hasPrefix("!") || text == "!" {
            throw ValueComplaint("\(quoted(text)) is not the identifier of a room", expected: expectation)
        }
        return text
    }

    /// What a value of another kind should have been.
    var expectation: String {
        switch self {
        case .text, .line: "text"
        case .choice(let values), .choices(let values): listed(values, "or")
        case .flag: "true or false"
        case .duration(let least): DurationText.expectation(atLeast: least)
        case .timeZone: "a time zone such as Asia/Shanghai"
        case .url: "an address"
        case .secretURL: "an address, or \(OptionType.secret.expectation)"
        case .command: "a list: the program and its arguments, such as [git, log]"
        case .expression(.jq): "a jq program as text"
        case .expression(.ofFormat): "an expression as text"
        case .fields: "a mapping from item fields to expressions, such as {title: .name}"
        case .names: "a name of a sink or a list of them"
        case .texts: "a text or a list of them"
        case .periods: "a period such as 22:30-07:30 or mon..fri 22:30-07:30, or a list of them"
        case .rules: "a list of mappings, such as [{when: .title, level: critical}]"
        case .path: "a path that begins with / or ~/"
        case .template: "a template such as '{{title}} {{url}}'"
        case .mailAddress: "a mail address such as me@example.org"
        case .mailAddresses: "a mail address or a list of them"
        case .topic: "1 to 64 letters A to Z, digits, - and _"
        case .room: "an identifier such as '!abc:example.org', not an alias"
        case .count: "a whole number"
        case .port: "a number from 1 to 65535"
        case .calendar: "a calendar expression such as 08:30, mon..fri 08:30 or Sat *-*-1..7 18:00"
        case .headers: "a mapping from field names to text or to where a secret is found"
        case .secrets: "a mapping from names to where secrets are found, such as {key: {file: ~/.key}}"
        case .authorization: "{bearer: SECRET} or {user: NAME, password: SECRET}"
        case .secret:
            "where the secret is found: {env: NAME}, {file: PATH}, {credential: NAME} or {command: [PROGRAM, …]}"
        }
    }

    /// An address alone, without a name, that means nothing else in a mail's header or in an SMTP command.
    static func checkMailAddress(_ text: String) throws(ValueComplaint) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isUnfit = text.unicodeScalars.contains {
            $0.properties.isWhitespace || !$0.isASCII || $0.value < 0x20 || "<>,;:\"()[]\\".unicodeScalars.contains($0)
        }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !isUnfit else {
            throw ValueComplaint(
                "\(quoted(text)) is not a mail address", expected: "an address without a name, such as me@example.org")
        }
    }

    /// Why no program can be started so, wherever Crier is: a word ends at a NUL.
    static func complaint(ofCommand words: [String]) -> ValueComplaint? {
        let program = words.first ?? ""
        if program.isEmpty {
            return ValueComplaint("an empty text for the program", expected: OptionType.command.expectation)
        }
        if program.contains("/"), let complaint = complaint(ofPath: program) { return complaint }
        guard words.contains(where: { $0.utf8.contains(0) }) else { return nil }
        return ValueComplaint("a NUL in a command", expected: OptionType.command.expectation)
    }

    /// It may be a secret that stands in the wrong place, and is not repeated.
    static func complaint(ofPath path: String) -> ValueComplaint? {
        guard path.hasPrefix("/") || path.hasPrefix("~/") else {
            return ValueComplaint(
                "a path that depends on where Crier is started", expected: OptionType.path.expectation)
        }
        guard path.hasSuffix("/") else { return nil }
        return ValueComplaint("the path of a folder", expected: "that of a file, which does not end with /")
    }

    /// Why a text cannot stand in a header field. It may be a password, and is not repeated.
    static func complaint(ofLine text: String, called name: String = "the value") -> ValueComplaint? {
        let isOneLine = text.unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control }
        if isOneLine { return nil }
        return ValueComplaint("\(name) holds a line end or another control character", expected: "one line")
    }

    private func checked(_ text: String) throws(ValueComplaint) -> String {
        guard !text.isEmpty else { throw ValueComplaint("an empty text", expected: expectation) }
        if self == .line, let complaint = Self.complaint(ofLine: text) { throw complaint }
        return text
    }

    private func port(_ text: String) throws(ValueComplaint) -> Int {
        guard let number = Int(text), (1...65535).contains(number) else {
            throw ValueComplaint("\(quoted(text)) is not a port", expected: expectation)
        }
        return number
    }

    private static func count(_ text: String, atLeast least: Int) throws(ValueComplaint) -> Int {
        guard let number = Int(text) else {
            throw ValueComplaint("\(quoted(text)) is not a whole number", expected: "a number such as 20")
        }
        guard number >= least else { throw ValueComplaint("\(number) is too small", expected: "at least \(least)") }
        return number
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

    private static func timeZone(_ text: String) throws(ValueComplaint) -> TimeZone {
        if let zone = TimeZoneName.zone(text) { return zone }
        throw ValueComplaint(
            "\(quoted(text)) is not a time zone", expected: TimeZoneName.rule,
            suggestion: TimeZoneName.suggestion(for: text))
    }
}
