import Foundation
import GRDB

extension Store {
    /// The names of the sources that were ever fetched.
    public func sourceNames() throws(StoreError) -> Set<String> {
        try read { db in
            let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM source")) ?? 0
            var statement = try RawStatement("SELECT name FROM source", in: db)
            var names = Set<String>(minimumCapacity: count)
            try statement.rows { row in if let name = row.text(0) { names.insert(name) } }
            return names
        }
    }

    /// Makes room for another source of the same name.
    static func retire(_ name: String, at date: Date, in db: Database) throws {
        var retired = "\(name) (until \(date.formatted(.iso8601)))"
        while try id(of: retired, in: db) != nil { retired += "'" }
        try db.execute(sql: "UPDATE source SET name = ? WHERE name = ?", arguments: [retired, name])
    }

    /// Gives a source another name, with everything that is remembered of it; nothing happens where the new name is taken.
    public func renameSource(_ name: String, to newName: String) throws(StoreError) {
        try write { db in
            try db.execute(
                sql:
                    "UPDATE source SET name = ?2 WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM source WHERE name = ?2)",
                arguments: [name, newName])
        }
    }
}
