#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What stands behind the links that a user has put in the place of a file.
public enum SymbolicLinks {
    /// The path behind them, also where the last one leads to nothing yet; nil where they lead nowhere (`ELOOP`).
    public static func target(of path: String) -> String? {
        var current = path
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = readlink(current, &buffer, 4096)
            guard count >= 0 else { return current }
            let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            current = link.hasPrefix("/") ? link : "\(folder(of: current))/\(link)"
        }
        errno = ELOOP
        return nil
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
