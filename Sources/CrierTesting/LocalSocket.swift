#if os(Linux)
    import CrierProcess
    import Foundation

    /// A socket in the file system, for the tests of this package.
    package enum LocalSocket {
        /// One that is bound to a path. What is waited for at it comes within a minute, or the call fails: whoever says nothing
        /// ends the test, not only its time limit.
        package static func bound(to path: String, _ type: __socket_type) throws -> Int32 {
            guard let address = LocalAddress(Array(path.utf8)) else { throw POSIXError(.ENAMETOOLONG) }
            let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard address.pass(to: { bind(descriptor, $0, $1) }) == 0 else {
                defer { close(descriptor) }
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
            }
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            return descriptor
        }
    }
#endif
