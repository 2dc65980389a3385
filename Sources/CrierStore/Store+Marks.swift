import Foundation
import GRDB

extension Store {
    /// A date of the whole state.
    enum Mark: String, Sendable {
        case pruned
        case mutedUntil = "muted-until"
        case mutedSince = "muted-since"
        case outageSince = "outage-since"
        case outageTold = "outage"
        case unreachedSince = "unreached-since"
        case digestsHeldSince = "digests-held-since"
    }

    /// In seconds. Muting that begins further ahead than this was said while the clock was ahead, and its end means nothing. A clock
    /// that is put right by less, after a suspension or from local time, leaves it: it lasts so much longer.
    private static let longestLead: TimeInterval = 86_400

    /// Until when the user wants no notification but critical ones; nil where that is over, or was never said.
    public func mutedUntil(at date: Date) throws(StoreError) -> Date? {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT date, (SELECT date FROM mark WHERE name = ?) AS since FROM mark WHERE name = ?")
            let names = [Mark.mutedSince.rawValue, Mark.mutedUntil.rawValue]
            guard let row = try Row.fetchOne(statement, arguments: StatementArguments(names)),
                let end = try row.date("date"), end > date
            else { return nil }
            let isOfClockAhead = try row.date("since").map { $0 > date.addingTimeInterval(Self.longestLead) }
            return isOfClockAhead == true ? nil : end
        }
    }

    /// When the user said so; nil where nobody knows.
    package var mutedSince: Date? {
        get throws(StoreError) { try date(of: .mutedSince) }
    }

    /// Mutes until a date; nil ends it, and a centre that runs has to be woken for what has waited.
    ///
    /// - Parameter since: The moment at which it is said. Once the clock shows a much earlier one, muting is over, however far ahead
    ///   its end is then; nil is unknown.
    public func mute(until date: Date?, since: Date? = nil) throws(StoreError) {
        try checkPlace()
        try write { db in
            for (mark, date) in [(Mark.mutedUntil, date), (.mutedSince, date == nil ? nil : since)] {
                if let date {
                    try Self.set(mark, to: date, in: db)
                } else {
                    try Self.remove(mark, in: db)
                }
            }
        }
    }

    func date(of mark: Mark) throws(StoreError) -> Date? {
        try read { db in try Self.date(of: mark, in: db) }
    }

    /// By one statement for all, which a run compiles once.
    static func date(of mark: Mark, in db: Database) throws -> Date? {
        var look = try RawStatement("SELECT date FROM mark WHERE name = ?", in: db)
        look.bind(mark.rawValue)
        return try look.first { $0.number(0) }?.map(Date.init(milliseconds:))
    }

    static func set(_ mark: Mark, to date: Date, cause: String? = nil, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO mark (name, date, cause) VALUES (?, ?, ?)",
            arguments: [mark.rawValue, date.milliseconds, cause])
    }

    static func remove(_ mark: Mark, in db: Database) throws {
        try db.execute(sql: "DELETE FROM mark WHERE name = ?", arguments: [mark.rawValue])
    }
}
