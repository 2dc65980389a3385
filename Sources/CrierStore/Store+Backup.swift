import Foundation
import GRDB
import GRDBSQLite

extension Store {
    /// Copies the state into a new file (mode 0600) by SQLite's online backup: other processes may go on meanwhile.
    ///
    /// - Throws: ``StoreError``, of the kind `exists` where there is a file already; then, and after a failure, nothing is
    ///   left that was not there before.
    public func backup(to target: String) throws(StoreError) {
        if target.utf8.contains(0) { throw StoreError(.cannotOpen, "the path of the copy holds a NUL") }
        let descriptor = open(target, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let cause = String(cString: strerror(errno))
            throw errno == EEXIST
                ? StoreError(.exists, "\(target) exists already; nothing was written")
                : StoreError(.cannotOpen, "cannot create \(target): \(cause)")
        }
        close(descriptor)
        var unfinished: DatabaseQueue?
        do {
            // GRDB ends the process where the file was closed.
            _ = try size()
            let copy = try DatabaseQueue(path: Self.place(target))
            unfinished = copy
            try writer.backup(to: copy)
            // One file that can be moved: without a log beside it.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            // While what was written still fills the disk.
            let told = Self.failure(error, of: unfinished, at: target)
            try? FileManager.default.removeItem(atPath: target)
            throw told
        }
    }

    /// What SQLite says of a copy that it cannot write is no sentence: "not an error".
    private static func failure(_ error: any Error, of copy: DatabaseQueue?, at target: String) -> StoreError {
        let told = StoreError(error, path: target)
        guard told.kind == .failed, let failure = error as? DatabaseError,
            failure.message ?? nothing == nothing
        else { return told }
        let code = copy?.writeWithoutTransaction { db in sqlite3_system_errno(db.sqliteConnection) } ?? 0
        let cause =
            code == 0
            ? String(cString: sqlite3_errstr(failure.resultCode.rawValue)) : String(cString: strerror(code))
        return StoreError(.failed, "the copy \(target) could not be written: \(cause)")
    }

    /// Of an error that SQLite has no words for.
    private static let nothing = String(cString: sqlite3_errstr(SQLITE_OK))

    /// Gives space that is no longer used back to the disk. Returns the bytes of the file before and after.
    public func vacuum() throws(StoreError) -> (before: Int, after: Int) {
        do {
            let before = try size()
            try writer.vacuum()
            try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            return (before, try size())
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func size() throws(StoreError) -> Int {
        try read { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
    }
}
