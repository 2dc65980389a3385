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
        let port = try LoopbackSocket.serveFirst(as: "greeting-mail-server") { client in
            if let greeting { _ = LoopbackSocket.send(client, Array((greeting + "\r\n").utf8)[...]) }
            var heard = [UInt8](repeating: 0, count: 512)
            while recv(client, &heard, heard.count, 0) > 0 {}
        }
        return "smtp://127.0.0.1:\(port)"
    }
}
