#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a program reads, as a file that has no name any more.
enum ProgramInput {
    /// An open descriptor, at its beginning; nil when the disk takes no more.
    static func descriptor(of bytes: [UInt8]) -> Int32? {
        if bytes.isEmpty {
            let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
            return nothing < 0 ? nil : nothing
        }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/crier-input-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                close(descriptor)
                return nil
            }
            written += count
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}
