import Foundation
import GRDB

/// What is to be attempted now, and in which order.
extension Store {
    /// The deliveries that are due, oldest notification first; those to sinks that are gone or paused wait, and so do
    /// those that are quieted.
    ///
    /// After several failed attempts in a row at the sink those come first of whose source none has failed, and then those that
    /// have failed least: what the sink refuses each time would otherwise be what decides, after each pause, whether it takes any.
    ///
    /// - Parameters:
    ///   - sink: Only those to this sink; nil is every sink.
    ///   - isOrdered: Whether those wait too that would overtake one of their source.
    ///   - longestDueFirst: Whether those come first that have been due for longest; not where they are ordered.
    public func dueDeliveries(
        at date: Date, sink: String? = nil, isOrdered: Bool = false, longestDueFirst: Bool = false, limit: Int = 1000
    ) throws(StoreError) -> [Delivery] {
        let order = isOrdered ? "AND NOT \(Self.isOvertaking)" : ""
        let failures = [Self.failuresOfSource] + (isOrdered ? [] : ["attempts"])
        let age = longestDueFirst && !isOrdered ? ["nextAttempt"] : []
        let places = failures.map { "iif(\(Self.isInTrouble), \($0), 0)" } + age + ["delivery.notification"]
        return try deliveries(
            where: """
                delivery.state = 'pending' AND NOT quieted AND NOT nextAttempt BETWEEN ?1 + 1 AND ?2
                AND sink NOT IN (SELECT name FROM sink)
                AND sink NOT IN (SELECT sink FROM breaker WHERE pausedUntil BETWEEN ?1 + 1 AND ?2)
                AND (?3 IS NULL OR sink = ?3) \(order)
                """,
            order: places.joined(separator: ", "), limit: limit
        ) { statement in
            statement.bind(date)
            statement.bind(date.addingTimeInterval(Self.longestWait))
            statement.bind(sink)
        }
    }

    /// The sinks that something is due to.
    public func dueSinks(at date: Date) throws(StoreError) -> [String] {
        try read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT sink FROM delivery
                        WHERE state = 'pending' AND NOT quieted AND NOT nextAttempt BETWEEN ?1 + 1 AND ?2
                        AND sink NOT IN (SELECT name FROM sink)
                        AND sink NOT IN (SELECT sink FROM breaker WHERE pausedUntil BETWEEN ?1 + 1 AND ?2)
                        ORDER BY sink
                        """),
                arguments: [date.milliseconds, date.addingTimeInterval(Self.longestWait).milliseconds])
        }
    }

    private static let isInTrouble = "EXISTS (SELECT 1 FROM breaker WHERE breaker.sink = ?3 AND failures > 1)"

    private static let isOvertaking = """
        EXISTS (
            SELECT 1 FROM delivery AS earlier JOIN notification AS first ON first.id = earlier.notification
            WHERE earlier.sink = delivery.sink AND earlier.notification < delivery.notification
            AND earlier.state = 'pending' AND first.source = notification.source
            AND earlier.nextAttempt BETWEEN ?1 + 1 AND ?2)
        """

    private static let failuresOfSource = """
        (SELECT max(other.attempts) FROM delivery AS other JOIN notification AS its ON its.id = other.notification
        WHERE other.sink = delivery.sink AND other.state = 'pending' AND its.source IS notification.source)
        """
}
