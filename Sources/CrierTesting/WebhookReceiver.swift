import Subprocess

/// A web hook receiver that checks signatures with `standardwebhooks`, the public library of the standard, in Python.
///
/// It answers 204 to what is signed as it should be, 401 to all else, and keeps the bodies it took.
public struct WebhookReceiver: Sendable {
    public static let needs = "python3 with pip and the package standardwebhooks from PyPI are needed"

    private let secret: String
    private let folder: TemporaryFolder

    public init(secret: String, folder: TemporaryFolder) {
        self.secret = secret
        self.folder = folder
    }

    /// Installs the library into the folder; false where it cannot be had.
    public func install() async -> Bool {
        let arguments = ["-m", "pip", "install", "--quiet", "--target", folder.file("python"), "standardwebhooks"]
        let result = try? await Subprocess.run(
            .name("python3"), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        return result?.terminationStatus.isSuccess == true
    }

    /// Runs `body` with the address of the receiver.
    public func run(_ body: (_ url: String) async throws -> Void) async throws {
        let script = try folder.write(Self.script, to: "receiver.py")
        let arguments = [script, folder.file("python"), secret, folder.file("received.jsonl")]
        try await withProgram("python3", arguments) { receiver in
            try await body("http://127.0.0.1:\(try await receiver.firstLine())/in")
        }
    }

    /// The bodies that were signed as they should be, in order.
    public var bodies: [String] {
        (folder.read("received.jsonl") ?? "").split(separator: "\n").map(String.init)
    }

    private static let script = """
        import http.server, sys
        sys.path.insert(0, sys.argv[1])
        from standardwebhooks import Webhook

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    Webhook(sys.argv[2]).verify(body, dict(self.headers))
                    with open(sys.argv[3], "ab") as file:
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
