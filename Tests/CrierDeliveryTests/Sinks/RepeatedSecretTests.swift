import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Testing

/// Services and servers that repeat the secrets that they were sent, which other sinks would tell of.
@Suite struct RepeatedSecretTests {
    private static let refusal = "no login-sesame, open-sesame7 or open-s"

    @Test func noServiceHasASecretShown() async throws {
        let transport = CurlTransport(environment: [:])
        let origin = try await ScriptedOrigin()
        let members = ["description", "message", "error", "errorDescription"].map { "\"\($0)\":\"\(Self.refusal)\"," }
        let json = "{\(members.joined())\"errors\":[\"\(Self.refusal)\"],\"ok\":false}"
        let url = origin.url("")
        let token: SecretProvider = { "open-sesame7" }
        let hook: SecretProvider = { url + "/open-sesame7" }
        let services: [any WebService] = [
            Telegram(url: url, chat: "1", token: token), Matrix(url: url, room: "!r:m", token: token),
            Gotify(url: url, token: token), Ntfy(url: url, topic: "t", token: token), Discord(url: hook),
            Pushover(url: url, token: token, user: token), Slack(url: hook), Mattermost(url: hook),
        ]
        for service in services {
            let body = service is Slack ? Self.refusal : json
            await origin.handle { _ in ScriptedAnswer(status: 400, body: body) }
            let sink = WebSink(
                service, secretFields: ["X-Login": { "Basic login-sesame" }], userAgent: "crier/test",
                transport: transport, clock: SystemClock())
            let outcome = await sink.deliver(.titled("x"))
            let reason = "127.0.0.1 answered HTTP 400: no …, … or …"
            #expect(outcome == .failed(reason: reason), "\(service.name)")
        }
        await origin.stop()
        await transport.shutdown()
    }

    @Test func aReceiptStaysAsItIs() async throws {
        let transport = ScriptedTransport()
        let answer = #"{"status":1,"request":"open-sesame"}"#
        transport.script("https://pushover.example/1/messages.json", body: answer)
        let sink = WebSink(
            Pushover(url: "https://pushover.example", token: { "open-sesame" }, user: { "u" }), userAgent: "crier/test",
            transport: transport, clock: ManualClock())
        #expect(await sink.deliver(.titled("x")).message == "open-sesame")
    }

    @Test func noMailServerHasAPasswordShown() async throws {
        let server = MailServer(url: "smtp://127.0.0.1", security: .none, user: "me")
        for (error, outcome) in [
            (MailError(.login, "no open-sesame"), DeliveryOutcome.failed(reason: "no …")),
            (MailError(.permanent, "no b3Blbi1zZXNhbWU="), .rejected(reason: "no …")),
            (MailError(.putOff, "no AG1lAG9wZW4tc2VzYW1l"), .putOff(reason: "no …")),
        ] {
            let sink = EmailSink(
                server: server, password: { "open-sesame" },
                envelope: EmailSink.Envelope(sender: "a@e.example", recipients: ["b@e.example"]),
                transport: RefusingServer(error: error))
            #expect(await sink.deliver(.titled("x")) == outcome)
        }
    }
}

private struct RefusingServer: MailTransport {
    let error: MailError

    func send(_ mail: Mail) async throws(MailError) -> [MailRefusal] { throw error }
}
