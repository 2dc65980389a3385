import class Foundation.Thread

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A mail server on a loopback port that says one thing to the first who connects, or nothing, and then only listens.
package enum GreetingMailServer {
    /// - Parameter greeting: One line; nil says nothing, as a server that waits for encryption.
    /// - Returns: Its address.
    package static func start(_ greeting: String?) throws -> String {
        let (listener, port) = try LoopbackSocket.listen()
        let thread = Thread {
            defer { close(listener) }
            wait(for: listener)
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            if let greeting { _ = LoopbackSocket.send(client, Array((greeting + "\r\n").utf8)[...]) }
            var heard = [UInt8](repeating: 0, count: 512)
            while recv(client, &heard, heard.count, 0) > 0 {}
        }
        thread.name = "greeting-mail-server"
        thread.start()
        return "smtp://127.0.0.1:\(port)"
    }

    private static func wait(for descriptor: Int32) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
    }
}
