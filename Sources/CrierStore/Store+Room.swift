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
        if try lack(of: room) == nil { return }
        // Once all of it is copied to where it belongs, the log begins anew: by itself only when it is longer than it may be here.
        try? writer.writeWithoutTransaction { db in
            try RawStatement.runOnce("PRAGMA wal_checkpoint(TRUNCATE)", in: db)
        }
        if let lack = try lack(of: room) { throw lack }
    }

    private func lack(of room: off_t) throws(StoreError) -> StoreError? {
        var disk = statvfs()
        guard let log = openFiles.first(where: { $0.role == .log })?.path, statvfs(log, &disk) == 0 else { return nil }
        let size = try Self.status(ofFile: log)?.st_size ?? 0
        let limit = FileSizeLimit.bytes
        // Not what is kept for the superuser, which one within a container does not get.
        let free =
            disk.f_blocks > 0
            ? off_t(clamping: UInt64(disk.f_bavail).multipliedFullWidth(by: UInt64(disk.f_frsize)).low) : .max
        if min(free, limit - size) >= room { return nil }
        let written = min(try writtenPart(), size)
        if limit - written < room { return .sizeLimited(path) }
        return free < room - (size - written) ? .diskFull(path) : nil
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
