import Foundation

/// How a delivery stands, without what it tells.
package struct DeliveryStanding: Sendable, Hashable {
    package let id: Int64
    /// The name of the sink that it goes to.
    package let sink: String
    package let state: Delivery.State
    /// Attempts made that count.
    package let attempts: Int
    package let nextAttempt: Date
    /// Whether it waits for the end of quiet hours, or of muting.
    package let isQuieted: Bool
    /// Why the last attempt did not work, or why it was not made.
    package let reason: String?
    /// Whether its sink was not there, as it was not before: an earlier one waits for the same reason.
    package let isRepeated: Bool
}

extension Store {
    /// Why nothing is raised that the user does not want.
    package static let denial = "notifications are denied"

    /// How the deliveries of requests stand that were made, or made anew, within a time; oldest notification first.
    package func standings(ofRequestsMade made: ClosedRange<Date>) throws(StoreError) -> [DeliveryStanding] {
        try read { db in
            var look = try RawStatement(
                """
                SELECT delivery.id, sink, state, attempts, nextAttempt, quieted, lastError,
                    attempts = 0 AND state = 'pending' AND lastError IS NOT NULL AND EXISTS (
                        SELECT 1 FROM delivery AS other JOIN notification AS earlier ON earlier.id = other.notification
                        WHERE other.state = 'pending' AND other.state IN ('pending', 'held')
                        AND other.sink = delivery.sink AND other.lastError = delivery.lastError AND earlier.created < ?1)
                FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE created BETWEEN ?1 AND ?2 ORDER BY delivery.notification, delivery.id
                """, in: db)
            look.bind(made.lowerBound)
            look.bind(made.upperBound)
            var standings: [DeliveryStanding] = []
            try look.rows { row in
                standings.append(
                    DeliveryStanding(
                        id: row.number(0) ?? 0, sink: row.text(1) ?? "",
                        state: row.text(2).flatMap(Delivery.State.init) ?? .pending,
                        attempts: Int(row.number(3) ?? 0), nextAttempt: row.date(4) ?? .distantPast,
                        isQuieted: row.number(5) == 1, reason: row.text(6), isRepeated: row.number(7) == 1))
            }
            return standings
        }
    }
}
