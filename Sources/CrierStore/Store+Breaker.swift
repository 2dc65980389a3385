import CrierNotifications
import Foundation
import GRDB

/// A sink that is left alone for a while, since its last attempts failed.
public struct PausedSink: Sendable, Hashable, Encodable {
    /// That of the sink.
    public let name: String
    /// When its next attempt is made.
    public let until: Date
    /// Failed attempts in a row.
    public let failures: Int
    /// Of the last one.
    public let reason: String

    public init(name: String, until: Date, failures: Int, reason: String) {
        self.name = name
        self.until = until
        self.failures = failures
        self.reason = reason
    }
}

/// What is to become of a sink that failed.
package struct SinkVerdict: Sendable {
    /// Nil leaves it at work.
    package var pausedUntil: Date?
    /// Raised at one of ``noticeSinks``.
    package var notice: NotificationRequest?
    /// The names of other sinks: of the first that is neither gone nor paused. What waits of other notices goes there, too.
    package var noticeSinks: [String]
    /// Whether the first that is given up is told of, and not only several in a row.
    package var isToldAtOnce: Bool

    package init(
        pausedUntil: Date? = nil, notice: NotificationRequest? = nil, noticeSinks: [String] = [],
        isToldAtOnce: Bool = false
    ) {
        self.pausedUntil = pausedUntil
        self.notice = notice
        self.noticeSinks = noticeSinks
        self.isToldAtOnce = isToldAtOnce
    }
}

