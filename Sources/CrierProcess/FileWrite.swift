#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writing to a file, which takes less than it is given at once where the disk is nearly full, and may be interrupted.
package enum FileWrite {
    /// - Returns: How many bytes are written, and the number of the error; 0 where it is all of them.
    package static func all(_ bytes: [UInt8], to descriptor: Int32) -> (count: Int, code: Int32) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (written, errno) }
            written += count
        }
        return (written, 0)
    }

    /// Whether an error of `fsync(2)` says that what was written is not on the disk, and not that a file system has no such call.
    package static func isLoss(_ code: Int32) -> Bool { [EIO, ENOSPC, EDQUOT].contains(code) }
}
