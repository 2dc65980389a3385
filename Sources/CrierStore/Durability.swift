import GRDB
import GRDBSQLite

/// What a transaction outlives once it is committed.
public enum Durability: Sendable, Hashable {
    /// The end of the process, however it ends. It is on the disk with the next transaction that outlives more, or when the
    /// file is closed, and in its order: a power cut takes it only together with all that was written after it.
    case process
    /// A power cut, too: it waits for the disk.
    case powerCut

    /// https://www.sqlite.org/pragma.html#pragma_synchronous, with a write-ahead log.
    var pragma: String {
        switch self {
        case .process: "PRAGMA synchronous = NORMAL"
        case .powerCut: "PRAGMA synchronous = FULL"
        }
    }

    /// From the next transaction of this connection on. Not to be called within one.
    func set(in db: Database) {
        // SQLite carries it out while it compiles it: there is no statement to be kept, and nothing that can fail.
        sqlite3_exec(db.sqliteConnection, pragma, nil, nil, nil)
    }
}
