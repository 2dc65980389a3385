#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The address of a socket of this machine (unix(7)).
package struct LocalAddress: Sendable, Hashable {
    private static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    private let name: [UInt8]

    /// Nil where it is longer than such an address may be.
    ///
    /// - Parameter name: A path, or a NUL and a name that is none ("abstract").
    package init?(_ name: [UInt8]) {
        guard name.count < Self.longest else { return nil }
        self.name = name
    }

    /// As the calls of the system take it.
    package func pass<Result>(to call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // An abstract name ends where the length says, and not at a NUL.
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(start + name.count + (name.first == 0 ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
        }
    }

    /// A descriptor that waits for nothing, to be closed by the caller, or the number of the error, negative.
    package func connection() -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_UNIX, kind, 0)
            guard descriptor >= 0 else { return -errno }
            if pass(to: { connect(descriptor, $0, $1) }) == 0 { return descriptor }
            defer { close(descriptor) }
            return -errno
        #else
            return -ENOSYS
        #endif
    }
}
