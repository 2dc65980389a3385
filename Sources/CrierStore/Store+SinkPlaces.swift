import Foundation
import GRDB

/// A sink, and what tells where it leads from other places.
public struct SinkPlace: Sendable, Hashable {
    public var name: String
    public var fingerprint: [UInt8]

    public init(name: String, fingerprint: [UInt8]) {
        self.name = name
        self.fingerprint = fingerprint
    }
}

extension Store {
    /// Where the sinks led that the configuration had when it was looked at last, and others that there are deliveries for; by their
    /// names.
    public func sinkPlaces() throws(StoreError) -> [String: [UInt8]] {
        try read { db in
            var statement = try RawStatement("SELECT name, fingerprint FROM sink_place", in: db)
            var places: [String: [UInt8]] = [:]
            try statement.rows { row in
                if let name = row.text(0), let fingerprint = row.bytes(1) { places[name] = fingerprint }
            }
            return places
        }
    }

    /// Remembers where the sinks of the configuration lead.
    public func note(_ places: [SinkPlace]) throws(StoreError) {
        // Where that is lost, the next edit is looked at as if they had not been there.
        try write(.process) { db in
            try db.execute(
                sql: """
                    DELETE FROM sink_place WHERE name NOT IN (SELECT value FROM json_each(?1))
                        AND NOT EXISTS (SELECT 1 FROM delivery WHERE sink = name)
                    """, arguments: [StoredJSON.list(places.map(\.name))])
            let note = try db.cachedStatement(
                sql: """
                    INSERT INTO sink_place VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint
                    """)
            for place in places { try note.execute(arguments: [place.name, Data(place.fingerprint)]) }
        }
    }

    /// Gives sinks other names, with what waits for them and what they had, together or not at all. They may change places. What waited
    /// because there was no such sink is due.
    ///
    /// - Parameter names: The new names, by those that they have. Of a notification that was told under both, what the old name knows
    ///   counts: the new one was another sink's.
    public func renameSinks(_ names: [String: String], at date: Date) throws(StoreError) {
        try write { db in
            let tables = [("delivery", "sink"), ("breaker", "sink"), ("sink", "name")]
            func rename(_ name: String, to newName: String) throws {
                for (table, column) in tables {
                    try db.execute(
                        sql: "UPDATE OR REPLACE \(table) SET \(column) = ?2 WHERE \(column) = ?1",
                        arguments: [name, newName])
                }
            }
            // No sink has a name with a slash.
            let steps = names.enumerated().map { (old: $1.key, between: "/\($0)", new: $1.value) }
            for step in steps {
                try db.execute(
                    sql: """
                        UPDATE delivery SET nextAttempt = ?1, waitsSince = ?1, lastError = NULL
                        WHERE \(Self.isPending) AND sink = ?2 AND lastError = ?3
                        """, arguments: [date.milliseconds, step.old, Self.absence(of: step.old)])
                try rename(step.old, to: step.between)
            }
            for step in steps { try rename(step.between, to: step.new) }
        }
    }
}