extension Store {
    /// Counts one more failed attempt of a sink in a row; the first that is accepted forgets them.
    ///
    /// - Parameter verdict: What follows from so many failures; written in the same transaction.
    /// - Returns: Whether the sink is paused now.
    package func countFailure(
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
                sql: "UPDATE breaker SET pausedUntil = ?1, pausedSince = iif(?1 IS NULL, NULL, ?2) WHERE sink = ?3",
                arguments: [
                    verdict.pausedUntil.map { Self.bounded($0, from: date).milliseconds }, date.milliseconds, sink,
                ])
            try Self.raise(verdict, at: date, in: db)
            if verdict.pausedUntil != nil { try Self.moveNotices(from: sink, after: verdict, at: date, in: db) }
            return verdict.pausedUntil != nil
        }
    }

    /// The sinks that are paused at a moment, by name.
    public func pausedSinks(at date: Date) throws(StoreError) -> [PausedSink] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT sink, failures, reason, iif(pausedSince > ?1, ?1 + pausedUntil - pausedSince, pausedUntil) AS until
                    FROM breaker WHERE until BETWEEN ?1 + 1 AND ?2 ORDER BY sink
                    """,
                arguments: [date.milliseconds, date.addingTimeInterval(Self.longestWait).milliseconds]
            ).map {
                PausedSink(
                    name: try $0.decode(forColumn: "sink"), until: try $0.date("until") ?? date,
                    failures: try $0.decode(forColumn: "failures"), reason: try $0.decode(forColumn: "reason"))
            }
        }
    }

    /// Lets the pauses of sinks, and the waits of deliveries, that began later than now begin now: the clock was ahead then, and they
    /// would last for so much longer.
    package func moveWaits(begunAfter date: Date) throws(StoreError) {
        let isAny = try read { db in
            var find = try RawStatement(
                """
                SELECT 1 FROM breaker WHERE pausedSince > ?1
                UNION ALL SELECT 1 FROM delivery WHERE state = 'pending' AND waitsSince > ?1
                """, in: db)
            find.bind(date)
            return try find.hasRow()
        }
        guard isAny else { return }
        let now: StatementArguments = [date.milliseconds]
        try write { db in
            try db.execute(
                sql: """
                    UPDATE breaker SET pausedUntil = ?1 + pausedUntil - pausedSince, pausedSince = ?1 WHERE pausedSince > ?1
                    """, arguments: now)
            try db.execute(
                sql: """
                    UPDATE delivery SET nextAttempt = ?1 + nextAttempt - waitsSince, waitsSince = ?1
                    WHERE state = 'pending' AND waitsSince > ?1
                    """, arguments: now)
        }
    }

    /// The sinks whose last attempt failed, paused or not.
    public func failingSinks() throws(StoreError) -> Set<String> {
        try read { db in try String.fetchSet(db, sql: "SELECT sink FROM breaker") }
    }

    /// How many attempts in a row have failed at a sink.
    package func failures(of sink: String) throws(StoreError) -> Int {
        try read { db in
            let statement = try db.cachedStatement(sql: "SELECT failures FROM breaker WHERE sink = ?")
            return try Int.fetchOne(statement, arguments: [sink]) ?? 0
        }
    }

    /// So many given up in a row at a sink are told of.
    private static let deadInARow = 3

    /// Raises a verdict's notice once for each row of notifications that were given up at a sink, and where that is wanted for the
    /// first of a row.
    ///
    /// - Parameter ended: What was written down just now, of one sink.
    static func raise(
        _ verdict: SinkVerdict, after ended: [EndedDelivery], at date: Date, in db: Database
    ) throws {
        let count = ended.count { if case .dead = $0.change { true } else { false } }
        guard count > 0, let sink = ended.first?.delivery.sink else { return }
        // The latest by the index of what is over: read through as a whole, each of many would take longer than the last.
        let ends = try Row.fetchAll(
            db,
            sql: """
                SELECT state = 'dead', ended FROM delivery
                WHERE ended <= ? AND sink = ? AND (state = 'dead' OR state = 'delivered')
                ORDER BY ended DESC LIMIT ?
                """, arguments: [date.milliseconds, sink, deadInARow + count])
        let dead = try ends.prefix { try $0.decode(atIndex: 0) }.map { try $0.decode(Int64.self, atIndex: 1) }
        let isFirst = verdict.isToldAtOnce && dead.count == count
        let areSeveral = dead.count >= deadInARow && dead.count - count < deadInARow
        guard isFirst || areSeveral, let begin = dead.last, try !isTold(verdict, since: begin, in: db) else { return }
        try raise(verdict, at: date, in: db)
    }

    /// Whether a notice in the same words was raised of the same sink.
    private static func isTold(_ verdict: SinkVerdict, since begin: Int64, in db: Database) throws -> Bool {
        guard let notice = verdict.notice else { return true }
        var find = try RawStatement(
            """
            SELECT 1 FROM notification WHERE source IS NULL AND created >= ?1
            AND rtrim(identifier, '0123456789') = rtrim(?2, '0123456789') AND json_extract(content, '$.title') = ?3
            """, in: db)
        find.bind(begin)
        find.bind(notice.identifier)
        find.bind(notice.content.title)
        return try find.hasRow()
    }

    /// Whether a delivery waits at a sink already that a reason kept from it.
    package func isWaiting(for reason: String, at sink: String) throws(StoreError) -> Bool {
        try read { db in
            var find = try RawStatement(
                "SELECT 1 FROM delivery WHERE \(Self.isPending) AND sink = ? AND lastError = ? LIMIT 1", in: db)
            find.bind(sink)
            find.bind(reason)
            return try find.hasRow()
        }
    }

    /// Forgets what failed at a sink that works again. Where it was paused, the attempts that waiting ones had say nothing of them:
    /// they begin anew. What is older than ``longestAbsence`` has had its time, lest one that is refused is tried for ever.
    static func endTrouble(of sink: String, at date: Date, in db: Database) throws {
        // Not `pausedUntil IS NOT NULL`, which SQLite 3.40 takes for true here, always.
        var end = try RawStatement("DELETE FROM breaker WHERE sink = ? RETURNING pausedUntil", in: db)
        end.bind(sink)
        guard try end.first({ $0.number(0) != nil }) == true else { return }
        // Not none, as one of them is for those that are being tried now.
        try db.execute(
            sql: """
                UPDATE delivery SET attempts = 1 WHERE state = 'pending' AND attempts > 1 AND sink = ?
                AND notification IN (SELECT id FROM notification WHERE created >= ?)
                """, arguments: [sink, date.addingTimeInterval(-longestAbsence).milliseconds])
    }

    /// How the identifiers of notices begin that tell of sinks that do not work.
    package static let noticePrefix = reservedPrefix + "sink-"

    /// What was to be told at a sink of others that do not work, and it does not work either: it goes where that is told of it.
    static func moveNotices(
        from sink: String, after verdict: SinkVerdict, at date: Date, in db: Database
    ) throws {
        guard let other = try noticeSink(of: verdict, at: date, in: db) else { return }
        try db.execute(
            sql: """
                UPDATE OR IGNORE delivery SET sink = ?1, lastError = NULL, nextAttempt = ?4, waitsSince = ?4,
                    revision = revision + 1
                WHERE sink = ?2 AND \(isPending) AND unanswered = 0 AND notification IN (
                    SELECT id FROM notification WHERE source IS NULL AND identifier GLOB ?3
                    AND rtrim(identifier, '0123456789') <> ?5)
                """,
            arguments: [other, sink, noticePrefix + "*", date.milliseconds, noticePrefix + other + "-"])
    }

    static func raise(_ verdict: SinkVerdict, at date: Date, in db: Database) throws {
        guard let notice = verdict.notice, let sink = try noticeSink(of: verdict, at: date, in: db) else { return }
        _ = try enqueue(notice, source: nil, sinks: [sink], date: date, in: db)
    }

    /// What does not work may have become so since the verdict was made.
    private static func noticeSink(of verdict: SinkVerdict, at date: Date, in db: Database) throws -> String? {
        let troubled = try String.fetchSet(
            db, sql: "SELECT name FROM sink UNION ALL SELECT sink FROM breaker WHERE pausedUntil > ?",
            arguments: [date.milliseconds])
        return verdict.noticeSinks.first { !troubled.contains($0) } ?? verdict.noticeSinks.first
    }
}
