import CrierNotifications
import Foundation
import GRDB

/// Why deliveries wait together, to come as one when the reason is over.
package enum WaitingReason: Sendable, Hashable {
    /// For the user's authorization.
    case authorization
    /// For the end of quiet hours, or of muting.
    case quiet
    /// For the end of muting alone, as what is so urgent passes the quiet hours that go on.
    case muting(passing: Set<InterruptionLevel>)
    /// For a sink that was not there: whatever was made before a date and waits for its sink still. What is urgent comes by itself:
    /// it would bring the others into quiet hours.
    case absence(since: Date)
    /// For nothing, or for that: more is due at once than anybody reads one by one. What is urgent comes by itself here, too.
    case flood

    /// Of a row of `delivery` joined with its `notification`.
    fileprivate var condition: String {
        switch self {
        case .authorization: Store.isHeld
        case .quiet: "\(Store.isPending) AND quieted"
        case .muting(let levels): "\(Store.isPending) AND quieted AND level IN (\(levels.list))"
        case .absence(let since): "\(waits) AND created < \(since.milliseconds)"
        // A summary of them is nothing new.
        case .flood: "\(waits) AND attempts = 0 AND NOT \(Store.isSummary)"
        }
    }

    /// The same of what a summary may tell. What was there before it was quiet has waited for its sink, and comes by itself.
    fileprivate var conditionOfTold: String {
        switch self {
        case .quiet, .muting: "\(condition) AND quieted = \(Store.quietedAlone)"
        case .authorization, .absence, .flood: condition
        }
    }

    /// Whether it goes to a summary that waits already: nobody has got that yet.
    fileprivate var joins: Bool {
        switch self {
        case .authorization, .quiet, .muting: false
        case .absence, .flood: true
        }
    }

    /// For a sink that may not be there.
    private var waits: String {
        "\(Store.isPending) AND NOT quieted AND level IN (\(Set<InterruptionLevel>([.passive, .active]).list))"
    }

    /// The same of a summary that is to be told of by what it stands for: of those that wait for an absent sink each, lest the
    /// late ones of every hour make one of their own.
    fileprivate var conditionOfSummary: String {
        switch self {
        case .authorization, .quiet, .muting: condition
        case .absence: waits
        // What has failed may be refused for what it says, and would keep those back that it takes in.
        case .flood: "\(waits) AND attempts = 0 AND lastError IS NOT NULL"
        }
    }
}

/// What waits at one sink.
package struct WaitingNotifications: Sendable, Hashable {
    /// Of so many a summary is made at most: it shows fewer, and chooses among them so that each source has its turn.
    package static let limit = 500

    /// Its name.
    package let sink: String
    /// Whether something of it has waited, and has not just come.
    package let haveWaited: Bool
    /// Of all of them; those that an earlier summary stands for count each.
    package let count: Int
    /// The most urgent of them, of these the newest first, at most ``limit``.
    package let newest: [NotificationRequest]
}

extension Store {
    /// What a summary of what waited is called. A source may be called so, too, but a summary is of none.
    public static let summaryPrefix = reservedPrefix + "waited-"

    /// Releases what waits for a reason, in one transaction.
    ///
    /// - Parameters:
    ///   - sink: Only at this sink; nil is every sink.
    ///   - earliest: A summary for a sink that may not be there is not due before.
    ///   - summary: What is raised at a sink instead of all that waits there, which is then recorded as told by it; nil
    ///     raises each. An earlier summary among them is told of by what it stands for. An issue of a digest, which is a
    ///     summary already, is raised by itself, and so is what its sink may have taken already.
    package func release(
        _ reason: WaitingReason, of sink: String? = nil, at date: Date, notBefore earliest: Date? = nil,
        summary: @Sendable (WaitingNotifications) -> NotificationRequest?
    ) throws(StoreError) {
        let isWaiting = try read { db in try Self.sinks(waitingFor: reason, sink: sink, in: db) }
        // Nearly always nothing waits: then nothing is written.
        if isWaiting.isEmpty { return }
        try write { db in
            for sink in try Self.sinks(waitingFor: reason, sink: sink, in: db) {
                let waiting = try Self.waiting(for: reason, at: sink, in: db)
                if let request = summary(waiting) {
                    let earliest = max(date, earliest ?? date)
                    try Self.raise(request, insteadOf: reason, at: sink, date: date, notBefore: earliest, in: db)
                }
                try Self.raiseEach(reason, at: sink, date: date, in: db)
                CrashPoint.reached(.releaseInside)
            }
        }
        CrashPoint.reached(.releaseAfter)
    }

