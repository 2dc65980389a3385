import class Foundation.Thread

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
        let (listener, port) = try LoopbackSocket.listen()
        let thread = Thread {
            defer { close(listener) }
            wait(for: listener)
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            // "Any of these ways to say who I am", and then "connect me to that host".
            for answer in [[5, 0], [5, reply, 0, 1, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
                var asked = [UInt8](repeating: 0, count: 512)
                guard recv(client, &asked, asked.count, 0) > 0 else { return }
                _ = LoopbackSocket.send(client, answer[...])
            }
        }
        thread.name = "socks-proxy"
        thread.start()
        return port
    }

    private static func wait(for descriptor: Int32) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
    }
}
