import Testing

import struct Foundation.Data
import struct Foundation.TimeZone
import struct Foundation.URL

@testable import CrierAgent

let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

/// Reads a configuration text on a machine in Berlin.
func load(_ text: String, validate: ExpressionValidator? = nil) -> ConfigurationResult {
    Configuration.load(text: text, file: "c.yaml", machineTimeZone: berlin, validateExpression: validate)
}

/// The problems of a text, one line each, without the name of the file.
func problems(_ text: String, validate: ExpressionValidator? = nil) -> [String] {
    load(text, validate: validate).problems.map { String("\($0)".dropFirst("c.yaml:".count)) }
}

/// The configuration of a text that has no problem.
func configuration(_ text: String) throws -> Configuration {
    let result = load(text)
    #expect(result.problems.map(\.description) == [])
    return try #require(result.configuration)
}

func readText(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
}

func writeText(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

extension ConfigurationEditor {
    /// The text with one more source, after the last one.
    func adding(source name: String, settings: [SourceSetting]) throws(ConfigurationEditError) -> String {
        try adding([SourceEntry(name, settings)])
    }
}
