import CrierProcess
import Foundation
import GRDB
import GRDBSQLite

/// A file that a connection has open, and which one its path led to then.
struct OpenFile: Sendable {
    /// What is behind the database's name in its own.
    enum Role: String {
        case database = ""
        case log = "-wal"
        case logIndex = "-shm"
    }

    enum Place {
        case own, ofAnother, ofNone
    }

    let role: Role
    let path: String
    private let identity: FileIdentity

    /// Nil where it was removed already.
    init?(_ role: Role, at path: String) throws(StoreError) {
        guard let status = try Store.status(ofFile: path) else { return nil }
        (self.role, self.path, identity) = (role, path, FileIdentity(of: status))
    }

    /// What its place is by now.
    func place() throws(StoreError) -> Place {
        guard let status = try Store.status(ofFile: path) else { return .ofNone }
        return FileIdentity(of: status) == identity ? .own : .ofAnother
    }
}

extension Store {
    /// Looks whether the files at their paths are still those that are open: what is written to others is gone when this process
    /// ends, and nobody else sees it meanwhile.
    ///
    /// - Throws: ``StoreError`` where one was removed or replaced. It is not opened anew: the lock, the checks and all that
    ///   is in memory are of the old one, and taking on a state has one way, which is to start.
    public func checkPlace() throws(StoreError) {
        for file in openFiles {
            switch (file.role, try file.place()) {
            case (_, .own): continue
            // The log of a file that lies elsewhere is looked for beside that, and one that was removed nowhere: what it holds goes
            // where it belongs.
            case (.database, _), (.log, .ofNone):
                try? writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            // Others have begun a log on what they found, and would not know what changes below it.
            case (.log, .ofAnother), (.logIndex, _): break
            }
            // One that is closed has removed its own log, and says so; nothing is read of the file.
            try read { _ in }
            throw StoreError.moved(path + file.role.rawValue)
        }
    }

    /// The file, its log and the log's index; nothing of a store in memory. There is no log where the disk has no room for it, of which
    /// the next write tells.
    ///
    /// SQLite has all of them open since the first read, and no other user of SQLite removes a log while somebody has it open:
    /// that is left to whoever closes the file last. By itself it tells only of the file that it is another
    /// (`SQLITE_FCNTL_HAS_MOVED`), not of the log.
    func lookUpOpenFiles() throws(StoreError) -> [OpenFile] {
        let (isMoved, place) = try read { db in
            var isMoved: Int32 = 0
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved)
            return (isMoved != 0, sqlite3_db_filename(db.sqliteConnection, "main").map { String(cString: $0) } ?? "")
        }
        if place.isEmpty { return [] }
        if isMoved { throw StoreError.moved(path) }
        var files: [OpenFile] = []
        for role in [OpenFile.Role.database, .log, .logIndex] {
            // By the path that was given: a link in it may be changed. The others lie where SQLite found the file.
            let path = role == .database ? absolutePath : place + role.rawValue
            if let file = try OpenFile(role, at: path) {
                files.append(file)
            } else if role == .database {
                throw StoreError.moved(self.path)
            }
        }
        return files
    }
}
