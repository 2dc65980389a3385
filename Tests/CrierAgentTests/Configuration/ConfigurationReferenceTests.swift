import CrierTesting
import Testing

import struct Foundation.Data
import class Foundation.JSONSerialization
import class Foundation.ProcessInfo

@testable import CrierAgent

/// `CRIER_UPDATE_GENERATED=1 swift test --filter ConfigurationReferenceTests` rewrites the files.
private let updates = ProcessInfo.processInfo.environment["CRIER_UPDATE_GENERATED"] == "1"

@Suite("The files made from the table of options are as committed")
struct ConfigurationReferenceTests {
    private let schemaPath = Checkout.file("config/crier.schema.json")
    private let examplePath = Checkout.file("config/crier.example.yaml")
    private let readmePath = Checkout.file("README.md")
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
        let leftOut = ["#command: [~/bin/news", "#items:", "#fields:", "#when:"]
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
}
