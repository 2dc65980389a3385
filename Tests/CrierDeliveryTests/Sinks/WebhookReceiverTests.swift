import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("Web hooks over the wire")
struct WebhookReceiverTests {
    let transport = CurlTransport(environment: [:])

    @Test(
        "A receiver that checks signatures with the standard's own library accepts them, and no others",
        .enabled(if: WebhookReceiver.isPossible, "\(PythonTools.needs)"))
    func standardLibrary() async throws {
        let folder = try TemporaryFolder()
        let receiver = WebhookReceiver(secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", folder: folder)
        try await receiver.run { url in
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

    @Test("What leads nowhere is no redirect", arguments: [300, 304, 305, 306, 399])
    func leadsNowhere(_ status: Int) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/in", [ScriptedAnswer(status: status, fields: ["Location": origin.url("/other")])])
        let outcome = await sink(origin.url("/in")).deliver(.titled("Hi"))
        let words = "127.0.0.1 answered HTTP \(status): it does not say that it took the notification"
        #expect(outcome == .failed(reason: words))
        #expect(await origin.requests.count == 1)
        await origin.stop()
        await transport.shutdown()
    }

    @Test("A receiver that is gone, or silent, is a failure")
    func noAnswer() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/in", [.hang])
        let silent = await sink(origin.url("/in"), timeout: .milliseconds(50)).deliver(.titled("Hi"))
        #expect(silent == .unanswered(reason: "127.0.0.1 did not answer in time"))
        // The handshake is not answered, so that nothing was sent.
        let unmet = "https://127.0.0.1:\(origin.port)/in"
        #expect(
            await sink(unmet, timeout: .milliseconds(50)).deliver(.titled("Hi"))
                == .failed(reason: "no connection to 127.0.0.1"))
        await origin.script("/in", [ScriptedAnswer(steps: [.close])])
        let closed = await sink(origin.url("/in")).deliver(.titled("Hi"))
        #expect(closed == .unanswered(reason: "127.0.0.1 gave no answer that can be read"))
        await origin.stop()
        // Nobody listens on port 1; a port that was listened on stays so while another test starts a program.
        let gone = await sink("http://127.0.0.1:1/in").deliver(.titled("Hi"))
        #expect(gone == .failed(reason: "no connection to 127.0.0.1"))
        await transport.shutdown()
    }

    @Test("What a proxy refuses was not sent", arguments: ["http", "https"])
    func proxy(_ scheme: String) async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(status: 407) }
        let behind = CurlTransport(environment: ["all_proxy": "http://me:s3cret@127.0.0.1:\(proxy.port)"])
        let outcome = await sink("\(scheme)://hook.example/in", behind).deliver(.titled("Hi"))
        let words = "no connection to hook.example: the proxy \(proxy.url("")) answers HTTP 407"
        #expect(outcome == .failed(reason: words))
        await proxy.stop()
        let gone = CurlTransport(environment: ["all_proxy": "http://me:s3cret@proxy.invalid:1"])
        #expect(
            await sink("\(scheme)://hook.example/in", gone).deliver(.titled("Hi"))
                == .failed(reason: "no connection to hook.example: could not find the proxy http://proxy.invalid:1"))
        await behind.shutdown()
        await gone.shutdown()
    }

    @Test("A call that was accepted is accepted also when the rest of the answer never comes")
    func brokenOff() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/in", [.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")])
        #expect(await sink(origin.url("/in")).deliver(.titled("Hi")) == .delivered())
        await origin.script("/in", [.raw("HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nhalf")])
        #expect(await sink(origin.url("/in")).deliver(.titled("Hi")) != .delivered())
        await origin.script("/in", [.raw("HTTP/1.1 200 OK\r\nContent-Le")])
        #expect(await sink(origin.url("/in")).deliver(.titled("Hi")) != .delivered())
        await origin.stop()
        await transport.shutdown()
    }

    private func sink(
        _ url: String, _ transport: CurlTransport? = nil, secret: String? = nil, timeout: Duration = .seconds(60)
    ) -> WebSink {
        let provider: (@Sendable () async throws -> String)? = secret.map { secret in { @Sendable in secret } }
        return WebSink(
            Webhook(url: url, secret: provider), userAgent: "crier/test", timeout: timeout,
            transport: transport ?? self.transport, clock: SystemClock())
    }
}
