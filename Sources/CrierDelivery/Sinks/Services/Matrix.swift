import CrierHTTP
import CrierNotifications
import CrierProcess

import struct Foundation.Date

/// A room of Matrix (Client-Server API v1.11, "PUT …/send/{eventType}/{txnId}", "m.room.message").
///
/// The transaction's id is the notification's, so that a repeated attempt makes no second message. The receipt is the
/// first event: each later notification of the same identifier replaces it ("Event replacements").
public struct Matrix: WebService {
    public let name = "Matrix"
    public let secrets: [SecretName: SecretProvider]
    public var address: String? { url }
    private let url: String
    private let room: String

    public let capabilities = SinkCapabilities(
        [.subtitle, .link, .markup, .urgency, .replacement], bodyLimit: Self.textLimit)

    /// Bytes of an event's HTML: an event has 65,536 ("Size limits"), and one that replaces another says everything four times.
    private static let textLimit = 13_000

    /// - Parameters:
    ///   - url: of the homeserver.
    ///   - room: its identifier, such as `!abc:example.org`; the token's user must have joined it.
    ///   - token: an access token.
    public init(url: String, room: String, token: @escaping SecretProvider) {
        self.url = url
        self.room = room
        self.secrets = [.token: token]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let message = message(of: attempt.request.content)
        var event = message
        var transaction = IdentifierToken.token(of: attempt.idempotencyKey)
        if let replaced = attempt.receipt {
            event["m.new_content"] = .object(message)
            // Whom the first has called is not called again ("User and room mentions").
            event["m.mentions"] = [:]
            event["m.relates_to"] = ["rel_type": "m.replace", "event_id": .string(replaced)]
            // Another event than the first, and the same one at each attempt of this request.
            transaction += ".\(attempt.created.milliseconds)"
        }
        let path = "/_matrix/client/v3/rooms/\(room.percentEncoded)/send/m.room.message/\(transaction)"
        return .json(
            url.appending(path: path), method: "PUT", token: try secrets.line(.token, "token"), event.mapValues { $0 })
    }

    private func message(of content: NotificationContent) -> [String: UserInfoValue] {
        let parts = MessageParts(content)
        let title = HarmlessText.cut(parts.title, to: 500)
        let html = { Escaping.html.escape($0) }
        let text = MessageParts.cut(parts.text, to: Self.textLimit, size: { JSONWriter.bytes(.string(html($0))).count })
        let name = parts.link.map { "<a href=\"\(html($0))\">\(html(title))</a>" } ?? html(title)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { html(String($0)) }
        let plain = [title, text, parts.link ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
        return [
            // A notice makes no sound by the default push rules.
            "msgtype": content.interruptionLevel == .passive ? "m.notice" : "m.text",
            "body": .string(plain), "format": "org.matrix.custom.html",
            "formatted_body": .string(
                (["<strong>\(name)</strong>"] + (text.isEmpty ? [] : lines)).joined(separator: "<br>")),
            // Said, so that no name in the text calls anybody.
            "m.mentions": content.interruptionLevel == .critical ? ["room": .bool(true)] : [:],
        ]
    }

    /// An event replaces one of its own room only ("Validity of replacement events").
    public func place(_ secrets: [SecretName: String]) -> String? { room }

    /// `{"errcode":"M_LIMIT_EXCEEDED","error":"…","retry_after_ms":2000}`
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        // What replaces an event cannot be replaced itself ("Validity of replacement events").
        let event = answer.text("event_id")
        if answer.isAccepted(where: event != nil) { return .delivered(receipt: answer.replaced ?? event) }
        let asked = answer.number(answer.value("retry_after_ms")).map { $0 / 1000 }
        let said = [answer.text("errcode"), answer.text("error")].compactMap { $0 }.joined(separator: ": ")
        if answer.text("errcode") == "M_TOO_LARGE" { return .rejected(reason: "\(answer.host) says \(said)") }
        return answer.failure(said.isEmpty ? nil : said, after: asked)
    }
}
