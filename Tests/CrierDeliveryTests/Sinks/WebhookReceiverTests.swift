import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Subprocess
import Testing

@Suite("Web hooks over the wire")
struct WebhookReceiverTests {
    let transport = CurlTransport(environment: [:])

    @Test("A receiver that checks signatures with the standard's own library accepts them, and no others")
    func standardLibrary() async throws {
        let folder = try TemporaryFolder()
        guard await Receiver.install(in: folder) else {
            return print("skipped: python3 with pip and the package standardwebhooks is needed")
        }
        let script = try folder.write("receiver.py", Receiver.script)
        try await withProgram("python3", [script, folder.path, "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"]) { receiver in
            let url = "http://127.0.0.1:\(try await receiver.firstLine())/in"
            let content = NotificationContent(
                title: hostileTitle, body: "干货 👩🏽‍🚀", userInfo: ["items": [["id": "1"]]], url: "https://gank.io/")
            for secret in ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", "bmV3\nMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"] {
                #expect(await sink(url, secret: secret).deliver(.of(content)) == .delivered())
            }
            for secret in ["whsec_YW5vdGhlciBzZWNyZXQgb2YgYW5vdGhlcg==", nil] {
                let outcome = await sink(url, secret: secret).deliver(.of(content))
                #expect(outcome == .failed(reason: "127.0.0.1 answered HTTP 401"))
            }
        }
        await transport.shutdown()
    }

    @Test("What is sent arrives, and redirects are not followed")
    func arrives() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/in", [ScriptedAnswer(status: 307, fields: ["Location": origin.url("/other")])])
        let outcome = await sink(origin.url("/in"), secret: "s").deliver(.titled("Hi"))
        #expect(outcome == .failed(reason: "127.0.0.1 answered HTTP 307: redirects are not followed"))
        let requests = await origin.requests
        #expect(requests.map(\.target) == ["/in"])
        let request = try #require(requests.first)
        #expect(request.method == "POST" && request.fields["Content-Type"] == "application/json")
        #expect(request.fields["Content-Length"] == "\(request.body.count)")
        #expect(request.fields["webhook-signature"]?.hasPrefix("v1,") == true)
        await origin.stop()
        await transport.shutdown()
    }

    @Test("A receiver that is gone, or silent, is a failure")
    func noAnswer() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/in", [.hang])
        let silent = await sink(origin.url("/in"), timeout: .milliseconds(50)).deliver(.titled("Hi"))
        #expect(silent == .failed(reason: "127.0.0.1 did not answer in time"))
        await origin.stop()
        // Nobody listens on port 1; a port that was listened on stays so while another test starts a program.
        let gone = await sink("http://127.0.0.1:1/in").deliver(.titled("Hi"))
        #expect(gone == .failed(reason: "no connection to 127.0.0.1"))
        await transport.shutdown()
    }

    private func sink(_ url: String, secret: String? = nil, timeout: Duration = .seconds(60)) -> WebhookSink {
        let provider: (@Sendable () async throws -> String)? = secret.map { secret in { @Sendable in secret } }
        return WebhookSink(
            url: url, secret: provider, userAgent: "crier/test", timeout: timeout, transport: transport,
            clock: SystemClock())
    }
}

/// A web hook receiver in Python.
private enum Receiver {
    /// Its arguments are the folder of its packages and the secret; it writes its port.
    static let script = """
        import http.server, sys
        sys.path.insert(0, sys.argv[1])
        from standardwebhooks import Webhook

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    message = Webhook(sys.argv[2]).verify(body, dict(self.headers))
                    status = 204 if message["data"]["identifier"] == "gank:1" else 422
                except Exception:
                    status = 401
                self.send_response(status)
                self.end_headers()

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()

        """

    static func install(in folder: TemporaryFolder) async -> Bool {
        let arguments = ["-m", "pip", "install", "--quiet", "--target", folder.path, "standardwebhooks"]
        let result = try? await Subprocess.run(
            .name("python3"), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        return result?.terminationStatus.isSuccess == true
    }
}
