import CrierProcess

import protocol Foundation.LocalizedError

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A configuration on disk.
public struct ConfigurationFile: Sendable, Hashable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Whether nothing stands there.
    var isMissing: Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// The bytes of the file, or of the one that a link leads to.
    ///
    /// - Throws: ``ConfigurationFileError``.
    public func read() throws(ConfigurationFileError) -> [UInt8] {
        // To open a pipe is else to wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("read") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        guard status.st_mode & S_IFMT == S_IFREG || isHandedOver else {
            throw ConfigurationFileError(path: path, verb: "read", code: ConfigurationFileError.noFile)
        }
        if isHandedOver { _ = fcntl(descriptor, F_SETFL, O_RDONLY) }
        // The reader refuses a longer file, which must not fill the memory before.
        let limit = 32 << 20
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(Int(status.st_size), limit))
        while bytes.count <= limit {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
                count = systemRead(descriptor, buffer.baseAddress, buffer.count)
                filled = max(0, count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read") }
            guard count > 0 else { break }
            bytes += chunk
        }
        return bytes
    }

    /// Whether it is no file but what whoever started the program writes, as `--config <(make-configuration)` does, or nothing.
    var isHandedOver: Bool {
        ["/dev/fd/", "/proc/self/fd/"].contains(where: path.hasPrefix) || ["/dev/stdin", "/dev/null"].contains(path)
    }

    /// Replaces the file by what `change` makes of its bytes as they are now; none is an empty one.
    ///
    /// One update at a time: those of other processes wait, so that none takes back what another has written.
    ///
    /// - Throws: ``ConfigurationFileError``, and what `change` throws; the file is as it was.
    public func update(_ change: ([UInt8]) throws -> String) throws {
        let target = try resolvedPath()
        var status = stat()
        // Though its folder may be written, it is to stay as it is.
        if stat(target, &status) == 0, status.st_mode & 0o222 == 0 {
            throw ConfigurationFileError(path: path, verb: "write", code: EACCES)
        }
        let folder = PathText.folder(of: target)
        let isNew = access(folder, F_OK) != 0
        try makeFolder(folder)
        // The folder is locked, not the file, which is replaced, nor one beside it, which would stay.
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        // Where a file system has no locks, the update is done without.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        do {
            try write(change(existing()))
        } catch {
            if isNew { rmdir(folder) }
            throw error
        }
    }

    private func existing() throws(ConfigurationFileError) -> [UInt8] {
        do { return try read() } catch  where error.isMissing { return [] }
    }

    /// Replaces the file as a whole, or makes it (mode 0600, missing folders 0700), as ``replace(with:mode:)`` does.
    ///
    /// - Throws: ``ConfigurationFileError``.
    func write(_ text: String) throws(ConfigurationFileError) {
        try makeFolder(PathText.folder(of: resolvedPath()))
        try replace(with: text, mode: 0o600)
    }

    /// Replaces the file as a whole, or makes it in its folder.
    ///
    /// A reader sees the old text or the new one, also after a crash, unless the file is mounted by itself (``FileReplacement``). A symbolic link stays one and its target is
    /// replaced; mode, owner, group and access list stay.
    ///
    /// - Parameter mode: Of a new file, whatever the process's mask; nil for what that makes of 0666.
    /// - Throws: ``ConfigurationFileError``.
    package func replace(with text: String, mode: mode_t? = nil) throws(ConfigurationFileError) {
        let code = FileReplacement.replace(try resolvedPath(), with: Array(text.utf8), mode: mode)
        if code != 0 { throw ConfigurationFileError(path: path, verb: "write", code: code) }
    }

    /// The path behind symbolic links; what stands there must be a file, or nothing yet.
    private func resolvedPath() throws(ConfigurationFileError) -> String {
        guard let target = SymbolicLinks.target(of: path) else { throw failure("write") }
        var status = stat()
        // Of the path itself: what /dev/stdout is said to link to is no path.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw ConfigurationFileError(path: path, verb: "write", code: ConfigurationFileError.noFile)
        }
        return target
    }

    /// Tells before anything is read whether it may be written: to read a pipe is to wait for its writer.
    ///
    /// - Throws: ``ConfigurationFileError``.
    public func checkKind() throws(ConfigurationFileError) { _ = try resolvedPath() }

    private func makeFolder(_ folder: String) throws(ConfigurationFileError) {
        let code = FolderMaking.make(folder)
        if code != 0 { throw ConfigurationFileError(path: path, verb: "write", code: code) }
    }

    private func failure(_ verb: String) -> ConfigurationFileError {
        ConfigurationFileError(path: path, verb: verb, code: errno)
    }
}

/// Why a configuration file could not be read or written.
public struct ConfigurationFileError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let path: String
    /// `read` or `write`.
    let verb: String
    /// The `errno` of the system call.
    public let code: Int32
    /// Instead of one: what stands there is no file.
    static let noFile: Int32 = -1

    /// Whether there is no such file.
    public var isMissing: Bool { code == ENOENT }

    public var description: String {
        if code == Self.noFile {
            return "\(printable(path)): it is no regular file, and no other is \(verb == "read" ? "read" : "replaced")"
        }
        return "\(printable(path)): cannot \(verb): \(String(cString: strerror(code)))"
    }
    public var errorDescription: String? { description }
}

private let systemRead = read
