import CLinux
import Foundation
import GRDB
import Synchronization

/// The part of the log for which the disk has room already.
final class ReservedRoom: Sendable {
    let range = Mutex<Range<off_t>>(0..<0)
}

extension Store {
    /// In bytes: what takes a delivery and records its attempt changes a dozen pages, and others write meanwhile.
    private static let roomOfOne: off_t = 128 << 10
    /// Of each further one.
    private static let roomOfAnother: off_t = 16 << 10

    /// Sees to it that what becomes of attempts can be written down. A disk that is nearly full takes the transaction that counts them
    /// and not the one that records a success, and has as much room again when the run has ended: each would raise the same.
    ///
    /// - Parameter count: Those that are to be made, and those that are under way.
    /// - Throws: ``StoreError`` of the kind `diskFull` where there is no such room. A file system that reserves none is passed over.
    package func reserveRoom(forAttempts count: Int) throws(StoreError) {
        let room = Self.roomOfOne + off_t(count - 1) * Self.roomOfAnother
        if try reserve(room) { return }
        // A log that grew until the disk was full has all of its room, and begins anew from its start.
        try? writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        if try !reserve(room) { throw StoreError.diskFull(path) }
    }

    /// False where the disk, or the user's part of it, is too full.
    private func reserve(_ room: off_t) throws(StoreError) -> Bool {
        guard let log = openFiles.first(where: { $0.role == .log })?.path,
            let size = try Self.status(ofFile: log)?.st_size
        else { return true }
        let isThere = reservedRoom.range.withLock { $0.contains(size) && $0.upperBound - size >= room }
        if isThere { return true }
        let descriptor = open(log, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // As much again for those after them. The log's size stays, by which SQLite knows its end.
        let end = size + 2 * room
        guard fallocate(descriptor, Self.keepsSize, size, end - size) == 0 else {
            return errno != ENOSPC && errno != EDQUOT
        }
        reservedRoom.range.withLock { $0 = size..<end }
        return true
    }

    /// `FALLOC_FL_KEEP_SIZE` of linux/falloc.h.
    private static let keepsSize: Int32 = 1
}
