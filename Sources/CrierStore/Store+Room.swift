import CrierProcess
import Foundation
import GRDB
import GRDBSQLite

extension Store {
    /// In bytes: what takes a delivery and records its attempt changes half a dozen pages, and others write meanwhile. So does what
    /// writes down that a source was visited.
    static let roomOfOne: off_t = 64 << 10
    /// Of each further one that is recorded together with it: it has most of its pages in common.
    private static let roomOfAnother: off_t = 4 << 10
    /// Of what is under way at each other sink, which is recorded by itself.
    private static let roomOfSink: off_t = 24 << 10

    /// Looks whether what becomes of attempts can be written down. A disk that is nearly full takes the transaction that counts them
    /// and not the one that records a success, and has as much room again when the run has ended: each would raise the same.
    ///
    /// - Parameters:
    ///   - count: Those that are to be made together.
    ///   - sinks: At so many others some are under way.
    /// - Throws: ``StoreError`` of the kind `diskFull` where there is no such room, or the limit of a file's size leaves none. A file
    ///   system that does not tell is passed over, and of a user's quota none tells.
    package func checkRoom(forAttempts count: Int, besides sinks: Int) throws(StoreError) {
        try checkRoom(Self.roomOfOne + off_t(count - 1) * Self.roomOfAnother + off_t(sinks) * Self.roomOfSink)
    }

    /// Looks whether anything of a run's visits can be written down: else each run would ask the same origins again.
    ///
    /// - Throws: As ``checkRoom(forAttempts:besides:)``.
    package func checkRoomForVisits() throws(StoreError) { try checkRoom(Self.roomOfOne) }

    private func checkRoom(_ room: off_t) throws(StoreError) {
        guard let space = try space(), let lack = try lack(of: room, in: space) else { return }
        // The database may have to grow by all that the log holds: on a full disk that would take what room there is.
        guard space.free >= space.log else { throw lack }
        beginLogAnew()
        if let space = try self.space(), let lack = try self.lack(of: room, in: space) { throw lack }
    }

    /// In bytes: what the disk has left, and how long the log is. Nil where that is not told.
    private func space() throws(StoreError) -> (free: off_t, log: off_t)? {
        var disk = statvfs()
        guard let log = openFiles.first(where: { $0.role == .log })?.path, statvfs(log, &disk) == 0 else { return nil }
        // Not what is kept for the superuser, which one within a container does not get.
        let free =
            disk.f_blocks > 0
            ? off_t(clamping: UInt64(disk.f_bavail).multipliedFullWidth(by: UInt64(disk.f_frsize)).low) : .max
        return (free, try Self.status(ofFile: log)?.st_size ?? 0)
    }

    private func lack(of room: off_t, in space: (free: off_t, log: off_t)) throws(StoreError) -> StoreError? {
        let limit = FileSizeLimit.bytes
        if min(space.free, limit - space.log) >= room { return nil }
        let written = min(try writtenPart(), space.log)
        if limit - written < room { return .sizeLimited(path) }
        return space.free < room - (space.log - written) ? .diskFull(path) : nil
    }

    /// Copies the log to where it belongs, and empties it: by itself it is begun anew only when it is longer than it may be here. Nobody
    /// is waited for who reads.
    private func beginLogAnew() {
        try? writer.writeWithoutTransaction { db in
            sqlite3_busy_timeout(db.sqliteConnection, 0)
            defer { sqlite3_busy_timeout(db.sqliteConnection, Int32(Self.longestLock / .milliseconds(1))) }
            try RawStatement.runOnce("PRAGMA wal_checkpoint(TRUNCATE)", in: db)
        }
    }

    /// How much of the log holds what counts, in bytes: one in which a transaction found no room keeps its size.
    private func writtenPart() throws(StoreError) -> off_t {
        try read { db in
            var file: UnsafeMutablePointer<sqlite3_file>?
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
            var index: UnsafeMutableRawPointer?
            // The first part of the index, which is in memory. By a descriptor of our own all of SQLite's locks would go with it.
            _ = file?.pointee.pMethods.pointee.xShmMap(file, 0, 32 << 10, 0, &index)
            guard let index else { return .max }
            // https://www.sqlite.org/walformat.html, sections 1.1 and 2.1
            let page = off_t(index.load(fromByteOffset: 14, as: UInt16.self))
            let frames = off_t(index.load(fromByteOffset: 16, as: UInt32.self))
            return 32 + frames * (24 + page)
        }
    }
}
