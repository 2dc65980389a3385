import CrierContent
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

/// What an origin asked for at an earlier visit, and what holds until it says otherwise.
public struct OriginWishes: Sendable, Hashable, Codable {
    /// Of the document that was last read: a 304 does not repeat them.
    public var hints = PollingHints()
    /// Until when it wants to be left alone: Retry-After (RFC 9110 §10.2.3).
    public var refusedUntil: Date?
    /// Equal bodies in a row from an origin that cannot be asked whether something has changed.
    public var unchangedBodies = 0

    public init() {}
}

extension Store {
    /// What is remembered of every host, by name.
    public func hosts() throws(StoreError) -> [String: HostState] {
        try read { db in
            var hosts: [String: HostState] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM host") {
                var host = HostState(name: row["name"])
                host.lastStarted = row.date("lastStarted")
                host.pausedUntil = row.date("pausedUntil")
                host.pauses = row["pauses"]
                hosts[host.name] = host
            }
            return hosts
        }
    }

    public func save(_ host: HostState) throws(StoreError) {
        try write { db in
            let statement = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO host (name, lastStarted, pausedUntil, pauses) VALUES (?, ?, ?, ?)")
            try statement.execute(arguments: [
                host.name, host.lastStarted?.milliseconds, host.pausedUntil?.milliseconds, host.pauses,
            ])
        }
    }

    /// Moves the next visit of a source that is not visited now; nothing else of it changes.
    ///
    /// - Parameter fingerprint: Of the address and mapping that the date is for.
    public func postpone(
        _ source: String, with fingerprint: [UInt8], until date: Date, reason: String
    ) throws(StoreError) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO source (name, visited, nextFetch, nextFetchReason) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET
                        visited = excluded.visited, nextFetch = excluded.nextFetch, nextFetchReason = excluded.nextFetchReason
                    """,
                arguments: [source, Data(fingerprint), date.milliseconds, reason])
        }
    }
}
