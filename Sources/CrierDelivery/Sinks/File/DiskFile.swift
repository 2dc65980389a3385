import CrierProcess

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writing to the disk so that it is there also after a power failure.
enum DiskFile {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        static func last() -> Failure { Failure(description: String(cString: strerror(errno))) }
    }

    /// Makes the folder that a path is in, with those above it.
    ///
    /// - Parameter mode: Of those that are not there yet.
    static func makeFolder(of path: String, mode: mode_t = 0o700) throws(Failure) {
        if path.utf8.contains(0) { throw Failure(description: "its path holds a NUL") }
        if path.hasPrefix("~/") {
            throw Failure(description: "its path begins with ~ but HOME is not an absolute path")
        }
        try check(FolderMaking.make(PathText.folder(of: path), mode: mode))
    }

    /// The file behind a path's links, or where one is to be.
    private static func target(of path: String) throws(Failure) -> String {
        guard let target = SymbolicLinks.target(of: path) else { throw .last() }
        return target
    }

    /// What is to be written or replaced for a path: the file behind its links, or where one is to be.
    static func replaceable(_ path: String) throws(Failure) -> String {
        let target = try target(of: path)
        try checkRegular(path)
        return target
    }

    /// The kernel is asked of the path itself: of a pipe behind `/dev/stdout` the link tells a name by which nothing is found.
    private static func checkRegular(_ path: String) throws(Failure) {
        var (status, output) = (stat(), stat())
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        let isOutput = fstat(1, &output) == 0 && output.st_dev == status.st_dev && output.st_ino == status.st_ino
        // Not `/dev/null`, which may be both by chance.
        let isMeant = isOutput && (status.st_mode & S_IFMT != S_IFCHR || isatty(1) == 1)
        throw Failure(
            description: "it is not a regular file" + (isMeant ? "; a sink of `kind: stdout` writes there" : ""))
    }

    /// One write at the end. What somebody has left there without a line end is ended first; what a disk has no room for, or
    /// may not have, leaves nothing behind.
    ///
    /// - Parameter lines: With their line ends. One that may stand there already, as its writer was killed, is looked for at the
    ///   end and not written again; a piece of it is replaced.
    static func append(_ lines: [(bytes: [UInt8], mayStandThere: Bool)], to path: String) throws(Failure) {
        let path = try replaceable(path)
        // Without O_NONBLOCK a pipe of that name would be waited for until somebody reads it.
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw .last() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "it is not a regular file") }
        var size = Int(status.st_size)
        let isNew = size == 0
        // Such as the state itself: what is written behind its pages it cuts off, or takes for damage.
        if try bytes(of: descriptor, from: 0, to: min(size, sqlite.count)) == sqlite {
            throw Failure(description: "it is a database")
        }
        let lookedFor = lines.filter(\.mayStandThere)
        // What was written last is what is attempted next.
        let tailLength = lookedFor.isEmpty ? 1 : lines.reduce(1 << 20) { $0 + $1.bytes.count }
        let tail = try bytes(of: descriptor, from: max(0, size - tailLength), to: size)
        let known = lookedFor.isEmpty ? [] : Set(tail.split(separator: 0x0a))
        let rest = lines.filter { !$0.mayStandThere || !known.contains($0.bytes.dropLast()) }
        let piece = tail.suffix(from: (tail.lastIndex(of: 0x0a) ?? -1) + 1)
        var added: [UInt8] = piece.isEmpty ? [] : [0x0a]
        if !piece.isEmpty, rest.contains(where: { $0.mayStandThere && $0.bytes.starts(with: piece) }) {
            guard ftruncate(descriptor, off_t(size - piece.count)) == 0 else { throw .last() }
            size -= piece.count
            added = []
        }
        for line in rest { added += line.bytes }
        let (written, fault) = FileWrite.all(added, to: descriptor)
        let code = fault == 0 && fsync(descriptor) != 0 ? errno : fault
        // Not where somebody else has written meanwhile.
        if code != 0, written > 0, fstat(descriptor, &status) == 0, Int(status.st_size) == size + written {
            ftruncate(descriptor, off_t(size))
        }
        try check(code)
        // A new name is on the disk only when its folder is.
        if isNew { try check(FileReplacement.synchronizeFolder(of: path)) }
    }

    /// What a database of SQLite's begins with (Database File Format §1.3.1).
    private static let sqlite = Array("SQLite format 3\0".utf8)

    private static func bytes(of descriptor: Int32, from start: Int, to end: Int) throws(Failure) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: end - start) { buffer, filled in
            count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(start))
            filled = max(0, count)
        }
        guard count >= 0 else { throw .last() }
        return bytes
    }

    /// Puts a new file in the place of an old one, as ``FileReplacement`` does.
    ///
    /// - Parameter mode: Of a file that is not there yet, whatever the process's mask: units that `crier install` makes have one that
    ///   keeps all to the user.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) throws(Failure) {
        try check(FileReplacement.replace(path, with: bytes, mode: mode))
    }

    /// - Parameter code: The number of an error, or 0.
    private static func check(_ code: Int32) throws(Failure) {
        if code != 0 { throw Failure(description: String(cString: strerror(code))) }
    }
}
