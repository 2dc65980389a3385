import CrierHTTP
import CrierTesting
import Testing

@Suite("What is handed to a mail server")
struct MailTransportTests {
    @Test(
        "An address that would say something else to the server is not said",
        arguments: ["", "a b@e.org", "<a@e.org", "a@e.org>", "a@e.org\r\nDATA"])
    func unsafeAddress(_ address: String) async {
        for (sender, recipients) in [(address, ["b@e.org"]), ("a@e.org", ["b@e.org", address])] {
            let server = MailServer(url: "smtp://127.0.0.1:1", security: .none)
            let mail = Mail(server: server, sender: sender, recipients: recipients, message: [])
            let error = await #expect(throws: MailError.self) {
                try await CurlMailTransport(environment: [:]).send(mail)
            }
            #expect(error?.kind == .invalid)
        }
    }

    @Test(
        "A greeting that is a refusal is told as one",
        arguments: [
            ("421 4.3.2 too busy", MailError.Kind.temporary, "the mail server says not now: 421 4.3.2 too busy"),
            ("554 5.7.1 not for you", .refused, "the mail server refuses this client: 554 5.7.1 not for you"),
            ("310 elsewhere", .broken, "no mail server answers at SERVER: 310 elsewhere"),
        ])
    func greetings(greeting: String, kind: MailError.Kind, words: String) async throws {
        let address = try GreetingMailServer.start(greeting)
        let error = await failure(at: address.replacing("//", with: "//me:secret@"), limit: .seconds(60))
        let told = words.replacing("SERVER", with: address.dropFirst("smtp://".count))
        #expect(error?.kind == kind && error?.description == told, "\(String(describing: error))")
    }

    @Test("A server that offers encryption and has none to give is told of in its words")
    func brokenEncryption() async throws {
        let replies = ["250-test\r\n250 STARTTLS", "454 4.7.0 TLS not available"]
        let address = try GreetingMailServer.start("220 test", then: replies)
        let error = await failure(at: address, security: .startTLS, limit: .seconds(60))
        #expect(error?.kind == .tls)
        #expect(error?.description == "the mail server cannot encrypt now: 454 4.7.0 TLS not available")
    }

    @Test("A server that says nothing at all may be one for smtps")
    func silence() async throws {
        let address = try GreetingMailServer.start(nil)
        let silent = await failure(at: address, limit: .milliseconds(300))
        #expect(silent?.kind == .timeout)
        #expect(silent?.description == "the mail server said nothing in time: it may be a port for smtps://")
        let encrypted = try GreetingMailServer.start(nil).replacing("smtp:", with: "smtps:")
        for address in [encrypted, try GreetingMailServer.start("SSH-2.0-server")] {
            let other = await failure(at: address, limit: .milliseconds(300))
            #expect(other?.description == "the mail server did not answer in time", "\(address)")
        }
    }

    private func failure(
        at url: String, security: MailServer.Security = .none, limit: Duration
    ) async -> MailError? {
        let mail = Mail(
            server: MailServer(url: url, security: security), sender: "a@e.org", recipients: ["b@e.org"],
            message: Array("Subject: x\r\n\r\nx\r\n".utf8), limit: limit)
        return await #expect(throws: MailError.self) { try await CurlMailTransport(environment: [:]).send(mail) }
    }
}
