#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where programs are found.
public enum ProgramPath {
    /// The path of a program: its own where it has one, from `HOME` where that begins with `~/`, else in one of the absolute
    /// folders of `PATH`; nil where it is not there.
    public static func of(_ name: String, environment: [String: String]) -> String? {
        if name.contains("/") {
            return HomePath.expanded(name, home: environment["HOME"]).flatMap { isProgram($0) ? $0 : nil }
        }
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
