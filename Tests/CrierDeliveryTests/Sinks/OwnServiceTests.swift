import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

/// A web service that a program knows and Crier does not.
@Suite struct OwnServiceTests {
    @Test func aMessageThatCannotBeReplacedIsSentAnewAsTheSameRevision() async throws {
        let transport = ScriptedTransport()
        transport.script("https://board.example/cards/7", status: 404)
        transport.script("https://board.example/cards")
        let sink = WebSink(Board(), userAgent: "test", transport: transport, clock: ManualClock())
        let attempt = DeliveryAttempt(
            request: NotificationRequest(identifier: "a", content: NotificationContent(title: "A")), revision: 3,
            created: Date(timeIntervalSince1970: 1_700_000_000), receipt: "7")
        #expect(await sink.deliver(attempt) == .delivered())
        #expect(transport.requests.map(\.url) == ["https://board.example/cards/7", "https://board.example/cards"])
        #expect(transport.requests.map { $0.fields["Idempotency-Key"] } == ["a 3", "a 3"])
    }

    @Test func whatItMakesOfAnAnswerIsKnownWithoutACall() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let lost = HTTPResponse(
            status: 404, fields: [:], body: Array(#"{"error":"no card"}"#.utf8), url: "https://board.example/cards/7")
        let answer = WebAnswer(lost, host: "board.example", now: now, replaced: "7")
        #expect(Board().hasLostReceipt(answer))
        #expect(answer.json == ["error": "no card"] && answer.replaced == "7")
        #expect(WebAnswer(lost, host: "board.example", now: now).replaced == nil)
    }

    @Test func aCallMayHoldTheDocumentOfANotificationOrATextOfItsOwn() throws {
        let attempt = DeliveryAttempt(
            request: NotificationRequest(identifier: "a", content: NotificationContent(title: "A & B")),
            created: Date(timeIntervalSince1970: 1_700_000_000))
        let line = String(decoding: NotificationDocument(attempt).line, as: UTF8.self)
        #expect(line.hasPrefix(#"{"identifier":"a","source":"","title":"A & B","#) && line.hasSuffix("}\n"))
        let template = try NotificationTemplate("{{title}}{{nosuch}} of {{date}}", escaping: .html)
        #expect(template.render(attempt) == "A &amp; B of 2023-11-14T22:13:20Z")
    }
}

private struct Board: WebService {
    let name = "board"
    let address: String? = "https://board.example"
    let capabilities = SinkCapabilities()

    func call(for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date) throws(WebCallProblem)
        -> HTTPRequest
    {
        let card = attempt.receipt.map { "/\($0)" } ?? ""
        let key = attempt.idempotencyKey.replacing("\0", with: " ")
        return HTTPRequest(
            method: "PUT", url: "https://board.example/cards\(card)", fields: ["Idempotency-Key": key])
    }

    func hasLostReceipt(_ answer: WebAnswer) -> Bool { answer.response.status == 404 }
}
