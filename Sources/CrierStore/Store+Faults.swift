import GRDB

extension Store {
    /// What cannot be read of a state whose file is intact, in words: its tables that are missing or lack a column, and rows whose
    /// details are damaged. There is something only where another program has written to the file, or the disk has.
    public func faults() throws(StoreError) -> [String] {
        let tables = try Store.inMemory().read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
            )
            .map { ($0, try db.columns(in: $0).map(\.name)) }
        }
        return try read { db in
            var faults: [String] = []
            for (table, columns) in tables {
                do {
                    // In brackets: in quotes, what is no column would be a text.
                    let list = columns.map { "[\($0)]" }.joined(separator: ", ")
                    _ = try Row.fetchOne(db, sql: "SELECT \(list) FROM [\(table)] LIMIT 1")
                } catch let error as DatabaseError {
                    faults.append("the table \(table) cannot be read: \(error.message ?? error.description)")
                }
            }
            guard faults.isEmpty else { return faults }
            let damaged =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM item WHERE details IS NOT NULL AND NOT json_valid(details)") ?? 0
            let rows = damaged == 1 ? "a row" : "\(damaged) rows"
            return damaged == 0 ? [] : ["\(rows) of the table item cannot be read in full: the details are no JSON"]
        }
    }
}
