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
    /// A sink that is missing may come back, and one that is broken work again; after so many seconds what waits there is given up.
    package static let longestAbsence: TimeInterval = 30 * 86_400

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
                    name: $0["sink"], until: $0.date("until") ?? date, failures: $0["failures"],
                    reason: $0["reason"])
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
        let states = try String.fetchAll(
            db,
            sql: """
                SELECT state FROM delivery
                WHERE ended IS NOT NULL AND sink = ? AND (state = 'dead' OR state = 'delivered')
                ORDER BY ended DESC LIMIT ?
                """, arguments: [sink, deadInARow + count])
        let dead = states.prefix { $0 == "dead" }.count
        let isFirst = verdict.isToldAtOnce && dead == count
        if isFirst || dead >= deadInARow && dead - count < deadInARow { try raise(verdict, at: date, in: db) }
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

    /// The sinks that nothing is sent to until the user says so, or has them lead elsewhere.
    public func goneSinks() throws(StoreError) -> [GoneSink] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM sink ORDER BY name").map {
                GoneSink(
                    name: $0["name"], since: $0.date("goneSince") ?? .distantPast, reason: $0["reason"],
                    destination: $0["destination"])
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

    /// Takes it that a sink is neither gone nor in trouble any more.
    static func takeBack(_ sink: String, at date: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM sink WHERE name = ?", arguments: [sink])
        try endTrouble(of: sink, at: date, in: db)
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

    /// Why a delivery is put off whose sink there is not. States hold these words and are searched for them: another wording is a
    /// migration.
    package static func absence(of sink: String) -> String { "the configuration has no sink \(sink)" }

    /// Makes due what was put off for ``absence(of:)``.
    package func endAbsence(of sinks: [String], at date: Date) throws(StoreError) {
        let absent = try read { db in
            try sinks.filter { sink in
                var find = try RawStatement(
                    """
                    SELECT 1 FROM delivery
                    WHERE \(Self.isPending) AND sink = ? AND lastError = ? AND nextAttempt > ? LIMIT 1
                    """, in: db)
                find.bind(sink)
                find.bind(Self.absence(of: sink))
                find.bind(date)
                return try find.hasRow()
            }
        }
        if absent.isEmpty { return }
        try write { db in
            for sink in absent {
                try db.execute(
                    sql: """
                        UPDATE delivery SET nextAttempt = ?1, waitsSince = ?1
                        WHERE \(Self.isPending) AND sink = ?2 AND lastError = ?3
                        """, arguments: [date.milliseconds, sink, Self.absence(of: sink)])
            }
        }
    }

    /// Puts off all that is due at a sink that there is not.
    ///
    /// - Returns: How many have not been put off for that before: nobody has to hear of the others each time.
    package func putOff(forMissing sink: String, at date: Date, until next: Date) throws(StoreError) -> Int {
        try write { db in
            var count = try RawStatement(
                "SELECT count(*) FROM delivery WHERE \(Self.isDue) AND lastError IS NOT ?4", in: db)
            var putOff = try RawStatement(
                """
                UPDATE delivery SET lastError = ?4, nextAttempt = ?5, waitsSince = ?1, revision = revision + 1
                WHERE \(Self.isDue)
                """, in: db)
            func bind(_ statement: inout RawStatement) {
                statement.bind(date)
                statement.bind(date.addingTimeInterval(Self.longestWait))
                statement.bind(sink)
                statement.bind(Self.absence(of: sink))
            }
            bind(&count)
            let isNew = try count.first { $0.number(0) ?? 0 } ?? 0
            bind(&putOff)
            putOff.bind(next)
            try putOff.run()
            return Int(isNew)
        }
    }

    /// Gives up what waits for a sink that there is not. Returns how many.
    ///
    /// - Parameter made: Only what was made before that.
    package func giveUp(forMissing sink: String, madeBefore made: Date, at date: Date) throws(StoreError) -> Int {
        let condition = """
            \(Self.isPending) AND sink = ?
            AND (SELECT created FROM notification WHERE id = delivery.notification) < ?
            """
        let isAny = try read { db in
            var find = try RawStatement("SELECT 1 FROM delivery WHERE \(condition) LIMIT 1", in: db)
            find.bind(sink)
            find.bind(made)
            return try find.hasRow()
        }
        guard isAny else { return 0 }
        return try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET state = 'dead', lastError = ?, ended = ?, quieted = 0, revision = revision + 1
                    WHERE \(condition)
                    """, arguments: [Self.absence(of: sink), date.milliseconds, sink, made.milliseconds])
            return db.changesCount
        }
    }

    /// How the identifiers of notices begin that tell of sinks that do not work.
    package static let noticePrefix = reservedPrefix + "sink-"

    /// What was to be told at a sink of others that do not work, and it does not work either: it goes where that is told of it.
    private static func moveNotices(
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

    private static func raise(_ verdict: SinkVerdict, at date: Date, in db: Database) throws {
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
