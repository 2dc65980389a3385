import Testing

import struct Foundation.Data
import class Foundation.FileHandle
import class Foundation.FileManager
import class Foundation.JSONSerialization
import class Foundation.Process
import class Foundation.ProcessInfo
import struct Foundation.URL

@testable import CrierAgent

/// `CRIER_UPDATE_GENERATED=1 swift test --filter ConfigurationReferenceTests` rewrites the files.
private let updates = ProcessInfo.processInfo.environment["CRIER_UPDATE_GENERATED"] == "1"

@Suite("The files made from the table of options are as committed")
struct ConfigurationReferenceTests {
    private let schemaPath = "\(packageFolder)/config/crier.schema.json"
    private let examplePath = "\(packageFolder)/config/crier.example.yaml"
    private let readmePath = "\(packageFolder)/README.md"
    private let hint: Comment =
        "run CRIER_UPDATE_GENERATED=1 swift test --filter ConfigurationReferenceTests to rewrite what is made from the table"

    @Test func theSchemaIsCurrent() throws {
        if updates { try writeText(ConfigurationReference.jsonSchema, schemaPath) }
        #expect(try readText(schemaPath) == ConfigurationReference.jsonSchema, hint)
    }

    @Test func theExampleIsCurrent() throws {
        if updates { try writeText(ConfigurationReference.example, examplePath) }
        #expect(try readText(examplePath) == ConfigurationReference.example, hint)
    }

    @Test func theReferenceInTheReadmeIsCurrent() throws {
        let begin = "<!-- options:begin -->\n"
        let end = "<!-- options:end -->"
        var readme = try readText(readmePath)
        let start = try #require(readme.firstRange(of: begin)?.upperBound)
        let stop = try #require(readme[start...].firstRange(of: end)?.lowerBound)
        let expected = "\n\(ConfigurationReference.markdown)\n"
        if updates {
            readme.replaceSubrange(start..<stop, with: expected)
            try writeText(readme, readmePath)
        } else {
            #expect(String(readme[start..<stop]) == expected, hint)
        }
    }

    @Test func theExampleSaysNothingAsItStands() throws {
        let read = try configuration(ConfigurationReference.example)
        #expect(read == Configuration(timeZone: berlin))
    }

    @Test func everyKeyOfTheExampleCanBeSwitchedOn() throws {
        // A source has one address, and what is made for JSON needs that format.
        let leftOut = ["#command: [git,", "#items:", "#fields:", "#when:"]
        let lines = ConfigurationReference.example.split(separator: "\n", omittingEmptySubsequences: false).map {
            line in
            let content = line.drop { $0 == " " }
            let isKey = content.first == "#" && content.dropFirst().first.map { $0 != " " && $0 != "#" } ?? false
            guard isKey, !leftOut.contains(where: { content.hasPrefix($0) }) else { return String(line) }
            return String(line.prefix(line.count - content.count)) + content.dropFirst()
        }
        let read = try configuration(lines.joined(separator: "\n"))
        #expect(read.digests.map(\.name) == ["morning"])
        #expect(read.sinks.map(\.name) == SinkKind.allCases.map(\.rawValue))
        #expect(read.sources.map(\.name) + read.disabledSources.map(\.name) == ["example"])
    }

    @Test func theSchemaKnowsEveryRow() throws {
        let data = Data(ConfigurationReference.jsonSchema.utf8)
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        let hosts = (schema["properties"] as? [String: [String: Any]])?["hosts"]
        let digests = (schema["properties"] as? [String: [String: Any]])?["digests"]
        for row in OptionTable.rows {
            let kinds = row.sink.map { [$0] } ?? SinkKind.allCases
            let owners: [[String: Any]?] =
                switch row.section {
                case "": [schema]
                case "sinks.*": kinds.map { definitions["\($0.rawValue)-sink"] }
                case OptionTable.rulesSection: [definitions["rule"]]
                case "digests.*": [digests?["additionalProperties"] as? [String: Any]]
                case OptionTable.commonRulesSection: [definitions["common-rule"]]
                case "hosts.*": [hosts?["additionalProperties"] as? [String: Any]]
                default: [definitions["source"]]
                }
            for owner in owners {
                let properties = owner?["properties"] as? [String: [String: Any]]
                #expect(properties?[row.key]?["description"] as? String == row.summary)
                #expect(owner?["additionalProperties"] as? Bool == false)
                if case .value(let text) = row.fallback, row.type != .flag, text != "{}" {
                    let shown = properties?[row.key]?["default"].map { "\($0)" }
                    #expect(shown == text)
                }
            }
        }
    }

    @Test func theReferenceHasALineForEveryRow() {
        let lines = ConfigurationReference.markdown.split(separator: "\n")
        for row in OptionTable.rows {
            #expect(lines.filter { $0.contains(row.summary.replacing("|", with: "\\|")) }.count == 1)
        }
    }

