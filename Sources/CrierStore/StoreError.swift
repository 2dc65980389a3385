import CrierProcess
import Foundation
import GRDB

/// Why the state cannot be used: a kind for the exit code, a sentence for the user.
public struct StoreError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// What is at fault, for programs to tell errors apart by.
    public enum Kind: Sendable, Hashable {
        /// A damaged database.
        case corrupt
        /// Whatever it is, it does not begin as a database.
        case noDatabase
        /// The database of another program.
        case foreign
        /// Written by a later version.
        case newer
        /// The file, its folder or its disk cannot be written to.
        case readOnly
        /// There is no space left, or none that its files may take.
        case diskFull
        /// Another process holds SQLite's own lock for longer than the busy timeout.
        case busy
        /// It cannot be opened or created.
        case cannotOpen
        /// Another run holds the run lock.
        case locked
        /// A file is there that must not be overwritten.
        case exists
        /// What a program hands over is at fault, such as a notification that cannot be stored, or two sources of one name; the
        /// state is in order.
        case invalidRequest
        /// Another visit of the same source has written what it found meanwhile.
        case overtaken
        /// Anything else, such as a file that was replaced while it was in use.
        case failed
    }

    public let kind: Kind
    /// One sentence for the user.
    public let description: String
    public var errorDescription: String? { description }

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static func newer(_ path: String) -> StoreError {
        StoreError(
            .newer,
            "the state file \(path) was written by a later version of crier; update crier, or choose another file with --state"
        )
    }

    static func foreign(_ path: String) -> StoreError {
        StoreError(
            .foreign, "the state file \(path) is the database of another program; choose another with --state")
    }

    private static func noDatabase(_ path: String) -> StoreError {
        StoreError(
            .noDatabase,
            "the state file \(path) is no database; choose another with --state, or move it away if it was a state"
        )
    }

    static func readOnly(_ path: String) -> StoreError {
        StoreError(.readOnly, "the state file \(path) cannot be written: it, its folder or its disk is read-only")
    }

    static func diskFull(_ path: String) -> StoreError {
        StoreError(.diskFull, "no space left on the disk of the state file \(path)")
    }

    static func sizeLimited(_ path: String) -> StoreError {
        let limit = FileSizeLimit.bytes >> 10
        return StoreError(
            .diskFull, "the state file \(path) has no room left: no file may have more than \(limit) KiB (ulimit -f)")
    }

    static func corrupt(_ path: String) -> StoreError {
        StoreError(.corrupt, "the state file \(path) is corrupt")
    }

    static func moved(_ path: String) -> StoreError {
        StoreError(.failed, "the state file \(path) was removed or replaced by another while it was in use")
    }

    static func overtaken(_ source: String) -> StoreError {
        StoreError(.overtaken, "another visit of \(source) was faster")
    }

    static func noFile(_ path: String) -> StoreError {
        StoreError(
            .cannotOpen, "the state file \(path) is no file but a folder or a device; choose another with --state")
    }

    init(_ error: any Error, path: String) {
        if let known = error as? StoreError {
            self = known
        } else if let failure = error as? DatabaseError {
            self.init(failure, path: path)
        } else if error is RowDecodingError {
            // The checks of the schema let nobody write what is of another kind.
            self = .corrupt(path)
        } else {
            let cause = (error as NSError).localizedDescription
            self.init(.cannotOpen, "cannot use the state file \(path): \(cause)")
        }
    }

    /// In bytes, without the names of the files beside it. SQLite's MAX_PATHNAME is 512.
    private static let longestPath = 500

    private init(_ failure: DatabaseError, path: String) {
        switch failure.resultCode {
        case .SQLITE_FULL where FileSizeLimit.isReached(by: path),
            .SQLITE_IOERR where FileSizeLimit.isReached(by: path):
            self = .sizeLimited(path)
        case .SQLITE_NOTADB where !Self.beginsAsDatabase(path):
            self = .noDatabase(path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self = .corrupt(path)
        case .SQLITE_READONLY:
            self = .readOnly(path)
        case .SQLITE_FULL,
            .SQLITE_IOERR where Self.isDiskFull(path),
            .SQLITE_CANTOPEN where Self.isDiskFull(path):
            self = .diskFull(path)
        // PROTOCOL is what SQLite says of a lock of its log that it waited for in vain.
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self.init(.busy, "\(Self.otherRun(path) ?? "another program") keeps the state file \(path) locked")
        // All that SQLite says of no connection.
        case .SQLITE_MISUSE:
            self.init(.failed, "the state file \(path) was closed")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            let cause =
                ForeignState.words(of: path)
                ?? (SymbolicLinks.resolved(path).utf8.count > Self.longestPath
                    ? "its path is longer than SQLite takes" : "check that it and its folder may be read and written")
            self.init(.cannotOpen, "cannot open the state file \(path): \(cause)")
        default:
            self.init(
                .failed,
                "the state file \(path) failed: \(failure.message ?? "SQLite error \(failure.resultCode.rawValue)")")
        }
    }
}

