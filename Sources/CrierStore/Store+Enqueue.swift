import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// The one insert into the outbox, behind all its doors.
    ///
    /// - Parameter isReplacing: Whether a request whose identifier is there already takes its place as its next revision
    ///   and is delivered again, instead of being left out.
    /// - Returns: False where it was left out.
    static func enqueue(
        _ request: NotificationRequest, source: Int64?, sinks: [String], date: Date,
        replacing isReplacing: Bool = false,
        in db: Database
    ) throws -> Bool {
        let content = try request.content.stored()
        // Not with RETURNING, for which SQLite sets up a table in memory.
        var insert = try RawStatement(
            """
            INSERT INTO notification (identifier, source, content, created) VALUES (?, ?, ?, ?)
            ON CONFLICT (identifier) DO \(isReplacing ? replace : "NOTHING")
            """, in: db)
        insert.bind(request.identifier)
        insert.bind(source)
        insert.bind(content)
        insert.bind(date)
        try insert.run()
        guard db.changesCount == 1 else { return false }
        var find = try RawStatement("SELECT id FROM notification WHERE identifier = ?", in: db)
        find.bind(request.identifier)
        guard let id = try find.first({ $0.number(0) }) ?? nil else { return false }
        var deliver = try RawStatement(
            """
            INSERT INTO delivery (notification, sink, state, nextAttempt) VALUES (?, ?, 'pending', ?)
            ON CONFLICT (notification, sink) DO UPDATE SET
                state = 'pending', attempts = 0, nextAttempt = excluded.nextAttempt, lastError = NULL, ended = NULL,
                quieted = 0, toldBy = NULL, revision = revision + 1
            """, in: db)
        for sink in sinks {
            deliver.bind(id)
            deliver.bind(sink)
            deliver.bind(date)
            try deliver.run()
        }
        return true
    }

    private static let replace = """
        UPDATE SET content = excluded.content, created = excluded.created, revision = revision + 1
        """

    /// Notes the addresses that a new request tells of. Where it tells of a single one, and another source has told of
    /// it at a sink, the delivery to that sink is recorded as told by the other and never raised. What was never raised itself
    /// has told of nothing, unless a third told it: were it this source, its update would be told by nobody.
    static func tellOnce(
        _ addresses: [String], of request: NotificationRequest, at date: Date, in db: Database
    ) throws {
        let find = try db.cachedStatement(sql: "SELECT id, source FROM notification WHERE identifier = ?")
        guard let own = try Row.fetchOne(find, arguments: [request.identifier]) else { return }
        let id: Int64 = own["id"]
        if let address = addresses.first, addresses.count == 1 {
            let suppress = try db.cachedStatement(
                sql: """
                    UPDATE delivery SET state = 'suppressed', lastError = 'told in ' || identifier, ended = ?,
                        toldBy = first, revision = revision + 1
                    FROM (
                        SELECT other.sink AS place, min(notification.id) AS first, notification.identifier
                        FROM told JOIN notification ON notification.id = told.notification
                        JOIN delivery AS other ON other.notification = notification.id
                        LEFT JOIN notification AS teller ON teller.id = other.toldBy
                        WHERE told.url = ? AND notification.source IS NOT ?
                        AND (other.state NOT IN ('suppressed', 'dead') OR teller.id AND teller.source IS NOT ?)
                        GROUP BY other.sink)
                    WHERE notification = ? AND sink = place
                    """)
            let source: Int64? = own["source"]
            try suppress.execute(arguments: [date.milliseconds, address, source, source, id])
        }
        let note = try db.cachedStatement(sql: "INSERT OR IGNORE INTO told (url, notification) VALUES (?, ?)")
        for address in addresses { try note.execute(arguments: [address, id]) }
    }
}
