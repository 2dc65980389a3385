import CrierProcess
import Foundation

/// The right to run the queues of one state file: held by at most one process, released by the kernel when it ends.
///
/// It is given back when the value ends, which `_ = consume lock` behind the work says: a constant of a program's top level would
/// keep it until the process ends, and be taken for one that was killed. Without it two processes raise the same
/// notifications.
///
/// It is a lock of its own file beside the database (`flock(2)`), so that looking at the state needs no right at all.
///
/// The file holds the number of the process while it runs: a number that is found there belongs to one that was killed. Behind it
/// stands what the process is reading (``ReadingMarks``).
public struct RunLock: ~Copyable, Sendable {
    private let descriptor: Int32
    /// Whether the last process that held the lock did not give it back.
    public let isAfterUncleanEnd: Bool
    /// For whoever reads documents under this lock.
    public let readings: ReadingMarks

    /// Takes the lock at once.
    ///
    /// - Throws: ``StoreError``: of kind ``StoreError/Kind/locked`` it names the process that holds the lock.
    public init(statePath: String) throws(StoreError) {
        let state = try Store.status(ofFile: statePath)
        // Of the file itself, whatever links lead to it: two names of one state are one lock.
        let path = SymbolicLinks.resolved(statePath) + ".lock"
        try StateFolder.make(of: path)
        // It is emptied: what a link leads to is somebody else's.
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            let cause =
                code == ELOOP
                ? "it is a symbolic link; remove it"
                : ForeignState.cause(of: code, at: SymbolicLinks.resolved(statePath))
            throw StoreError(code == EROFS ? .readOnly : .cannotOpen, "cannot create the lock file \(path): \(cause)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw StoreError(.cannotOpen, "cannot create the lock file \(path): it is not a regular file; move it away")
        }
        // Whatever the mask of new files takes away, the next run is to open it.
        if status.st_mode & 0o600 != 0o600 { fchmod(descriptor, 0o600) }
        // What the superuser's run makes beside a user's state is the user's: their next run needs it. What has another name, too, may
        // be anybody's.
        if geteuid() == 0, let state, state.st_uid != status.st_uid, status.st_nlink == 1 {
            fchown(descriptor, state.st_uid, state.st_gid)
        }
        let code = Self.take(descriptor)
        guard code == 0 || code == EWOULDBLOCK else {
            close(descriptor)
            throw StoreError(.cannotOpen, "cannot lock the file \(path): \(String(cString: strerror(code)))")
        }
        guard code == 0 else {
            let number = Self.read(descriptor)
            let holder = Self.holder(of: descriptor)
            close(descriptor)
            if let holder, holder.isStopped { throw StoreError(.locked, holder.advice) }
            throw StoreError(.locked, "another crier run is at work\(number.isEmpty ? "" : " (process \(number))")")
        }
        isAfterUncleanEnd = !Self.read(descriptor).isEmpty
        let unfinished = ReadingMarks.names(in: Self.bytes(descriptor, atMost: 1 << 16))
        readings = ReadingMarks(descriptor, process: Int(getpid()), unfinished: unfinished)
        self.descriptor = descriptor
    }

    deinit {
        readings.end()
        // Given back at once, also where a child process was started that has yet to close the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// At once; 0 where it is had, `EWOULDBLOCK` where another has it, and what else keeps the system from giving it.
    private static func take(_ descriptor: Int32) -> Int32 {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 { if errno != EINTR { return errno } }
        return 0
    }

    static func read(_ descriptor: Int32) -> String {
        let line = bytes(descriptor, atMost: 32).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
    }

    private static func bytes(_ descriptor: Int32, atMost limit: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = pread(descriptor, &buffer, limit, 0)
        return Array(buffer.prefix(max(0, count)))
    }
}
