import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// No delivery waits longer than this for its next attempt, in seconds, nor a sink for the end of its pause, whatever their
    /// schedules say: a stored date further ahead means that the clock was set back.
    public static let longestWait: TimeInterval = 2 * 86_400

    /// A date that is not further ahead than any schedule waits.
    static func bounded(_ next: Date, from date: Date) -> Date { min(next, date.addingTimeInterval(longestWait)) }

    /// Of the deliveries that wait for authorization that of the oldest notification; nil where none does.
    public func firstHeldDelivery() throws(StoreError) -> Delivery? {
        try read { db in
            let first = try Int64.fetchOne(
                db, sql: "SELECT id FROM delivery WHERE \(Self.isHeld) ORDER BY notification, id LIMIT 1")
            return try first.flatMap { try Self.deliveries([$0], in: db).first }
        }
    }

    /// Deliveries for the user to look at: those of the latest notifications first, of which one that was replaced is as new as its
    /// replacement.
    ///
    /// - Parameters:
    ///   - source: Only those of a source; nil is all, of programs too.
    ///   - sink: Only those to a sink; nil is all.
    ///   - limit: At most so many; all unless told. Less than zero is none.
    ///   - now: What is of a later moment was written by a clock that was ahead, and comes last.
    public func deliveries(
        in states: Set<Delivery.State>, source: String? = nil, sink: String? = nil, limit: Int = .max,
        now: Date = .distantFuture
    ) throws(StoreError) -> [Delivery] {
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return try read { db in
            var find = try RawStatement(
                """
                SELECT delivery.id FROM delivery JOIN notification ON notification.id = delivery.notification
                LEFT JOIN source ON source.id = notification.source
                WHERE delivery.state IN (\(list)) AND (?1 IS NULL OR source.name = ?1) AND (?2 IS NULL OR sink = ?2)
                ORDER BY created > ?3, created DESC, delivery.notification DESC, delivery.id LIMIT \(max(0, limit))
                """, in: db)
            find.bind(source)
            find.bind(sink)
            find.bind(now)
            var ids: [Int64] = []
            try find.rows { row in if let id = row.number(0) { ids.append(id) } }
            return try Self.deliveries(ids, in: db)
        }
    }

    /// In the order of their numbers' list. Their texts are read only of those: a sort takes along all that it is to give.
    static func deliveries(_ ids: [Int64], in db: Database) throws -> [Delivery] {
        var look = try RawStatement(
            """
            SELECT \(Delivery.columns)
            FROM delivery JOIN notification ON notification.id = delivery.notification
            LEFT JOIN source ON source.id = notification.source WHERE delivery.id = ?
            """, in: db)
        return try ids.compactMap { id in
            look.bind(id)
            return try look.first { try Delivery($0) }
        }
    }

    /// One delivery; nil where there is none of that number.
    public func delivery(_ id: Int64) throws(StoreError) -> Delivery? {
        try read { db in try Self.deliveries([id], in: db).first }
    }

    /// The attempts of a delivery that did not work, latest last.
    public func failedAttempts(of id: Int64) throws(StoreError) -> [FailedAttempt] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM attempt WHERE delivery = ? ORDER BY id", arguments: [id]).map {
                FailedAttempt(
                    number: try $0.decode(forColumn: "number"), ended: try $0.date("ended") ?? .distantPast,
                    reason: try $0.decode(forColumn: "reason"))
            }
        }
    }

    /// When the earliest pending delivery is due, not before its sink's pause is over; nil where none is pending.
    ///
    /// - Parameter date: Only those that are due later than that.
    public func nextDelivery(after date: Date = .distantPast) throws(StoreError) -> Date? {
        try read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(max(nextAttempt, coalesce(pausedUntil, 0)))
                    FROM delivery LEFT JOIN breaker ON breaker.sink = delivery.sink
                    WHERE \(Self.isPending) AND NOT quieted AND delivery.sink NOT IN (SELECT name FROM sink)
                    AND max(nextAttempt, coalesce(pausedUntil, 0)) > ?
                    """, arguments: [date.milliseconds])
        }.map(Date.init(milliseconds:))
    }

    /// Takes deliveries for an attempt, which is counted before it is made: a state that cannot be written raises nothing.
    ///
    /// - Returns: Those that can be made, as they are now; a delivery that has changed since it was read is left out, and so is
    ///   each where nothing may be raised any more.
    package func begin(_ deliveries: [Delivery]) throws(StoreError) -> [Delivery] {
        try write { db in try deliveries.compactMap { try Self.begin($0, in: db) } }
    }

    private static func begin(_ delivery: Delivery, in db: Database) throws -> Delivery? {
        var take = try RawStatement(
            """
            UPDATE delivery SET attempts = attempts + 1, unanswered = unanswered + 1, revision = revision + 1
            WHERE id = ? AND revision = ? AND state = 'pending'
            AND EXISTS (SELECT 1 FROM authorization WHERE status = ?) RETURNING attempts
            """, in: db)
        take.bind(delivery.id)
        take.bind(delivery.revision)
        take.bind(AuthorizationStatus.authorized.rawValue)
        let attempts = try take.first { $0.number(0) ?? 1 }
        CrashPoint.reached(.beginInside)
        return attempts.map { delivery.begun(asAttempt: Int($0)) }
    }

    /// Writes down what became of deliveries, each unless it has been changed since it was read. Where a sink accepted it, the
    /// source's last-notified date moves in the same transaction, and only another text makes it a delivery to be made again:
    /// that it was to wait, or be made or given up, came too late.
    ///
    /// - Parameter isUnanswered: Whether nobody knows if the sink took those that were attempted and not accepted.
    /// - Parameter next: Are taken as by ``begin(_:)``, in the same transaction: it waits for the disk but once.
    /// - Parameter durability: As the sink's own, of what it accepted.
    /// - Parameter verdict: What is raised where several in a row were given up by now, all at one sink.
    /// - Returns: Of those the ones that can be made, as they are now.
    @discardableResult
    package func finish(
        _ deliveries: [EndedDelivery], at date: Date, isUnanswered: Bool = false, beginning next: [Delivery] = [],
        _ durability: Durability = .powerCut, verdict: SinkVerdict? = nil
    ) throws(StoreError) -> [Delivery] {
        try write(durability) { db in
            for (delivery, change) in deliveries {
                try Self.apply(change, to: delivery, isUnanswered: isUnanswered, at: date, in: db)
            }
            if let verdict { try Self.raise(verdict, after: deliveries, at: date, in: db) }
            return try next.compactMap { try Self.begin($0, in: db) }
        }
    }

    private static func apply(
        _ change: DeliveryChange, to delivery: Delivery, isUnanswered: Bool, at ended: Date, in db: Database
    ) throws {
        let now = ended.milliseconds
        // An earlier attempt may have been taken, whatever was said to this one.
        let answered = isUnanswered ? "" : "unanswered = max(0, unanswered - 1), "
        let assignments: String
        let date: Int64
        let text: String?
        var receipt: String?
        var since: Int64?
        switch change {
        case .delivered(let name, let remark):
            assignments = "state = 'delivered', ended = ?, lastError = ?, receipt = ?, quieted = 0"
            (date, text, receipt) = (now, remark, name)
        case .retry(let next, let reason, let name):
            assignments = answered + "nextAttempt = ?, lastError = ?, receipt = ifnull(?, receipt), waitsSince = ?"
            (date, text, receipt, since) = (bounded(next, from: ended).milliseconds, reason, name, now)
        case .deferred(let next, let reason):
            assignments = answered + "attempts = attempts - 1, nextAttempt = ?, lastError = ?, waitsSince = ?"
            (date, text, since) = (bounded(next, from: ended).milliseconds, reason, now)
        case .postponed(let next, let reason):
            assignments = "state = 'pending', nextAttempt = ?, lastError = ?, waitsSince = ?"
            (date, text, since) = (bounded(next, from: ended).milliseconds, reason, now)
        case .dead(let reason):
            assignments = answered + "state = 'dead', ended = ?, lastError = ?"
            (date, text) = (now, reason)
        }
        func write(where condition: String, _ revision: Int64) throws -> Bool {
            var write = try RawStatement(
                "UPDATE delivery SET \(assignments), revision = revision + 1 WHERE id = ? AND \(condition)", in: db)
            write.bind(date)
            write.bind(text)
            switch change {
            case .delivered, .retry: write.bind(receipt)
            case .deferred, .postponed, .dead: break
            }
            if let since { write.bind(since) }
            write.bind(delivery.id)
            write.bind(revision)
            try write.run()
            return db.changesCount == 1
        }
        var isWritten = try write(where: "revision = ?", delivery.revision)
        if !isWritten, case .delivered = change {
            isWritten = try write(where: Self.isAsItWasRaised, Int64(delivery.requestRevision))
        }
        if !isWritten, let receipt { try keep(receipt, of: delivery, in: db) }
        guard isWritten else { return }
        CrashPoint.reached(.finishInside)
        try note(change, of: delivery, at: ended, in: db)
    }

    /// What an attempt says of its sink and its source: that one works by which some got it, too.
    private static func note(
        _ change: DeliveryChange, of delivery: Delivery, at ended: Date, in db: Database
    ) throws {
        switch change {
        case .delivered, .retry(_, _, _?):
            try moveLastNotified(of: delivery, to: ended.milliseconds, in: db)
            try endTrouble(of: delivery.sink, at: ended, in: db)
        case .retry, .deferred, .postponed, .dead: break
        }
        switch change {
        case .retry(_, let reason, _), .dead(let reason):
            try remember(FailedAttempt(number: delivery.attempts, ended: ended, reason: reason), of: delivery, in: db)
        case .delivered, .deferred, .postponed: break
        }
    }

    /// Another text came while the sink raised this one: it takes the place of what stands there now.
    private static func keep(_ receipt: String, of delivery: Delivery, in db: Database) throws {
        var keep = try RawStatement("UPDATE delivery SET receipt = ? WHERE id = ?", in: db)
        keep.bind(receipt)
        keep.bind(delivery.id)
        try keep.run()
    }

    private static let isAsItWasRaised = """
        state <> 'delivered' AND (SELECT revision FROM notification WHERE notification.id = delivery.notification) = ?
        """

    /// A sink that is tried for ever has the last twenty.
    private static func remember(_ attempt: FailedAttempt, of delivery: Delivery, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO attempt (delivery, number, ended, reason) VALUES (?, ?, ?, ?)",
            arguments: [delivery.id, attempt.number, attempt.ended.milliseconds, attempt.reason])
        try db.execute(
            sql: """
                DELETE FROM attempt WHERE delivery = ?1 AND id NOT IN (
                    SELECT id FROM attempt WHERE delivery = ?1 ORDER BY id DESC LIMIT 20)
                """, arguments: [delivery.id])
    }

    /// Holds everything that is pending, until the user decides. Returns how many.
    ///
    /// - Parameter underWay: What a sink is raising now: held, it would be told by itself and once more in a summary.
    @discardableResult
    package func holdPending(without underWay: Set<Int64> = []) throws(StoreError) -> Int {
        try write { db in
            try RawStatement.runOnce(
                """
                UPDATE delivery SET state = 'held', quieted = 0, revision = revision + 1
                WHERE \(Self.isPending)\(Self.leavingOut(underWay))
                """, in: db)
            CrashPoint.reached(.holdInside)
            return db.changesCount
        }
    }

    /// Suppresses everything that is pending or held, but what a sink is raising now. Returns how many.
    package func suppressWaiting(
        reason: String, at date: Date, without underWay: Set<Int64> = []
    ) throws(StoreError) -> Int {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET state = 'suppressed', quieted = 0, lastError = ?, ended = ?, revision = revision + 1
                    WHERE state IN ('pending', 'held')\(Self.leavingOut(underWay))
                    """, arguments: [reason, date.milliseconds])
            return db.changesCount
        }
    }

    /// A condition on a row of `delivery`, behind others.
    static func leavingOut(_ ids: Set<Int64>) -> String {
        ids.isEmpty ? "" : " AND delivery.id NOT IN (\(ids.sorted().map(String.init).joined(separator: ", ")))"
    }

    /// Of the source it tells of, of those that a summary stands for, and of those whose items an issue of a digest tells.
    private static func moveLastNotified(of delivery: Delivery, to now: Int64, in db: Database) throws {
        let told = """
            delivery WHERE state = 'suppressed' AND toldBy = (SELECT notification FROM delivery WHERE id = ?)
            """
        try moveLastNotified(
            "= (SELECT source FROM notification WHERE id = (SELECT notification FROM delivery WHERE id = ?))",
            of: delivery, to: now, in: db)
        // An issue is of no single source.
        if delivery.source == nil {
            try moveLastNotified(
                """
                IN (SELECT source FROM digest_item WHERE issue = (
                    SELECT digest_issue.id FROM delivery JOIN notification ON notification.id = delivery.notification
                    JOIN digest_issue ON digest_issue.identifier = notification.identifier WHERE delivery.id = ?))
                """, of: delivery, to: now, in: db)
        }
        // Few are summaries, and the table that SQLite makes of a list takes longer than all the rest.
        var isSummary = try RawStatement("SELECT 1 FROM \(told) LIMIT 1", in: db)
        isSummary.bind(delivery.id)
        guard try isSummary.hasRow() else { return }
        try moveLastNotified(
            "IN (SELECT source FROM notification WHERE id IN (SELECT notification FROM \(told)))",
            of: delivery, to: now, in: db)
    }

    private static func moveLastNotified(
        _ sources: String, of delivery: Delivery, to now: Int64, in db: Database
    ) throws {
        var move = try RawStatement(
            "UPDATE source SET lastNotified = ? WHERE lastNotified IS NOT ? AND id \(sources)", in: db)
        move.bind(now)
        move.bind(now)
        move.bind(delivery.id)
        try move.run()
    }

    /// Makes deliveries due now that are dead, held back by their schedule or suppressed (with nil: all of the first two), and takes it
    /// that their sinks are back. A summary that would tell one as well, and is yet to be raised, tells its rest. A centre that runs
    /// has to be woken for them.
    ///
    /// - Returns: How many.
    public func retryDeliveries(_ ids: [Int64]?, at date: Date) throws(StoreError) -> Int {
        try checkPlace()
        return try write { db in
            var dissolved: Set<Int64> = []
            for id in ids ?? [] {
                if let summary = try Self.unraisedSummary(standingFor: id, in: db) {
                    try Self.dissolve(summary, date: date, in: db)
                    dissolved.insert(summary)
                }
            }
            let sinks = try Self.change(
                """
                state = 'pending', attempts = 0, nextAttempt = \(date.milliseconds), waitsSince = \(date.milliseconds),
                ended = NULL, quieted = 0, toldBy = NULL, lastError = iif(state = 'suppressed' OR attempts > 0, NULL, lastError)
                """,
                of: ids?.filter { !dissolved.contains($0) },
                among: ids == nil ? "'pending', 'dead'" : "'pending', 'dead', 'suppressed'", in: db)
            CrashPoint.reached(.retryInside)
            for sink in Set(sinks) { try Self.takeBack(sink, at: date, in: db) }
            return sinks.count
        }
    }

    /// Gives deliveries up for good that are pending, held or dead; with nil all that are dead, and no other. One that is under way cannot
    /// be called back: it counts, and is delivered if its sink accepts it. What a summary tells that is yet to be raised is told there
    /// all the same.
    ///
    /// - Returns: How many.
    public func dropDeliveries(_ ids: [Int64]?, at date: Date) throws(StoreError) -> Int {
        try checkPlace()
        return try write { db in
            try Self.change(
                "state = 'suppressed', quieted = 0, lastError = 'dropped by the user', ended = \(date.milliseconds)",
                of: ids, among: ids == nil ? "'dead'" : "'pending', 'held', 'dead'", in: db
            ).count
        }
    }

    /// - Returns: The sink of each that was changed.
    private static func change(
        _ assignments: String, of ids: [Int64]?, among states: String, in db: Database
    ) throws -> [String] {
        let which = ids.map { " AND id IN (\($0.map(String.init).joined(separator: ", ")))" } ?? ""
        return try String.fetchAll(
            db,
            sql: """
                UPDATE delivery SET \(assignments), revision = revision + 1 WHERE state IN (\(states))\(which)
                RETURNING sink
                """)
    }
}

