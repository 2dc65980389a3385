import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Testing

/// What services that name what they make, or say that they did, answer behind 2xx, over the wire.
@Suite struct ServiceAnswerTests {
    private static let taken = [
        "Telegram": #"{"ok":true,"result":{"message_id":77}}"#, "Matrix": #"{"event_id":"$ev"}"#,
        "Gotify": #"{"id":25,"appid":5,"message":"x"}"#, "ntfy": #"{"id":"abc","event":"message"}"#,
        "Discord": #"{"id":"1234"}"#, "Pushover": #"{"status":1,"request":"r-1"}"#, "Slack": "ok", "Mattermost": "ok\n",
    ]

    @Test(
        "What does not name a message is none: a page before the service, another program's answer, none at all",
        arguments: [
            "<!DOCTYPE html><title>Log in</title>", "ok", "", "{}", "[]", "null", #"{"ok":false,"status":0}"#,
            #"{"id":null,"event_id":{},"ok":"true"}"#,
        ])
    func notTaken(_ body: String) async throws {
        for (name, outcome) in try await outcomes({ _ in ScriptedAnswer(body: body) }) {
            if body == "ok", Self.taken[name]?.hasPrefix(body) == true { continue }
            let reason = "127.0.0.1 answered HTTP 200, and does not say that it took the message"
            #expect(outcome == .failed(reason: reason), "\(name)")
        }
    }

    @Test("What the service says against a message is told, also behind 200")
    func refusal() async throws {
        let words = ["description", "message", "error", "errorDescription"].map { #""\#($0)":"no","# }.joined()
        let body = #"{\#(words)"errors":["no"],"ok":false}"#
        for (name, outcome) in try await outcomes({ _ in ScriptedAnswer(body: body) }) {
            #expect(outcome == .failed(reason: "127.0.0.1 answered HTTP 200: no"), "\(name)")
        }
    }

    @Test("That a redirect is not followed is told")
    func redirect() async throws {
        for (name, outcome) in try await outcomes({ _ in ScriptedAnswer(status: 302, fields: ["Location": "/x"]) }) {
            let reason = "127.0.0.1 answered HTTP 302: redirects are not followed"
            #expect(outcome == .failed(reason: reason), "\(name)")
        }
    }

    @Test("What names a message is one, and so may be an answer that breaks off")
    func taken() async throws {
        for (name, outcome) in try await outcomes({ ScriptedAnswer(body: Self.taken[$0] ?? "") }) {
            #expect(outcome.name == "delivered", "\(name): \(outcome)")
        }
        for length in ["Content-Length: 100\r\n\r\n{\"o", "Transfer-Encoding: chunked\r\n\r\n5\r\n<html\r\n"] {
            for (name, outcome) in try await outcomes({ _ in .raw("HTTP/1.1 200 OK\r\n\(length)") }) {
                #expect(outcome.name == "delivered", "\(name): \(outcome)")
            }
        }
    }

    @Test(
        "Others than Slack that take its calls say in JSON that they did",
        arguments: [#"{"ok":true}"#, #"{"success":true}"#])
    func compatible(_ body: String) async throws {
        let outcomes = try await outcomes { _ in ScriptedAnswer(body: body) }
        #expect(outcomes["Slack"] == .delivered() && outcomes["Mattermost"] == .delivered())
    }

    @Test("An answer that has no body by itself is no page before the service, and names nothing")
    func noContent() async throws {
        let outcomes = try await outcomes { _ in .raw("HTTP/1.1 204 No Content\r\n\r\n") }
        for (name, outcome) in outcomes { #expect(outcome == .delivered(), "\(name)") }
        let edited = try await self.outcomes(receipt: "77") { _ in .raw("HTTP/1.1 204 No Content\r\n\r\n") }
        #expect(edited["Discord"]?.message == "77")
    }

    @Test("An edit of which no more is said than that it was made, or not even that, keeps the message")
    func edits() async throws {
        let edited = try await outcomes(receipt: "77") { _ in ScriptedAnswer(body: #"{"ok":true,"result":true}"#) }
        #expect(edited["Telegram"]?.message == "77")
        let broken = try await outcomes(receipt: "77") { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{") }
        for name in ["Telegram", "Discord", "Matrix"] { #expect(broken[name]?.message == "77", "\(name)") }
    }

    /// One call of each service, answered by its name.
    private func outcomes(
        receipt: String? = nil, _ answer: @escaping @Sendable (String) -> ScriptedAnswer
    ) async throws -> [String: DeliveryOutcome] {
        let transport = CurlTransport(environment: [:])
        let origin = try await ScriptedOrigin()
        let url = origin.url("")
        let services: [any WebService] = [
            Telegram(url: url, chat: "1", token: { "1:t" }), Matrix(url: url, room: "!r:m", token: { "t" }),
            Gotify(url: url, token: { "t" }), Ntfy(url: url, topic: "t"), Discord(url: { url + "/hook" }),
            Pushover(url: url, token: { "t" }, user: { "u" }), Slack(url: { url + "/hook" }),
            Mattermost(url: { url + "/hook" }),
        ]
        var outcomes: [String: DeliveryOutcome] = [:]
        for service in services {
            let name = service.name
            await origin.handle { _ in answer(name) }
            let sink = WebSink(service, userAgent: "crier/test", transport: transport, clock: SystemClock())
            outcomes[name] = await sink.deliver(.of(NotificationContent(title: "x"), receipt: receipt))
        }
        await origin.stop()
        await transport.shutdown()
        return outcomes
    }
}
