import Foundation
import GRDB

/// The network that is down beyond this machine's own.
public struct NetworkOutage: Sendable, Hashable {
    /// Since when no host there could be reached.
    public let since: Date
    /// What the first that could not be failed at; nil where nobody knows.
    public let cause: String?

    package init(since: Date, cause: String?) {
        self.since = since
        self.cause = cause
    }
}

/// What is remembered of whether a host can be reached.
package struct HostContact: Sendable {
    package let host: String
    /// When it last answered, as far as that is still known.
    package let lastReached: Date?
    /// Since when it cannot be found or connected to; nil where it can.
    package let unreachedSince: Date?
}

/// The network that is down, as runs and agents find it.
extension Store {
    /// Since when no host beyond this machine's own network could be reached; nil where one was, or none was asked.
    package var outageSince: Date? {
        get throws(StoreError) { try date(of: .outageSince) }
    }

    /// What the outage began with; nil where nobody knows.
    package var outageCause: String? {
        get throws(StoreError) { try cause(of: .outageSince) }
    }

    private func cause(of mark: Mark) throws(StoreError) -> String? {
        try read { db in
            let sql = "SELECT cause FROM mark WHERE name = ?"
            return try String?.fetchOne(db, sql: sql, arguments: [mark.rawValue]) ?? nil
        }
    }

    /// How the reasons begin for which deliveries are put off until a host is reached.
    package static let outageReason = "the network is down: "

    /// Whether no source has reached a host beyond this machine's own network when one was asked last. What only one has failed at counts
    /// for a day, and an outage for three: nobody may be left who would end it.
    package func isCutOff(at date: Date) throws(StoreError) -> Bool {
        try read { db in
            for (mark, days) in [(Mark.unreachedSince, 1.0), (.outageSince, 3)] {
                guard let since = try Self.date(of: mark, in: db) else { continue }
                if since <= date, since > date.addingTimeInterval(-86_400 * days) { return true }
            }
            return false
        }
    }

    /// Takes note of whether a host beyond this machine's own network can be reached. It costs a write where that has changed.
    /// What was put off until one is, is due then.
    ///
    /// - Parameter cause: What one failed at that cannot; of an outage the first is kept, which may have been met alone.
    package func noteNetwork(isDown: Bool, because cause: String? = nil, at date: Date) throws(StoreError) {
        let since = isDown ? nil : try outageSince
        let first = isDown ? try self.cause(of: .unreachedSince) : nil
        _ = try note(.outageSince, isDown, because: first ?? cause, at: date, for: .infinity)
        if let since { try endPuttingOff(since: since, at: date) }
    }

    /// Also of sinks that were paused meanwhile, as where a network has answered in the place of their receivers.
    private func endPuttingOff(since: Date, at date: Date) throws(StoreError) {
        try write(.process) { db in
            try db.execute(
                sql: "UPDATE breaker SET pausedUntil = ?1 WHERE pausedUntil > ?1 AND pausedSince >= ?2",
                arguments: [date.milliseconds, since.milliseconds])
            try db.execute(
                sql: """
                    UPDATE delivery SET nextAttempt = ?1, waitsSince = ?1
                    WHERE \(Self.isPending) AND nextAttempt > ?1 AND lastError GLOB ?2
                    """, arguments: [date.milliseconds, Self.outageReason + "*"])
        }
    }

    /// Of each host that was visited for a source. A date ahead is from a clock that was set back, and tells nothing.
    package func hostContacts(before date: Date) throws(StoreError) -> [HostContact] {
        try read { db in
            let sql = """
                SELECT host,
                    nullif(max(max(iif(lastStatus IS NOT NULL AND lastFetched <= ?1, lastFetched, 0),
                        iif(lastSucceeded <= ?1, lastSucceeded, 0))), 0) AS lastReached,
                    min(\(Self.unreachedSince)) AS unreachedSince
                FROM \(SourceColumn.tables) WHERE host IS NOT NULL GROUP BY host
                """
            return try Row.fetchAll(db, sql: sql, arguments: [date.milliseconds]).map { row in
                let since = try row.decode(Double?.self, forColumn: "unreachedSince")
                return HostContact(
                    host: try row.decode(forColumn: "host"), lastReached: try row.date("lastReached"),
                    unreachedSince: since.map(Date.init(timeIntervalSinceReferenceDate:)))
            }
        }
    }

    /// Since when a source could not be reached.
    private static let unreachedSince = "iif(json_valid(wishes), json_extract(wishes, '$.unreachedSince'), NULL)"

    /// Takes note that a host beyond this machine's own network cannot be reached, until one is.
    package func noteUnreached(because cause: String? = nil, at date: Date) throws(StoreError) {
        _ = try note(.unreachedSince, true, because: cause, at: date, for: .infinity)
    }

    /// To be called when one was reached: those that could not be since are due, and what they failed at counts for nothing.
    ///
    /// - Returns: How many there are; nil where nobody has failed so.
    package func makeUnreachedDue(at date: Date) throws(StoreError) -> Int? {
        guard let since = try self.date(of: .unreachedSince) else { return nil }
        try endPuttingOff(since: since, at: date)
        return try write(.process) { db in
            try Self.remove(.unreachedSince, in: db)
            let isOne = "\(Self.unreachedSince) >= ? AND goneSince IS NULL"
            // A note is of whole milliseconds.
            let begin = since.timeIntervalSinceReferenceDate - 0.001
            try db.execute(
                sql: """
                    UPDATE visit SET nextFetch = ?, nextFetchReason = 'hosts that can be reached again'
                    WHERE source IN (SELECT id FROM source WHERE \(isOne)) AND nextFetchReason IS NOT ?
                    """, arguments: [since.milliseconds, begin, SourceState.skipReason])
            let count = db.changesCount
            try db.execute(
                sql: """
                    UPDATE source SET failures = 0, failingSince = NULL
                    WHERE \(isOne) AND failingSince >= ? AND failureTold IS NULL
                    """, arguments: [begin, since.milliseconds])
            return count
        }
    }

    /// Since when a digest that is due is held for its sources; nil where none is.
    package var digestsHeldSince: Date? {
        get throws(StoreError) { try date(of: .digestsHeldSince) }
    }

    /// Takes note of whether one is.
    package func noteHeldDigests(_ areHeld: Bool, at date: Date) throws(StoreError) {
        _ = try note(.digestsHeldSince, areHeld, at: date, for: .infinity)
    }

    /// What was told so many seconds ago is to be told again: it lasts for long, or another has ended it that takes no note.
    private static let longestOutage: TimeInterval = 86_400

    /// Takes note of a network that is down and is told, until one is that is not.
    ///
    /// - Returns: Whether it was noted before, less than a day ago.
    package func noteOutage(_ isDown: Bool, at date: Date) throws(StoreError) -> Bool {
        try note(.outageTold, isDown, at: date, for: Self.longestOutage)
    }

    /// - Parameter time: How long a note counts, in seconds. One of a clock that was ahead does not.
    /// - Returns: Whether it was noted before.
    private func note(
        _ mark: Mark, _ isDown: Bool, because cause: String? = nil, at date: Date, for time: TimeInterval
    ) throws(StoreError) -> Bool {
        let noted = try self.date(of: mark)
        let isNoted = noted.map { !isDown || (0..<time).contains(date.timeIntervalSince($0)) } ?? false
        guard isDown != isNoted else { return isNoted }
        // Where that is lost, it is noted again.
        try write(.process) { db in
            if isDown {
                try Self.set(mark, to: date, cause: cause, in: db)
            } else {
                try Self.remove(mark, in: db)
            }
        }
        return isNoted
    }
}
