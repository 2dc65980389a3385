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
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let folder = named.isEmpty ? "/tmp" : named
        var path = Array("\(folder)/crier-input-XXXXXX".utf8CString)
        guard let descriptor = Descriptor(mkstemp(&path)) else { throw failure(of: program, in: folder, errno) }
        unlink(path)
        let code = FileWrite.all(bytes, to: descriptor.number).code
        guard code == 0 else { throw failure(of: program, in: folder, code) }
        lseek(descriptor.number, 0, SEEK_SET)
        return descriptor
    }

    private static func failure(of program: String, in folder: String, _ code: Int32) -> ProgramFailure {
        let cause = String(cString: strerror(code))
        return ProgramFailure("the input of \(program) cannot be written in \(folder): \(cause)")
    }
}
