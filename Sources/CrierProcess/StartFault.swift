#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why the system does not start a program that is there and executable.
enum StartFault {
    /// So many bytes of a script's first line Linux reads (execve(2)).
    private static let longestLine = 255

    /// - Parameters:
    ///   - code: The `errno` of execve(2), whose words for a script speak of its interpreter and do not say so.
    ///   - path: Of the program.
    static func words(for code: Int32, of path: String) -> String {
        let interpreter = interpreter(of: path)
        switch code {
        case ENOENT where interpreter?.last == "\r":
            return "its first line ends with a carriage return, as lines do on Windows"
        case ENOENT:
            if let interpreter, access(interpreter, F_OK) != 0 {
                return "its first line names \(interpreter), which is not there"
            }
        case ENOEXEC where interpreter == nil:
            return "it is no program of this machine, and no script that begins with #! and its interpreter"
        default: break
        }
        return String(cString: strerror(code))
    }

    /// The path that the first line of a script names; nil where it is none.
    private static func interpreter(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: longestLine)
        let count = read(file, &bytes, bytes.count)
        guard count > 2, bytes.starts(with: Array("#!".utf8)) else { return nil }
        let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { $0 == 0x20 || $0 == 0x09 }
        return String(decoding: line.prefix { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
    }
}
