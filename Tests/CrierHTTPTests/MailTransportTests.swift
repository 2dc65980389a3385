import CrierHTTP
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
}
