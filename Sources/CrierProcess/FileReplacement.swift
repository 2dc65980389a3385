#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#else
    import Darwin
#endif

/// Files that are replaced as a whole: whoever reads sees the old one or the new one, also after a power failure. One that is mounted by
/// itself, as containers are given them, can only be written over.
package enum FileReplacement {
    /// Puts a file in the place of another, or where there is none.
    ///
    /// - Parameters:
    ///   - path: Of the file itself: a link would be replaced (``SymbolicLinks/target(of:)``).
    ///   - mode: Of a file that is not there yet, whatever the process's mask; nil for what that makes of 0666. One that is there keeps
    ///     its own, its access list, and its owner and group, as far as the user may give them and the disk knows them.
    /// - Returns: 0 where it is done, else the number of the error, such as `ENOSPC`: then all is as it was, unless only the folder could
    ///   not be put on the disk, or a file was written over.
    package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t?) -> Int32 {
        var old = stat()
        let isThere = stat(path, &old) == 0
        // What cannot be looked at may be there, and be somebody's.
        if !isThere, errno != ENOENT { return errno }
        // Until it has its owner, whoever may read it is not known.
        guard let (temporary, descriptor) = makeTemporary(for: path, isThere ? 0o600 : mode ?? 0o666) else {
            return errno == EROFS && isThere ? writeOver(path, with: bytes) : errno
        }
        if isThere {
            // Someone else's file, written by the superuser, stays theirs, and anybody's their group's.
            if fchown(descriptor, old.st_uid, old.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, old.st_gid) }
            // Before the mode, which says what a list gives at most as if it were the group's.
            let isCopied = copyAccessList(of: path, to: descriptor)
            _ = fchmod(descriptor, old.st_mode & (isCopied ? 0o7777 : 0o7707))
        } else if let mode {
            _ = fchmod(descriptor, mode)
        }
        var code = FileWrite.all(bytes, to: descriptor).code
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, rename(temporary, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            return code == EBUSY ? writeOver(path, with: bytes) : code
        }
        return synchronizeFolder(of: path)
    }

    /// Who is given access beside owner and group (acl(5)): nobody where the other has no list, whatever its folder gives to new files.
    ///
    /// - Returns: False where there is one and it cannot be given, as where it names users that a container does not know.
    private static func copyAccessList(of path: String, to descriptor: Int32) -> Bool {
        #if os(Linux)
            let name = "system.posix_acl_access"
            var list = [UInt8](repeating: 0, count: max(0, getxattr(path, name, nil, 0)))
            if !list.isEmpty, getxattr(path, name, &list, list.count) == list.count {
                return fsetxattr(descriptor, name, list, list.count, 0) == 0
            }
            fremovexattr(descriptor, name)
        #endif
        return true
    }

    /// A power failure may tear the file; a disk that is full leaves it as it was, where the file grows and the file system can tell.
    private static func writeOver(_ path: String, with bytes: [UInt8]) -> Int32 {
        guard let file = Descriptor(open(path, O_WRONLY | O_CLOEXEC)) else { return errno }
        #if os(Linux)
            var old = stat()
            if fstat(file.number, &old) == 0, off_t(bytes.count) > old.st_size {
                let refusal = posix_fallocate(file.number, 0, off_t(bytes.count))
                // Not every file system can.
                if [ENOSPC, EDQUOT, EFBIG].contains(refusal) {
                    ftruncate(file.number, old.st_size)
                    return refusal
                }
            }
        #endif
        let code = FileWrite.all(bytes, to: file.number).code
        if code != 0 { return code }
        return ftruncate(file.number, off_t(bytes.count)) == 0 && fsync(file.number) == 0 ? 0 : errno
    }

    /// Gives a file that is whole its name, unless somebody has that.
    ///
    /// - Parameter temporary: From ``makeTemporary(for:_:)``.
    /// - Returns: 0 where it is done, else the number of the error, `EEXIST` where a file has the name.
    package static func name(_ temporary: String, _ path: String) -> Int32 {
        if link(temporary, path) == 0 {
            unlink(temporary)
            return synchronizeFolder(of: path)
        }
        let code = errno
        // A file system without links.
        guard [EPERM, ENOSYS, EOPNOTSUPP].contains(code) else { return code }
        var other = stat()
        if lstat(path, &other) == 0 { return EEXIST }
        return rename(temporary, path) == 0 ? synchronizeFolder(of: path) : errno
    }

    /// A new file beside the one that it is to become, under a name that nobody else gives; nil where there can be none (`errno`). What a
    /// killed process has left there is removed. That of another one at work is no minute old, and stays: then it is a name of chance.
    package static func makeTemporary(for path: String, _ mode: mode_t) -> (path: String, descriptor: Int32)? {
        let (folder, name) = PathText.split(path)
        let usual = PathText.join(folder, ".crier.\(name).tmp")
        let other = PathText.join(folder, ".crier.\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp")
        var left = stat()
        if lstat(usual, &left) == 0, left.st_mode & S_IFMT == S_IFREG, left.st_uid == geteuid(),
            abs(time(nil) - left.st_mtim.tv_sec) > 60
        {
            unlink(usual)
        }
        for temporary in [usual, other] {
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 { return (temporary, descriptor) }
            // A name may be too long with what is added.
            if errno != EEXIST, errno != ENAMETOOLONG { return nil }
        }
        return nil
    }

    /// Puts the name of a new file on the disk. A file system that cannot do that by itself, and a folder that may not be read, have done
    /// what they can.
    ///
    /// - Returns: The number of the error; 0 where it is done.
    package static func synchronizeFolder(of path: String) -> Int32 {
        let descriptor = open(PathText.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 || !FileWrite.isLoss(errno) ? 0 : errno
    }
}
