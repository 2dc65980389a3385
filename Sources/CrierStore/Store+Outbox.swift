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

    /// Writes down what became of a delivery. Where a sink accepted it, the source's last-notified date moves in the same transaction.
    public func finish(_ delivery: Delivery, with change: DeliveryChange, at date: Date) throws(StoreError) {
        try write { db in try Self.apply(change, to: delivery, at: date, in: db) }
    }

    static func apply(_ change: DeliveryChange, to delivery: Delivery, at date: Date, in db: Database) throws {
        let now = date.milliseconds
        switch change {
        case .delivered(let receipt):
            try db.execute(
                sql: """
                    UPDATE delivery SET state = 'delivered', attempts = attempts + 1, lastError = NULL, receipt = ?, ended = ?
                    WHERE id = ?
                    """, arguments: [receipt, now, delivery.id])
            try moveLastNotified(of: delivery, to: now, in: db)
        case .retry(let next, let reason, let counts):
            try db.execute(
                sql:
                    "UPDATE delivery SET state = 'pending', attempts = attempts + ?, nextAttempt = ?, lastError = ? WHERE id = ?",
                arguments: [counts ? 1 : 0, next.milliseconds, reason, delivery.id])
        case .dead(let reason):
            try db.execute(
                sql:
                    "UPDATE delivery SET state = 'dead', attempts = attempts + 1, lastError = ?, ended = ? WHERE id = ?",
                arguments: [reason, now, delivery.id])
        case .held:
            try db.execute(sql: "UPDATE delivery SET state = 'held' WHERE id = ?", arguments: [delivery.id])
        case .suppressed(let reason):
            try db.execute(
                sql: "UPDATE delivery SET state = 'suppressed', lastError = ?, ended = ? WHERE id = ?",
                arguments: [reason, now, delivery.id])
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
                            state = 'pending', attempts = 0, nextAttempt = excluded.nextAttempt, lastError = NULL, ended = NULL
                        """, arguments: [sink, date.milliseconds, request.identifier])
            }
        }
    }

    /// Makes deliveries due now that are dead, held back by their schedule or suppressed. Returns how many.
    public func retryDeliveries(_ ids: [Int64]?, at date: Date) throws(StoreError) -> Int {
        try change(
            "state = 'pending', attempts = 0, nextAttempt = \(date.milliseconds), ended = NULL",
            of: ids, among: ids == nil ? "'pending', 'dead'" : "'pending', 'dead', 'suppressed'")
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
            try db.execute(sql: "UPDATE delivery SET \(assignments) WHERE state IN (\(states))\(which)")
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
            receipt: row["receipt"], created: row.date("created") ?? .distantPast, ended: row.date("ended"))
    }
}
