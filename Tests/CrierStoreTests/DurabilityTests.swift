import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

/// What waits for the disk and what does not: SQLite's own word for it, noted within each transaction.
@Suite struct DurabilityTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: noon)
        try store.writer.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TEMP TABLE note (synchronous INTEGER)")
            for event in ["INSERT ON visit", "UPDATE ON visit", "INSERT ON host", "UPDATE ON delivery"] {
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER "\(event)" AFTER \(event) BEGIN
                        INSERT INTO note SELECT synchronous FROM pragma_synchronous; END
                        """)
            }
        }
    }

    /// What was noted since the last call.
    private func noted() throws -> [Durability] {
        try store.writer.writeWithoutTransaction { db in
            let values = try Int.fetchAll(db, sql: "SELECT synchronous FROM note")
            try db.execute(sql: "DELETE FROM note")
            return values.map { $0 == 2 ? .powerCut : .process }
        }
    }

    private func commit(_ name: String, items: [ContentItem] = [], requests: [NotificationRequest] = []) -> FetchCommit
    {
        FetchCommit(
            state: SourceState(name: name), items: items, requests: requests, sinks: ["a", "b"], date: noon)
    }

    @Test func aVisitThatFoundNothingDoesNotWaitForTheDisk() throws {
        try store.commit([commit("one"), commit("two")])
        #expect(try noted() == [.process, .process])
        try store.noteStart(at: "e.example", noon, .process)
        #expect(try noted() == [.process])
        // What comes after it does again.
        try store.commit(commit("one", items: [ContentItem(identifier: "1", title: "T")]))
        #expect(try noted() == [.powerCut])
    }

    @Test func whatWasReadOrIsToBeRaisedIsOnTheDiskWithEverythingInItsTransaction() throws {
        let request = NotificationRequest(identifier: "1", content: NotificationContent(title: "T"))
        try store.commit([commit("one"), commit("two", requests: [request])])
        #expect(try noted() == [.powerCut, .powerCut])
        var waiting = commit("three")
        waiting.waiting = ["1"]
        try store.commit(waiting)
        #expect(try noted() == [.powerCut])
    }

    /// Were it made again after a power cut, it would take what has come since for old.
    @Test func aFirstVisitIsOnTheDiskAlsoWhereItFoundNothing() throws {
        var first = SourceState(name: "one")
        first.lastSucceeded = noon
        first.fingerprint = .filled(1)
        var visit = FetchCommit(state: first, date: noon)
        visit.compare(with: SourceState(name: "one"))
        try store.commit(visit)
        #expect(try noted() == [.powerCut])
        let later = noon.addingTimeInterval(3600)
        var second = first
        second.lastSucceeded = later
        visit = FetchCommit(state: second, date: later)
        visit.compare(with: first)
        try store.commit(visit)
        #expect(try noted() == [.process])
        let before = second
        second.fingerprint = .filled(2)
        visit.state = second
        visit.compare(with: before)
        try store.commit(visit)
        #expect(try noted() == [.powerCut])
    }

    @Test func whoWantsToBeLeftAloneIsAlsoAfterAPowerCut() throws {
        var refused = commit("one")
        refused.state.wishes.refusedUntil = noon.addingTimeInterval(86_400)
        try store.commit(refused)
        #expect(try noted() == [.powerCut])
        refused.state.wishes.refusedUntil = noon
        try store.commit(refused)
        #expect(try noted() == [.process])
        refused.host = HostState(name: "e.example")
        try store.commit(refused)
        #expect(try noted().contains(.powerCut))
    }

    @Test func aDeliveryIsRecordedAsLastinglyAsItsSinkSays() throws {
        let request = NotificationRequest(identifier: "1", content: NotificationContent(title: "T"))
        try store.add(request, to: ["a", "b"], at: noon)
        let due = try store.dueDeliveries(at: noon)
        let first = try #require(try store.begin(due[0]))
        #expect(try noted() == [.powerCut])
        let second = try #require(
            try store.finish(first, with: .delivered(receipt: nil), at: noon, beginning: due[1], .process))
        #expect(try noted() == [.process, .process])
        try store.finish(second, with: .delivered(receipt: nil), at: noon)
        #expect(try noted() == [.powerCut])
    }

    @Test func aTransactionThatFailsLeavesTheNextOnesDurable() throws {
        #expect(throws: StoreError.self) {
            try store.write(.process) { _ in throw DatabaseError(message: "no") }
        }
        try store.commit(commit("one", items: [ContentItem(identifier: "1", title: "T")]))
        #expect(try noted() == [.powerCut])
    }
}
