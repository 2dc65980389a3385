import CrierTesting
import Foundation
import Testing

/// The feeds of other projects and what others read in them, which lie beside the checkout where there are any.
private enum Conformance {
    static let committed = URL(fileURLWithPath: Checkout.file("Tests/Conformance"))
    static let script = Checkout.corpora.deletingLastPathComponent().appendingPathComponent("conformance/score")

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: script.path) }
}

/// What `score` makes of Crier.
private struct Score {
    struct Kind: Hashable, CustomStringConvertible {
        var file: String
        var kind: String
        var description: String { "\(file) \(kind)" }
    }

    /// How many items of a file disagree.
    var disagreements: [Kind: Int] = [:]
    /// Counts by kind of feed.
    var feeds: [String: [String: Int]] = [:]
    /// Right ones by the name of the line.
    var lines: [String: (right: Int, of: Int)] = [:]

    init(folder: TemporaryFolder) async throws {
        let process = ChildProcess()
        process.executableURL = Conformance.script
        process.arguments = [BuiltCrier.binary, folder.file("score")]
        // How many of the dates that disagree are listed: all.
        process.environment = ProcessInfo.processInfo.environment.merging(["LIST": "10000"]) { $1 }
        let output = folder.file("output")
        try Data().write(to: URL(fileURLWithPath: output))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        let text = folder.read("score/disagreements.tsv") ?? ""
        for row in text.split(separator: "\n").dropFirst().map(Self.columns) {
            disagreements[Kind(file: row[0], kind: row[1]), default: 0] += 1
        }
        feeds = try JSONDecoder().decode(
            [String: [String: Int]].self, from: Data((folder.read("score/summary.json") ?? "").utf8))
        try addAddresses(folder)
        var file = ""
        for line in (folder.read("output") ?? "").split(separator: "\n") {
            if let match = line.firstMatch(of: #/^ {3}'(.*)' +tool .* expected /#), file.hasPrefix("dates") {
                disagreements[Kind(file: "\(file)/\(match.1)", kind: "date"), default: 0] += 1
            } else if let match = line.firstMatch(of: #/^(\S+) +(core|wild): (\d+)/(\d+) right/#) {
                file = String(match.1)
                lines["\(match.1) \(match.2)"] = (Int(match.3) ?? 0, Int(match.4) ?? 0)
            } else if let match = line.firstMatch(of: #/^core +(\d+)/(\d+) /#) {
                lines["urls core"] = (Int(match.1) ?? 0, Int(match.2) ?? 0)
            }
        }
    }

    /// Those that browsers resolve otherwise (`core` is what RFC 3986 and they agree on).
    private mutating func addAddresses(_ folder: TemporaryFolder) throws {
        struct Case: Decodable {
            var input: String
            var href: String
            var core: Bool
        }
        struct Parsed: Decodable {
            struct Item: Decodable {
                var id: String
                var url: String?
            }
            var items: [Item]
        }
        func decode<Value: Decodable>(_ file: String) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data((folder.read(file) ?? "").utf8))
        }
        let cases: [String: Case] = try decode("score/urls/urls.key.json")
        let parsed: Parsed = try decode("score/urls.jsonl")
        for item in parsed.items {
            guard let address = cases[item.id], !address.core, item.url != address.href else { continue }
            disagreements[Kind(file: "urls-atom.xml/\(address.input)", kind: "whatwg"), default: 0] += 1
        }
    }

    /// Whether Python has what `score` needs to tell which dates are core, and to score any.
    static func scoresDates() async throws -> Bool {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import dateutil"]
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        return process.terminationStatus == 0
    }

    static func columns(_ line: Substring) -> [String] {
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}

private struct CommittedScore: Decodable {
    var feeds: [String: [String: Int]]
    var lines: [String: Int]
}

@Suite(.enabled(if: Conformance.isThere, "no ../shared/conformance beside the package, and no CRIER_CORPORA"))
struct ConformanceTests {
    @Test func crierReadsWhatOthersReadExceptWhereItIsWrittenDownWhy() async throws {
        let score = try await Score(folder: TemporaryFolder())
        let scoresDates = try await Score.scoresDates()
        let list = try String(
            contentsOf: Conformance.committed.appendingPathComponent("Disagreements.tsv"), encoding: .utf8)
        var known: [Score.Kind: Int] = [:]
        for row in list.split(separator: "\n").dropFirst().map(Score.columns) {
            #expect(row.count == 4 && row[3].count > 20, "a reason: \(row[0])")
            if row[0].hasPrefix("dates-"), !scoresDates { continue }
            known[Score.Kind(file: row[0], kind: row[1])] = Int(row[2])
        }
        for (kind, count) in score.disagreements where count > known[kind] ?? 0 {
            Issue.record("\(kind): \(count) items disagree, \(known[kind] ?? 0) are written down")
        }
        for (kind, count) in known where count > score.disagreements[kind] ?? 0 {
            Issue.record("\(kind): \(count) items are written down, \(score.disagreements[kind] ?? 0) disagree")
        }
        let committed = try JSONDecoder().decode(
            CommittedScore.self, from: Data(contentsOf: Conformance.committed.appendingPathComponent("Score.json")))
        for (group, counts) in committed.feeds {
            for (key, least) in counts {
                #expect(score.feeds[group]?[key] ?? 0 >= least, "\(group) \(key)")
            }
        }
        for (name, least) in committed.lines {
            if name.hasPrefix("dates"), !scoresDates { continue }
            let line = try #require(score.lines[name], "score has no line \(name)")
            #expect(line.right >= least, "\(name)")
        }
    }
}
