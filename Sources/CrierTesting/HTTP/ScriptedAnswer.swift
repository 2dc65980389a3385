import CrierHTTP

/// What a ``ScriptedOrigin`` does with one request.
public struct ScriptedAnswer: Sendable, Hashable {
    /// One step of an answer, in order.
    public enum Step: Sendable, Hashable {
        /// Sent as they are.
        case bytes([UInt8])
        /// Sent again and again until the client goes.
        case endless([UInt8])
        /// Goes on once ``ScriptedOrigin/open(_:)`` has been called with that name.
        case gate(String)
        /// Keeps the connection open, silent, until the client or ``ScriptedOrigin/stop()`` ends it.
        case hang
        /// Closes the connection.
        case close
    }

    private enum Content: Sendable, Hashable {
        case response(status: Int, fields: HTTPFields, body: [UInt8])
        case steps([Step])
    }

    private let content: Content

    /// An HTTP/1.1 answer; Content-Length is added unless the fields say how the body ends.
    public init(status: Int = 200, fields: HTTPFields = [:], body: [UInt8] = []) {
        content = .response(status: status, fields: fields, body: body)
    }

    /// The same with text for a body.
    public init(status: Int = 200, fields: HTTPFields = [:], body: String) {
        self.init(status: status, fields: fields, body: Array(body.utf8))
    }

    public init(steps: [Step]) {
        content = .steps(steps)
    }

    /// Bytes that need not be HTTP; the connection is closed behind them.
    public static func raw(_ bytes: [UInt8]) -> ScriptedAnswer { ScriptedAnswer(steps: [.bytes(bytes), .close]) }

    /// Text that need not be HTTP; the connection is closed behind it.
    public static func raw(_ text: String) -> ScriptedAnswer { raw(Array(text.utf8)) }

    /// Text, and behind it text again and again until the client goes.
    public static func endless(_ start: String, _ text: String) -> ScriptedAnswer {
        // Few long pieces are quicker than many short ones.
        let piece = String(repeating: text, count: max(1, 60_000 / max(1, text.utf8.count)))
        return ScriptedAnswer(steps: [.bytes(Array(start.utf8)), .endless(Array(piece.utf8))])
    }

    /// No answer at all; the connection stays open.
    public static let hang = ScriptedAnswer(steps: [.hang])

    /// The steps for a request of that method: a HEAD request gets no body.
    func steps(method: String) -> [Step] {
        switch content {
        case .steps(let steps): return steps
        case .response(let status, let fields, let body):
            var head = Array("HTTP/1.1 \(status) Scripted\r\n".utf8)
            for field in fields.all { head += Array("\(field.name): ".utf8) + field.rawValue + [0x0d, 0x0a] }
            let isFramed = fields["Content-Length"] != nil || fields["Transfer-Encoding"] != nil
            if !isFramed, status != 204, status != 304 { head += Array("Content-Length: \(body.count)\r\n".utf8) }
            return [.bytes(head + [0x0d, 0x0a] + (method == "HEAD" ? [] : body))]
        }
    }
}
