import Foundation
import GRDB

/// What is to be attempted now, and in which order.
extension Store {
    /// With both states of the index of what waits: SQLite would else read all that is over, too.
    static let isPending = "delivery.state = 'pending' AND delivery.state IN ('pending', 'held')"
    static let isHeld = "delivery.state = 'held' AND delivery.state IN ('pending', 'held')"

    /// The deliveries that are due, oldest notification first; those to sinks that are gone or paused wait, and so do
    /// those that are quieted.
    ///
    /// After several failed attempts in a row at the sink they come by turns, one that has had no trouble and one that has, as
    /// either alone may be what the sink refuses each time, and the first after a pause decides whether it takes any. Which
    /// of the two is first changes with each failed attempt. Of those without trouble those of sources that have failed least
    /// come first, of the others at one time those that were tried most, at another those that have been due for longest.
    ///
    /// - Parameters:
    ///   - sink: Only those to this sink; nil is every sink.
    ///   - isOrdered: Whether those wait too that would overtake one of their source. Then a source's trouble is that of each.
    ///   - isAlternating: Whether they come by turns also where nothing has failed, as they may have been put off.
    public func dueDeliveries(
        at date: Date, sink: String? = nil, isOrdered: Bool = false, isAlternating: Bool = false, limit: Int = 1000
    ) throws(StoreError) -> [Delivery] {
        try read { db in
            var count = try RawStatement("SELECT failures FROM breaker WHERE sink = ?", in: db)
            count.bind(sink)
            let failures = try count.first { $0.number(0) ?? 0 } ?? 0
            let isInTrouble = failures > 1
            let places =
                isInTrouble || isAlternating
                ? Self.byTurns(isOrdered: isOrdered) : isOrdered ? Self.inOrder : Self.oldestFirst
            var choose = try RawStatement("\(places) LIMIT \(limit)", in: db)
            choose.bind(date)
            choose.bind(date.addingTimeInterval(Self.longestWait))
            choose.bind(sink)
            if isInTrouble || isAlternating { choose.bind(isInTrouble ? failures : 1) }
            var chosen: [Int64] = []
            try choose.rows { row in if let id = row.number(0) { chosen.append(id) } }
            return try Self.deliveries(chosen, in: db)
        }
    }

    /// The sinks that something is due to.
    public func dueSinks(at date: Date) throws(StoreError) -> [String] {
        try read { db in
            try String.fetchAll(
                db.cachedStatement(sql: "SELECT DISTINCT sink FROM delivery WHERE \(Self.isDue) ORDER BY sink"),
                arguments: [date.milliseconds, date.addingTimeInterval(Self.longestWait).milliseconds, nil])
        }
    }

    /// The numbers of those that are due, by sink, of the requests that were made, or made anew, within a time, and of the
    /// summaries that tell of such.
    ///
    /// - Parameter prefix: How their identifiers begin; where that is said, without summaries.
    package func dueDeliveries(
        at date: Date, ofRequestsMade made: ClosedRange<Date>, identifiedBy prefix: String? = nil
    ) throws(StoreError) -> [String: Set<Int64>] {
        try read { db in
            var look = try RawStatement(
                """
                SELECT delivery.sink, delivery.id
                FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE \(Self.isDue) AND (
                    created BETWEEN ?4 AND ?5 AND (?6 IS NULL OR substr(identifier, 1, length(?6)) = ?6)
                    OR ?6 IS NULL AND \(Self.tells))
                """, in: db)
            look.bind(date)
            look.bind(date.addingTimeInterval(Self.longestWait))
            look.bind(nil as String?)
            look.bind(made.lowerBound)
            look.bind(made.upperBound)
            look.bind(prefix)
            var due: [String: Set<Int64>] = [:]
            try look.rows { row in
                if let sink = row.text(0), let id = row.number(1) { due[sink, default: []].insert(id) }
            }
            return due
        }
    }

    /// Whether a delivery is of a summary that tells of requests that were made, or made anew, within a time.
    package func isTelling(_ summary: Int64, ofRequestsMade made: ClosedRange<Date>) throws(StoreError) -> Bool {
        try read { db in
            var look = try RawStatement("SELECT 1 FROM delivery WHERE id = ?1 AND \(Self.tells)", in: db)
            look.bind(summary)
            look.bind(nil as String?)
            look.bind(nil as String?)
            look.bind(made.lowerBound)
            look.bind(made.upperBound)
            return try look.hasRow()
        }
    }

