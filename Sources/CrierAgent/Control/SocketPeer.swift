#if os(Linux)
    import Foundation

    /// Who listens at the other end of a connection, laid out as `struct ucred` is, which `SO_PEERCRED` gives (unix(7)).
    struct SocketPeer: Sendable {
        let process: pid_t
        let user: uid_t
        let group: gid_t

        /// Nil where the kernel does not tell.
        ///
        /// - Parameter connection: A descriptor.
        static func of(_ connection: Int32) -> SocketPeer? {
            var peer = SocketPeer(process: 0, user: 0, group: 0)
            var size = socklen_t(MemoryLayout<SocketPeer>.size)
            return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer : nil
        }
    }
#endif
