import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// No schedule waits longer than this, in seconds: a stored date further ahead means that the clock was set back.
    private static let longestWait = 2 * 86_400.0

    /// The deliveries that are due, oldest notification first; those to sinks that are gone wait.
    public func dueDeliveries(at date: Date, limit: Int = 1000) throws(StoreError) -> [Delivery] {
        try deliveries(
            where: """
                delivery.state = 'pending' AND NOT nextAttempt BETWEEN ? + 1 AND ?
                AND sink NOT IN (SELECT name FROM sink)
                """,
            [date.milliseconds, date.addingTimeInterval(Self.longestWait).milliseconds], limit: limit)
    }

    /// The deliveries that wait for authorization, oldest notification first.
    public func heldDeliveries(limit: Int = 1000) throws(StoreError) -> [Delivery] {
        try deliveries(where: "delivery.state = 'held'", [], limit: limit)
    }

    /// Deliveries for the user to look at, newest first.
    public func deliveries(
        in states: Set<Delivery.State>, source: String? = nil, sink: String? = nil, limit: Int = 50
    ) throws(StoreError) -> [Delivery] {
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return try deliveries(
            where: "delivery.state IN (\(list)) AND (?1 IS NULL OR source.name = ?1) AND (?2 IS NULL OR sink = ?2)",
            [source, sink], order: "DESC", limit: limit)
    }

    private func deliveries(
        where condition: String, _ arguments: StatementArguments, order: String = "ASC", limit: Int
    ) throws(StoreError) -> [Delivery] {
        try read { db in
            let sql = """
                SELECT delivery.*, identifier, content, created, source.name AS sourceName
                FROM delivery JOIN notification ON notification.id = delivery.notification
                LEFT JOIN source ON source.id = notification.source
                WHERE \(condition) ORDER BY delivery.notification \(order), delivery.id LIMIT \(limit)
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map(Delivery.init)
        }
    }

    /// When the earliest pending delivery is due; nil where none is pending.
    public func nextDelivery() throws(StoreError) -> Date? {
        try read { db in
            try Int64.fetchOne(
                db,
                sql:
                    "SELECT min(nextAttempt) FROM delivery WHERE state = 'pending' AND sink NOT IN (SELECT name FROM sink)"
            )
        }.map(Date.init(milliseconds:))
    }

    /// Takes a delivery for an attempt, which is counted before it is made: a state that cannot be written raises nothing.
    ///
    /// - Returns: The delivery as it is now; nil where it has changed since it was read, or nothing may be raised any more.
    public func begin(_ delivery: Delivery) throws(StoreError) -> Delivery? {
        try write { db in
            let sql = """
                UPDATE delivery SET attempts = attempts + 1, revision = revision + 1
                WHERE id = ? AND revision = ? AND state = 'pending'
                AND EXISTS (SELECT 1 FROM authorization WHERE status = ?)
                """
            let arguments: StatementArguments = [
                delivery.id, delivery.revision, AuthorizationStatus.authorized.rawValue,
            ]
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
            return db.changesCount == 1 ? delivery.begun : nil
        }
    }

    /// Writes down what became of a delivery, unless it has been changed since it was read. Where a sink accepted it, the
    /// source's last-notified date moves in the same transaction.
    public func finish(_ delivery: Delivery, with change: DeliveryChange, at date: Date) throws(StoreError) {
        try write { db in try Self.apply(change, to: delivery, at: date, in: db) }
    }

    static func apply(_ change: DeliveryChange, to delivery: Delivery, at date: Date, in db: Database) throws {
        let now = date.milliseconds
        let assignments: String
        let arguments: StatementArguments
        switch change {
        case .delivered(let receipt):
            assignments = "state = 'delivered', lastError = NULL, receipt = ?, ended = ?"
            arguments = [receipt, now]
        case .retry(let next, let reason):
            assignments = "nextAttempt = ?, lastError = ?"
            arguments = [next.milliseconds, reason]
        case .deferred(let next, let reason):
            assignments = "attempts = attempts - 1, nextAttempt = ?, lastError = ?"
            arguments = [next.milliseconds, reason]
        case .postponed(let next, let reason):
            assignments = "state = 'pending', nextAttempt = ?, lastError = ?"
            arguments = [next.milliseconds, reason]
        case .dead(let reason):
            assignments = "state = 'dead', lastError = ?, ended = ?"
            arguments = [reason, now]
        case .suppressed(let reason):
            assignments = "state = 'suppressed', lastError = ?, ended = ?"
            arguments = [reason, now]
        }
        try db.cachedStatement(
            sql: "UPDATE delivery SET \(assignments), revision = revision + 1 WHERE id = ? AND revision = ?"
        ).execute(arguments: arguments + [delivery.id, delivery.revision])
        if case .delivered = change, db.changesCount == 1 { try moveLastNotified(of: delivery, to: now, in: db) }
    }

    /// Holds everything that is pending, until the user decides. Returns how many.
    @discardableResult
    public func holdPending() throws(StoreError) -> Int {
        try write { db in
            try db.execute(sql: "UPDATE delivery SET state = 'held', revision = revision + 1 WHERE state = 'pending'")
            return db.changesCount
        }
    }

    /// Suppresses everything that is pending or held. Returns how many.
    public func suppressWaiting(reason: String, at date: Date) throws(StoreError) -> Int {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET state = 'suppressed', lastError = ?, ended = ?, revision = revision + 1
                    WHERE state IN ('pending', 'held')
                    """, arguments: [reason, date.milliseconds])
            return db.changesCount
        }
    }

    /// Of the source it tells of, and of those that a summary stands for.
    private static func moveLastNotified(of delivery: Delivery, to now: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE source SET lastNotified = max(coalesce(lastNotified, 0), ?1) WHERE id IN (
                    SELECT notification.source FROM notification JOIN delivery ON delivery.notification = notification.id
                    WHERE delivery.id = ?2 OR delivery.toldBy = (SELECT notification FROM delivery WHERE id = ?2))
                """, arguments: [now, delivery.id])
    }

    /// The door of programs into the outbox: a request of an identifier that is there already takes its place
    /// and is delivered again; the receipt is kept, so that a sink can replace what it showed.
    public func add(_ request: NotificationRequest, to sinks: [String], at date: Date) throws(StoreError) {
        try write { db in
            if try Self.enqueue(request, source: nil, sinks: sinks, date: date, in: db) { return }
            let content = String(decoding: try JSONEncoder().encode(request.content), as: UTF8.self)
            try db.execute(
                sql: "UPDATE notification SET content = ?, created = ? WHERE identifier = ?",
                arguments: [content, date.milliseconds, request.identifier])
            for sink in sinks {
                try db.execute(
                    sql: """
                        INSERT INTO delivery (notification, sink, state, nextAttempt)
                        SELECT id, ?, 'pending', ? FROM notification WHERE identifier = ?
                        ON CONFLICT (notification, sink) DO UPDATE SET
                            state = 'pending', attempts = 0, nextAttempt = excluded.nextAttempt, lastError = NULL, ended = NULL,
                            revision = revision + 1
                        """, arguments: [sink, date.milliseconds, request.identifier])
            }
        }
    }

    /// Makes deliveries due now that are dead, held back by their schedule or suppressed, and takes it that their sinks are back.
    /// Returns how many.
    public func retryDeliveries(_ ids: [Int64]?, at date: Date) throws(StoreError) -> Int {
        let count = try change(
            "state = 'pending', attempts = 0, nextAttempt = \(date.milliseconds), ended = NULL",
            of: ids, among: ids == nil ? "'pending', 'dead'" : "'pending', 'dead', 'suppressed'")
        try write { db in
            try db.execute(
                sql:
                    "DELETE FROM sink WHERE name IN (SELECT sink FROM delivery WHERE state = 'pending' AND nextAttempt = ?)",
                arguments: [date.milliseconds])
        }
        return count
    }

    /// Gives deliveries up for good. Returns how many.
    public func dropDeliveries(_ ids: [Int64]?, at date: Date) throws(StoreError) -> Int {
        try change(
            "state = 'suppressed', lastError = 'dropped by the user', ended = \(date.milliseconds)",
            of: ids, among: ids == nil ? "'dead'" : "'pending', 'held', 'dead'")
    }

    private func change(_ assignments: String, of ids: [Int64]?, among states: String) throws(StoreError) -> Int {
        try write { db in
            let which = ids.map { " AND id IN (\($0.map(String.init).joined(separator: ", ")))" } ?? ""
            try db.execute(
                sql: "UPDATE delivery SET \(assignments), revision = revision + 1 WHERE state IN (\(states))\(which)")
            return db.changesCount
        }
    }

    /// How many deliveries there are in each state.
    public func deliveryCounts() throws(StoreError) -> [Delivery.State: Int] {
        try read { db in
            var counts: [Delivery.State: Int] = [:]
            let rows = try Row.fetchCursor(db, sql: "SELECT state, count(*) AS count FROM delivery GROUP BY state")
            while let row = try rows.next() {
                if let state = Delivery.State(rawValue: row["state"]) { counts[state] = row["count"] }
            }
            return counts
        }
    }
}

extension Delivery {
    init(_ row: Row) throws {
        let content = try JSONDecoder().decode(NotificationContent.self, from: Data((row["content"] as String).utf8))
        self.init(
            id: row["id"], request: NotificationRequest(identifier: row["identifier"], content: content),
            source: row["sourceName"], sink: row["sink"], state: State(rawValue: row["state"]) ?? .pending,
            attempts: row["attempts"], nextAttempt: row.date("nextAttempt") ?? .distantPast,
            lastError: row["lastError"],
            receipt: row["receipt"], created: row.date("created") ?? .distantPast, ended: row.date("ended"),
            revision: row["revision"])
    }

    /// The same with one more attempt.
    var begun: Delivery {
        Delivery(
            id: id, request: request, source: source, sink: sink, state: state, attempts: attempts + 1,
            nextAttempt: nextAttempt, lastError: lastError, receipt: receipt, created: created, ended: ended,
            revision: revision + 1)
    }
}
