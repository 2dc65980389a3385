#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A SOCKS5 proxy on a loopback port that refuses the first connection it is asked for, and is then gone (RFC 1928).
package enum RefusingSOCKSProxy {
    /// - Parameter reply: What it answers, a number of RFC 1928 §6.
    /// - Returns: Its port.
    package static func start(reply: UInt8) throws -> Int {
        try LoopbackSocket.serveFirst(as: "socks-proxy") { client in
            // "Any of these ways to say who I am", and then "connect me to that host".
            for answer in [[5, 0], [5, reply, 0, 1, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
                var asked = [UInt8](repeating: 0, count: 512)
                guard recv(client, &asked, asked.count, 0) > 0 else { return }
                _ = LoopbackSocket.send(client, answer[...])
            }
        }
    }
}
