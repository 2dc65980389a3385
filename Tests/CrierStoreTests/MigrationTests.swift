import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

/// A file of every earlier version of the schema is brought up to date with everything that is in it.
@Suite struct MigrationTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crier.sqlite")
    }

    /// Makes a file of what a dump says.
    private func restore(_ dump: String) throws {
        let blank = try Store.inMemory()
        try blank.writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            for table in try String.fetchAll(db, sql: tables) { try db.execute(sql: "DROP TABLE \"\(table)\"") }
            try db.execute(sql: dump)
            try db.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
    }

    @Test func theFirstSchemasFileKeepsItsData() throws {
        try restore(firstSchemaDump)
        let store = try Store(path: path, integrityCheck: .always)
        let state = try store.state(of: "news")
        #expect(state.etag == Array("W/\"x\"1".utf8))
        #expect(state.lastSucceeded == noon && state.announcedDay == "2023-11-14")
        #expect(state.lastNotified == noon.addingTimeInterval(1))
        #expect(try store.knownIdentifiers(of: "news", among: ["urn:a", "urn:x"]) == ["urn:a"])
        #expect(try store.knownContent(of: "news", among: ["urn:a"]).isEmpty, "its updates were not followed")
        let deliveries = try store.deliveries(in: Set(Delivery.State.allCases))
        #expect(deliveries.map(\.request.identifier) == ["news/urn:b", "news/urn:a"])
        #expect(deliveries.map(\.state) == [.pending, .delivered])
        #expect(deliveries.map(\.attempts) == [2, 1])
        #expect(deliveries.map(\.receipt) == [nil, "17"])
        #expect(deliveries.allSatisfy { $0.requestRevision == 1 && !$0.isQuieted })
        #expect(try store.goneSinks().map(\.name) == ["team"])
        #expect(try store.notificationSettings().authorizationStatus == .authorized)
    }

    @Test func theFirstSchemasNotificationsHaveTheirLevel() throws {
        try restore(firstSchemaDump)
        let store = try Store(path: path)
        let later = noon.addingTimeInterval(300)
        #expect(try store.quietDeliveries(passing: [.critical, .active], at: later) == 0)
        #expect(try store.quietDeliveries(passing: [.critical], at: later) == 1)
    }
}
