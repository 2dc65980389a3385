import CrierNotifications
import Foundation
import GRDB

/// A sink that is left alone for a while, since its last attempts failed.
public struct PausedSink: Sendable, Hashable {
    /// That of the sink.
    public let name: String
    /// When its next attempt is made.
    public let until: Date
    /// Failed attempts in a row.
    public let failures: Int
    /// Of the last one.
    public let reason: String
}

/// What is to become of a sink that failed.
public struct SinkVerdict: Sendable {
    /// Nil leaves it at work.
    public var pausedUntil: Date?
    /// Raised at ``noticeSinks``.
    public var notice: NotificationRequest?
    /// The names of other sinks.
    public var noticeSinks: [String]

    public init(pausedUntil: Date? = nil, notice: NotificationRequest? = nil, noticeSinks: [String] = []) {
        self.pausedUntil = pausedUntil
        self.notice = notice
        self.noticeSinks = noticeSinks
    }
}

/// A sink that said it is gone for good.
public struct GoneSink: Sendable, Hashable {
    /// That of the sink.
    public let name: String
    /// When it said so.
    public let since: Date
    /// In its words.
    public let reason: String
}

extension Store {
    /// Counts one more failed attempt of a sink in a row; the first that is accepted forgets them.
    ///
    /// - Parameter verdict: What follows from so many failures; written in the same transaction.
    /// - Returns: Whether the sink is paused now.
    public func countFailure(
        of sink: String, reason: String, at date: Date, verdict: @Sendable (_ failures: Int) -> SinkVerdict
    ) throws(StoreError) -> Bool {
        try write { db in
            let failures =
                try Int.fetchOne(
                    db,
                    sql: """
                        INSERT INTO breaker (sink, failures, reason) VALUES (?, 1, ?)
                        ON CONFLICT (sink) DO UPDATE SET failures = failures + 1, reason = excluded.reason
                        RETURNING failures
                        """, arguments: [sink, reason]) ?? 1
            CrashPoint.reached(.failureInside)
            let verdict = verdict(failures)
            try db.execute(
                sql: "UPDATE breaker SET pausedUntil = ? WHERE sink = ?",
                arguments: [verdict.pausedUntil.map { Self.bounded($0, from: date).milliseconds }, sink])
            try Self.raise(verdict, at: date, in: db)
            return verdict.pausedUntil != nil
        }
    }

    /// The sinks that are paused at a moment, by name.
    public func pausedSinks(at date: Date) throws(StoreError) -> [PausedSink] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM breaker WHERE pausedUntil BETWEEN ? + 1 AND ? ORDER BY sink",
                arguments: [date.milliseconds, date.addingTimeInterval(Self.longestWait).milliseconds]
            ).map {
                PausedSink(
                    name: $0["sink"], until: $0.date("pausedUntil") ?? date, failures: $0["failures"],
                    reason: $0["reason"])
            }
        }
    }

    /// The sinks whose last attempt failed, paused or not.
    public func failingSinks() throws(StoreError) -> Set<String> {
        try read { db in try String.fetchSet(db, sql: "SELECT sink FROM breaker") }
    }

    /// Looks how many notifications a sink has given up in a row by now.
    ///
    /// - Parameters:
    ///   - count: How many it has rejected just now; they are written down already.
    ///   - limit: At how many the verdict's notice is raised: once for each row of them.
    public func noteRejections(
        _ count: Int, at sink: String, limit: Int, at date: Date, verdict: SinkVerdict
    ) throws(StoreError) {
        try write { db in
            // The latest by the index of what is over: read through as a whole, each of many would take longer than the last.
            let states = try String.fetchAll(
                db,
                sql: """
                    SELECT state FROM delivery
                    WHERE ended IS NOT NULL AND sink = ? AND (state = 'dead' OR state = 'delivered')
                    ORDER BY ended DESC LIMIT ?
                    """, arguments: [sink, limit + count])
            let rejected = states.prefix { $0 == "dead" }.count
            if rejected >= limit, rejected - count < limit { try Self.raise(verdict, at: date, in: db) }
        }
    }

    /// The sinks that nothing is sent to until the user says so.
    public func goneSinks() throws(StoreError) -> [GoneSink] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM sink ORDER BY name").map {
                GoneSink(name: $0["name"], since: $0.date("goneSince") ?? .distantPast, reason: $0["reason"])
            }
        }
    }

    /// Stops all deliveries to a sink; they wait.
    ///
    /// - Parameter verdict: Its notice is raised in the same transaction.
    public func markGone(
        _ sink: String, reason: String, at date: Date, verdict: SinkVerdict = SinkVerdict()
    ) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO sink (name, goneSince, reason) VALUES (?, ?, ?)",
                arguments: [sink, date.milliseconds, reason])
            CrashPoint.reached(.goneInside)
            if db.changesCount == 1 { try Self.raise(verdict, at: date, in: db) }
        }
    }

    /// Lets deliveries go to a sink again that is gone or paused; what waits for it is due.
    public func revive(_ sink: String, at date: Date) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: "UPDATE delivery SET nextAttempt = ? WHERE sink = ? AND state = 'pending' AND nextAttempt > ?",
                arguments: [date.milliseconds, sink, date.milliseconds])
            try db.execute(sql: "DELETE FROM sink WHERE name = ?", arguments: [sink])
            try db.execute(sql: "DELETE FROM breaker WHERE sink = ?", arguments: [sink])
        }
    }

    private static func raise(_ verdict: SinkVerdict, at date: Date, in db: Database) throws {
        guard let notice = verdict.notice, !verdict.noticeSinks.isEmpty else { return }
        _ = try enqueue(notice, source: nil, sinks: verdict.noticeSinks, date: date, in: db)
    }
}
