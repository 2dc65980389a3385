#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What stands behind the links that a user has put in the place of a file.
public enum SymbolicLinks {
    /// The path behind them, also where the last one leads to nothing yet; nil where they lead nowhere (`ELOOP`), or one is not to be
    /// followed (`EACCES`): a stranger's, in a folder that is everybody's, such as `/tmp`. So the kernel has it (proc(5),
    /// `protected_symlinks`), where it is told to.
    public static func target(of path: String) -> String? {
        var current = path
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = readlink(current, &buffer, 4096)
            guard count >= 0 else { return current }
            if isStrangers(current) {
                errno = EACCES
                return nil
            }
            let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            current = link.hasPrefix("/") ? link : PathText.join(PathText.folder(of: current), link)
        }
        errno = ELOOP
        return nil
    }

    private static func isStrangers(_ link: String) -> Bool {
        var (own, folder) = (stat(), stat())
        guard lstat(link, &own) == 0, stat(PathText.folder(of: link), &folder) == 0 else { return false }
        let isEverybodys = folder.st_mode & S_ISVTX != 0 && folder.st_mode & S_IWOTH != 0
        return isEverybodys && own.st_uid != geteuid() && own.st_uid != folder.st_uid
    }

    /// The absolute path of the file itself, as the kernel finds it (realpath(3)): `..` behind a link is the folder of what the link
    /// leads to. Of what is not there yet, that of its folder with the rest behind it.
    public static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let (folder, name) = PathText.split(target(of: path) ?? path)
        // Of the working folder, where that was removed, as of what never ends.
        if folder == path { return path }
        return name.isEmpty ? resolved(folder) : PathText.join(resolved(folder), name)
    }
}
