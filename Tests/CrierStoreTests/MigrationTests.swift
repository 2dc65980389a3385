import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Synchronization
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

    /// Brings the file up to an earlier version, or makes it, and puts something into it.
    private func makeFile(upTo version: String, _ sql: String = "") throws {
        let earlier = try type(of: Store.inMemory().writer).init(path: path)
        try Schema.migrator.migrate(earlier, upTo: version)
        try earlier.write { db in try db.execute(sql: sql) }
        try earlier.close()
    }

    @Test func severalMayBringAFileUpToDateAtOnce() throws {
        let errors = Mutex<[StoreError]>([])
        for number in 1...20 {
            let path = folder.file("\(number).sqlite")
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                do throws(StoreError) { _ = try Store(path: path) } catch { errors.withLock { $0.append(error) } }
            }
        }
        #expect(errors.withLock(\.self).map(\.description) == [])
    }

    /// As a browser of databases does: nothing turns the write-ahead log on beside it.
    @Test func whoReadsAFileForLongHangsNobody() throws {
        let reader = try type(of: Store.inMemory().writer).init(path: path)
        try reader.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT); BEGIN; SELECT * FROM grdb_migrations")
            #expect(throws: StoreError.self) { try Store(path: path) }
            try db.execute(sql: "COMMIT")
        }
        #expect(throws: Never.self) { try Store(path: path) }
    }

    @Test func aStateOfTheFirstVersionIsReadOn() throws {
        try makeFile(
            upTo: "1 sources, items and the outbox",
            """
            INSERT INTO source (name, etag, lastSucceeded, failures) VALUES ('news', x'22', 5000, 2), ('empty', NULL, 6000, 0);
            INSERT INTO item (source, identifier, firstSeen, lastSeen) VALUES (1, 'a', 3000, 5000), (1, 'b', 4000, 5000)
            """)
        let states = try Store(path: path).states()
        let news = try #require(states["news"])
        #expect(news.etag == [0x22])
        #expect(news.failures == 2)
        #expect(news.lastWhole == Date(milliseconds: 5000), "the document is not asked for anew at once")
        #expect(news.lastNew == Date(milliseconds: 4000))
        #expect(states["empty"]?.lastNew == Date(milliseconds: 6000))
        #expect(news.move == nil)
        #expect(news.goneSince == nil)
    }

    @Test func theFirstSchemasFileKeepsItsData() throws {
        try restore(firstSchemaDump)
        let store = try Store(path: path, integrityCheck: .always)
        let state = try store.state(of: "news")
        #expect(state.etag == Array("W/\"x\"1".utf8))
        #expect(state.lastSucceeded == noon && state.announcedDay == "2023-11-14")
        #expect(state.lastNotified == noon.addingTimeInterval(1))
        #expect(try store.knownIdentifiers(of: "news", among: ["urn:a", "urn:x"]) == ["urn:a"])
        let known = try store.known([ContentItem(identifier: "urn:a")], of: "news", at: noon)
        #expect(known.contents.isEmpty, "its updates were not followed")
        let deliveries = try store.deliveries(in: Set(Delivery.State.allCases))
        #expect(deliveries.map(\.request.identifier) == ["news/urn:b", "news/urn:a"])
        #expect(deliveries.map(\.state) == [.pending, .delivered])
        #expect(deliveries.map(\.attempts) == [2, 1])
        #expect(deliveries.map(\.receipt) == [nil, "17"])
        #expect(deliveries.allSatisfy { $0.requestRevision == 1 && !$0.isQuieted })
        #expect(try store.goneSinks().map(\.name) == ["team"])
        #expect(try store.notificationSettings().authorizationStatus == .authorized)
    }

    @Test func aStateFromBeforeDigestsIsReadOnAndKeepsThem() throws {
        try makeFile(
            upTo: "6 fetches",
            """
            INSERT INTO source (name, lastSucceeded) VALUES ('news', 5000);
            INSERT INTO item (source, identifier, title, firstSeen, lastSeen) VALUES (1, 'a', 'A', 3000, 5000)
            """)
        let store = try Store(path: path, integrityCheck: .always)
        #expect(try store.waitingItems(of: "morning").isEmpty, "what was known before is not new")
        #expect(try store.accountedSlot(of: "morning") == nil)
        #expect(try store.items(of: ["news"], seenSince: .init(milliseconds: 3000)).map(\.item.title) == ["A"])
        var commit = FetchCommit(state: try store.state(of: "news"), items: [.init(identifier: "a")], date: noon)
        (commit.digests, commit.waiting) = (["morning"], ["a"])
        try store.commit(commit)
        try store.account("morning", upTo: noon)
        #expect(try store.waitingItems(of: "morning").map(\.source) == ["news"])
    }

    @Test func aSlotOfADigestIsOfAScheduleThatNobodyKnows() throws {
        try makeFile(upTo: "16 the last reading", "INSERT INTO digest VALUES ('morning', 5000)")
        let store = try Store(path: path, integrityCheck: .always)
        let date = Date(milliseconds: 5000)
        #expect(try store.accountedSlot(of: "morning") == AccountedSlot(date: date, schedule: nil))
        let schedule = DigestSchedule(expression: "08:30", timeZone: "UTC")
        try store.account("morning", upTo: date, by: schedule)
        #expect(try Store(path: path).accountedSlot(of: "morning") == AccountedSlot(date: date, schedule: schedule))
    }

    @Test func theFirstSchemasNotificationsHaveTheirLevel() throws {
        try restore(firstSchemaDump)
        let store = try Store(path: path)
        let later = noon.addingTimeInterval(300)
        #expect(try store.quietDeliveries(passing: [.critical, .active], since: .distantPast, at: later) == 0)
        #expect(try store.quietDeliveries(passing: [.critical], since: .distantPast, at: later) == 1)
    }

    /// The first version's file as it is after each further version has brought it up to date, so that none of them is
    /// forgotten here.
    @Test(arguments: Schema.migrator.migrations) func aFileOfEveryVersionIsReadOnAndGoesOn(version: String) throws {
        try restore(firstSchemaDump)
        try makeFile(upTo: version)
        let store = try Store(path: path, integrityCheck: .always)
        #expect(try store.state(of: "news").etag == Array("W/\"x\"1".utf8))
        try store.commit(commit(requests: ["news/urn:a", "news/urn:c"], to: ["desktop"]))
        let desktop = try store.deliveries(in: [.pending], sink: "desktop")
        #expect(desktop.map(\.request.identifier) == ["news/urn:c", "news/urn:b"], "a was told")
        try store.revive("team", at: noon)
        let later = noon.addingTimeInterval(300)
        for delivery in try store.dueDeliveries(at: later) {
            let begun = try #require(try store.begin(delivery))
            try store.finish(begun, with: .delivered(receipt: nil), at: later)
        }
        let identifiers = try store.deliveries(in: [.delivered]).map(\.request.identifier)
        #expect(identifiers == ["news/urn:c", "news/urn:b", "news/urn:a"])
        #expect(try store.prune(isForced: true, at: later))
        let fresh = try Store(path: folder.file("fresh.sqlite"))
        #expect(try schema(of: store) == schema(of: fresh), "it is as if it had been made today")
    }

    /// A file with all of them is not looked through for those that are missing.
    @Test func aFileOfThisVersionIsTold() throws {
        let store = try Store(path: path)
        #expect(try store.read { Schema.isCurrent($0) })
        for change in [
            "INSERT INTO grdb_migrations VALUES ('23 of a later version')",
            "DELETE FROM grdb_migrations WHERE identifier LIKE '23%' OR identifier LIKE '22%'",
            "INSERT INTO grdb_migrations VALUES ('23 of a branch')",
            "DROP TABLE grdb_migrations",
        ] {
            try store.writer.write { try $0.execute(sql: change) }
            #expect(try !store.read { Schema.isCurrent($0) }, "\(change)")
        }
    }

    @Test func failedAttemptsOfDeliveriesAreKept() throws {
        try restore(firstSchemaDump)
        try makeFile(
            upTo: "10 checks without a table",
            "INSERT INTO attempt (delivery, number, ended, reason) VALUES (2, 1, 5000, 'refused')")
        let store = try Store(path: path, integrityCheck: .always)
        let attempts = try store.deliveries(in: [.pending]).flatMap { try store.failedAttempts(of: $0.id) }
        #expect(attempts.map(\.reason) == ["refused"])
        #expect(throws: (any Error).self) {
            try store.writer.write { db in try db.execute(sql: "UPDATE delivery SET state = 'lost'") }
        }
    }

    @Test func aPauseIsKeptOfWhichNobodyKnowsWhenItBegan() throws {
        try makeFile(
            upTo: "21 documents without items",
            "INSERT INTO breaker (sink, failures, pausedUntil, reason) VALUES ('a', 5, 9000, 'no')")
        let store = try Store(path: path, integrityCheck: .always)
        try store.moveWaits(begunAfter: Date(milliseconds: 5000))
        #expect(try store.pausedSinks(at: Date(milliseconds: 5000)).map(\.until) == [Date(milliseconds: 9000)])
    }

    @Test func aWaitIsKeptOfWhichNobodyKnowsWhenItBegan() throws {
        try restore(firstSchemaDump)
        try makeFile(upTo: "22 when pauses began", "UPDATE delivery SET state = 'pending', nextAttempt = 9000")
        let store = try Store(path: path, integrityCheck: .always)
        try store.moveWaits(begunAfter: Date(milliseconds: 5000))
        #expect(try store.nextDelivery() == Date(milliseconds: 9000))
    }

    @Test func itemsAreKeptWithAllThatIsKnownOfThem() throws {
        try makeFile(
            upTo: "11 a delivery's check without a table",
            """
            INSERT INTO source (name, lastSucceeded) VALUES ('news', 5000), ('more', 5000);
            INSERT INTO item VALUES
                (2, 'b', 'B', 'https://b.example/', 1, 2, 'S', '{"authors":["A"]}', 3000, 5000, x'0102', 7),
                (1, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 3000, 5000, NULL, 0),
                (2, 'a', 'A', NULL, NULL, NULL, NULL, NULL, 4000, 5000, NULL, 0)
            """)
        let store = try Store(path: path, integrityCheck: .always)
        let items = try store.items(of: ["more"], seenSince: Date(milliseconds: 3000)).map(\.item)
        #expect(items.map(\.identifier) == ["b", "a"])
        let item = try #require(items.first)
        #expect(item.title == "B" && item.url == "https://b.example/" && item.summary == "S")
        #expect(item.authors == ["A"])
        #expect(item.published == Date(milliseconds: 1) && item.updated == Date(milliseconds: 2))
        let known = try store.known(["a", "b"].map { ContentItem(identifier: $0) }, of: "more", at: noon)
        #expect(known.contents == ["b": KnownContent(hash: [1, 2], updates: 7, url: "https://b.example/")])
        #expect(try store.itemCount(of: "news") == 1)
        let clash = "INSERT INTO item (source, identifier, firstSeen, lastSeen) VALUES (2, 'b', 1, 1)"
        #expect(throws: DatabaseError.self) { try store.writer.write { db in try db.execute(sql: clash) } }
        try store.writer.write { db in try db.execute(sql: "DELETE FROM source WHERE name = 'more'") }
        #expect(try store.writer.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") } == 1)
    }

    @Test func whatAVisitLeftIsKept() throws {
        try makeFile(
            upTo: "12 items in rows",
            """
            INSERT INTO source (name, etag, lastFetched, lastSucceeded, lastResult, lastStatus, nextFetch, nextFetchReason,
                failures, timeZone)
            VALUES ('gone', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
                ('news', x'22', 1000, 2000, 'noData', 304, 3000, 'a reason', 2, 'UTC');
            INSERT INTO item (source, identifier, firstSeen, lastSeen) VALUES (2, 'a', 1, 1);
            INSERT INTO fetch VALUES (7, 2, 1000, 'schedule', 'noData', 304, NULL, 3, 250, 9)
            """)
        let store = try Store(path: path, integrityCheck: .always)
        var visit = FetchVisit(trigger: .schedule, begun: Date(milliseconds: 1000))
        (visit.duration, visit.bytes, visit.newItems) = (0.25, 9, 3)
        #expect(try store.log(of: "news").map(\.event) == [.fetch(visit, .noData, status: 304, failure: nil)])
        let state = try store.state(of: "news")
        #expect(state.lastFetched == Date(milliseconds: 1000) && state.lastSucceeded == Date(milliseconds: 2000))
        #expect(state.lastResult == .noData && state.lastStatus == 304)
        #expect(state.nextFetch == Date(milliseconds: 3000) && state.nextFetchReason == "a reason")
        #expect(state.etag == [0x22] && state.failures == 2 && state.timeZone == "UTC")
        #expect(try store.state(of: "gone") == SourceState(name: "gone"))
        #expect(try store.knownIdentifiers(of: "news", among: ["a"]) == ["a"])
        try store.writer.write { db in try db.execute(sql: "DELETE FROM source") }
        let left = "SELECT (SELECT count(*) FROM item) + (SELECT count(*) FROM visit) + (SELECT count(*) FROM fetch)"
        #expect(try store.writer.read { db in try Int.fetchOne(db, sql: left) } == 0)
    }

    /// Which items wait for their day was told by their dates.
    @Test func whatWaitedForItsDayIsHeldUnlessItWasTold() throws {
        let items = ["waits", "each", "day", "far", "past"].map { "(1, '\($0)', \(dates[$0] ?? 9000), 3000, 5000)" }
        try makeFile(
            upTo: "14 the names of the last run",
            """
            INSERT INTO source (name, upcoming) VALUES ('news', 9000), ('more', NULL);
            INSERT INTO item (source, identifier, published, firstSeen, lastSeen) VALUES
                (2, 'waits', 9000, 3000, 5000), \(items.joined(separator: ", "));
            INSERT INTO notification (identifier, source, content, created) VALUES
                ('news/each', 1, '{"userInfo":{"items":[{"id":"each"}]}}', 1),
                ('news/day-2023-11-14', 1, '{"userInfo":{"items":[{"id":"x"},{"id":"day"}]}}', 1),
                ('news/odd', 1, '{"userInfo":{"items":["waits",{"id":["waits"]}]}}', 1),
                ('more/waits', 2, '{"userInfo":{"items":[{"id":"waits"}]}}', 1),
                ('news/notice', 1, '{"userInfo":{"items":"waits"}}', 1)
            """)
        let store = try Store(path: path, integrityCheck: .always)
        #expect(try store.heldItems(of: "news").map(\.item.identifier) == ["waits"])
        #expect(try store.heldItems(of: "more").isEmpty)
    }

    /// Nobody knows of those any longer whether they were told.
    @Test func whatConditionsHaveLeftOutBeforeIsKnown() throws {
        try makeFile(
            upTo: "26 what a visit may have failed at",
            """
            INSERT INTO source (name) VALUES ('news');
            INSERT INTO item (source, identifier, title, firstSeen, lastSeen) VALUES (1, 'a', 'A', 3000, 5000)
            """)
        let known = try Store(path: path).known([ContentItem(identifier: "a")], of: "news", at: noon)
        #expect(known.identifiers == ["a"] && known.leftOut.isEmpty)
    }

    @Test func ofAnOutageOfBeforeNobodyKnowsTheCause() throws {
        try makeFile(upTo: "27 what conditions leave out", "INSERT INTO mark VALUES ('outage-since', 3000)")
        let store = try Store(path: path)
        #expect(try store.outageSince == Date(timeIntervalSince1970: 3) && store.outageCause == nil)
    }

    private let dates = ["far": 86_403_001, "past": 8999]

    @Test func addressesThatWereToldStayTold() throws {
        try restore(firstSchemaDump)
        try makeFile(upTo: "4 outbox care", "INSERT INTO told VALUES ('https://e.example/a', 1)")
        let store = try Store(path: path)
        var other = commit("other", requests: ["other/a"], to: ["desktop"])
        other.requests[0].addresses = ["https://e.example/a"]
        try store.commit(other)
        #expect(try store.deliveries(in: [.suppressed]).map(\.lastError) == ["told in news/urn:a"])
    }

    @Test func aStateOfTheEighthVersionGetsWakeUps() throws {
        try makeFile(upTo: "8 digests")
        let store = try Store(path: path)
        #expect(try store.log().isEmpty)
        store.note(WakeUp(.network, at: noon))
        try store.writeNotes()
        #expect(try Store(path: path).log().map(\.event) == [.wake(.network)])
    }

    /// Tables with their columns, indexes and triggers.
    private func schema(of store: Store) throws -> [String] {
        try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT type || ' ' || schema.name || ' ' || coalesce((
                        SELECT group_concat(name || ' ' || type || ' ' || "notnull" || coalesce(dflt_value, ''))
                        FROM pragma_table_xinfo(schema.name)), '')
                    FROM sqlite_schema AS schema ORDER BY 1
                    """)
        }
    }

    @Test func aStateOfTheFifthVersionGetsALog() throws {
        try makeFile(
            upTo: "5 addresses told by several",
            "INSERT INTO source (name, lastFetched, lastResult) VALUES ('news', 5000, 'noData')")
        let store = try Store(path: path)
        #expect(try store.log().isEmpty, "what was not written down is not made up")
        var commit = FetchCommit(state: try store.state(of: "news"), date: noon)
        commit.visit = FetchVisit(trigger: .schedule, begun: noon)
        try store.commit(commit)
        #expect(try store.log(of: "news").map(\.date) == [noon])
    }

    @Test func aStateWithoutTheSwitchFetchesInTheBackground() throws {
        try makeFile(upTo: "6 fetches", "INSERT INTO source (name) VALUES ('news')")
        let store = try Store(path: path)
        #expect(try store.states().keys.sorted() == ["news"])
        #expect(try store.backgroundSettings() == BackgroundSettings(isOn: true, minimumInterval: .zero))
        let settings = BackgroundSettings(isOn: false, minimumInterval: .seconds(1800))
        try store.setBackgroundSettings(settings)
        #expect(try Store(path: path).backgroundSettings() == settings)
    }
}
