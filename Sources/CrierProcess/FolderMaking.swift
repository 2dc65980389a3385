#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Folders that are made as they are needed.
package enum FolderMaking {
    /// Makes a folder, and those above it.
    ///
    /// - Parameter mode: Of those that are not there yet, whatever the process's mask.
    /// - Returns: The number of the error, such as `EACCES`; 0 where the folder is there then.
    package static func make(_ folder: String, mode: mode_t = 0o700) -> Int32 {
        if access(folder, F_OK) == 0 { return 0 }
        let code = makeOne(folder, mode)
        let above = PathText.folder(of: folder)
        guard code == ENOENT, above != folder else { return code }
        let cause = make(above, mode: mode)
        return cause == 0 ? makeOne(folder, mode) : cause
    }

    /// Another process may be as quick.
    private static func makeOne(_ folder: String, _ mode: mode_t) -> Int32 {
        guard mkdir(folder, mode) == 0 else { return errno == EEXIST ? 0 : errno }
        // Some disks know no modes, and some folders give theirs to those below them.
        var made = stat()
        if stat(folder, &made) == 0 { _ = chmod(folder, made.st_mode & 0o7777 | mode) }
        // What is written into it is on the disk only when its name is.
        return FileReplacement.synchronizeFolder(of: folder)
    }
}
