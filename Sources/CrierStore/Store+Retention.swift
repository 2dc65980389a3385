import Foundation
import GRDB

/// How long what is over is kept, in days.
public struct Retention: Sendable, Hashable {
    /// Deliveries that were accepted or suppressed.
    public var ended = 30
    /// Deliveries that were given up.
    public var dead = 90
    /// The texts of items, but not their titles and addresses, and of notifications whose deliveries are deleted.
    public var payloads = 90
    /// The identifiers of items after their last sighting, with titles and addresses, by which an item is known that is called
    /// otherwise, and of notifications: what keeps them from being told twice. What is remembered of a source after it has gone.
    public var identifiers = 400
    /// So many items of a source are kept however old they are.
    public var leastItems = 1000
    /// Of so many items of a source, and those seen together with the last of them, all texts are kept, and of so many identifiers, however
    /// new the others are: a feed that names all its items anew each hour would fill the disk.
    public var mostTexts = 10_000
    /// The same of identifiers.
    public var mostItems = 100_000
    /// Fetches in the log; and so many of them at most.
    public var visits = 30
    public var mostVisits: Int64 = 100_000
    /// Wake-ups in the log, which end as early as its fetches; and so many of them at most.
    public var mostWakes: Int64 = 20_000
    /// The time between two prunings.
    public var interval = 1

    public init() {}
}

extension Store {
    /// When that was done last.
    package var lastPruned: Date? {
        get throws(StoreError) { try date(of: .pruned) }
    }

    /// Deletes what need not be kept any longer, if that was not done lately. Items that the document held when it was last
    /// read are always kept, and so is where an address was told that is told once, and what a summary stands for that is kept
    /// itself. What waits for a digest is kept as long as identifiers.
    ///
    /// - Parameter isForced: Whether to do it however lately it was done.
    /// - Returns: Whether it was done.
    @discardableResult
    public func prune(_ retention: Retention = Retention(), isForced: Bool = false, at date: Date) throws(StoreError)
        -> Bool
    {
        let last = try lastPruned
        if !isForced, let last, last <= date, last > date.addingTimeInterval(-Double(retention.interval) * 86_400) {
            return false
        }
        func before(_ days: Int, _ date: Date = date) -> Int64 {
            date.addingTimeInterval(-Double(days) * 86_400).milliseconds
        }
        let ended = before(retention.ended)
        let dead = before(retention.dead)
        let payloads = before(retention.payloads)
        // Not before it was found to be old a second time: after a year without power, or by a clock that was far behind, an issue
        // may be about to tell of it, and by one that is ahead, an identifier would be given a second time, to something else.
        let foundOld = min(before(retention.identifiers), before(retention.identifiers, last ?? .distantPast))
        let visits = before(retention.visits)
        let isPast = "(ended IS NOT NULL AND ended < CASE state WHEN 'dead' THEN \(dead) ELSE \(ended) END)"
        try write { db in
            try Self.pruneOutbox(isPast, payloads, foundOld, in: db)
            try db.execute(
                sql: "DELETE FROM fetch WHERE begun < ? OR id <= (SELECT max(id) FROM fetch) - ?",
                arguments: [visits, retention.mostVisits])
            try db.execute(
                sql: "DELETE FROM host WHERE max(coalesce(lastStarted, 0), coalesce(pausedUntil, 0)) < ?",
                arguments: [foundOld])
            try db.execute(
                sql: "DELETE FROM wake WHERE date < ? OR id <= (SELECT max(id) FROM wake) - ?",
                arguments: [visits, retention.mostWakes])
            let old = try Int64.fetchSet(
                db, sql: "SELECT DISTINCT source FROM item NOT INDEXED WHERE lastSeen < ?",
                arguments: [max(payloads, foundOld)])
            let many = try Int64.fetchSet(
                db, sql: "SELECT source FROM item GROUP BY source HAVING count(*) > ?",
                arguments: [min(retention.mostTexts, retention.mostItems)])
            for source in old.union(many) {
                var (texts, names, items) = (payloads, Int64.min, foundOld)
                if many.contains(source) {
                    names = try Self.lastSeen(at: retention.mostTexts, of: source, in: db)
                    texts = max(texts, names)
                    items = max(items, try Self.lastSeen(at: retention.mostItems, of: source, in: db))
                }
                try Self.pruneItems(of: source, texts, names, items, least: retention.leastItems, in: db)
            }
            try Self.pruneSources(foundOld, in: db)
            try db.execute(sql: "DELETE FROM digest_issue WHERE issued < ?", arguments: [foundOld])
            try db.execute(
                sql: "DELETE FROM digest_item WHERE issue IS NULL AND added < ?", arguments: [foundOld])
            // One that the configuration has goes from slot to slot. Where its slots are years apart, it begins to wait anew.
            try db.execute(
                sql: """
                    DELETE FROM digest WHERE accounted < ?
                    AND name NOT IN (SELECT digest FROM digest_item UNION SELECT digest FROM digest_issue)
                    """, arguments: [foundOld])
            CrashPoint.reached(.pruneInside)
            try Self.set(.pruned, to: date, in: db)
        }
        CrashPoint.reached(.pruneAfter)
        return true
    }

