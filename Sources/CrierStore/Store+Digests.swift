import CrierContent
import CrierNotifications
import Foundation
import GRDB

/// An item with where it came from and when.
public struct DigestItem: Sendable, Hashable {
    /// Of its waiting; 0 for one that does not.
    let id: Int64
    /// The name of its source.
    public let source: String
    public let item: ContentItem
    public let firstSeen: Date

    public init(source: String, item: ContentItem, firstSeen: Date) {
        id = 0
        self.source = source
        self.item = item
        self.firstSeen = firstSeen
    }

    fileprivate init(_ row: Row) throws {
        id = try row.decode(forColumn: "waiting")
        source = try row.decode(forColumn: "sourceName")
        item = try ContentItem(row)
        firstSeen = try row.date("firstSeen") ?? .distantPast
    }
}

/// When a digest is due, as it was when a slot of it was accounted for.
public struct DigestSchedule: Sendable, Hashable {
    /// As the user wrote it.
    public var expression: String
    /// The identifier of its zone.
    public var timeZone: String

    public init(expression: String, timeZone: String) {
        self.expression = expression
        self.timeZone = timeZone
    }
}

/// The last slot of a digest that is accounted for.
public struct AccountedSlot: Sendable, Hashable {
    public let date: Date
    /// Nil: nobody knows.
    public let schedule: DigestSchedule?
}

/// One issue of a digest that is to be written.
public struct DigestIssue: Sendable {
    public var digest: String
    /// The date of ``Store/accountedSlot(of:)`` when its items were chosen.
    public var previous: Date
    /// The slot that is accounted for afterwards.
    public var slot: Date
    /// Those that it tells of.
    public var items: [DigestItem]
    /// Those that wait no longer, and are never told.
    public var leftOut: [DigestItem]
    /// What is raised; nil where there is nothing to tell.
    public var content: NotificationContent?
    /// Of its notification, such as `digest/morning/2026-11-21`; a second one of that gets a number behind it.
    public var identifier: String
    public var sinks: [String]

    public init(
        digest: String, previous: Date, slot: Date, items: [DigestItem], leftOut: [DigestItem],
        content: NotificationContent?, identifier: String, sinks: [String]
    ) {
        self.digest = digest
        self.previous = previous
        self.slot = slot
        self.items = items
        self.leftOut = leftOut
        self.content = content
        self.identifier = identifier
        self.sinks = sinks
    }
}

/// What became of an issue.
public enum DigestOutcome: Sendable, Hashable {
    /// Its notification is in the outbox.
    case issued(NotificationRequest)
    /// The slot is accounted for, and nothing is raised.
    case nothing
    /// Another run was faster; nothing was written.
    case overtaken
}

