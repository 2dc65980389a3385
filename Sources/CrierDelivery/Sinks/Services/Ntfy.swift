import CrierHTTP
import CrierNotifications

import struct Foundation.Date

/// A topic of ntfy (docs.ntfy.sh/publish, "Publish as JSON").
public struct Ntfy: WebService {
    public let name = "ntfy"
    public let secrets: [SecretName: SecretProvider]
    public var address: String? { url }
    private let url: String
    private let topic: String

    /// ntfy takes 4096 bytes; a longer message becomes a file to download.
    public let capabilities = SinkCapabilities(
        [.subtitle, .link, .images, .sound, .urgency, .buttons, .replacement], bodyLimit: 4_096)

    /// - Parameter token: an access token (`tk_…`); nil for a topic that is open.
    public init(url: String = "https://ntfy.sh", topic: String, token: SecretProvider? = nil) {
        self.url = url
        self.topic = topic
        self.secrets = token.map { [.token: $0] } ?? [:]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let content = attempt.request.content
        let parts = MessageParts(content)
        let token = secrets[.token] == nil ? nil : try secrets.line(.token, "token")
        let text = MessageParts.cut(parts.text.isEmpty ? parts.title : parts.text, to: 4_096, size: \.utf8.count)
        let open = parts.link.map { UserInfoValue.array([["action": "view", "label": "Open", "url": .string($0)]]) }
        var message: [String: UserInfoValue?] = [
            "topic": .string(topic), "title": .string(MessageParts.cut(parts.title, to: 250, size: \.utf8.count)),
            "message": .string(text),
            "priority": .number(
                content.interruptionLevel.choose(
                    passive: 2, active: content.sound == nil ? 2 : 3, timeSensitive: 4, critical: 5)),
            "click": parts.link.map(UserInfoValue.string), "attach": parts.image.map(UserInfoValue.string),
            "actions": open,
            // Since ntfy 2.16 a message of the same sequence takes the place of the earlier one.
            "sequence_id": .string(IdentifierToken.token(of: attempt.request.identifier)),
        ]
        func call() -> HTTPRequest { .json(url.appending(path: "/"), token: token, message) }
        var excess: Int { (call().body?.count ?? 0) - Self.callLimit }
        // What the address leads to besides is the least of it.
        for member in ["actions", "attach"] where excess > 0 { message[member] = nil as UserInfoValue? }
        if excess > 0 {
            let size = { JSONWriter.bytes(.string($0)).count }
            message["message"] = .string(MessageParts.cut(text, to: size(text) - excess, size: size))
        }
        return call()
    }

    /// ntfy reads twice its limit for a message, in bytes of JSON: a quote is two of them.
    private static let callLimit = 8_192

    /// `{"id":"…",…}`, or `{"code":42901,"http":429,"error":"…"}`
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        let receipt = answer.text("id")
        return answer.isAccepted(where: receipt != nil)
            ? .delivered(receipt: receipt) : answer.failure(answer.text("error"))
    }
}
