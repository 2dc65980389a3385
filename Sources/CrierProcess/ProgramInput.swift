#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a program reads, as a file that has no name any more.
enum ProgramInput {
    /// An open descriptor, at its beginning.
    ///
    /// - Throws: ``ProgramFailure``, with the system's own words.
    static func descriptor(of bytes: [UInt8], for program: String) throws(ProgramFailure) -> Descriptor {
        if bytes.isEmpty {
            guard let none = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)) else {
                throw ProgramFailure("/dev/null cannot be opened for \(program): \(String(cString: strerror(errno)))")
            }
            return none
        }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/crier-input-XXXXXX".utf8CString)
        guard let descriptor = Descriptor(mkstemp(&path)) else { throw failure(of: program, in: folder) }
        unlink(path)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure(of: program, in: folder) }
            written += count
        }
        lseek(descriptor.number, 0, SEEK_SET)
        return descriptor
    }

    private static func failure(of program: String, in folder: String) -> ProgramFailure {
        let cause = String(cString: strerror(errno))
        return ProgramFailure("the input of \(program) cannot be written in \(folder): \(cause)")
    }
}
