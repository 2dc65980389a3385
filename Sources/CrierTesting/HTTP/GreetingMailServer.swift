#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A mail server on a loopback port that says one thing to the first who connects, or nothing, answers so many commands, and then only
/// listens.
package enum GreetingMailServer {
    /// - Parameters:
    ///   - greeting: One line; nil says nothing, as a server that waits for encryption.
    ///   - replies: One for each command.
    /// - Returns: Its address.
    package static func start(_ greeting: String?, then replies: [String] = []) throws -> String {
        let port = try LoopbackSocket.serveFirst(as: "greeting-mail-server") { client in
            func say(_ line: String) { _ = LoopbackSocket.send(client, Array((line + "\r\n").utf8)[...]) }
            if let greeting { say(greeting) }
            var replies = replies[...]
            var heard = [UInt8](repeating: 0, count: 512)
            while recv(client, &heard, heard.count, 0) > 0 {
                if let reply = replies.popFirst() { say(reply) }
            }
        }
        return "smtp://127.0.0.1:\(port)"
    }
}
