import CrierTesting
import Testing

@testable import CrierAgent

/// A configuration as a person could have written it, with some habits or other.
private struct RandomFile {
    var text = ""
    var names: [String] = []

    init(using random: inout SeededNumbers) {
        let step = Int.random(in: 1...4, using: &random)
        let inner = Int.random(in: 1...5, using: &random)
        let isSpaced = Bool.random(using: &random)
        var lines = Bool.random(using: &random) ? ["# My sources", "", "time-zone: UTC"] : []
        lines.append(
            ["sources:", "sources:   # all of them", "\"sources\":"].randomElement(using: &random) ?? "sources:")
        for index in 0..<Int.random(in: 1...6, using: &random) {
            if index > 0, isSpaced { lines.append("") }
            names.append("source-\(index)")
            lines += Self.source(names[index], step: step, inner: inner, using: &random)
        }
        lines += Self.ends.randomElement(using: &random) ?? []
        let end = Bool.random(using: &random) ? "\r\n" : "\n"
        // A folded text that ends with the file gets a line end of its own when something follows it.
        let isComplete = lines.last?.hasSuffix("# text") ?? false || Bool.random(using: &random)
        text = lines.joined(separator: end) + (isComplete ? end : "")
    }

    private static let ends: [[String]] = [
        [], [""], ["", "", ""], ["# the end"], ["", "# sinks", "sinks:", "  stdout:"], ["sinks: {}", ""],
    ]

    private static func source(_ name: String, step: Int, inner: Int, using random: inout SeededNumbers) -> [String] {
        let outer = String(repeating: " ", count: step)
        let deep = outer + String(repeating: " ", count: inner)
        if Int.random(in: 0..<5, using: &random) == 0 {
            return ["\(outer)\(name): {url: 'file:///x', title: \"a # b\"}"]
        }
        var lines = Bool.random(using: &random) ? ["\(outer)# about \(name)"] : []
        lines += ["\(outer)\(name):" + (Bool.random(using: &random) ? " # note" : ""), "\(deep)url: file:///\(name)"]
        let more: [[String]] = [
            ["\(deep)every: 1h   # often enough"], ["\(deep)title: >", "\(deep)  folded", "", "\(deep)  # text"],
            ["\(deep)to:", "\(deep)- stdout"], ["", "\(deep)title: \"two", "\(deep)  lines\""],
            ["\(deep)# the last word"],
            ["\(deep)fields: {title: .a,", "\(deep)  url: .b}", "\(deep)format: json"],
        ]
        for block in more
        where Int.random(in: 0..<4, using: &random) == 0 && !lines.contains(where: { $0.contains(" title: ") }) {
            lines += block
        }
        return lines
    }
}

@Suite("Whatever a file looks like, an edit changes one source")
struct ConfigurationRoundTripTests {
    @Test func addingAndRemovingGivesTheTextBack() throws {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<600 {
            let file = RandomFile(using: &random)
            let before = try configuration(file.text)
            let added = try ConfigurationEditor(text: file.text).adding(
                source: "new",
                settings: [SourceSetting("url", .text("file:///new")), SourceSetting("to", .list(["stdout"]))])
            let after = try configuration(added)
            #expect(after.sources.dropLast() == before.sources[...])
            #expect(after.sources.last?.name == "new")
            #expect(try ConfigurationEditor(text: added).removing(source: "new") == file.text)
        }
    }

    @Test func removingTakesOneSourceOnly() throws {
        var random = SeededNumbers(seed: 11)
        for _ in 0..<300 {
            let file = RandomFile(using: &random)
            let name = file.names.randomElement(using: &random) ?? ""
            let before = try configuration(file.text)
            let removed = try ConfigurationEditor(text: file.text).removing(source: name)
            #expect(try configuration(removed).sources == before.sources.filter { $0.name != name })
            #expect(!removed.contains("# about \(name)"))
            let kept = file.names.filter { $0 != name && file.text.contains("# about \($0)") }
            #expect(kept.allSatisfy { removed.contains("# about \($0)") })
        }
    }
}
