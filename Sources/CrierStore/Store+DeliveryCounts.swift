import Foundation
import GRDB

/// How many deliveries there are, and whether any.
extension Store {
    /// The two states of the partial index: with less said, what is over would be read through as well.
    private static let isWaiting = "state IN ('pending', 'held')"

    /// Whether a delivery waits, be it for its date, for a sink or for the user.
    public func hasWaitingDeliveries() throws(StoreError) -> Bool {
        try read { db in
            var statement = try RawStatement("SELECT 1 FROM delivery WHERE \(Self.isWaiting) LIMIT 1", in: db)
            return try statement.hasRow()
        }
    }

    /// How many deliveries are not over, in each state that there is then.
    public func waitingCounts() throws(StoreError) -> (pending: Int, held: Int) {
        try read { db in
            let sql = "SELECT count(*) FROM delivery WHERE state = ? AND \(Self.isWaiting)"
            let statement = try db.cachedStatement(sql: sql)
            return (
                try Int.fetchOne(statement, arguments: ["pending"]) ?? 0,
                try Int.fetchOne(statement, arguments: ["held"]) ?? 0
            )
        }
    }

    /// How many notifications wait for authorization, be it at one sink or at several.
    package func heldNotificationCount() throws(StoreError) -> Int {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count(DISTINCT notification) FROM delivery WHERE \(Self.isHeld)") ?? 0
        }
    }

    /// How many deliveries there are in each state.
    public func deliveryCounts() throws(StoreError) -> [Delivery.State: Int] {
        try read { db in
            var counts: [Delivery.State: Int] = [:]
            var count = try RawStatement("SELECT state, count(*) FROM delivery GROUP BY state", in: db)
            try count.rows { row in
                if let state = row.text(0).flatMap(Delivery.State.init) { counts[state] = row.number(1).map(Int.init) }
            }
            return counts
        }
    }

    /// What waits where something is tried again at a later date, by sink: how many, those behind it too, and when the first is due.
    package func laterAttempts(after date: Date) throws(StoreError) -> [(sink: String, count: Int, date: Date)] {
        try read { db in
            var look = try RawStatement(
                """
                SELECT sink, count(*),
                    min(CASE WHEN nextAttempt > ? AND lastError IS NOT NULL THEN nextAttempt END) AS next
                FROM delivery WHERE \(Self.isPending) AND quieted = 0
                GROUP BY sink HAVING next IS NOT NULL ORDER BY sink
                """, in: db)
            look.bind(date)
            var found: [(sink: String, count: Int, date: Date)] = []
            try look.rows { row in
                guard let sink = row.text(0), let count = row.number(1), let date = row.date(2) else { return }
                found.append((sink, Int(count), date))
            }
            return found
        }
    }

    /// How many deliveries wait for each sink that has refused one since a date: those that it has refused.
    package func refusedDeliveryCounts(since date: Date) throws(StoreError) -> [String: Int] {
        try read { db in
            let sql = """
                SELECT sink, count(DISTINCT delivery.id) FROM attempt JOIN delivery ON delivery.id = attempt.delivery
                WHERE attempt.ended >= ? AND \(Self.isWaiting) GROUP BY sink
                """
            return try Self.counts(sql, [date.milliseconds], in: db)
        }
    }

    /// How many deliveries wait for each sink that any wait for, by name.
    public func waitingDeliveryCounts() throws(StoreError) -> [String: Int] {
        try read { db in
            let sql = "SELECT sink, count(*) FROM delivery WHERE \(Self.isWaiting) GROUP BY sink"
            return try Self.counts(sql, in: db)
        }
    }

    /// By the names before them.
    static func counts(
        _ sql: String, _ arguments: StatementArguments = [], in db: Database
    ) throws -> [String: Int] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).reduce(into: [:]) { counts, row in
            counts[try row.decode(atIndex: 0)] = try row.decode(Int.self, atIndex: 1)
        }
    }
}
