import CLinux
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The part of the log for which the disk has room already.
final class ReservedRoom: Sendable {
    let range = Mutex<Range<off_t>>(0..<0)
}

extension Store {
    /// In bytes: what takes a delivery and records its attempt changes half a dozen pages, and others write meanwhile.
    private static let roomOfOne: off_t = 64 << 10
    /// Of each further one.
    private static let roomOfAnother: off_t = 16 << 10

    /// Sees to it that what becomes of attempts can be written down. A disk that is nearly full takes the transaction that counts them
    /// and not the one that records a success, and has as much room again when the run has ended: each would raise the same.
    ///
    /// - Parameter count: Those that are to be made, and those that are under way.
    /// - Throws: ``StoreError`` of the kind `diskFull` where there is no such room. A file system that reserves none is passed over.
    package func reserveRoom(forAttempts count: Int) throws(StoreError) {
        let room = Self.roomOfOne + off_t(count - 1) * Self.roomOfAnother
        guard let log = openFiles.first(where: { $0.role == .log })?.path,
            let size = try Self.status(ofFile: log)?.st_size
        else { return }
        let isThere = reservedRoom.range.withLock { $0.contains(size) && $0.upperBound - size >= room }
        if isThere { return }
        let descriptor = open(log, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // As much again for those after them. The log's size stays, by which SQLite knows its end.
        let end = size + 2 * room
        if fallocate(descriptor, Self.keepsSize, size, end - size) == 0 {
            reservedRoom.range.withLock { $0 = size..<end }
        } else if errno == ENOSPC || errno == EDQUOT, try size - writtenPart() < room {
            throw StoreError.diskFull(path)
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

    /// `FALLOC_FL_KEEP_SIZE` of linux/falloc.h.
    private static let keepsSize: Int32 = 1
}
