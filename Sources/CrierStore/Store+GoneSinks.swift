import Foundation
import GRDB

/// A sink that said it is gone for good.
public struct GoneSink: Sendable, Hashable {
    /// That of the sink.
    public let name: String
    /// When it said so.
    public let since: Date
    /// In its words.
    public let reason: String
    /// What is short for where it led then; nil where nobody knows.
    package var destination: String?
}

extension Store {
    /// The sinks that nothing is sent to until the user says so, or has them lead elsewhere.
    public func goneSinks() throws(StoreError) -> [GoneSink] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM sink ORDER BY name").map {
                GoneSink(
                    name: try $0.decode(forColumn: "name"), since: try $0.date("goneSince") ?? .distantPast,
                    reason: try $0.decode(forColumn: "reason"), destination: try $0.decode(forColumn: "destination"))
            }
        }
    }

    /// Stops all deliveries to a sink; they wait.
    ///
    /// - Parameters:
    ///   - destination: What is short for where it leads; nil where that cannot be told.
    ///   - verdict: Its notice is raised in the same transaction.
    package func markGone(
        _ sink: String, reason: String, destination: String? = nil, at date: Date,
        verdict: SinkVerdict = SinkVerdict()
    ) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO sink (name, goneSince, reason, destination) VALUES (?, ?, ?, ?)",
                arguments: [sink, date.milliseconds, reason, destination])
            CrashPoint.reached(.goneInside)
            if db.changesCount == 1 {
                try Self.raise(verdict, at: date, in: db)
                try Self.moveNotices(from: sink, after: verdict, at: date, in: db)
            }
        }
    }

    /// Remembers where a sink that is gone leads, where nobody knew.
    package func note(_ destination: String, of sink: String) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: "UPDATE sink SET destination = ? WHERE name = ? AND destination IS NULL",
                arguments: [destination, sink])
        }
    }

    /// Lets deliveries go to a sink again that is gone or paused; what waits for it is due, and a centre that runs has to be woken for it.
    public func revive(_ sink: String, at date: Date) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET nextAttempt = ?1, waitsSince = ?1
                    WHERE sink = ?2 AND state = 'pending' AND nextAttempt > ?1
                    """, arguments: [date.milliseconds, sink])
            try Self.takeBack(sink, at: date, in: db)
        }
    }

    /// Lets those be tried that come back to the configuration: that they were gone is told while they are in it.
    ///
    /// - Parameter names: The sinks that there are.
    public func forgetGoneSinks(but names: [String], at date: Date) throws(StoreError) {
        let absent = try goneSinks().map(\.name).filter { !names.contains($0) }
        if absent.isEmpty { return }
        try write { db in
            for name in absent { try Self.takeBack(name, at: date, in: db) }
        }
    }

    /// Takes it that a sink is neither gone nor in trouble any more.
    static func takeBack(_ sink: String, at date: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM sink WHERE name = ?", arguments: [sink])
        try endTrouble(of: sink, at: date, in: db)
    }
}