    /// How `quieted` is where a delivery waits for nothing but the end of quiet, and where it has waited for its sink before.
    static let (quietedAlone, quietedToo) = (1, 2)

    /// Of a delivery: since when nothing but its sink keeps it, as far as anything did before.
    static let readySince = """
        max(coalesce(readySince, 0), (SELECT created FROM notification WHERE notification.id = delivery.notification))
        """

    /// Makes everything wait that is due at a moment of quiet and less urgent than what passes. Returns how many.
    ///
    /// - Parameter begin: When it became quiet.
    /// - Parameter underWay: What a sink is raising now: it would be told by itself and once more in the summary.
    @discardableResult
    package func quietDeliveries(
        passing levels: Set<InterruptionLevel>, since begin: Date, at date: Date, without underWay: Set<Int64> = []
    ) throws(StoreError) -> Int {
        // What is further off than anything may wait is due: the clock was ahead when that was written.
        let limit = date.addingTimeInterval(Self.longestWait)
        // Of each the level of its own notification, rather than that of all that there were.
        let condition = """
            \(Self.isPending) AND NOT quieted
            AND NOT nextAttempt BETWEEN \(date.milliseconds) + 1 AND \(limit.milliseconds) AND NOT EXISTS (
                SELECT 1 FROM notification WHERE id = delivery.notification AND level IN (\(levels.list)))
            \(Self.leavingOut(underWay))
            """
        let isAny = try read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM delivery WHERE \(condition))") ?? false
        }
        guard isAny else { return 0 }
        return try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET revision = revision + 1,
                        quieted = iif(\(Self.readySince) < \(begin.milliseconds), \(Self.quietedToo), \(Self.quietedAlone))
                    WHERE \(condition)
                    """)
            return db.changesCount
        }
    }

    /// How many wait for a reason at a sink; those that an earlier summary stands for count each.
    package func waitingCount(for reason: WaitingReason, at sink: String) throws(StoreError) -> Int {
        try read { db in
            let count = try db.cachedStatement(sql: "SELECT count(*) \(Self.members(reason))")
            return try Int.fetchOne(count, arguments: [sink]) ?? 0
        }
    }

    /// What tells of those that are suppressed instead, such as a summary, by their numbers.
    public func tellers(of deliveries: [Delivery]) throws(StoreError) -> [Int64: Delivery] {
        try read { db in
            var find = try RawStatement(
                """
                SELECT teller.id FROM delivery AS told
                JOIN delivery AS teller ON teller.notification = told.toldBy AND teller.sink = told.sink
                WHERE told.id = ?
                """, in: db)
            var tellers: [Int64: Delivery] = [:]
            for delivery in deliveries where delivery.state == .suppressed {
                find.bind(delivery.id)
                guard let teller = try find.first({ $0.number(0) }) ?? nil else { continue }
                tellers[delivery.id] = try Self.deliveries([teller], in: db).first
            }
            return tellers
        }
    }

    /// How many deliveries wait for the end of quiet hours, or of muting.
    public func quietedCount() throws(StoreError) -> Int {
        try read { db in
            let sql = "SELECT count(*) FROM delivery WHERE \(Self.isPending) AND quieted"
            return try Int.fetchOne(db.cachedStatement(sql: sql)) ?? 0
        }
    }

    /// How many of them wait for nothing else at a moment: those at some sinks, but not at one that is gone or paused.
    public func quietedCount(at sinks: [String], now: Date) throws(StoreError) -> Int {
        try read { db in
            let sql = """
                SELECT count(*) FROM delivery WHERE \(Self.isPending) AND quieted
                AND sink IN (SELECT value FROM json_each(?1)) AND sink NOT IN (SELECT name FROM sink)
                AND sink NOT IN (SELECT sink FROM breaker WHERE pausedUntil > ?2)
                """
            return try Int.fetchOne(db, sql: sql, arguments: [StoredJSON.list(sinks), now.milliseconds]) ?? 0
        }
    }

    private static func sinks(waitingFor reason: WaitingReason, sink: String?, in db: Database) throws -> [String] {
        let sql = """
            SELECT DISTINCT sink FROM delivery JOIN notification ON notification.id = delivery.notification
            WHERE \(reason.condition) AND (?1 IS NULL OR sink = ?1) ORDER BY sink
            """
        // Asked with every delivery, and the same text but where a date is in it.
        let statement =
            if case .absence = reason { try db.makeStatement(sql: sql) } else { try db.cachedStatement(sql: sql) }
        return try String.fetchAll(statement, arguments: [sink])
    }

    /// Of joined rows: what is not raised by itself.
    private static func isTaken(_ reason: WaitingReason) -> String {
        "(\(reason.conditionOfTold) OR \(reason.conditionOfSummary) AND \(isSummary)) AND \(mayBeTold)"
    }

    static let isSummary = "(identifier GLOB '\(summaryPrefix)*' AND notification.source IS NULL)"

    /// What a summary may stand for. All that a digest tells would be one line of it; and what the sink may have taken already,
    /// by an attempt that nobody knows the end of, would be told once more: under its own name the receiver knows it again.
    private static let mayBeTold = "unanswered = 0 AND identifier NOT IN (SELECT identifier FROM digest_issue)"

    /// Joined rows of what a summary may tell of what waits at a sink, `?1`: instead of earlier summaries, what they stand for.
    private static func members(_ reason: WaitingReason) -> String {
        """
        FROM delivery JOIN notification ON notification.id = delivery.notification
        WHERE sink = ?1 AND (
            (\(reason.conditionOfTold) AND NOT \(isSummary) AND \(mayBeTold))
            OR (delivery.state = 'suppressed' AND toldBy IN (
                SELECT notification.id FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE sink = ?1 AND \(reason.conditionOfSummary) AND \(isSummary) AND \(mayBeTold))))
        """
    }

    private static func waiting(
        for reason: WaitingReason, at sink: String, in db: Database
    ) throws -> WaitingNotifications {
        let all = try Row.fetchOne(
            db, sql: "SELECT count(*), total(lastError IS NOT NULL) \(members(reason))", arguments: [sink])
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT identifier, content \(members(reason))
                ORDER BY level = '\(InterruptionLevel.critical.rawValue)' DESC,
                    level = '\(InterruptionLevel.timeSensitive.rawValue)' DESC, notification.id DESC
                LIMIT \(WaitingNotifications.limit)
                """, arguments: [sink])
        return WaitingNotifications(
            sink: sink, haveWaited: reason != .flood || (all?[1] ?? 0) > 0, count: all?[0] ?? 0,
            newest: try rows.map(NotificationRequest.init))
    }

    private static func raise(
        _ request: NotificationRequest, insteadOf reason: WaitingReason, at sink: String, date: Date,
        notBefore earliest: Date, in db: Database
    ) throws {
        let kept = try keptSummary(reason, at: sink, in: db)
        // The same may have waited, and been told, at the same moment already.
        let identifier = try kept?.identifier ?? freeIdentifier(request.identifier, in: db)
        let request = NotificationRequest(identifier: identifier, content: request.content)
        // What the summary stands for is settled before its own row is there.
        let told = try Int64.fetchAll(
            db, sql: "SELECT delivery.id \(members(reason)) AND (?2 IS NULL OR toldBy IS NOT ?2)",
            arguments: [sink, kept?.row])
        let waiting = try Int64.fetchAll(
            db,
            sql: """
                SELECT delivery.id FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE sink = ? AND \(isTaken(reason)) AND notification.id IS NOT ?
                """, arguments: [sink, kept?.row])
        let row = try enqueue(request, source: nil, sinks: [sink], date: date, replacing: kept != nil, in: db)
        if reason.joins {
            // It goes on waiting for what they have waited for.
            let find = try db.cachedStatement(sql: "SELECT lastError FROM delivery WHERE id = ?")
            var reason = kept?.lastError
            for id in waiting where reason == nil { reason = try String.fetchOne(find, arguments: [id]) }
            try db.execute(
                sql: """
                    UPDATE delivery SET lastError = ?, nextAttempt = ?, waitsSince = ? WHERE notification = ? AND sink = ?
                    """, arguments: [reason, earliest.milliseconds, date.milliseconds, row, sink])
        }
        let suppress = try db.cachedStatement(
            sql: """
                UPDATE delivery SET state = 'suppressed', lastError = ?, ended = ?, quieted = 0, revision = revision + 1
                WHERE id = ?
                """)
        for id in waiting { try suppress.execute(arguments: ["told in \(request.identifier)", date.milliseconds, id]) }
        let point = try db.cachedStatement(sql: "UPDATE delivery SET lastError = ?, toldBy = ? WHERE id = ?")
        for id in told { try point.execute(arguments: ["told in \(request.identifier)", row, id]) }
    }

    /// The summary that waits for an absent sink already, and takes in what has come or become late since: nobody has got it yet.
    /// What it stands for stays as it is, however much that is.
    private static func keptSummary(
        _ reason: WaitingReason, at sink: String, in db: Database
    ) throws -> (row: Int64, identifier: String, lastError: String?)? {
        guard reason.joins else { return nil }
        return try Row.fetchOne(
            db,
            sql: """
                SELECT notification.id, identifier, lastError
                FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE sink = ? AND \(reason.conditionOfSummary) AND \(isSummary) AND \(mayBeTold)
                ORDER BY notification.id DESC LIMIT 1
                """, arguments: [sink]
        ).map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1), try $0.decode(atIndex: 2)) }
    }

    /// The delivery of a summary that a sink has surely not got yet, and that tells there of a notification.
    static func unraisedSummary(telling notification: Int64, at sink: String, in db: Database) throws -> Int64? {
        var find = try RawStatement("\(findUnraisedSummary) told.notification = ?1 AND told.sink = ?2", in: db)
        find.bind(notification)
        find.bind(sink)
        return try find.first { $0.number(0) } ?? nil
    }

    /// The same, that was raised instead of a delivery.
    static func unraisedSummary(standingFor delivery: Int64, in db: Database) throws -> Int64? {
        var find = try RawStatement("\(findUnraisedSummary) told.id = ?1", in: db)
        find.bind(delivery)
        return try find.first { $0.number(0) } ?? nil
    }

    private static let findUnraisedSummary = """
        SELECT summary.id FROM delivery AS told JOIN notification ON notification.id = told.toldBy
        JOIN delivery AS summary ON summary.notification = told.toldBy AND summary.sink = told.sink
        WHERE told.state = 'suppressed' AND \(isSummary) AND summary.state IN ('pending', 'held') AND summary.unanswered = 0 AND
        """

    /// Has what a summary stands for wait again, for the next one, as what has waited for the end of quiet does. What is so urgent
    /// that it may pass that is due by itself.
    ///
    /// - Parameter notification: One that it told of, which has another text now: it waits with them.
    static func dissolve(
        _ summary: Int64, and notification: Int64? = nil, date: Date, in db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE delivery SET state = summary.state, nextAttempt = ?1, waitsSince = ?1, readySince = ?1, lastError = NULL,
                    ended = NULL, toldBy = NULL, quieted = NOT EXISTS (
                        SELECT 1 FROM notification WHERE notification.id = delivery.notification
                        AND level IN (\(Set<InterruptionLevel>([.critical, .timeSensitive]).list))),
                    revision = delivery.revision + 1
                FROM (SELECT notification, sink AS place, state FROM delivery WHERE id = ?2) AS summary
                WHERE delivery.sink = place
                AND (delivery.state = 'suppressed' AND delivery.toldBy = summary.notification
                    OR delivery.notification = ?3)
                """, arguments: [date.milliseconds, summary, notification])
        try db.execute(
            sql: """
                UPDATE delivery SET state = 'suppressed', lastError = 'what it tells of has changed', ended = ?,
                    quieted = 0, revision = revision + 1
                WHERE id = ?
                """, arguments: [date.milliseconds, summary])
    }

    /// Makes due whatever waits still.
    private static func raiseEach(
        _ reason: WaitingReason, at sink: String, date: Date, in db: Database
    ) throws {
        // What was only late keeps its schedule.
        if reason.joins { return }
        try db.execute(
            sql: """
                UPDATE delivery SET state = 'pending', quieted = 0, nextAttempt = ?1, waitsSince = ?1,
                    readySince = iif(quieted = \(quietedToo), readySince, ?1), revision = revision + 1
                WHERE id IN (
                    SELECT delivery.id FROM delivery JOIN notification ON notification.id = delivery.notification
                    WHERE sink = ?2 AND \(reason.condition))
                """, arguments: [date.milliseconds, sink])
    }
}

extension Set<InterruptionLevel> {
    /// As SQL has it.
    fileprivate var list: String { map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ") }
}

extension NotificationRequest {
    init(_ row: Row) throws {
        self.init(
            identifier: try row.decode(forColumn: "identifier"),
            content: try NotificationContent(stored: try row.decode(forColumn: "content")))
    }
}