extension Store {
    /// The last slot of a digest that is accounted for; nil where it was never seen.
    public func accountedSlot(of digest: String) throws(StoreError) -> AccountedSlot? {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT accounted, expression, timeZone FROM digest WHERE name = ?")
            guard let row = try Row.fetchOne(statement, arguments: [digest]) else { return nil }
            var schedule: DigestSchedule?
            if let expression = try row.decode(String?.self, forColumn: "expression"),
                let timeZone = try row.decode(String?.self, forColumn: "timeZone")
            {
                schedule = DigestSchedule(expression: expression, timeZone: timeZone)
            }
            return AccountedSlot(
                date: Date(milliseconds: try row.decode(forColumn: "accounted")), schedule: schedule)
        }
    }

    /// Takes every slot up to a date as accounted for.
    ///
    /// - Parameter schedule: That the digest has now; nil: nobody knows.
    public func account(_ digest: String, upTo date: Date, by schedule: DigestSchedule? = nil) throws(StoreError) {
        try write { db in
            try Self.account(digest, upTo: date, in: db)
            try db.execute(
                sql: "UPDATE digest SET expression = ?, timeZone = ? WHERE name = ?",
                arguments: [schedule?.expression, schedule?.timeZone, digest])
        }
    }

    /// What waits for a digest, in the order in which it came.
    public func waitingItems(of digest: String) throws(StoreError) -> [DigestItem] {
        try items(of: digest, where: "issue IS NULL")
    }

    /// What issues of a digest tell that nobody has got yet, in the order in which it came: they wait for the user, or for sinks that are
    /// not there. The next issue may tell it in their place.
    public func unraisedItems(of digest: String) throws(StoreError) -> [DigestItem] {
        try items(of: digest, where: "issue IN (\(Self.unraisedIssues))")
    }

    private func items(of digest: String, where condition: String) throws(StoreError) -> [DigestItem] {
        try read { db in
            let sql = """
                SELECT digest_item.id AS waiting, source.name AS sourceName, item.*
                FROM digest_item JOIN source ON source.id = digest_item.source
                JOIN item ON item.source = digest_item.source AND item.identifier = digest_item.item
                WHERE digest = ?1 AND \(condition) ORDER BY digest_item.id
                """
            return try Row.fetchAll(db, sql: sql, arguments: [digest]).map(DigestItem.init)
        }
    }

    /// Those of the digest `?1` of which no delivery was ever begun, and each is held, quieted or put off.
    private static let unraisedIssues = """
        SELECT digest_issue.id FROM digest_issue
        JOIN notification ON notification.identifier = digest_issue.identifier
        JOIN delivery ON delivery.notification = notification.id
        WHERE digest = ?1 GROUP BY digest_issue.id
        HAVING min(delivery.state IN ('pending', 'held') AND attempts = 0
            AND (delivery.state = 'held' OR quieted OR lastError IS NOT NULL))
        """

    /// The addresses of what issues of a digest told, each with its source, in the order in which they came. One that was
    /// suppressed, dropped or given up at all of its sinks has told of nothing.
    public func toldAddresses(of digest: String) throws(StoreError) -> [(url: String, source: String)] {
        try read { db in
            let sql = """
                SELECT item.url, source.name FROM digest_item JOIN source ON source.id = digest_item.source
                JOIN item ON item.source = digest_item.source AND item.identifier = digest_item.item
                WHERE digest = ? AND issue IS NOT NULL AND item.url IS NOT NULL AND issue NOT IN (
                    SELECT digest_issue.id FROM digest_issue
                    JOIN notification ON notification.identifier = digest_issue.identifier
                    JOIN delivery ON delivery.notification = notification.id
                    GROUP BY digest_issue.id HAVING min(state IN ('suppressed', 'dead')))
                ORDER BY digest_item.id
                """
            return try Row.fetchAll(db, sql: sql, arguments: [digest]).map {
                (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1))
            }
        }
    }

    /// The names of the digests that ever began to wait for a slot.
    public func seenDigests() throws(StoreError) -> Set<String> {
        try read { db in try String.fetchSet(db.cachedStatement(sql: "SELECT name FROM digest")) }
    }

    /// Forgets the digests but some, as if they had never been seen, unless something waits for them.
    ///
    /// - Parameter kept: The names of those that may have to catch up.
    public func forgetDigests(but kept: Set<String>) throws(StoreError) {
        let left = try seenDigests().subtracting(kept)
        if left.isEmpty { return }
        try write { db in
            let forget = try db.cachedStatement(
                sql: """
                    DELETE FROM digest
                    WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM digest_item WHERE digest = ?1 AND issue IS NULL)
                    """)
            for name in left { try forget.execute(arguments: [name]) }
        }
    }

    /// The names of the sources whose items wait for each digest that any wait for, by its name.
    public func waitingSources() throws(StoreError) -> [String: Set<String>] {
        try sources(ofItemsWhere: "issue IS NULL")
    }

    /// The names of the sources whose items its last issue told, for each digest that was seen and that none wait for, by its name.
    public func lastToldSources() throws(StoreError) -> [String: Set<String>] {
        try sources(
            ofItemsWhere: """
                digest IN (SELECT name FROM digest)
                AND issue IN (SELECT max(issue) FROM digest_item GROUP BY digest HAVING count(*) = count(issue))
                """)
    }

    private func sources(ofItemsWhere condition: String) throws(StoreError) -> [String: Set<String>] {
        try read { db in
            let sql = """
                SELECT DISTINCT digest, source.name FROM digest_item JOIN source ON source.id = digest_item.source
                WHERE \(condition)
                """
            return try Row.fetchAll(db, sql: sql).reduce(into: [:]) {
                $0[try $1.decode(atIndex: 0), default: []].insert(try $1.decode(atIndex: 1))
            }
        }
    }

    /// How many items wait for each digest that any wait for, by name.
    public func waitingItemCounts() throws(StoreError) -> [String: Int] {
        try read { db in
            let sql = "SELECT digest, count(*) FROM digest_item WHERE issue IS NULL GROUP BY digest"
            return try Self.counts(sql, in: db)
        }
    }

    /// What sources have had for the first time since a date, whatever was told of it, in the order in which it came.
    public func items(of sources: [String], seenSince date: Date) throws(StoreError) -> [DigestItem] {
        try read { db in
            let sql = """
                SELECT 0 AS waiting, source.name AS sourceName, item.* FROM item JOIN source ON source.id = item.source
                WHERE source.name IN (SELECT value FROM json_each(?)) AND firstSeen >= ?
                ORDER BY firstSeen, item.id
                """
            let arguments: StatementArguments = [StoredJSON.list(sources), date.milliseconds]
            // One row at a time: they may be all that there is.
            return try Array(Row.fetchCursor(db, sql: sql, arguments: arguments).map { try DigestItem($0) })
        }
    }

    /// The notification of the last issue of a digest; nil where there is none, or its text is kept no longer.
    public func lastIssue(of digest: String) throws(StoreError) -> (request: NotificationRequest, issued: Date)? {
        try read { db in
            let sql = """
                SELECT notification.identifier, content, issued FROM digest_issue
                JOIN notification ON notification.identifier = digest_issue.identifier
                WHERE digest = ? AND content <> '{}' ORDER BY digest_issue.id DESC LIMIT 1
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [digest]) else { return nil }
            return (try NotificationRequest(row), try row.date("issued") ?? .distantPast)
        }
    }

    /// Writes an issue: its items wait no longer, its slot is accounted for and its notification is in the outbox, together
    /// or not at all. Two runs that chose the same items cannot both succeed. Earlier issues whose items it tells
    /// (``unraisedItems(of:)``) are suppressed.
    public func issue(_ issue: DigestIssue, at date: Date) throws(StoreError) -> DigestOutcome {
        let outcome: DigestOutcome = try write { db in
            guard try Self.isUpToDate(issue, in: db) else { return .overtaken }
            try Self.account(issue.digest, upTo: issue.slot, in: db)
            let forget = try db.cachedStatement(sql: "DELETE FROM digest_item WHERE id = ?")
            for item in issue.leftOut { try forget.execute(arguments: [item.id]) }
            guard let content = issue.content else { return .nothing }
            let identifier = try Self.freeIdentifier(issue.identifier, in: db)
            try db.execute(
                sql: "INSERT INTO digest_issue (digest, identifier, issued) VALUES (?, ?, ?)",
                arguments: [issue.digest, identifier, date.milliseconds])
            let number = db.lastInsertedRowID
            let unraised = try Int64.fetchAll(db, sql: Self.unraisedIssues, arguments: [issue.digest])
            CrashPoint.reached(.digestInside)
            let take = try db.cachedStatement(sql: "UPDATE digest_item SET issue = ? WHERE id = ?")
            for item in issue.items { try take.execute(arguments: [number, item.id]) }
            for former in unraised { try Self.suppress(issue: former, toldIn: identifier, at: date, in: db) }
            let request = NotificationRequest(identifier: identifier, content: content)
            _ = try Self.enqueue(request, source: nil, sinks: issue.sinks, date: date, in: db)
            CrashPoint.reached(.digestEnd)
            return .issued(request)
        }
        CrashPoint.reached(.digestAfter)
        return outcome
    }

    private static func isUpToDate(_ issue: DigestIssue, in db: Database) throws -> Bool {
        let accounted = try Int64.fetchOne(
            db, sql: "SELECT accounted FROM digest WHERE name = ?", arguments: [issue.digest])
        guard accounted == issue.previous.milliseconds else { return false }
        let unraised = try Set(Int64.fetchAll(db, sql: unraisedIssues, arguments: [issue.digest]))
        let look = try db.cachedStatement(sql: "SELECT issue FROM digest_item WHERE id = ?")
        return try (issue.items + issue.leftOut).allSatisfy {
            guard let row = try Row.fetchOne(look, arguments: [$0.id]) else { return false }
            return try row.decode(Int64?.self, atIndex: 0).map(unraised.contains) ?? true
        }
    }

    /// Unless it tells something still.
    private static func suppress(
        issue: Int64, toldIn identifier: String, at date: Date, in db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE delivery SET state = 'suppressed', lastError = ?1, ended = ?2, quieted = 0, revision = revision + 1
                WHERE NOT EXISTS (SELECT 1 FROM digest_item WHERE issue = ?3) AND notification IN (
                    SELECT notification.id FROM notification JOIN digest_issue USING (identifier) WHERE digest_issue.id = ?3)
                """, arguments: ["told in \(identifier)", date.milliseconds, issue])
    }

    private static func account(_ digest: String, upTo date: Date, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO digest (name, accounted) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET accounted = excluded.accounted
                """, arguments: [digest, date.milliseconds])
    }

    /// That identifier, or it with a number behind it where it is taken.
    ///
    /// - Parameter mayBe: Whether one that is taken will do.
    static func freeIdentifier(
        _ wish: String, orOne mayBe: (String) throws -> Bool = { _ in false }, in db: Database
    ) throws -> String {
        var identifier = wish
        var number = 1
        let look = try db.cachedStatement(
            sql:
                "SELECT 1 FROM notification WHERE identifier = ?1 UNION SELECT 1 FROM digest_issue WHERE identifier = ?1"
        )
        while try Int.fetchOne(look, arguments: [identifier]) != nil, try !mayBe(identifier) {
            number += 1
            identifier = "\(wish).\(number)"
        }
        return identifier
    }

    /// An item waits for a digest once, however often it is seen.
    static func wait(
        _ items: [String], of source: Int64, for digest: String, since date: Date, in db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO digest_item (digest, source, item, added) VALUES (?, ?, ?, ?)")
        for item in items { try statement.execute(arguments: [digest, source, item, date.milliseconds]) }
    }
}
