import CrierTesting
import Foundation
import GRDB
import Testing

/// A state whose file is intact, and of which something cannot be read.
@Suite struct DamagedTablesTests {
    @Test func aNotificationWhoseTextIsDamagedKeepsNoOtherBack() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', first: all}}\n", to: "crier.yaml")
        try await crier.run("fetch", "--quiet")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: crier.statePath))
        let place = try #require(bytes.range(of: Data(#""title":"Item 2","subtitle""#.utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "z")
        try bytes.write(to: URL(fileURLWithPath: crier.statePath))
        try await crier.authorize()
        let run = try await crier.run("fetch")
        #expect(run.status == 0 && run.output.contains("Item 1\n") && run.output.contains("Item 3\n"), "\(run)")
        let dead = try await crier.run("deliveries", "list", "--in", "dead").output
        #expect(dead.contains("A damaged notification") && dead.contains("its text is damaged"), "\(dead)")
        #expect(try await crier.run("doctor").output.contains("\(crier.statePath) is intact"))
    }

    @Test func theDoctorNamesTheTable() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)'}}\n", to: "crier.yaml")
        try await crier.run("fetch", "--quiet")
        func words() async throws -> [String] {
            try await crier.run("doctor", "--format", "json").objects.filter { $0["subject"] as? String == "state" }
                .map { "\($0["verdict"] as? String ?? "") \($0["words"] as? String ?? "")" }
        }
        #expect(try await words().map { $0.hasPrefix("ok \(crier.statePath) is intact") } == [true])
        let queue = try DatabaseQueue(path: crier.statePath)
        try await queue.write { try $0.execute(sql: "UPDATE item SET details = '{' WHERE title <> 'Item 1'") }
        #expect(try await words() == ["fail 2 rows of the table item cannot be read in full: the details are no JSON"])
        try await queue.write { try $0.execute(sql: "ALTER TABLE sink RENAME COLUMN reason TO cause; DROP TABLE wake") }
        #expect(
            try await words().sorted() == [
                "fail the table sink cannot be read: no such column: reason",
                "fail the table wake cannot be read: no such table: wake",
            ])
    }
}
