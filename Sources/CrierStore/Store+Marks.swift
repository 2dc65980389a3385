import Foundation
import GRDB

extension Store {
    /// A date of the whole state.
    enum Mark: String, Sendable {
        case pruned
        case mutedUntil = "muted-until"
    }

    /// Until when the user wants no notification but critical ones; nil where that is over, or was never said.
    public func mutedUntil(at date: Date) throws(StoreError) -> Date? {
        guard let end = try self.date(of: .mutedUntil), end > date else { return nil }
        return end
    }

    /// Mutes until a date; nil ends it.
    public func mute(until date: Date?) throws(StoreError) {
        try write { db in
            if let date {
                try Self.set(.mutedUntil, to: date, in: db)
            } else {
                try db.execute(sql: "DELETE FROM mark WHERE name = ?", arguments: [Mark.mutedUntil.rawValue])
            }
        }
    }

    func date(of mark: Mark) throws(StoreError) -> Date? {
        try read { db in
            let statement = try db.cachedStatement(sql: "SELECT date FROM mark WHERE name = ?")
            return try Int64.fetchOne(statement, arguments: [mark.rawValue]).map(Date.init(milliseconds:))
        }
    }

    static func set(_ mark: Mark, to date: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO mark (name, date) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET date = excluded.date",
            arguments: [mark.rawValue, date.milliseconds])
    }
}
