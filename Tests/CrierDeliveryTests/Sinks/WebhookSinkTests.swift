import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("Web hooks")
struct WebhookSinkTests {
    let transport = ScriptedTransport()
    let clock = ManualClock(now: madeAt)
    let url = "https://hooks.example/in/path-secret?token=query-secret"

    @Test("A call is a POST of type, timestamp and data, with the three fields of the standard")
    func call() async throws {
        transport.script(url, status: 204)
        let sink = sink(secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", fields: ["X-Team": "cats"])
        #expect(await sink.deliver(.titled("干货")) == .delivered())
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST" && request.url == url && !request.followsRedirects)
        #expect(request.limits.total == .seconds(20))
        #expect(request.fields["Content-Type"] == "application/json")
        #expect(request.fields["User-Agent"] == "crier/test")
        #expect(request.fields["X-Team"] == "cats")
        #expect(request.fields["webhook-timestamp"] == "1795249800")
        let id = try #require(request.fields["webhook-id"])
        #expect(id.hasPrefix("msg_") && !id.contains("."))
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        #expect(body.hasPrefix(#"{"type":"notification","timestamp":"2026-11-21T08:30:00Z","data":{"identifier":"#))
        #expect(body.contains(#""title":"干货""#))
        let signature = try #require(request.fields["webhook-signature"])
        #expect(signature.hasPrefix("v1,") && signature.count == 47)
    }

    @Test("Who calls may be said otherwise")
    func userAgent() async {
        transport.script(url, status: 204)
        _ = await sink(secret: nil, fields: ["user-agent": "cats/1"]).deliver(.titled("T"))
        #expect(transport.requests.map { $0.fields["User-Agent"] } == ["cats/1"])
    }

    @Test("Every attempt of a request has the same id and body, a new time and a new signature")
    func attempts() async throws {
        transport.script(url, status: 500)
        let sink = sink(secret: "text")
        let items: UserInfoValue = [["z": "1", "y": "2", "x": "3"]]
        let content = NotificationContent(title: "T", userInfo: ["b": "1", "a": "2", "items": items])
        for number in 1...3 {
            _ = await sink.deliver(.of(content, number: number))
            clock.advance(by: 300)
        }
        _ = await sink.deliver(.of(content, identifier: "gank:2"))
        let requests = transport.requests
        #expect(Set(requests.map(\.body)).count == 2)
        #expect(Set(requests.prefix(3).map(\.body)).count == 1)
        let identifiers = requests.map { $0.fields["webhook-id"] }
        #expect(Set(identifiers).count == 2)
        #expect(Set(identifiers.prefix(3)).count == 1)
        let times = requests.map { $0.fields["webhook-timestamp"] }
        #expect(times == ["1795249800", "1795250100", "1795250400", "1795250700"])
        #expect(Set(requests.map { $0.fields["webhook-signature"] }).count == 4)
    }

    @Test("A further revision of a request is another message under the same identifier")
    func revisions() async throws {
        transport.script(url, status: 204)
        let request = NotificationRequest(identifier: "news/a", content: NotificationContent(title: "T"))
        for revision in [1, 2, 2, 3] {
            _ = await sink(secret: "s").deliver(
                DeliveryAttempt(request: request, revision: revision, created: madeAt))
        }
        let ids = transport.requests.map { $0.fields["webhook-id"] ?? "" }
        #expect(Set(ids).count == 3 && ids[1] == ids[2])
        let bodies = transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies.allSatisfy { $0.contains(#""identifier":"news/a""#) })
        #expect(bodies[1].contains(#""revision":2"#) && bodies[1] == bodies[2])
    }

    @Test("A secret in several lines signs once for each; none signs nothing")
    func secrets() async throws {
        transport.script(url, status: 200)
        _ = await sink(secret: "whsec_bmV3\nold secret\n").deliver(.titled("T"))
        _ = await sink(secret: "whsec_bmV3\n").deliver(.titled("T"))
        _ = await sink(secret: " \n").deliver(.titled("T"))
        _ = await sink(secret: nil, fields: ["webhook-signature": "forged"]).deliver(.titled("T"))
        let signatures = transport.requests.map { $0.fields["webhook-signature"]?.split(separator: " ") ?? [] }
        #expect(signatures.map(\.count) == [2, 1, 0, 0])
        #expect(signatures[0][0] == signatures[1][0])
    }

    @Test(
        "Only 2xx is delivered",
        arguments: [
            (200, "delivered"), (202, "delivered"), (204, "delivered"), (301, "failed"), (304, "failed"),
            (307, "failed"), (400, "failed"), (401, "failed"), (403, "failed"), (404, "failed"), (410, "gone"),
            (413, "rejected"), (422, "failed"), (429, "failed"), (500, "failed"), (503, "failed"),
            (502, "unanswered"), (504, "unanswered"), (520, "unanswered"), (524, "unanswered"),
        ])
    func statuses(status: Int, expected: String) async {
        transport.script(url, status: status, fields: ["Location": "https://other.example/"])
        #expect(await sink().deliver(.titled("T")).name == expected)
        #expect(transport.requests.count == 1)
    }

    @Test("Retry-After counts, in seconds or as a date", arguments: [413, 429, 502, 503, 504])
    func retryAfter(status: Int) async {
        let date = "Sat, 21 Nov 2026 08:31:30 GMT"
        for (value, expected) in [("120", Duration.seconds(120)), (date, .seconds(90)), ("soon", nil)] {
            transport.script(url, status: status, fields: ["Retry-After": value])
            switch await sink().deliver(.titled("T")) {
            case .failed(_, let asked), .unanswered(_, let asked): #expect(asked == expected)
            case let outcome: Issue.record("not a failure: \(outcome)")
            }
        }
    }

    @Test("No connection is a failure, the receiver may have taken a call without an answer, and a stopped one waits")
    func noAnswer() async {
        let refusals: [HTTPError.Kind] = [.badURL, .badRequest, .file, .refusedAddress]
        for kind in [HTTPError.Kind.resolve, .connect, .tls] {
            for (hasReachedHost, name) in [(false, "unreached"), (true, "failed")] {
                transport.script(url, [.failure(HTTPError(kind, "no \(url)", hasReachedHost: hasReachedHost))])
                #expect(await sink().deliver(.titled("T")).name == name)
            }
        }
        for kind in refusals + [.timeout, .tooLarge, .badResponse, .transfer] {
            transport.script(url, [.failure(HTTPError(kind, "cannot reach \(url)"))])
            #expect(await sink().deliver(.titled("T")).name == (refusals.contains(kind) ? "failed" : "unanswered"))
        }
        transport.script(url, [.failure(HTTPError(.cancelled, "cancelled"))])
        #expect(await sink().deliver(.titled("T")).name == "deferred")
    }

    @Test(
        "A page says nothing of a web hook where anybody may have answered",
        arguments: [
            ("http://hooks.example/in", "unanswered"), ("http://nas.local/in", "delivered"),
            ("http://127.0.0.1:9/in", "delivered"),
            ("https://hooks.example/in", "delivered"),
        ])
    func page(_ address: String, _ name: String) async {
        for (body, expected) in [
            ("\n<!DOCTYPE html><title>Log in</title>", name), ("{\"a\": \"<html>\"}", "delivered"),
        ] {
            transport.script(address, body: body)
            let sink = WebSink(Webhook(url: address), userAgent: "crier/test", transport: transport, clock: clock)
            #expect(await sink.deliver(.titled("T")).name == expected)
        }
    }

    @Test("Secrets show in no outcome and no description")
    func leaks() async {
        struct Leak: Error, CustomStringConvertible { let description = "said key-secret" }
        var said: [String] = []
        let sink = sink(secret: "key-secret", fields: ["Authorization": "Bearer field-secret"])
        for answer: ScriptedTransport.Answer in [
            .failure(HTTPError(.transfer, "at \(url) with key-secret")),
            .success(HTTPResponse(status: 400, body: Array("key-secret".utf8), url: url)),
            .success(HTTPResponse(status: 302, fields: ["Location": url], url: url)),
        ] {
            transport.script(url, [answer])
            said.append("\(await sink.deliver(.titled("T")))")
        }
        let unreadable = WebSink(
            Webhook(url: url, secret: { throw Leak() }), userAgent: "crier/test", transport: transport, clock: clock)
        said.append("\(await unreadable.deliver(.titled("T")))")
        said.append("\(await self.sink(secret: "whsec_key-secret!").deliver(.titled("T")))")
        var dumped = ""
        dump(sink, to: &dumped)
        said += [dumped, "\(sink)", String(reflecting: sink)]
        for text in said {
            #expect(!text.contains("-secret"), "\(text)")
            #expect(text.contains("hooks.example"))
        }
    }

    @Test("An address and fields that are secret are looked up at each attempt")
    func secretCall() async throws {
        transport.script(url, status: 200)
        var fields: [String: SecretProvider] = ["Authorization": { "Bearer a" }, "webhook-signature": { "v1,forged" }]
        func sink() -> WebSink {
            WebSink(
                Webhook(url: { [url] in url }, secret: { "s" }), secretFields: fields, userAgent: "crier/test",
                transport: transport, clock: clock)
        }
        #expect(await sink().deliver(.titled("T")) == .delivered())
        let request = try #require(transport.requests.first)
        #expect(request.url == url && request.fields["Authorization"] == "Bearer a")
        #expect(request.fields["webhook-signature"] != "v1,forged")
        #expect(await sink().destination?.contains(url) == true)
        #expect(sink().description == "web hook", "the address is secret")
        fields["Authorization"] = { throw CancellationError() }
        #expect(
            await sink().deliver(.titled("T"))
                == .failed(reason: "the field Authorization of web hook cannot be read"))
        #expect(transport.requests.count == 1)
    }

    /// A transport may read files, which are there.
    @Test("Nothing but http is called", arguments: ["file:///etc/hostname", "ftp://hooks.example/", "hooks.example"])
    func otherSchemes(_ url: String) async {
        transport.script(url, status: 200)
        let sink = WebSink(Webhook(url: url), userAgent: "crier/test", transport: transport, clock: clock)
        let outcome = await sink.deliver(.titled("T"))
        #expect(outcome == .failed(reason: "the address is not an http or https URL"))
        #expect(transport.requests.isEmpty)
    }

    @Test("Nothing of outsiders reaches the receiver raw")
    func hostile() async throws {
        transport.script(url, status: 200)
        let content = NotificationContent(
            title: hostileTitle, body: hostileTitle, userInfo: ["items": [["title": .string(hostileTitle)]]])
        _ = await sink().deliver(.of(content, identifier: "\r\nX-Evil: 1 \(hostileTitle)"))
        let request = try #require(transport.requests.first)
        #expect(String(decoding: request.body ?? [], as: UTF8.self).isHarmless)
        #expect(request.fields["webhook-id"]?.count == 68)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any])
        let data = try #require(body["data"] as? [String: Any])
        #expect(data["title"] as? String == "--help [31mred]8;;http://evil.example/link]8;; $(id) %s <script>gpj !")
        #expect((data["items"] as? [[String: String]])?.first?["title"] == hostileTitle)
    }

    private func sink(secret: String? = nil, fields: HTTPFields = [:]) -> WebSink {
        let provider: (@Sendable () async throws -> String)? = secret.map { secret in { @Sendable in secret } }
        return WebSink(
            Webhook(url: url, secret: provider), fields: fields, userAgent: "crier/test", transport: transport,
            clock: clock)
    }
}

extension DeliveryOutcome {
    /// What the receipt calls the message, without the place that it belongs to.
    var message: String? {
        guard case .delivered(let receipt?, _) = self else { return nil }
        return receipt.components(separatedBy: " at ").first
    }

    var name: String {
        switch self {
        case .delivered: "delivered"
        case .deferred: "deferred"
        case .failed: "failed"
        case .unreached: "unreached"
        case .unanswered: "unanswered"
        case .putOff: "put off"
        case .rejected: "rejected"
        case .gone: "gone"
        }
    }
}