extension Delivery {
    fileprivate static let columns = """
        delivery.id, identifier, content, source.name, sink, state, attempts,
        max(nextAttempt, coalesce((SELECT pausedUntil FROM breaker WHERE breaker.sink = delivery.sink), 0)),
        lastError, receipt, created, ended, notification.revision, quieted <> 0, delivery.revision,
        state = 'pending' AND sink IN (SELECT name FROM sink), max(created, coalesce(readySince, 0))
        """

    /// - Parameter row: Of ``columns``.
    fileprivate init(_ row: RawRow) throws {
        let request = NotificationRequest(
            identifier: row.text(1) ?? "", content: try NotificationContent(stored: row.text(2) ?? ""))
        self.init(
            id: row.number(0) ?? 0, request: request, source: row.text(3), sink: row.text(4) ?? "",
            state: row.text(5).flatMap(State.init) ?? .pending, attempts: Int(row.number(6) ?? 0),
            nextAttempt: row.date(7) ?? .distantPast, lastError: row.text(8), receipt: row.text(9),
            created: row.date(10) ?? .distantPast, ended: row.date(11), requestRevision: Int(row.number(12) ?? 0),
            isQuieted: row.number(13) == 1, isSinkGone: row.number(15) == 1,
            readySince: row.date(16) ?? .distantPast, revision: row.number(14) ?? 0)
    }

    /// As its row is once ``Store/begin(_:)`` has taken it: with that attempt counted, and of the next revision, by which it is
    /// seen whether anything changes it meanwhile.
    ///
    /// - Parameter number: The attempt's, from 1.
    func begun(asAttempt number: Int) -> Delivery {
        var delivery = self
        delivery.attempts = number
        delivery.revision += 1
        return delivery
    }
}
