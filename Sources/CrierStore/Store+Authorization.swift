import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// What the user has decided; `notDetermined` where nothing is stored.
    public func notificationSettings() throws(StoreError) -> NotificationSettings {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT status, options FROM authorization"),
                let status = AuthorizationStatus(rawValue: row["status"])
            else { return NotificationSettings(authorizationStatus: .notDetermined) }
            return NotificationSettings(
                authorizationStatus: status, options: AuthorizationOptions(rawValue: row["options"]))
        }
    }

    /// Stores the user's decision; `notDetermined` forgets it.
    public func setNotificationSettings(_ settings: NotificationSettings, at date: Date) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO authorization (id, status, options, decided) VALUES (1, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET
                        status = excluded.status, options = excluded.options, decided = excluded.decided
                    """,
                arguments: [settings.authorizationStatus.rawValue, settings.options.rawValue, date.milliseconds])
        }
    }

    /// Releases what waits for authorization at one sink, in one transaction.
    ///
    /// - Parameter summary: Where given, it is raised instead of the held ones, which are recorded as told by it.
    public func release(
        _ held: [Delivery], of sink: String, insteadRaising summary: NotificationRequest?, at date: Date
    ) throws(StoreError) {
        try write { db in
            if let summary {
                _ = try Self.enqueue(summary, source: nil, sinks: [sink], date: date, in: db)
                for delivery in held {
                    try Self.apply(.suppressed(reason: "told in \(summary.identifier)"), to: delivery, at: date, in: db)
                    try db.execute(
                        sql:
                            "UPDATE delivery SET toldBy = (SELECT id FROM notification WHERE identifier = ?) WHERE id = ?",
                        arguments: [summary.identifier, delivery.id])
                }
            } else {
                let release = DeliveryChange.postponed(at: date, reason: nil)
                for delivery in held { try Self.apply(release, to: delivery, at: date, in: db) }
            }
        }
    }
}

/// A sink that said it is gone for good.
public struct GoneSink: Sendable, Hashable {
    public let name: String
    public let since: Date
    public let reason: String
}

extension Store {
    /// The sinks that nothing is sent to until the user says so.
    public func goneSinks() throws(StoreError) -> [GoneSink] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM sink ORDER BY name").map {
                GoneSink(name: $0["name"], since: $0.date("goneSince") ?? .distantPast, reason: $0["reason"])
            }
        }
    }

    /// Stops all deliveries to a sink; they wait.
    public func markGone(_ sink: String, reason: String, at date: Date) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO sink (name, goneSince, reason) VALUES (?, ?, ?)",
                arguments: [sink, date.milliseconds, reason])
        }
    }

    /// Lets deliveries go to a sink again.
    public func revive(_ sink: String) throws(StoreError) {
        try write { db in try db.execute(sql: "DELETE FROM sink WHERE name = ?", arguments: [sink]) }
    }
}
