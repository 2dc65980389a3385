import CrierTesting
import Foundation
import GRDB
import Testing

/// A state whose file is intact, and of which something cannot be read.
@Suite struct DamagedTablesTests {
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
