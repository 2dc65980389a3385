import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// What the user has decided; `notDetermined` where nothing is stored.
    public func notificationSettings() throws(StoreError) -> NotificationSettings {
        try read { db in
            let statement = try db.cachedStatement(sql: "SELECT status, options FROM authorization")
            guard let row = try Row.fetchOne(statement),
                let status = AuthorizationStatus(rawValue: try row.decode(forColumn: "status"))
            else { return NotificationSettings(authorizationStatus: .notDetermined) }
            return NotificationSettings(
                authorizationStatus: status,
                options: AuthorizationOptions(rawValue: try row.decode(forColumn: "options")))
        }
    }

    /// Stores the user's decision; `notDetermined` forgets it.
    public func setNotificationSettings(_ settings: NotificationSettings, at date: Date) throws(StoreError) {
        try checkPlace()
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
}
