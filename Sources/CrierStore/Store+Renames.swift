import Foundation
import GRDB

extension Store {
    /// What tells the configuration of the last run from others, as far as edits of it have to be adopted: what sources, digests and
    /// sinks were called, and how often sources were to be visited (see ``noteConfiguration(_:)``).
    public func lastConfiguration() throws(StoreError) -> [UInt8]? {
        try read { db in
            var statement = try RawStatement("SELECT fingerprint FROM names", in: db)
            return try statement.first { $0.bytes(0) } ?? nil
        }
    }

    /// Remembers how that is now, so that the next run need not look for what was edited.
    public func noteConfiguration(_ fingerprint: [UInt8]) throws(StoreError) {
        // Where that is lost, they are looked for once more.
        try write(.process) { db in
            var statement = try RawStatement(
                "INSERT INTO names VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint",
                in: db)
            statement.bind(fingerprint)
            try statement.run()
        }
    }

    /// Takes note of which sources there are: what is remembered of others is forgotten when they have been gone for long
    /// (``Retention/identifiers``).
    ///
    /// - Returns: Those that were out of the configuration and have come back.
    @discardableResult
    public func noteSources(_ names: [String], at date: Date) throws(StoreError) -> [String] {
        try write(.process) { db in
            let present = "name IN (SELECT value FROM json_each(?1))"
            let list = StoredJSON.list(names)
            let returned = try String.fetchAll(
                db,
                sql: """
                    UPDATE source SET absentSince = NULL WHERE absentSince IS NOT NULL AND \(present) RETURNING name
                    """, arguments: [list])
            try db.execute(
                sql: "UPDATE source SET absentSince = ?2 WHERE absentSince IS NULL AND NOT \(present)",
                arguments: [list, date.milliseconds])
            return returned
        }
    }

    /// What tells the address and the way of reading of a source, and whether it was ever read.
    public struct KnownAddress: Sendable, Hashable {
        public var fingerprint: SourceFingerprint
        public var hasSucceeded: Bool
        public var lastSucceeded: Date?
    }

    /// Of each source that was ever fetched, by name.
    public func knownAddresses() throws(StoreError) -> [String: KnownAddress] {
        try read { db in
            let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM source")) ?? 0
            var statement = try RawStatement(
                """
                SELECT name, fingerprint, visited, lastSucceeded
                FROM source LEFT JOIN visit ON visit.source = source.id
                """, in: db)
            var known = [String: KnownAddress](minimumCapacity: count)
            try statement.rows { row in
                let learned = row.fingerprint(1)
                guard let name = row.text(0), let fingerprint = learned ?? row.fingerprint(2) else { return }
                known[name] = KnownAddress(
                    fingerprint: fingerprint, hasSucceeded: learned != nil, lastSucceeded: row.date(3))
            }
            return known
        }
    }

    /// Behind the name of a source that was given to another, with the moment when that was and a bracket.
    private static let retirement = " (until "

    /// What a source was called before another got its name; itself where none did.
    package static func name(beforeRetirement name: String) -> String {
        guard let place = name.ranges(of: retirement).last, name[place.upperBound...].contains("Z)") else {
            return name
        }
        return String(name[..<place.lowerBound])
    }

    /// Makes room for another source of the same name.
    static func retire(_ name: String, at date: Date, in db: Database) throws {
        var retired = "\(name)\(retirement)\(date.formatted(.iso8601)))"
        while try id(of: retired, in: db) != nil { retired += "'" }
        try db.execute(sql: "UPDATE source SET name = ? WHERE name = ?", arguments: [retired, name])
        // Another may be the one that is meant by it.
        try db.execute(sql: "DELETE FROM names")
    }

    /// Gives sources other names, with everything that is remembered of them, together or not at all. They may change places;
    /// what else has one of the names is kept under one that tells until when it was.
    ///
    /// - Parameters:
    ///   - names: The new names, by those that the sources have.
    ///   - branches: Others that begin where such a source is, by their names.
    public func renameSources(
        _ names: [String: String], branches: [String: String] = [:], at date: Date
    ) throws(StoreError) {
        try write { db in
            // All by their keys from here on, as the names change.
            let rows = try names.compactMap { name, newName in try Self.id(of: name, in: db).map { ($0, newName) } }
            let begun = try branches.compactMap { name, origin in
                try Self.id(of: origin, in: db).map { (name, $0, try Self.states(of: [origin], in: db) { $1 }[0]) }
            }
            for case (let name, let origin, let state?) in begun {
                try Self.branch(state, of: origin, to: name, at: date, in: db)
            }
            for (row, name) in rows {
                try Self.retire(name, at: date, in: db)
                try db.execute(sql: "UPDATE source SET name = ? WHERE id = ?", arguments: [name, row])
            }
        }
    }

    /// Lets another source begin with all that is remembered of one, its notifications excepted.
    private static func branch(
        _ state: SourceState, of source: Int64, to name: String, at date: Date, in db: Database
    ) throws {
        var state = state
        try retire(name, at: date, in: db)
        state.name = name
        let columns = """
            identifier, title, url, published, updated, summary, details, firstSeen, lastSeen, contentHash, updates, isHeld,
            leftOut
            """
        try db.execute(
            sql: "INSERT INTO item (source, \(columns)) SELECT ?, \(columns) FROM item WHERE source = ?",
            arguments: [try save(state, in: db), source])
    }

    /// Gives a digest that was seen another name, which none was seen by, with what waits for it and its issues.
    public func renameDigest(_ name: String, to newName: String) throws(StoreError) {
        try write { db in
            let names: StatementArguments = [newName, name]
            // What an issue has told is told, though it may wait under the new name.
            try db.execute(sql: "UPDATE OR REPLACE digest_item SET digest = ? WHERE digest = ?", arguments: names)
            try db.execute(sql: "UPDATE digest_issue SET digest = ? WHERE digest = ?", arguments: names)
            try db.execute(sql: "UPDATE OR REPLACE digest SET name = ? WHERE name = ?", arguments: names)
        }
    }
}
