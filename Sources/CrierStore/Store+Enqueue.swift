import CrierContent
import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// The door of programs into the outbox: a request of an identifier that a program has added already takes its place
    /// and is delivered again; the receipt is kept, so that a sink can replace what it showed. Where a source tells under that
    /// identifier, a number goes behind it.
    ///
    /// - Parameter isExclusive: Whether it goes to these sinks only: what waits for others of an earlier request of its identifier,
    ///   or was given up there, would tell them the new text, and is suppressed.
    /// - Throws: ``StoreError``, of the kind ``StoreError/Kind/invalidRequest`` where the identifier or the name of a sink holds a
    ///   NUL, the identifier begins with ``reservedPrefix``, a number is not finite or ``NotificationContent/userInfo`` has too
    ///   many levels.
    public func add(
        _ request: NotificationRequest, to sinks: [String], isExclusive: Bool = false, at date: Date
    ) throws(StoreError) {
        try Self.checkName(request.identifier, "identifier of the notification")
        for sink in sinks { try Self.checkName(sink, "name of the sink") }
        guard !request.identifier.hasPrefix(Self.reservedPrefix) else {
            let name = PlainText.line(text: request.identifier, limit: 100)
            throw StoreError(
                .invalidRequest,
                "the identifier of the notification \(name) begins with \(Self.reservedPrefix), as Crier's own do")
        }
        try write { db in
            let row = try Self.enqueue(request, source: nil, sinks: sinks, date: date, replacing: true, in: db)
            if let row, isExclusive { try Self.withdraw(row, exceptFrom: sinks, at: date, in: db) }
        }
    }

    /// SQLite's texts end at a NUL: what is called so would be taken for another.
    ///
    /// - Parameter words: What it is a name of.
    /// - Throws: ``StoreError/Kind/invalidRequest``.
    package static func checkName(_ name: String, _ words: String) throws(StoreError) {
        guard name.utf8.contains(0) else { return }
        let name = PlainText.line(text: name, limit: 100)
        throw StoreError(.invalidRequest, "the \(words) \(name) holds a NUL")
    }

    /// How the identifiers of what Crier tells of itself begin, such as summaries of what waited.
    public static let reservedPrefix = "crier/"

    /// Suppresses what waits of a notification for sinks that it does not go to any more; a summary that is yet to be raised
    /// there tells of it no more either.
    private static func withdraw(
        _ notification: Int64, exceptFrom sinks: [String], at date: Date, in db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE delivery SET state = 'suppressed', lastError = 'its new text goes elsewhere', ended = ?1,
                    quieted = 0, toldBy = NULL, revision = revision + 1
                WHERE notification = ?2 AND sink NOT IN (SELECT value FROM json_each(?3))
                AND (state IN ('pending', 'held', 'dead') OR state = 'suppressed' AND toldBy IN (
                    SELECT summary.notification FROM delivery AS summary
                    WHERE summary.sink = delivery.sink AND summary.state IN ('pending', 'held')))
                """, arguments: [date.milliseconds, notification, StoredJSON.list(sinks)])
    }

    /// The one insert into the outbox, behind all its doors.
    ///
    /// What one source has told is not what another tells that took its name, nor what a program tells that knows nothing of it:
    /// where the identifier is another's, a number goes behind it.
    ///
    /// - Parameter isReplacing: Whether a request whose identifier is there already takes its place as its next revision
    ///   and is delivered again, instead of being left out.
    /// - Returns: The row of its notification; nil where it was left out.
    /// - Throws: Also ``StoreError/Kind/invalidRequest``.
    static func enqueue(
        _ request: NotificationRequest, source: Int64?, sinks: [String], date: Date,
        replacing isReplacing: Bool = false,
        in db: Database
    ) throws -> Int64? {
        let content = try request.storedContent()
        // Not with RETURNING, for which SQLite sets up a table in memory.
        var insert = try RawStatement(
            """
            INSERT INTO notification (identifier, source, content, created) VALUES (?, ?, ?, ?)
            ON CONFLICT (identifier) DO \(isReplacing ? replace : "NOTHING")
            """, in: db)
        var find = try RawStatement(
            "SELECT id, source IS ?1 FROM notification WHERE identifier = ?2", in: db)
        func write(as identifier: String) throws -> (row: Int64, isWritten: Bool, isOwn: Bool)? {
            insert.bind(identifier)
            insert.bind(source)
            insert.bind(content)
            insert.bind(date)
            try insert.run()
            let isWritten = db.changesCount == 1
            find.bind(source)
            find.bind(identifier)
            return try find.first { row in row.number(0).map { ($0, isWritten, row.number(1) == 1) } } ?? nil
        }
        var outcome = try write(as: request.identifier)
        var number = 1
        while let other = outcome, !other.isOwn {
            number += 1
            outcome = try write(as: "\(request.identifier)~\(number)")
        }
        guard let outcome, outcome.isWritten else { return nil }
        var deliver = try RawStatement(
            """
            INSERT INTO delivery (notification, sink, state, nextAttempt, waitsSince) VALUES (?1, ?2, 'pending', ?3, ?3)
            ON CONFLICT (notification, sink) DO UPDATE SET
                state = 'pending', attempts = 0, nextAttempt = excluded.nextAttempt, waitsSince = excluded.waitsSince,
                lastError = NULL, ended = NULL, quieted = 0, toldBy = NULL, unanswered = 0, revision = revision + 1
            """, in: db)
        for sink in sinks {
            let summary = isReplacing ? try unraisedSummary(telling: outcome.row, at: sink, in: db) : nil
            deliver.bind(outcome.row)
            deliver.bind(sink)
            deliver.bind(date)
            try deliver.run()
            if let summary { try dissolve(summary, and: outcome.row, date: date, in: db) }
        }
        return outcome.row
    }

    /// What the notification is called that last told of an item by itself: the source may have had another name then. Nil
    /// where there is none.
    static func identifier(of item: String, of source: Int64, in db: Database) throws -> String? {
        var look = try RawStatement(
            """
            SELECT identifier FROM notification
            WHERE source = ?1 AND instr(identifier || '~', '/' || ?2 || '~')
            AND json_extract(content, '$.userInfo.items[0].id') = ?2
            ORDER BY id DESC LIMIT 1
            """, in: db)
        look.bind(source)
        look.bind(item)
        return try look.first { $0.text(0) } ?? nil
    }

    private static let replace = """
        UPDATE SET content = excluded.content, created = excluded.created, revision = revision + 1
        WHERE source IS excluded.source
        """

    /// Of each sink at which other sources than `?2` have told of all addresses in `?1`, the first notification that did. What was
    /// never raised itself has told of nothing, unless a third told it, and was raised or waits for that: were it this source, its
    /// update would be told by nobody.
    private static let tellers = """
        SELECT other.sink AS place, min(notification.id) AS first, notification.identifier
        FROM told JOIN notification ON notification.id = told.notification
        JOIN delivery AS other ON other.notification = notification.id
        LEFT JOIN notification AS teller ON teller.id = other.toldBy
        WHERE told.url IN (SELECT value FROM json_each(?1)) AND notification.source IS NOT ?2
        AND (other.state NOT IN ('suppressed', 'dead') OR teller.source IS NOT ?2 AND EXISTS (
            SELECT 1 FROM delivery AS telling WHERE telling.notification = teller.id
            AND telling.sink = other.sink AND telling.state NOT IN ('suppressed', 'dead')))
        GROUP BY other.sink
        HAVING count(DISTINCT told.url) = (SELECT count(DISTINCT value) FROM json_each(?1))
        """

    /// Notes the addresses that a new request tells of. Where other sources have told of all of them at a sink, the delivery
    /// to that sink is recorded as told by the first and never raised.
    static func tellOnce(
        _ addresses: [String], in notification: Int64, of source: Int64, at date: Date, db: Database
    ) throws {
        if addresses.isEmpty { return }
        let suppress = try db.cachedStatement(
            sql: """
                UPDATE delivery SET state = 'suppressed', lastError = 'told in ' || identifier, ended = ?3,
                    toldBy = first, revision = revision + 1
                FROM (\(tellers)) WHERE notification = ?4 AND sink = place
                """)
        try suppress.execute(arguments: [StoredJSON.list(addresses), source, date.milliseconds, notification])
        let note = try db.cachedStatement(sql: "INSERT OR IGNORE INTO told (url, notification) VALUES (?, ?)")
        for address in addresses { try note.execute(arguments: [address, notification]) }
    }

    /// What other sources have told already, at all sinks that it would go to, of what a fetch would raise that is not to be
    /// written: by the identifiers of its requests, that of the notification which did so first.
    package func toldByOthers(_ fetch: FetchCommit) throws(StoreError) -> [String: String] {
        if fetch.requests.allSatisfy({ $0.addresses == nil }) { return [:] }
        return try read { db in
            // Whoever had the name before is another source; no row has the number 0.
            let source = fetch.startsAnew ? nil : try Self.id(of: fetch.state.name, in: db)
            var told: [String: String] = [:]
            for raised in fetch.requests {
                guard let addresses = raised.addresses else { continue }
                let rows = try Row.fetchAll(
                    db, sql: Self.tellers, arguments: [StoredJSON.list(addresses), source ?? 0])
                let tellers: [String: String] = try rows.reduce(into: [:]) {
                    $0[try $1.decode(forColumn: "place")] = try $1.decode(String.self, forColumn: "identifier")
                }
                let sinks = raised.sinks ?? fetch.sinks
                guard sinks.allSatisfy({ tellers[$0] != nil }) else { continue }
                told[raised.request.identifier] = sinks.first.flatMap { tellers[$0] }
            }
            return told
        }
    }

    /// Whether other sources have told at all of its sinks what a notification of a source tells of, so that it is raised nowhere.
    static func isToldByOthers(_ identifier: String, of source: Int64, in db: Database) throws -> Bool {
        var look = try RawStatement(
            """
            SELECT min(delivery.state = 'suppressed' AND ifnull(teller.source <> ?1, 0))
            FROM notification JOIN delivery ON delivery.notification = notification.id
            LEFT JOIN notification AS teller ON teller.id = delivery.toldBy
            WHERE notification.identifier = ?2 AND notification.source = ?1
            """, in: db)
        look.bind(source)
        look.bind(identifier)
        return try look.first { $0.number(0) == 1 } ?? false
    }
}

extension NotificationRequest {
    /// - Throws: ``StoreError/Kind/invalidRequest``, in words for the programmer.
    fileprivate func storedContent() throws(StoreError) -> String {
        do { return try content.stored() } catch {
            let name = PlainText.line(text: identifier, limit: 100)
            let fault = "\(PlainText.line(text: error.place, limit: 100)) \(error.reason)"
            throw StoreError(.invalidRequest, "the notification \(name) cannot be stored: its \(fault)")
        }
    }
}