    /// Of a row of `delivery`, a time from `?4` to `?5`.
    private static let tells = """
        EXISTS (
            SELECT 1 FROM delivery AS told JOIN notification AS fact ON fact.id = told.notification
            WHERE told.toldBy = delivery.notification AND told.sink = delivery.sink AND fact.created BETWEEN ?4 AND ?5)
        """

    /// How many wait for authorization of the requests that were made, or made anew, within a time.
    package func heldCount(ofRequestsMade made: ClosedRange<Date>) throws(StoreError) -> Int {
        try read { db in
            var count = try RawStatement(
                """
                SELECT count(*) FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE \(Self.isHeld) AND created BETWEEN ? AND ?
                """, in: db)
            count.bind(made.lowerBound)
            count.bind(made.upperBound)
            return try count.first { Int($0.number(0) ?? 0) } ?? 0
        }
    }

    static let oldestFirst = """
        SELECT delivery.id FROM delivery WHERE \(isDue) ORDER BY delivery.notification, delivery.id
        """

    static let inOrder = """
        \(standing) SELECT delivery.id \(besideStanding)
        WHERE \(isDue) AND \(isNotOvertaking) ORDER BY delivery.notification, delivery.id
        """

    /// `?4` is how many attempts have failed in a row.
    static func byTurns(isOrdered: Bool) -> String {
        let (isTroubled, attempts, due) =
            isOrdered
            ? ("standing.due IS NOT NULL", "standing.attempts", "standing.due")
            : ("delivery.lastError IS NOT NULL", "delivery.attempts", "delivery.nextAttempt")
        return """
            \(standing)
            SELECT id FROM (
                SELECT id, isTroubled,
                    row_number() OVER (PARTITION BY isTroubled ORDER BY first, second, notification, id) AS place
                FROM (
                    SELECT delivery.id AS id, delivery.notification AS notification, \(isTroubled) AS isTroubled,
                        iif(\(isTroubled), iif(?4 / 2 % 2, -\(attempts), 0), iif(?4 > 1, standing.attempts, 0)) AS first,
                        iif(\(isTroubled), \(due), \(isOrdered ? "0" : attempts)) AS second
                    \(besideStanding)
                    WHERE \(isDue) \(isOrdered ? "AND \(isNotOvertaking)" : "")))
            ORDER BY place, (isTroubled + ?4 + 1) % 2, id
            """
    }

    /// At `?1`, within the longest wait that ends at `?2`, at the sink `?3` or any.
    static let isDue = """
        \(isPending) AND NOT delivery.quieted AND NOT delivery.nextAttempt BETWEEN ?1 + 1 AND ?2
        AND delivery.sink NOT IN (SELECT name FROM sink)
        AND delivery.sink NOT IN (SELECT sink FROM breaker WHERE pausedUntil BETWEEN ?1 + 1 AND ?2)
        AND (?3 IS NULL OR delivery.sink = ?3)
        """

    /// How each source stands at each sink: its most attempts, since when those are due that have had trouble, and the oldest
    /// that waits for its next attempt, and that nobody has. Once for all rows: looked up for each of thousands it took minutes.
    private static let standing = """
        WITH standing AS MATERIALIZED (
            SELECT delivery.sink AS sink, coalesce(source, 0) AS source, max(attempts) AS attempts,
                min(iif(lastError IS NULL, NULL, nextAttempt)) AS due,
                min(iif(nextAttempt BETWEEN ?1 + 1 AND ?2 AND NOT (receipt IS NOT NULL AND unanswered > 0),
                    notification, NULL)) AS waiting
            FROM delivery JOIN notification ON notification.id = delivery.notification
            WHERE \(isPending) AND (?3 IS NULL OR delivery.sink = ?3)
            GROUP BY delivery.sink, coalesce(source, 0))
        """

    private static let besideStanding = """
        FROM delivery JOIN notification ON notification.id = delivery.notification
        LEFT JOIN standing ON standing.source = coalesce(notification.source, 0) AND standing.sink = delivery.sink
        """

    /// Of no one's source are summaries, which tell of some. The plus has SQLite look for these by both columns at once.
    private static let isNotOvertaking = """
        (notification.source IS NULL OR standing.waiting IS NULL OR standing.waiting > delivery.notification)
        AND delivery.notification NOT IN (
            SELECT told.toldBy FROM delivery AS told JOIN notification AS fact ON fact.id = told.notification
            JOIN standing ON standing.source = +fact.source AND standing.sink = told.sink
            WHERE standing.waiting < fact.id AND told.toldBy IN (SELECT notification FROM delivery WHERE \(isPending)))
        """
}
