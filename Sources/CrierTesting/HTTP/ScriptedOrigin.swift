import CrierHTTP

import protocol Foundation.LocalizedError

/// An HTTP/1.1 server on a loopback port that does as a test tells it and records what it is asked.
public actor ScriptedOrigin {
    /// The TCP port on 127.0.0.1.
    public nonisolated let port: Int
    private let script = OriginScript()

    /// Listens on a free port. Throws ``OriginError`` when there is none.
    public init() async throws {
        let (listener, port) = try LoopbackSocket.listen()
        self.port = port
        try OriginLoop.start(listener: listener, script: script)
    }

    deinit { script.stop() }

    /// The URL of a path on this server.
    public nonisolated func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Answers for a path (without its query), in order; the last one stays. A path without answers gets a 404.
    public func script(_ path: String, _ answers: [ScriptedAnswer]) {
        script.withState { $0.answers[path] = answers }
    }

    /// An answer made from each request. It runs on the server's thread, for paths without a script.
    public func handle(_ handler: @escaping @Sendable (ReceivedRequest) -> ScriptedAnswer) {
        script.withState { $0.handler = handler }
    }

    /// Lets answers that wait at ``ScriptedAnswer/Step/gate(_:)`` go on, now and later.
    public func open(_ gate: String) {
        script.withState { _ = $0.openGates.insert(gate) }
        script.wake()
    }

    /// Every request so far, in the order in which they were complete.
    public var requests: [ReceivedRequest] { script.withState { $0.requests } }

    /// Forgets the requests so far, for a test of many.
    public func forgetRequests() { script.withState { $0.requests = [] } }

    /// Connections accepted so far.
    public var connections: Int { script.withState { $0.accepted } }

    /// Returns once that many requests have come, or the test is cancelled.
    public func received(_ count: Int) async { await script.wait { $0.requests.count >= count } }

    /// Returns once that many connections have ended, by whichever side, or the test is cancelled.
    public func closed(_ count: Int) async { await script.wait { $0.closed >= count } }

    /// Closes every connection and the port; returns when they are closed.
    public func stop() async {
        script.stop()
        // In a task of its own, which a test whose time is over does not cancel.
        await Task { [script] in await script.wait { $0.hasEnded } }.value
    }
}

/// The machine has no loopback port to give.
public struct OriginError: LocalizedError, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
}
