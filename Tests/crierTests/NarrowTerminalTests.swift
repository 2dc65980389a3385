import CrierTesting
import Foundation
import Testing

/// Tables where there is little room: nothing is cut, and no line is longer than it may be.
@Suite struct NarrowTerminalTests {
    private static let config = """
        sources:
          swift-blog: {url: 'https://www.swift.org/atom.xml', every: 2h}
          gan-huo: {url: 'https://gank.io/api/today', notify: daily}
        """

    private func crier(_ columns: Int, _ config: String = Self.config) throws -> BuiltCrier {
        var crier = try BuiltCrier(config)
        crier.environment["COLUMNS"] = String(columns)
        return crier
    }

    @Test func aTableThatFitsIsAsItIs() async throws {
        let wide = try await crier(80).run("list").output
        #expect(try await BuiltCrier(Self.config).run("list").output == wide)
        #expect(wide.contains("swift-blog  2 h    each    stdout  https://www.swift.org/atom.xml\n"))
    }

    @Test(arguments: [1, 20, 26]) func helpIsReadableInAnyWidth(columns: Int) async throws {
        let help = try await crier(columns).run("help", "why")
        #expect(help.status == 0 && help.output.contains("USAGE: crier why") && help.errors.isEmpty)
        #expect(try await crier(columns).run("status", "--help").status == 0)
    }

    @Test func columnsGiveWayTheWidestFirst() async throws {
        let lines = try await crier(60).run("list").lines
        #expect(
            lines == [
                "SOURCE      EVERY  NOTIFY  TO      ADDRESS",
                "swift-blog  2 h    each    stdout  https://www.swift.org/ato",
                "                                   m.xml",
                "gan-huo     1 h    daily   stdout  https://gank.io/api/today",
            ])
    }

    @Test func whereNoTableFitsEachRowIsABlock() async throws {
        let lines = try await crier(40).run("list").lines
        #expect(
            lines.prefix(5) == [
                "swift-blog", "  EVERY    2 h", "  NOTIFY   each", "  TO       stdout",
                "  ADDRESS  https://www.swift.org/atom.xml",
            ])
    }

    @Test func textFromRightToLeftStaysInItsColumn() async throws {
        let crier = try crier(80, "sources:\n  חדשות: {url: 'https://e.example/'}\n")
        #expect(
            try await crier.run("list").lines.last
                == "\u{2068}חדשות\u{2069}   1 h    each    stdout  https://e.example/")
    }

    @Test func namesFromRightToLeftAreThemselvesInAPipe() async throws {
        let crier = try BuiltCrier("sources:\n  חדשות: {url: 'https://e.example/'}\n")
        let run = try await crier.run(shell: "\"$0\" list | awk 'NR > 1 {print $1}' | xargs \"$0\" why")
        #expect(run.status == 0, "\(run)")
    }

    @Test func theStatusHasShortLines() async throws {
        let lines = try await crier(50).run("status").lines
        #expect(lines[0] == "SOURCE      LAST      RESULT  LAST       NEXT")
        #expect(lines[1] == "            VISIT             NOTIFIED   VISIT")
        #expect(lines[2] == "swift-blog  never     -       never      now")
    }

    @Test func deliveriesKeepTheirWholeText() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(
            atomFeed(1...1).replacing("Item 1", with: "干货更新啦 a long title for a narrow terminal"), to: "feed.xml")
        try crier.folder.write(
            "sinks: {hook: {kind: webhook, url: 'http://127.0.0.1:1/'}}\nsources:\n  a: {url: 'file://\(feed)'}\n",
            to: "crier.yaml")
        try await crier.authorize()
        try await crier.run("fetch")
        var narrow = crier
        narrow.environment["COLUMNS"] = "60"
        let lines = try await narrow.run("deliveries").lines
        let text = lines.dropFirst().map { $0.suffix(1) == " " ? $0 : String($0.drop { $0 == " " }) }
        #expect(lines.count > 2)
        #expect(lines.allSatisfy { $0.count <= 60 })
        #expect(text.joined(separator: " ").contains("narrow"))
        #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix(String(repeating: " ", count: 20)) }, "\(lines)")
    }
}