extension StoreError {
    /// Another process of ours that is at work: it may be at something that takes long.
    fileprivate static func otherRun(_ path: String) -> String? {
        guard let holder = RunLock.holder(statePath: path), holder.process != getpid() else { return nil }
        return "the run at work (process \(holder.process))"
    }

    /// By what every file of SQLite has at its start.
    fileprivate static func beginsAsDatabase(_ path: String) -> Bool {
        let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 16)
        return start == Data("SQLite format 3\0".utf8)
    }

    /// Some of SQLite's calls fail with an input/output error where there is no space for them or no room for another file, be it
    /// on the disk or for this user, which only whoever writes is told.
    fileprivate static func isDiskFull(_ path: String) -> Bool {
        let causes = [ENOSPC, EDQUOT]
        guard let (probe, descriptor) = FileReplacement.makeTemporary(for: path, 0o600) else {
            return causes.contains(errno)
        }
        defer {
            close(descriptor)
            unlink(probe)
        }
        return causes.contains(FileWrite.all([UInt8](repeating: 0, count: 64 << 10), to: descriptor).code)
    }
}

extension Store {
    /// Puts a corrupt file out of the way under a name that says so, with its log; nothing is deleted.
    ///
    /// - Returns: The new path.
    /// - Throws: ``StoreError`` where it cannot be moved, is not there, or is no file: whoever mistypes a path does not lose a
    ///   folder. Where it cannot be read, or is sound, it stays, too: of a disk that failed for a moment SQLite says the same as of
    ///   a file that is corrupt.
    public static func setAside(path: String, now: Date) throws(StoreError) -> String {
        guard try status(ofFile: path) != nil else {
            throw StoreError(.cannotOpen, "the state file \(path) is not there")
        }
        for file in [path, path + "-wal"] {
            let code = readFault(file)
            if code == 0 || code == ENOENT { continue }
            let cause = String(cString: strerror(code))
            throw StoreError(.failed, "the file \(file) of the state cannot be read: \(cause)")
        }
        if isSound(path) {
            throw StoreError(.failed, "the state file \(path) could not be read for a moment; it is sound, and stays")
        }
        let stamp = now.ISO8601Format(.iso8601(timeZone: .gmt, dateSeparator: .omitted, timeSeparator: .omitted))
        var target = "\(path).corrupt-\(stamp)"
        var copy = 1
        while FileManager.default.fileExists(atPath: target) {
            copy += 1
            target = "\(path).corrupt-\(stamp)-\(copy)"
        }
        do {
            try FileManager.default.moveItem(atPath: path, toPath: target)
            for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: target + suffix)
            }
        } catch {
            throw StoreError(
                .corrupt,
                "the state file \(path) is corrupt and cannot be moved out of the way: \((error as NSError).localizedDescription)"
            )
        }
        return target
    }

    /// Reads it through as it is; 0 where that can be done, else the number of the error.
    private static func readFault(_ path: String) -> Int32 {
        guard let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC)) else { return errno }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var place: off_t = 0
        while true {
            let count = pread(file.number, &buffer, buffer.count, place)
            if count == 0 { return 0 }
            if count < 0, errno != EINTR { return errno }
            place += off_t(max(0, count))
        }
    }

    /// By a copy: opened for writing, SQLite removes the log beside a file that it cannot use.
    private static func isSound(_ path: String) -> Bool {
        guard let store = try? Store.copy(ofFileAt: path), (try? store.faults())?.isEmpty == true else { return false }
        return (try? store.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") }) == "ok"
    }
}
