#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#else
    import Darwin
#endif

/// What a program reads, as a file that has no name.
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
        guard let descriptor = file() else { throw failure(of: program, errno) }
        let code = FileWrite.all(bytes, to: descriptor.number).code
        guard code == 0 else { throw failure(of: program, code) }
        lseek(descriptor.number, 0, SEEK_SET)
        return descriptor
    }

    private static func failure(of program: String, _ code: Int32) -> ProgramFailure {
        let cause = String(cString: strerror(code))
        return ProgramFailure("the input of \(program) cannot be written in \(place): \(cause)")
    }

    #if os(Linux)
        /// No folder has to be one that may be written, and no disk keeps what may be secret.
        private static var place: String { "memory" }

        private static func file() -> Descriptor? { Descriptor(memfd_create("crier-input", UInt32(MFD_CLOEXEC))) }
    #else
        private static var place: String {
            let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
            return named.isEmpty ? "/tmp" : named
        }

        private static func file() -> Descriptor? {
            var path = Array("\(place)/crier-input-XXXXXX".utf8CString)
            guard let descriptor = Descriptor(mkstemp(&path)) else { return nil }
            unlink(path)
            return descriptor
        }
    #endif
}
