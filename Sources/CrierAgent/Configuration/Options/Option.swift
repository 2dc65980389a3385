import CrierFetch
import CrierProcess

import struct Foundation.TimeZone

/// One key of the configuration: what decoding, the JSON Schema, the reference and the example file are made from.
struct Option: Sendable, Hashable {
    /// Such as `sources.*.every`, where `*` is a name that the user chooses.
    let path: String
    /// The kind of sink that has the key; nil for all, and outside `sinks`.
    let sink: SinkKind?
    let type: OptionType
    let fallback: OptionDefault
    /// As YAML.
    let example: String
    /// One sentence.
    let summary: String
    /// The last part of the path.
    let key: String
    /// The path without its last part; empty at the top level.
    let section: String

    init(
        path: String, sink: SinkKind? = nil, type: OptionType, fallback: OptionDefault, example: String, summary: String
    ) {
        let dot = path.utf8.lastIndex(of: UInt8(ascii: "."))
        self.path = path
        self.sink = sink
        self.type = type
        self.fallback = fallback
        self.example = example
        self.summary = summary
        key = dot.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        section = dot.map { String(path[..<$0]) } ?? ""
    }
}

/// What holds where a key is absent.
enum OptionDefault: Sendable, Hashable {
    /// A value, as the file would give it.
    case value(String)
    /// In words.
    case words(String)
    /// Nothing.
    case none
    /// The key must be there.
    case required
}

/// What a key takes.
enum OptionType: Sendable, Hashable {
    case text
    /// Text that goes into a header field or a login.
    case line
    case choice([String])
    /// One of them or a list of several.
    case choices([String])
    case flag
    case duration(atLeast: Duration)
    case timeZone
    case url(schemes: [String])
    /// A program and its arguments.
    case command
    /// A program in jq, or in the language of the source's format.
    case expression(OptionExpression)
    /// From item fields to expressions.
    case fields
    /// One name or a list of names.
    case names
    /// One text or a list of texts.
    case texts
    /// One period of the day or a list of them.
    case periods
    /// A list of mappings with the keys of a section of the table.
    case rules(section: String)
    /// An address, which may itself be a secret.
    case secretURL(schemes: [String])
    /// HTTP fields whose values may be secrets; others are Crier's own in a web hook than in what is sent for a source.
    case headers(ofWebhook: Bool)
    case authorization
    case secret
    /// Secrets by their names.
    case secrets
    /// A file, by its absolute path or one that begins with `~/`.
    case path
    /// Mustache over the keys of a notification.
    case template
    case mailAddress
    /// One address or a list of them.
    case mailAddresses
    /// Of ntfy.
    case topic
    /// Of Matrix, by its identifier.
    case room
    /// When something happens again and again.
    case calendar
    /// A whole number.
    case count(atLeast: Int)
    /// Of TCP.
    case port
}

/// Which language an expression is in.
enum OptionExpression: Sendable, Hashable {
    case jq
    /// jq for JSON, XPath for HTML and XML.
    case ofFormat
}

extension OptionType {
    /// For people.
    var words: String {
        switch self {
        case .choice(let values): listed(values.map { "`\($0)`" }, "or")
        case .choices(let values): listed(values.map { "`\($0)`" }, "or") + ", or a list of them"
        case .flag: "`true` or `false`"
        case .duration(let least):
            "a duration\(least > .seconds(1) ? " of at least `\(DurationText.describe(least))`" : ""): "
                + "`90s`, `15m`, `1h30m`, `2d`, `1w`"
        case .timeZone: "a name with a slash such as `Asia/Shanghai`, or `UTC`"
        case .url(let schemes):
            "an address: \(listed(schemes.map { $0 == "file" ? "`file:///`" : "`\($0)://`" }, "or"))"
        case .command:
            "a list: a program, by its name or by a path that begins with `/` or `~/`, and its arguments"
        case .expression(.jq): "a jq program"
        case .expression(.ofFormat): "a jq program (JSON) or an XPath expression (HTML, XML)"
        case .fields: "a mapping from \(listed(SourceFields.names.map { "`\($0)`" }, "and")) to expressions"
        case .periods: "a period such as `22:30-07:30`, or a list of them"
        case .rules: "a list of mappings"
        case .secretURL(let schemes): OptionType.url(schemes: schemes).words + ", or where a secret one is found"
        case .authorization: "`{bearer: SECRET}` or `{user: NAME, password: SECRET}`"
        case .secret: "one of `{env: NAME}`, `{file: PATH}`, `{credential: NAME}` and `{command: [PROGRAM, …]}`"
        case .secrets: "a mapping from names to where secrets are found"
        case .path: "a path that begins with `/` or `~/`"
        case .template: "a [template](#templates)"
        case .mailAddress: "a mail address"
        case .topic: "1 to 64 letters A to Z, digits, `-` and `_`"
        case .room: "an identifier that begins with `!`, not an alias"
        case .calendar: "a calendar expression: `08:30`, `mon..fri 08:30`, `Sat *-*-1..7 18:00`, `weekly`"
        default: expectation
        }
    }
}

/// A value of the configuration, checked.
enum OptionValue: Sendable {
    case text(String)
    case flag(Bool)
    case duration(Duration)
    case count(Int)
    case timeZone(TimeZone)
    case calendar(CalendarExpression)
    case list([Located<String>])
    case mapping([(key: String, value: Located<String>)])
    case httpFields([SourceRequest.Field])
    case textOrSecret(TextOrSecret)
    case authorization(SourceRequest.Authorization)
    case secret(SecretReference)
    case secrets([String: SecretReference])
    case rules([SectionValues])
}

/// A value and where it stands.
struct Located<Value: Sendable>: Sendable {
    var value: Value
    var position: FilePosition
}
