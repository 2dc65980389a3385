import CrierProcess
import Foundation
import GRDB
import GRDBSQLite

extension Store {
    /// Copies the state into a new file (mode 0600) by SQLite's online backup: other processes may go on meanwhile. The file has its
    /// name when it is whole.
    ///
    /// - Throws: ``StoreError``, of the kind `exists` where there is a file already; then, and after a failure or where the task is
    ///   cancelled, nothing is left that was not there before, unless only the folder could not be put on the disk.
    public func backup(to target: String) throws(StoreError) {
        try backup(to: target, pagesPerStep: 4096) { try Task.checkCancellation() }
    }

    /// - Parameter step: Called each time that so many pages were copied.
    func backup(to target: String, pagesPerStep: Int32, _ step: @escaping () throws -> Void) throws(StoreError) {
        if target.utf8.contains(0) { throw StoreError(.cannotOpen, "the path of the copy holds a NUL") }
        var other = stat()
        let code = lstat(target, &other) == 0 ? EEXIST : errno
        if code != ENOENT { throw Self.failure(code, at: target) }
        guard let (unfinished, descriptor) = FileReplacement.makeTemporary(for: target, 0o600) else {
            throw Self.failure(errno, at: target)
        }
        close(descriptor)
        let journal = unfinished + "-journal"
        // Of one that was killed.
        unlink(journal)
        var failed: StoreError?
        do throws(StoreError) {
            try copyAll(to: unfinished, for: target, pagesPerStep, step)
            let code = FileReplacement.name(unfinished, target)
            if code == 0 { return }
            failed = Self.failure(code, at: target)
        } catch {
            failed = error
        }
        for leftover in [unfinished, journal] { unlink(leftover) }
        if let failed { throw failed }
    }

    private static func failure(_ code: Int32, at target: String) -> StoreError {
        code == EEXIST
            ? StoreError(.exists, "\(target) exists already; nothing was written")
            : StoreError(.cannotOpen, "cannot create \(target): \(String(cString: strerror(code)))")
    }

    private func copyAll(
        to unfinished: String, for target: String, _ pagesPerStep: Int32, _ step: @escaping () throws -> Void
    ) throws(StoreError) {
        var queue: DatabaseQueue?
        do {
            try step()
            // GRDB ends the process where the file was closed.
            _ = try size()
            let copy = try DatabaseQueue(path: Self.place(unfinished))
            queue = copy
            try writer.read { source in
                // From the first look on it is one state, and does not begin anew where somebody writes meanwhile.
                _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_master")
                try copy.writeWithoutTransaction { target in
                    try source.backup(to: target, pagesPerStep: pagesPerStep) { _ in try step() }
                }
            }
            // One file that can be moved: without a log beside it.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch is CancellationError {
            throw StoreError(.failed, "the copy \(target) was stopped; nothing was written")
        } catch {
            // While what was written still fills the disk.
            throw Self.failure(error, of: queue, at: target)
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
            do { try writer.vacuum() } catch let error as DatabaseError
                where error.extendedResultCode == .SQLITE_IOERR_GETTEMPPATH
            {
                try vacuumInMemory()
            }
            try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            return (before, try size())
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Where no folder may be written to that is for temporary files, as with a read-only root.
    private func vacuumInMemory() throws {
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            defer { try? db.execute(sql: "PRAGMA temp_store = DEFAULT") }
            try db.execute(sql: "VACUUM")
        }
    }

    private func size() throws(StoreError) -> Int {
        try read { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
    }
}
