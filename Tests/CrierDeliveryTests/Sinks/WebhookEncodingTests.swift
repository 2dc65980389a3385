import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("Encodings of web hooks")
struct WebhookEncodingTests {
    let transport = ScriptedTransport()
    let url = "https://hooks.example/in"

    @Test("Plain JSON is the notification alone")
    func json() async throws {
        let (type, body) = try await call(.json)
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        #expect(type == "application/json" && object?["title"] as? String == "干 & \"x\"")
        #expect(object?["data"] == nil)
    }

    @Test("A form holds the texts that are there")
    func form() async throws {
        let (type, body) = try await call(.form)
        #expect(type == "application/x-www-form-urlencoded")
        let items = try #require(URLComponents(string: "?" + body)?.queryItems)
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        #expect(values["title"] == "干 & \"x\"" && values["source"] == "gank 1" && values["level"] == "active")
        #expect(values["subtitle"] == nil)
    }

    @Test("A form has whole addresses and identifiers, or none")
    func longForm() async throws {
        let identifier = String(repeating: "i", count: 2_500)
        let content = NotificationContent(
            title: String(repeating: "t", count: 3_000), url: "https://gank.io/" + String(repeating: "a", count: 2_000))
        transport.script(url, status: 204)
        let sink = WebSink(
            Webhook(url: url, secret: { "s" }, encoding: .form), userAgent: "crier/test", transport: transport,
            clock: ManualClock(now: madeAt))
        let attempt = DeliveryAttempt(
            request: NotificationRequest(identifier: identifier, content: content), number: 1, created: madeAt)
        #expect(await sink.deliver(attempt) == .delivered())
        let body = String(decoding: transport.requests.first?.body ?? [], as: UTF8.self)
        #expect(body.contains("identifier=\(identifier)&") && !body.contains("url="))
        #expect(body.contains("title=t") && body.utf8.count < 5_000)
        let short = NotificationContent(title: "t", url: "https://gank.io/?a=1&b=2")
        #expect(await sink.deliver(.of(short)) == .delivered())
        let form = String(decoding: transport.requests.last?.body ?? [], as: UTF8.self)
        let items = URLComponents(string: "?" + form)?.queryItems
        #expect(items?.first { $0.name == "url" }?.value == short.url, "\(form)")
    }

    @Test("CloudEvents has its attributes")
    func cloudEvents() async throws {
        let (type, body) = try await call(.cloudEvents)
        let event = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        #expect(type == "application/cloudevents+json" && event["specversion"] as? String == "1.0")
        #expect((event["id"] as? String)?.count == 64 && event["source"] as? String == "/crier/gank%201")
        #expect(event["type"] as? String == "io.github.crier.notification")
        #expect(event["time"] as? String == "2026-11-21T08:30:00Z")
        #expect((event["data"] as? [String: Any])?["title"] as? String == "干 & \"x\"")
    }

    @Test("A template's values are escaped for its media type, and it is signed too")
    func template() async throws {
        let template = try NotificationTemplate("{\"text\":\"{{title}}\"}", escaping: .json)
        let (type, body) = try await call(.template(template, contentType: "application/json"))
        #expect(type == "application/json" && body == #"{"text":"干 & \"x\""}"#)
        #expect(transport.requests.first?.fields["webhook-signature"]?.hasPrefix("v1,") == true)
    }

    private func call(_ encoding: Webhook.Encoding) async throws -> (String?, String) {
        transport.script(url, status: 204)
        let sink = WebSink(
            Webhook(url: url, secret: { "s" }, encoding: encoding), userAgent: "crier/test", transport: transport,
            clock: ManualClock(now: madeAt))
        let content = NotificationContent(title: "干 & \"x\"", threadIdentifier: "gank 1")
        #expect(await sink.deliver(.of(content)) == .delivered())
        let request = try #require(transport.requests.first)
        return (request.fields["Content-Type"], String(decoding: request.body ?? [], as: UTF8.self))
    }
}
