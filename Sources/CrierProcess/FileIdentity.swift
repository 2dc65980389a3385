#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Which file a path leads to. While that is open, no other has this identity.
package struct FileIdentity: Sendable, Equatable {
    private let device: dev_t
    private let number: ino_t

    package init(of status: stat) {
        (device, number) = (status.st_dev, status.st_ino)
    }

    /// Nil where there is none, or it cannot be looked at.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(of: status)
    }
}
