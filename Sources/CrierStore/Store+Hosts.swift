import Foundation
import GRDB

/// What is remembered of a host, so that the next run keeps the pace of this one.
public struct HostState: Sendable, Hashable {
    /// With its port where that is not the scheme's own.
    public var name: String
    /// When a request to it was last begun.
    public var lastStarted: Date?
    /// Nothing on it is asked before.
    public var pausedUntil: Date?
    /// Pauses in a row that the host gave no length for.
    public var pauses = 0

    public init(name: String) {
        self.name = name
    }
}

extension Store {
    /// What is remembered of every host, by name.
    public func hosts() throws(StoreError) -> [String: HostState] {
        try read { db in
            let hosts = try Row.fetchAll(db, sql: "SELECT * FROM host").map(HostState.init)
            return Dictionary(hosts.map { ($0.name, $0) }) { $1 }
        }
    }

    /// What is remembered of those of the hosts that were ever asked, by name.
    public func hosts(_ names: Set<String>) throws(StoreError) -> [String: HostState] {
        try read { db in
            let statement = try db.cachedStatement(sql: "SELECT * FROM host WHERE name = ?")
            var hosts: [String: HostState] = [:]
            for name in names {
                hosts[name] = try Row.fetchOne(statement, arguments: [name]).map(HostState.init)
            }
            return hosts
        }
    }

    /// A request to a host begins.
    package func noteStart(
        at host: String, _ date: Date, _ durability: Durability = .powerCut
    ) throws(StoreError) {
        try write(durability) { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO host (name, lastStarted, pauses) VALUES (?, ?, 0)
                    ON CONFLICT (name) DO UPDATE SET lastStarted = excluded.lastStarted
                    """)
            try statement.execute(arguments: [host, date.milliseconds])
        }
    }

    /// The same, unless somebody else has begun one, or was told to leave the host alone, since it was last looked at: another
    /// process may have it asked, too.
    ///
    /// - Parameters:
    ///   - starts: A last start after the lower bound, to the upper one, is in the way; what lies beyond was written by a clock
    ///     that was ahead.
    ///   - pauses: The same of the end of a pause.
    /// - Returns: Nil where it begins; else what is remembered by now.
    package func claimStart(
        at host: String, _ date: Date, unlessIn starts: ClosedRange<Date>, _ pauses: ClosedRange<Date>,
        _ durability: Durability = .powerCut
    ) throws(StoreError) -> HostState? {
        try write(durability) { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO host (name, lastStarted, pauses) VALUES (?, ?, 0)
                    ON CONFLICT (name) DO UPDATE SET lastStarted = excluded.lastStarted
                    WHERE (lastStarted > ? AND lastStarted <= ?) IS NOT TRUE
                        AND (pausedUntil > ? AND pausedUntil <= ?) IS NOT TRUE
                    """)
            // Whole milliseconds are kept: what is in the way by a part of one is over at the next look.
            try statement.execute(arguments: [
                host, date.milliseconds, starts.lowerBound.milliseconds + 1, starts.upperBound.milliseconds,
                pauses.lowerBound.milliseconds + 1, pauses.upperBound.milliseconds,
            ])
            guard db.changesCount == 0 else { return nil }
            let row = try db.cachedStatement(sql: "SELECT * FROM host WHERE name = ?")
            return try Row.fetchOne(row, arguments: [host]).map(HostState.init)
        }
    }

    /// A host wants to be left alone, or no longer.
    package func notePause(of host: HostState) throws(StoreError) {
        try write { db in try Self.savePause(of: host, in: db) }
    }

    static func savePause(of host: HostState, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO host (name, pausedUntil, pauses) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET pausedUntil = excluded.pausedUntil, pauses = excluded.pauses
                """)
        try statement.execute(arguments: [host.name, host.pausedUntil?.milliseconds, host.pauses])
    }
}

extension HostState {
    fileprivate init(_ row: Row) throws {
        self.init(name: try row.decode(forColumn: "name"))
        lastStarted = try row.date("lastStarted")
        pausedUntil = try row.date("pausedUntil")
        pauses = try row.decode(forColumn: "pauses")
    }
}
