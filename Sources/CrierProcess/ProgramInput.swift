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
    static func descriptor(of bytes: [UInt8]) -> Descriptor? {
        if bytes.isEmpty {
            return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/crier-input-XXXXXX".utf8CString)
        guard let descriptor = Descriptor(mkstemp(&path)) else { return nil }
        unlink(path)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
            guard count > 0 else { return nil }
            written += count
        }
        lseek(descriptor.number, 0, SEEK_SET)
        return descriptor
    }
}
