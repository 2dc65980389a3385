import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

/// What a disk has changed in a file that SQLite reads all the same.
@Suite struct DamagedRowsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What meets a content, by itself or in SQLite.
    static let looks: [@Sendable (Store) throws -> Void] = [
        { _ = try $0.dueDeliveries(at: noon) }, { _ = try $0.deliveries(in: Set(Delivery.State.allCases)) },
        { _ = try $0.log() }, { _ = try $0.waitingCount(for: .flood, at: "stdout") },
        { _ = try $0.quietDeliveries(passing: [.critical], since: noon, at: noon) },
    ]

    /// Changes the beginning of a notification's content where it lies in the file.
    private func harm(_ name: String, in path: String, with damage: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data(#""title":"Title of \#(name)""#.utf8)))
        bytes.replaceSubrange(place.prefix(damage.utf8.count), with: Data(damage.utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// No JSON, and one without a title.
    @Test(arguments: [#""title"z"#, #""titlf":"#], looks)
    func aContentThatCannotBeReadIsGivenUpAlone(damage: String, look: @Sendable (Store) throws -> Void) throws {
        let path = folder.file("crier.sqlite")
        do {
            let store = try Store(path: path)
            try store.commit(commit(requests: ["told", "bad", "good", "old"]))
            try store.finish(try #require(try store.delivery(1)), with: .delivered(receipt: nil), at: noon)
            // Its text is kept no longer.
            try store.write { db in
                try db.execute(
                    sql: "DELETE FROM delivery WHERE id = 4; UPDATE notification SET content = '{}' WHERE id = 4")
            }
        }
        for name in ["told", "bad"] { try harm(name, in: path, with: damage) }
        let store = try Store(path: path)
        try look(store)
        let all = try store.deliveries(in: Set(Delivery.State.allCases))
        let states = Dictionary(uniqueKeysWithValues: all.map { ($0.request.identifier, $0.state) })
        #expect(states == ["told": .delivered, "bad": .dead, "good": .pending])
        let dead = try #require(try store.deliveries(in: [.dead]).first)
        #expect(dead.lastError == "its text is damaged" && dead.ended != nil)
        #expect(dead.request.content.body.contains(#"\#(damage)"Title of bad""#), "what is left of it")
        let old = "SELECT content FROM notification WHERE id = 4"
        #expect(try store.read { try String.fetchOne($0, sql: old) } == "{}")
    }

    @Test(arguments: [[], ["a"]]) func whatADamagedSummaryStandsForComesByItself(damaged: [String]) throws {
        let path = folder.file("crier.sqlite")
        let later = noon.addingTimeInterval(10)
        let summary = Store.summaryPrefix + "1"
        do {
            let store = try Store(path: path)
            try store.commit(commit(requests: ["a", "b"]))
            try store.release(.absence(since: later), at: later) { _ in .named(summary) }
            #expect(try store.dueDeliveries(at: later).map(\.request.identifier) == [summary])
        }
        for name in damaged + [summary] { try harm(name, in: path, with: #""title"z"#) }
        let store = try Store(path: path)
        _ = try store.dueDeliveries(at: later)
        try store.release(.quiet, at: later) { _ in nil }
        let due = try store.dueDeliveries(at: Date(timeIntervalSinceNow: 60))
        #expect(due.map(\.request.identifier).sorted() == ["a", "b"].filter { !damaged.contains($0) })
        let dead = try store.deliveries(in: [.dead])
        #expect(Set(dead.map(\.request.identifier)) == Set(damaged + [summary]))
        #expect(dead.allSatisfy { $0.lastError == "its text is damaged" })
    }

    @Test func aDamagedListOfMigrationsIsNoLaterVersions() throws {
        let path = folder.file("crier.sqlite")
        let store = try Store(path: path)
        try store.write { db in
            try db.execute(sql: "UPDATE grdb_migrations SET identifier = '2 hostr' WHERE identifier = '2 hosts'")
        }
        #expect(kind { _ = try Store(path: path) } == .corrupt)
        #expect(kind { _ = try Store.copy(ofFileAt: path) } == .corrupt)
    }

    @Test(arguments: [true, false]) func aColumnWhoseNameIsDamagedIsDamage(isCurrent: Bool) throws {
        let store = try Store.inMemory()
        try store.write { db in
            try db.execute(sql: "ALTER TABLE source RENAME COLUMN failureTold TO failureTole")
            if !isCurrent { try db.execute(sql: "DELETE FROM grdb_migrations WHERE rowid = 20") }
        }
        #expect(kind { _ = try store.states() } == (isCurrent ? .corrupt : .failed))
        #expect(kind { try store.commit(commit()) } == (isCurrent ? .corrupt : .failed))
    }

    /// A table with one row, and what reads it.
    struct Damage: Sendable {
        let table: String
        let columns: String
        let values: String
        let look: @Sendable (Store) throws -> Void
    }

    private static let host = "name, lastStarted, pausedUntil, pauses"
    private static let fetch = "id, source, begun, cause, result, status, failure, newItems, duration, bytes"

    static let damages = [
        Damage(table: "host", columns: host, values: "NULL, 5, NULL, 0") { _ = try $0.hosts() },
        Damage(table: "host", columns: host, values: "'a', 'noon', NULL, 0") { _ = try $0.hosts(["a"]) },
        Damage(table: "host", columns: host, values: "'a', 5, NULL, NULL") { _ = try $0.hosts(["a"]) },
        Damage(
            table: "fetch", columns: fetch, values: "1, 1, 5, 'schedule', 'noData', NULL, NULL, 0, NULL, 0",
            look: { _ = try $0.log() }),
        Damage(table: "wake", columns: "id, date, reason", values: "1, 5, NULL") { _ = try $0.log() },
        Damage(table: "sink", columns: "name, goneSince, reason, destination", values: "'a', 5, NULL, NULL") {
            _ = try $0.goneSinks()
        },
        Damage(table: "digest", columns: "name, accounted, expression, timeZone", values: "'a', NULL, 1, 1") {
            _ = try $0.accountedSlot(of: "a")
        },
        Damage(
            table: "digest_item", columns: "id, digest, source, item, added, issue", values: "1, NULL, 1, 'i', 5, NULL",
            look: { _ = try $0.waitingItemCounts() }),
        Damage(table: "authorization", columns: "id, status, options, decided", values: "1, NULL, 0, 5") {
            _ = try $0.notificationSettings()
        },
    ]

    /// GRDB's subscripts would end the process.
    @Test(arguments: damages) func aValueOfTheWrongKindIsDamage(_ damage: Damage) throws {
        let store = try Store.inMemory()
        try store.commit(commit(requests: ["a"]))
        let table = damage.table
        try store.write { db in
            try db.execute(
                sql: """
                    DROP TABLE [\(table)]; CREATE TABLE [\(table)] (\(damage.columns));
                    INSERT INTO [\(table)] VALUES (\(damage.values))
                    """)
        }
        #expect(kind { try damage.look(store) } == .corrupt, "\(table)")
    }

    private func kind(_ work: () throws -> Void) -> StoreError.Kind? {
        do { try work() } catch { return (error as? StoreError)?.kind }
        return nil
    }
}
