/// A web hook receiver that checks signatures with `standardwebhooks`, the public library of the standard, in Python.
///
/// It answers 204 to what is signed as it should be, 401 to all else, and keeps the bodies it took.
package struct WebhookReceiver: Sendable {
    /// Whether the tests' Python libraries are there, which are installed together.
    package static let isPossible = PythonTools.has("aiosmtpd")

    private let secret: String
    private let folder: TemporaryFolder

    package init(secret: String, folder: TemporaryFolder) {
        self.secret = secret
        self.folder = folder
    }

    /// Runs `body` with the address of the receiver.
    package func run(_ body: (_ url: String) async throws -> Void) async throws {
        let script = try folder.write(Self.script, to: "receiver.py")
        let arguments = [script, secret, folder.file("received.jsonl")]
        try await withProgram(PythonTools.interpreter, arguments) { receiver in
            try await body("http://127.0.0.1:\(try await receiver.firstLine())/in")
        }
    }

    /// The bodies that were signed as they should be, in order.
    package var bodies: [String] {
        (folder.read("received.jsonl") ?? "").split(separator: "\n").map(String.init)
    }

    private static let script = """
        import http.server, sys
        from standardwebhooks import Webhook

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    Webhook(sys.argv[1]).verify(body, dict(self.headers))
                    with open(sys.argv[2], "ab") as file:
                        file.write(body + b"\\n")
                    status = 204
                except Exception:
                    status = 401
                self.send_response(status)
                self.end_headers()

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()

        """
}
