#if os(Linux)
    import Foundation

    /// A socket in the file system, for the tests of this package.
    package enum LocalSocket {
        /// One that is bound to a path. What is waited for at it comes within a minute, or the call fails: whoever says nothing
        /// ends the test, not only its time limit.
        package static func bound(to path: String, _ type: __socket_type) throws -> Int32 {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let hasRoom = withUnsafeMutableBytes(of: &address.sun_path) { room in
                guard path.utf8.count < room.count else { return false }
                room.copyBytes(from: path.utf8)
                return true
            }
            guard hasRoom else { throw POSIXError(.ENAMETOOLONG) }
            let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard status == 0 else {
                defer { close(descriptor) }
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
            }
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            return descriptor
        }
    }
#endif