    /// - Parameter isPast: Of a delivery by itself: whether it is over for so long that it need not be kept.
    private static func pruneOutbox(
        _ isPast: String, _ payloads: Int64, _ identifiers: Int64, in db: Database
    ) throws {
        // As long as the summary that tells it: until then it may wait, and be told in another that counts it again.
        let isStoodFor = """
            EXISTS (SELECT 1 FROM delivery AS summary WHERE summary.notification = delivery.toldBy
                AND summary.sink = delivery.sink AND NOT \(isPast))
            """
        // Where an address was told, be it by a summary, says at which sinks it is not to be told again.
        let isOfAddress = "notification IN (SELECT notification FROM told)"
        let isInSummary = """
            state = 'suppressed' AND \(isOfAddress)
            AND EXISTS (SELECT 1 FROM notification AS teller WHERE teller.id = toldBy AND teller.source IS NULL)
            """
        // Where an issue of a digest was raised says that it has told its addresses, whatever others say that are kept for longer.
        let isOfIssue = """
            notification IN (SELECT notification.id FROM notification JOIN digest_issue USING (identifier))
            AND EXISTS (SELECT 1 FROM delivery AS other WHERE other.notification = delivery.notification AND NOT \(isPast))
            """
        try db.execute(
            sql: """
                DELETE FROM delivery WHERE \(isPast) AND NOT \(isStoodFor)
                AND NOT (state = 'delivered' AND (\(isOfAddress) OR \(isOfIssue)) OR \(isInSummary))
                AND notification NOT IN (SELECT toldBy FROM delivery WHERE \(isInSummary))
                """)
        let isOver = """
            NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.notification = notification.id
                AND (NOT \(isPast) OR \(isStoodFor)))
            """
        try db.execute(
            sql: """
                UPDATE notification SET content = '{}' WHERE created < ? AND content <> '{}'
                AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.notification = notification.id)
                """, arguments: [payloads])
        try db.execute(sql: "DELETE FROM notification WHERE created < ? AND \(isOver)", arguments: [identifiers])
    }

    /// Those that have been gone for long (``Store/noteSources(_:at:)``), and of which nothing waits. Few at a time: for each the log of
    /// visits is gone through, which has no index.
    private static func pruneSources(_ date: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM source WHERE id IN (
                    SELECT id FROM source LEFT JOIN visit ON visit.source = source.id
                    WHERE absentSince < ?1 AND coalesce(lastFetched, 0) < ?1
                    AND NOT EXISTS (SELECT 1 FROM notification WHERE notification.source = source.id)
                    AND NOT EXISTS (SELECT 1 FROM digest_item WHERE digest_item.source = source.id AND issue IS NULL)
                    LIMIT 100)
                """, arguments: [date])
    }

    /// Of an item of the source `?1` that waits for no digest. Of that, and not of the item's, so that what waits is looked up once.
    private static let isFree = """
        identifier NOT IN (SELECT item FROM digest_item WHERE digest_item.source = ?1 AND issue IS NULL)
        """

    static let forgetTexts = forget("summary", "details")
    static let forgetNames = forget("title", "url")

    /// Of the items of the source `?1` that were seen last before `?2`.
    private static func forget(_ column: String, _ other: String) -> String {
        """
        UPDATE item SET \(column) = NULL, \(other) = NULL
        WHERE source = ?1 AND lastSeen < ?2 AND \(isFree) AND (\(column) IS NOT NULL OR \(other) IS NOT NULL)
        """
    }

    /// But for the latest `?3`.
    static let forgetItems = """
        DELETE FROM item WHERE source = ?1 AND lastSeen < ?2 AND \(isFree) AND identifier NOT IN (
            SELECT identifier FROM item WHERE source = ?1 ORDER BY lastSeen DESC LIMIT ?3)
        """

    /// When the last of so many items of a source was seen, latest first; long ago where there are fewer.
    private static func lastSeen(at place: Int, of source: Int64, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT lastSeen FROM item WHERE source = ? ORDER BY lastSeen DESC LIMIT 1 OFFSET ?")
        return try Int64.fetchOne(statement, arguments: [source, max(1, place) - 1]) ?? .min
    }

    /// - Parameters:
    ///   - texts: Before when an item was last seen whose texts go, and of them `names` those of titles and addresses.
    ///   - items: The same of what goes altogether, but for the latest, of which there are `least`.
    private static func pruneItems(
        of source: Int64, _ texts: Int64, _ names: Int64, _ items: Int64, least: Int, in db: Database
    ) throws {
        // An answer that says "not modified" sights nothing: what the last document held is in it still.
        guard
            let seen = try Int64.fetchOne(
                try db.cachedStatement(sql: "SELECT max(lastSeen) FROM item WHERE source = ?"), arguments: [source])
        else { return }
        // Not every sighting was written.
        let last = seen - ItemSighting.milliseconds
        for (statement, date) in [(forgetTexts, texts), (forgetNames, names)] {
            try db.cachedStatement(sql: statement).execute(arguments: [source, min(date, last)])
        }
        try db.cachedStatement(sql: forgetItems).execute(arguments: [source, min(items, last), least])
    }
}
