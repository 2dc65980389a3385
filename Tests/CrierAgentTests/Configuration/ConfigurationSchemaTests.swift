import CrierTesting
import Testing

import struct Foundation.Data
import class Foundation.FileManager
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

@testable import CrierAgent

@Suite(
    "What the program accepts, the schema does",
    .enabled(if: PythonTools.has("jsonschema"), "\(PythonTools.needs)"))
struct ConfigurationSchemaTests {
    private let schemaPath = Checkout.file("config/crier.schema.json")

    @Test("the schema and the decoder say the same")
    func schemaAndDecoder() async throws {
        let good = try FileManager.default.contentsOfDirectory(atPath: Checkout.file("config"))
            .filter { $0.hasSuffix(".yaml") }.sorted().map { try Checkout.read("config/\($0)") }
        #expect(good.count >= 5)
        let bad = [
            "x: 1", "time-zone: CST", "metrics-port: 0", "metrics-port: 65536", "metrics-port: x",
            "sources: {a: {url: \"https://h/\", only-on: wifi}}", "sources: {a: {url: \"https://h/\", only-on: []}}",
            "sources: {a: {url: \"https://h/\", only-on: [unmetered, wifi]}}", "sinks: []", "sinks: {team: {}}",
            "sinks: {team: {kind: webhook}}",
            "sinks: {team: {kind: stdout, url: \"https://h/\"}}", "sinks: {desktop: {format: json}}",
            "sinks: {webhook: {url: \"file:///x\"}}", "sinks: {webhook: {url: \"https://h/\", secret: x}}",
            "sinks: {webhook: {url: \"https://h/\", secret: {env: A, file: /b}}}", "sources: {a: }", "sources: {a: {}}",
            "sources: {a: {url: \"https://h/\", command: [b]}}", "sources: {a: {url: ./x.xml}}",
            "sources: {a: {command: []}}", "sources: {a: {command: [b], every: 60}}",
            "sources: {a: {command: [b], every: 1m1h}}", "sources: {a: {command: [b], notify: weekly}}",
            "sources: {a: {command: [b], items: .a}}", "sources: {a: {command: [b], format: rss, fields: {title: a}}}",
            "sources: {a: {command: [b], format: html}}", "sources: {a: {command: [b], format: json}}",
            "sources: {a: {command: [b], format: json, items: .a, fields: {}}}",
            "sources: {a: {command: [b], when: .a}}",
            "sources: {a: {command: [b], format: xml, items: a, fields: {url: b}}}",
            "sources: {a: {command: [b], format: json, fields: {titel: a}}}", "sources: {a: {command: [b], to: []}}",
            "sources: {a: {command: [b], enabled: 'true'}}", "sources: {a: {command: [b], titel: c}}",
            "sources: {a: {command: [b], rules: {when: .a}}}", "sources: {a: {command: [b], rules: [{skip: 'true'}]}}",
            "sources: {a: {command: [b], rules: [{wen: .a}]}}", "sources: {a: {command: [b], updates: yes}}",
            "rules: {when: .a}", "rules: [{tag: a}]", "rules: [{tags: []}]", "rules: [{skip: 'true'}]",
            "quiet-hours: 22-7", "quiet-hours: 25:00-07:00", "quiet-hours: mon-fri 22:00-07:00", "quiet-hours: []",
            "quiet-hours: [22:00-07:00, never]", "unique: title", "sources: {-a: {command: [b]}}",
            "sources: {\"a b\": {command: [b]}}", "sources: {\"a\\u202Eb\": {command: [b]}}",
            "sources: {\"a\\u200b\": {command: [b]}}",
            "sinks: {file: {path: news}}", "sinks: {exec: {command: []}}", "sinks: {feed: {path: /x, entries: 0}}",
            "sinks: {ntfy: {topic: a/b}}", "sinks: {ntfy: {topic: \"a b\"}}",
            "sinks: {matrix: {url: \"https://h/\", token: {env: A}, room: \"#a:h\"}}",
            "sinks: {slack: {url: \"https://h/\"}}", "sinks: {telegram: {chat: a}}",
            "sinks: {stdout: {template: \"\"}}",
            "sinks: {email: {server: \"http://h\", from: a@b, to: c@d}}",
            "sinks: {email: {server: \"smtp://h\", from: a, to: c@d}}",
            "sinks: {email: {server: \"smtp://h\", from: a@b, to: []}}",
            "sinks: {email: {server: \"smtp://h\", from: a@b, to: [\"C <c@d>\"]}}",
        ]
        let fine = [
            "", "x-often: &often {every: 2h}\nx-: 1\nsources: {a: {url: \"https://h/\", <<: *often}}",
            "sinks: {desktop: , webhook: {url: \"https://h/\"}, x: {kind: desktop, timeout: 5s}}",
            "sinks: {desktop: {kind: stdout, format: json}}",
            "sources: {a: {command: [b], format: json-feed, when: .a}}",
            "quiet-hours: 22:30-07:30", "quiet-hours: [mon..fri 22:30-7:30 Europe/Berlin, 'Sat,sunday 00:00-24:00']",
            "sources: {a: {command: [b], rules: [{when: .a, skip: true}, {level: critical, to: stdout}]}}",
            "rules: [{tags: a, when: .a, skip: true}, {tags: [b, c/d], level: critical, to: stdout}]",
            "sinks: {email: {server: \"smtps://h\", from: a@b, to: c@d}}", "sinks: {ntfy: {topic: x}}",
            "sinks: {email: {server: \"smtp://h:587\", from: a@b, to: [c@d, e@f], html: \"{{body}}\"}}",
            "sources: {a: {command: [b], format: json, fields: {title: .b}}}",
            "sources: {新: {command: [b], to: stdout, enabled: false}, b.c: {url: \"file:///x\", every: 5s}}",
        ]
        for text in good + fine { #expect(load(text).problems == []) }
        for text in bad { #expect(load(text).problems != [], "\(text)") }
        let verdicts = try await SchemaValidator.validate(good + fine + bad, schema: schemaPath)
        let expected = (good + fine).map { _ in true } + bad.map { _ in false }
        for (text, (verdict, expected)) in zip(good + fine + bad, zip(verdicts, expected)) {
            #expect(verdict == expected, "\(text)")
        }
    }

    /// Of every type, and in the ways in which people write them.
    private static let values = [
        "5", "'5'", "+5", "0", "-5", "1.5", "true", "TRUE", "'true'", "text", "''", "~", "[]", "{}", "[5, true]", "[a]",
        "[~]", "90s", "1h30m",
        "UTC", "Europe/Berlin", "'Etc/GMT+1'", "HTTPS://h.example/", "SMTPS://h.example", "FILE:///x",
        "Http://h.example/ü", "~/x", "a@b",
        "[a@b, 'c@d']", "18:30", "'mon..fri 08:30'", "2024-01-01", "{a: 5}", "{title: 5}", "{X-A: 5, X-B: true}",
        "{env: TRUE}",
        "{credential: 5}", "{command: [5]}", "{bearer: {env: A}}", "{user: 5, password: {file: /x}}", "22:30-07:30",
        "'  mon  22:30-7:30   Europe/Berlin '", "[22:30-07:30]", "[~, {}]", "[{}]", "[{skip: true, to: 5}]", "GET",
        "url", "none", "desktop", "stdout", "[stdout]", "news", "[news]", "'!a:b'",
    ]

    /// A configuration in which a key has a value, and the others that must be there.
    private func texts(_ row: Option) -> [String] {
        let kinds = row.section == "sinks.*" ? row.sink.map { [$0] } ?? [.stdout] : [nil]
        return kinds.flatMap { kind in
            let required = OptionTable.rows(in: row.section, sink: kind).filter {
                $0.fallback == .required && $0.key != row.key
            }
            var above = required.map { "\($0.key): \($0.example)" }
            if row.section == "sources.*", row.key != "url", row.key != "command" {
                above.append("url: https://h.example/")
            }
            if row.section == "sources.*", ["items", "fields", "when"].contains(row.key) {
                above.append("format: json")
            }
            if row.section == "sources.*", ["items", "when"].contains(row.key) {
                above.append("fields: {title: .t}")
            }
            if kind == .email, row.key == "user" { above.append("password: {file: /x}") }
            if kind == .email, row.key == "password" { above.append("user: me") }
            return (Self.values + [row.example]).map { value in
                let lines = above + ["\(row.key): \(value)"]
                func under(_ heading: String) -> String { heading + lines.map { "\n      \($0)" }.joined() }
                switch row.section {
                case "": return lines.joined(separator: "\n")
                case OptionTable.commonRulesSection: return under("rules:\n    -").replacing("-\n      ", with: "- ")
                case OptionTable.rulesSection:
                    return under("sources:\n  a:\n    url: https://h.example/\n    rules:\n    -").replacing(
                        "-\n      ", with: "- ")
                case "sinks.*": return under("sinks:\n  \(kind?.rawValue ?? ""):")
                case "digests.*": return under("sources: {news: {url: 'https://h.example/'}}\ndigests:\n  a:")
                default: return under("\(row.section.dropLast(2)):\n  h.example:")
                }
            }
        }
    }

    @Test func theSchemaAcceptsWhateverTheProgramDoes() async throws {
        let accepted = OptionTable.rows.flatMap(texts).filter { load($0).problems.isEmpty }
        for row in OptionTable.rows { #expect(texts(row).contains { accepted.contains($0) }, "\(row.path)") }
        for (text, isValid) in zip(accepted, try await SchemaValidator.validate(accepted, schema: schemaPath)) {
            #expect(isValid, "\(text)")
        }
    }
}

/// The reference implementation of JSON Schema in Python.
private enum SchemaValidator {
    /// Scalars are read as YAML 1.2 does, and with it editors.
    private static let script = #"""
        import json, re, sys, yaml, jsonschema
        class Core(yaml.SafeLoader):
            yaml_implicit_resolvers = {}
            def construct_mapping(self, node, deep=False):
                return {str(key): value for key, value in super().construct_mapping(node, deep=deep).items()}
            def construct_yaml_int(self, node):
                return int(node.value, 10)
        for tag, pattern, first in [
            ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
            ("int", r"[-+]?[0-9]+", "-+0123456789"),
            ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
            ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
            ("merge", r"<<", "<"),
        ]:
            Core.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile("^(?:" + pattern + ")$"), list(first))
        Core.add_constructor("tag:yaml.org,2002:int", Core.construct_yaml_int)
        texts, schema = [json.load(open(path)) for path in sys.argv[1:]]
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        print(json.dumps([validator.is_valid(yaml.load(text, Core)) for text in texts]))
        """#

    static func validate(_ texts: [String], schema: String) async throws -> [Bool] {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(decoding: JSONEncoder().encode(texts), as: UTF8.self), to: "texts.json")
        let verdicts = try await PythonTools.run(script, [path, schema])
        return try JSONDecoder().decode([Bool].self, from: Data(verdicts.utf8))
    }
}