    @Test(
        "the schema and the decoder say the same",
        .enabled(if: SchemaValidator.isThere, "needs python3 with yaml and jsonschema"))
    func schemaAndDecoder() throws {
        let good = try FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/config")
            .filter { $0.hasSuffix(".yaml") }.sorted().map { try readText("\(packageFolder)/config/\($0)") }
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
            "sources: {a: {command: [b], format: html}}", "sources: {a: {command: [b], when: .a}}",
            "sources: {a: {command: [b], format: xml, items: a, fields: {url: b}}}",
            "sources: {a: {command: [b], format: json, fields: {titel: a}}}", "sources: {a: {command: [b], to: []}}",
            "sources: {a: {command: [b], enabled: 'true'}}", "sources: {a: {command: [b], titel: c}}",
            "sources: {a: {command: [b], rules: {when: .a}}}", "sources: {a: {command: [b], rules: [{skip: 'true'}]}}",
            "sources: {a: {command: [b], rules: [{wen: .a}]}}", "sources: {a: {command: [b], updates: yes}}",
            "rules: {when: .a}", "rules: [{tag: a}]", "rules: [{tags: []}]", "rules: [{skip: 'true'}]",
            "quiet-hours: 22-7", "quiet-hours: 25:00-07:00", "quiet-hours: mon-fri 22:00-07:00", "quiet-hours: []",
            "quiet-hours: [22:00-07:00, never]", "unique: title", "sources: {-a: {command: [b]}}",
            "sources: {\"a b\": {command: [b]}}",
            "sinks: {file: {path: news}}", "sinks: {exec: {command: []}}", "sinks: {feed: {path: /x, entries: 0}}",
            "sinks: {slack: {url: \"https://h/\"}}", "sinks: {telegram: {chat: a}}",
            "sinks: {stdout: {template: \"\"}}",
            "sinks: {email: {server: \"http://h\", from: a@b, to: c@d}}",
            "sinks: {email: {server: \"smtp://h\", from: a, to: c@d}}",
            "sinks: {email: {server: \"smtp://h\", from: a@b, to: []}}",
            "sinks: {email: {server: \"smtp://h\", from: a@b, to: [\"C <c@d>\"]}}",
        ]
        let fine = [
            "", "sinks: {desktop: , webhook: {url: \"https://h/\"}, x: {kind: desktop, timeout: 5s}}",
            "sinks: {desktop: {kind: stdout, format: json}}", "sources: {a: {command: [b], format: json}}",
            "quiet-hours: 22:30-07:30", "quiet-hours: [mon..fri 22:30-7:30 Europe/Berlin, 'sat,sun 00:00-24:00']",
            "sources: {a: {command: [b], rules: [{when: .a, skip: true}, {level: critical, to: stdout}]}}",
            "rules: [{tags: a, when: .a, skip: true}, {tags: [b, c/d], level: critical, to: stdout}]",
            "sinks: {email: {server: \"smtps://h\", from: a@b, to: c@d}}", "sinks: {ntfy: {topic: x}}",
            "sinks: {email: {server: \"smtp://h:587\", from: a@b, to: [c@d, e@f], html: \"{{body}}\"}}",
            "sources: {a: {command: [b], format: json}}",
            "sources: {新: {command: [b], to: stdout, enabled: false}, b.c: {url: \"file:///x\", every: 5s}}",
        ]
        for text in good + fine { #expect(load(text).problems == []) }
        for text in bad { #expect(load(text).problems != [], "\(text)") }
        let verdicts = try SchemaValidator.validate(good + fine + bad, schema: schemaPath)
        let expected = (good + fine).map { _ in true } + bad.map { _ in false }
        for (text, (verdict, expected)) in zip(good + fine + bad, zip(verdicts, expected)) {
            #expect(verdict == expected, "\(text)")
        }
    }
}

/// The reference implementation of JSON Schema in Python, where it is installed.
private enum SchemaValidator {
    private static let script = """
        import json, sys, yaml, jsonschema
        texts, schema = json.load(sys.stdin), json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        print(json.dumps([validator.is_valid(yaml.safe_load(text)) for text in texts]))
        """

    static let isThere =
        (try? run(["-c", "import yaml, jsonschema; jsonschema.Draft202012Validator"], input: Data())) != nil

    static func validate(_ texts: [String], schema: String) throws -> [Bool] {
        let input = try JSONSerialization.data(withJSONObject: texts)
        let output = try run(["-c", script, schema], input: input)
        return try #require(try JSONSerialization.jsonObject(with: output) as? [Bool])
    }

    private struct Failure: Error {
        var status: Int32
    }

    private static func run(_ arguments: [String], input: Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "crier-schema-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("in")
        let target = folder.appendingPathComponent("out")
        try input.write(to: source)
        try Data().write(to: target)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: target)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return try Data(contentsOf: target)
    }
}
