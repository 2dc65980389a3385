/// The JSON Schema that editors check a configuration against while it is written.
enum ConfigurationSchema {
    static var root: JSONText {
        var members = properties(OptionTable.rows(in: ""))
        members.append(("sinks", byName(OptionSections.sinks, properties: namedSinks, others: anySink)))
        members.append(("digests", byName(OptionSections.digests, properties: [], others: digest)))
        members.append(("sources", byName(OptionSections.sources, properties: [], others: ["$ref": "#/$defs/source"])))
        members.append(("hosts", hosts))
        var definitions: [(String, JSONText)] = SinkKind.allCases.map { ("\($0.rawValue)-sink", sink($0)) }
        definitions.append(("sink", otherSink))
        definitions.append(("source", source))
        definitions.append(("rule", rule(OptionTable.rulesSection)))
        definitions.append(("common-rule", rule(OptionTable.commonRulesSection)))
        definitions.append(("secret", secret))
        definitions.append(("auth", authorization))
        definitions.append(("name", ["type": "string", "pattern": .string(OptionSections.namePattern)]))
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Configuration of Crier",
            "type": ["object", "null"],
            "additionalProperties": .bool(false),
            "properties": .object(members),
            "patternProperties": .object([
                ("^\(OptionSections.ownPrefix)", ["description": .string(OptionSections.own)])
            ]),
            "$defs": .object(definitions),
        ]
    }

    private static func byName(
        _ description: String, properties: [(String, JSONText)], others: JSONText
    ) -> JSONText {
        var members: [(String, JSONText)] = [
            ("description", .string(description)), ("type", ["object", "null"]),
            ("propertyNames", ["$ref": "#/$defs/name"]),
        ]
        if !properties.isEmpty { members.append(("properties", .object(properties))) }
        members.append(("additionalProperties", others))
        return .object(members)
    }

    private static var hosts: JSONText {
        [
            "description": .string(OptionSections.hosts), "type": ["object", "null"],
            "propertyNames": ["type": "string", "pattern": .string(OptionSections.hostPattern)],
            "additionalProperties": [
                "type": ["object", "null"], "additionalProperties": .bool(false),
                "properties": .object(properties(OptionTable.rows(in: "hosts.*"))),
            ],
        ]
    }

    // MARK: Sinks

    /// A sink that has the name of a kind is of that kind unless it says otherwise.
    private static var namedSinks: [(String, JSONText)] {
        SinkKind.allCases.map { kind in
            (
                kind.rawValue,
                ["if": ["not": ["type": "object", "required": ["kind"]]], "then": reference(kind), "else": anySink]
            )
        }
    }

    private static let anySink: JSONText = ["$ref": "#/$defs/sink"]

    /// A sink of any other name says its kind.
    private static var otherSink: JSONText {
        let kinds = SinkKind.allCases.map(\.rawValue).map(JSONText.string)
        let choices: [JSONText] = SinkKind.allCases.map { kind in
            [
                "if": ["properties": ["kind": ["const": .string(kind.rawValue)]], "required": ["kind"]],
                "then": reference(kind),
            ]
        }
        return [
            "type": "object", "required": ["kind"], "properties": ["kind": ["enum": .array(kinds)]],
            "allOf": .array(choices),
        ]
    }

    private static func reference(_ kind: SinkKind) -> JSONText {
        ["$ref": "#/$defs/\(kind.rawValue)-sink"]
    }

    private static func sink(_ kind: SinkKind) -> JSONText {
        let rows = OptionTable.rows(in: "sinks.*", sink: kind)
        let required = rows.filter { $0.fallback == .required }.map { JSONText.string($0.key) }
        var members: [(String, JSONText)] = [
            ("type", required.isEmpty ? ["object", "null"] : "object"), ("additionalProperties", .bool(false)),
            ("properties", .object(properties(rows))),
        ]
        if !required.isEmpty { members.append(("required", .array(required))) }
        return .object(members)
    }

    private static var secret: JSONText {
        func one(_ key: String, _ value: JSONText) -> JSONText {
            [
                "type": "object", "additionalProperties": .bool(false), "required": [.string(key)],
                "properties": .object([(key, value)]),
            ]
        }
        return [
            "oneOf": [
                one("env", ["type": ["string", "boolean"], "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"]),
                one("file", ["type": "string", "pattern": "^(/|~/)"]),
                one(
                    "credential",
                    ["type": scalar, "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*$", "maxLength": .number(255)]),
                one("command", texts),
            ]
        ]
    }

    private static var authorization: JSONText {
        func one(_ members: [(String, JSONText)]) -> JSONText {
            [
                "type": "object", "additionalProperties": .bool(false),
                "required": .array(members.map { .string($0.0) }), "properties": .object(members),
            ]
        }
        let secret: JSONText = ["$ref": "#/$defs/secret"]
        return [
            "oneOf": [
                one([("bearer", secret)]),
                one([("user", ["type": scalar, "pattern": "^[^:]*$"]), ("password", secret)]),
            ]
        ]
    }

    private static var digest: JSONText {
        [
            "type": "object", "required": ["at"], "additionalProperties": .bool(false),
            "properties": .object(properties(OptionTable.rows(in: "digests.*"))),
        ]
    }

    // MARK: Sources

    private static var source: JSONText {
        func when(_ formats: [String], then requirement: JSONText) -> JSONText {
            let values = JSONText.array(formats.map(JSONText.string))
            return [
                "if": ["properties": ["format": ["enum": values]], "required": ["format"]], "then": requirement,
            ]
        }
        let feeds = SourceFields.formats.filter { !["json", "html", "xml"].contains($0) }
        let forbidExpressions: JSONText = [
            "not": ["anyOf": [["required": ["items"]], ["required": ["fields"]]]]
        ]
        return [
            "type": "object",
            "additionalProperties": .bool(false),
            "properties": .object(properties(OptionTable.rows(in: "sources.*"))),
            "oneOf": [["required": ["url"]], ["required": ["command"]]],
            "allOf": [
                when(
                    ["html", "xml"],
                    then: [
                        "required": ["items", "fields"],
                        "properties": ["fields": ["type": "object", "required": ["title"]]],
                    ]),
                when(
                    ["json"],
                    then: [
                        "required": ["fields"],
                        "properties": ["fields": ["type": "object", "minProperties": .number(1)]],
                    ]),
                when(feeds, then: forbidExpressions),
                when(SourceFields.formats.filter { !$0.hasPrefix("json") }, then: ["not": ["required": ["when"]]]),
                [
                    "if": ["not": ["required": ["format"]]],
                    "then": [
                        "not": ["anyOf": [["required": ["items"]], ["required": ["fields"]], ["required": ["when"]]]]
                    ],
                ],
            ],
        ]
    }

    // MARK: Options

    private static func properties(_ rows: [Option]) -> [(String, JSONText)] {
        rows.map { row in
            var members: [(String, JSONText)] = [("description", .string(row.summary))]
            members += type(row.type)
            if let value = defaultValue(row) { members.append(("default", value)) }
            return (row.key, .object(members))
        }
    }

    private static func defaultValue(_ row: Option) -> JSONText? {
        guard case .value(let text) = row.fallback else { return nil }
        switch row.type {
        case .flag: return .bool(text == "true")
        case .count: return Int(text).map(JSONText.number)
        case .fields, .headers, .secrets: return .object([])
        default: return .string(text)
        }
    }

    private static func rule(_ section: String) -> JSONText {
        [
            "type": ["object", "null"], "additionalProperties": .bool(false),
            "properties": .object(properties(OptionTable.rows(in: section))),
        ]
    }

    private static func type(_ type: OptionType) -> [(String, JSONText)] {
        switch type {
        case .text, .line, .expression, .template: return [("type", scalar), ("minLength", .number(1))]
        case .choice(let values): return [("enum", .array(values.map(JSONText.string)))]
        case .choices(let values):
            let choice: JSONText = ["enum": .array(values.map(JSONText.string))]
            return [("oneOf", [choice, ["type": "array", "minItems": .number(1), "items": choice]])]
        case .flag: return [("type", "boolean")]
        case .duration: return [("type", "string"), ("pattern", .string(DurationText.pattern))]
        case .timeZone: return [("type", "string"), ("pattern", "^(UTC|GMT|[A-Za-z_]+/.+)$")]
        case .url(let schemes):
            let starts = schemes.map { inAnyCase($0) + ($0 == "file" ? ":///" : "://") }
            return [("type", "string"), ("pattern", .string("^(\(starts.joined(separator: "|")))[^\\s]+$"))]
        case .secretURL(let schemes):
            return [("oneOf", [.object(Self.type(.url(schemes: schemes))), ["$ref": "#/$defs/secret"]])]
        case .command: return textList
        case .fields:
            let names = JSONText.array(SourceFields.names.map(JSONText.string))
            return [
                ("type", ["object", "null"]), ("propertyNames", ["enum": names]),
                ("additionalProperties", ["type": scalar]),
            ]
        case .calendar: return [("type", "string"), ("minLength", .number(1))]
        case .path: return [("type", "string"), ("pattern", "^(/|~/)")]
        case .topic: return [("type", scalar), ("pattern", "^[-_A-Za-z0-9]{1,64}$")]
        case .room: return [("type", "string"), ("pattern", "^!.")]
        case .mailAddress: return mailAddress
        case .mailAddresses:
            let address = JSONText.object(mailAddress)
            return [("oneOf", [address, ["type": "array", "minItems": .number(1), "items": address]])]
        case .count(let least): return number + [("minimum", .number(least))]
        case .port: return number + [("minimum", .number(1)), ("maximum", .number(65535))]
        case .names, .texts: return [("oneOf", [["type": scalar], texts])]
        case .periods:
            let period: JSONText = ["type": "string", "pattern": .string(QuietHoursText.pattern)]
            return [("oneOf", [period, ["type": "array", "minItems": .number(1), "items": period]])]
        case .rules(let section):
            let rule = section == OptionTable.rulesSection ? "rule" : "common-rule"
            return [("type", "array"), ("minItems", .number(1)), ("items", ["$ref": .string("#/$defs/\(rule)")])]
        case .headers:
            let value: JSONText = ["oneOf": [["type": scalar], ["$ref": "#/$defs/secret"]]]
            return [("type", ["object", "null"]), ("additionalProperties", value)]
        case .authorization: return [("$ref", "#/$defs/auth")]
        case .secret: return [("$ref", "#/$defs/secret")]
        case .secrets:
            return [
                ("type", ["object", "null"]), ("propertyNames", ["pattern": .string("^\(SecretNames.pattern)$")]),
                ("additionalProperties", ["$ref": "#/$defs/secret"]),
            ]
        }
    }

    /// What is read as text, however it looks.
    private static let scalar: JSONText = ["string", "number", "boolean"]

    private static let textList: [(String, JSONText)] = [
        ("type", "array"), ("minItems", .number(1)), ("items", ["type": scalar]),
    ]

    private static let texts = JSONText.object(textList)

    /// Also in quotes.
    private static let number: [(String, JSONText)] = [
        ("type", ["integer", "string"]), ("pattern", "^[+]?[0-9]+$"),
    ]

    /// A pattern for a word in capitals or small letters.
    private static func inAnyCase(_ word: String) -> String {
        word.map { $0.isLetter ? "[\($0.uppercased())\($0)]" : "\($0)" }.joined()
    }

    private static let mailAddress: [(String, JSONText)] = [
        ("type", "string"), ("pattern", "^[^\\s<>,;:\"()\\[\\]\\\\@]+@[^\\s<>,;:\"()\\[\\]\\\\@]+$"),
    ]
}
