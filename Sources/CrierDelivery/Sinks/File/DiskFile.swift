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
    static func makeFolder(of path: String) throws(Failure) {
        let folder = folder(of: path)
        if folder == "/" || access(folder, F_OK) == 0 { return }
        try makeFolder(of: folder)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .last() }
    }

    /// One write at the end. What an earlier write has left without a line end is ended first; what a disk has no room for
    /// leaves nothing behind.
    static func append(_ lines: [UInt8], to path: String) throws(Failure) {
        // Without O_NONBLOCK a pipe of that name would be waited for until somebody reads it.
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw .last() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "it is not a regular file") }
        var last: UInt8 = 0x0a
        if status.st_size > 0 { _ = pread(descriptor, &last, 1, status.st_size - 1) }
        let bytes = last == 0x0a ? lines : [0x0a] + lines
        do throws(Failure) {
            try write(bytes, to: descriptor)
        } catch {
            var now = stat()
            // Not where somebody else has written meanwhile.
            if fstat(descriptor, &now) == 0, (1..<bytes.count).contains(Int(now.st_size - status.st_size)) {
                ftruncate(descriptor, status.st_size)
            }
            throw error
        }
        if status.st_size == 0 { try synchronizeFolder(of: path) }
    }

    /// The last bytes of a regular file; none where there is no such file.
    static func tail(of path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0, errno == ENOENT { return [] }
        guard descriptor >= 0 else { throw .last() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last() }
        guard status.st_mode & S_IFMT == S_IFREG else { return [] }
        let length = min(limit, Int(status.st_size))
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            count = pread(descriptor, buffer.baseAddress, length, status.st_size - off_t(length))
            filled = max(0, count)
        }
        guard count >= 0 else { throw .last() }
        return bytes
    }

    /// Puts a new file in the place of an old one: whoever reads sees the one or the other as a whole.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) throws(Failure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .last() }
        do throws(Failure) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else { throw .last() }
        try synchronizeFolder(of: path)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last() }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw .last() }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// A new name is on the disk only when its folder is.
    private static func synchronizeFolder(of path: String) throws(Failure) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last() }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
