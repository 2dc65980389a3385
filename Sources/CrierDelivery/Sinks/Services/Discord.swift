import CrierHTTP
import CrierNotifications

import struct Foundation.Date
import struct Foundation.URLComponents

/// A webhook of Discord (discord.com/developers/docs/resources/webhook, "Execute Webhook").
///
/// The receipt is the message's number: a later notification of the same identifier edits it.
public struct Discord: WebService {
    public let name = "Discord"
    public let secrets: [SecretName: SecretProvider]
    public let address: String? = nil
    public let capabilities = SinkCapabilities(
        [.subtitle, .link, .images, .markup, .sound, .urgency, .grouping, .replacement], bodyLimit: 4_096)

    /// - Parameter url: gives the address of the webhook, which is the key to it.
    public init(url: @escaping SecretProvider) {
        secrets = [.url: url]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let content = attempt.request.content
        let parts = MessageParts(content)
        func markdown(_ text: String, _ limit: Int) -> UserInfoValue {
            .string(MessageParts.cut(text, to: limit) { Escaping.markdown.escape($0) })
        }
        var embed: [String: UserInfoValue] = [
            "title": markdown(parts.title, 256), "timestamp": .string(attempt.created.ISO8601Format()),
        ]
        // An embed with an address of a network at home is refused as a whole: that stands in the text, for whoever can go there.
        let link = parts.link.flatMap { Self.isPublic($0) ? $0 : nil }
        let plain = link == nil ? parts.link.map { "\n<\($0)>" } ?? "" : ""
        let text = MessageParts.cut(parts.text, to: 4_096 - plain.utf16.count) { Escaping.markdown.escape($0) } + plain
        if !text.isEmpty { embed["description"] = .string(text) }
        if let link { embed["url"] = .string(link) }
        if let image = parts.image, Self.isPublic(image) { embed["image"] = ["url": .string(image)] }
        let source = HarmlessText.cut(HarmlessText.line(content.threadIdentifier), to: 200)
        if !source.isEmpty { embed["footer"] = ["text": .string(source)] }
        let isSilent = content.interruptionLevel == .passive || content.sound == nil
        let number = attempt.receipt.flatMap(UInt64.init)
        let address = try secrets.address().split(separator: "?", maxSplits: 1).map(String.init)
        let message: [String: UserInfoValue?] = [
            "embeds": [.object(embed)], "allowed_mentions": ["parse": []],
            // SUPPRESS_NOTIFICATIONS, which an edit cannot set ("Edit Webhook Message").
            "flags": isSilent && number == nil ? .number(4_096) : nil,
        ]
        let query = address.count > 1 ? "?wait=true&" + address[1] : "?wait=true"
        guard let number else { return .json(address[0] + query, message) }
        return .json(
            address[0].appending(path: "/messages/\(number)") + query, method: "PATCH", message)
    }

    /// Whether a host has a name of several parts, or a number.
    private static func isPublic(_ url: String) -> Bool {
        URLComponents(string: url)?.host?.contains { $0 == "." || $0 == ":" } ?? false
    }

    /// `{"message":"You are being rate limited.","retry_after":0.65,"global":false}`
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        let number = answer.text("id")
        if answer.isAccepted(where: number != nil) { return .delivered(receipt: number ?? answer.replaced) }
        // 10015: unknown webhook.
        if answer.number(answer.value("code")) == 10_015 {
            return .gone(reason: "\(answer.host) knows no such webhook")
        }
        let said = answer.text("message") ?? (Self.refusesEmbed(answer) ? "it does not take this embed" : nil)
        return answer.failure(said, after: answer.number(answer.value("retry_after")))
    }

    public func refusesPicture(_ answer: WebAnswer) -> Bool { Self.refusesEmbed(answer) }

    /// Which addresses it does not take is said nowhere.
    public func refusesLink(_ answer: WebAnswer) -> Bool { Self.refusesEmbed(answer) }

    /// `{"embeds":["0"]}`, or 50035: invalid form body. Nothing is posted then.
    private static func refusesEmbed(_ answer: WebAnswer) -> Bool {
        answer.response.status == 400
            && (answer.value("embeds") != .null || answer.number(answer.value("code")) == 50_035)
    }

    /// 10008: unknown message.
    public func hasLostReceipt(_ answer: WebAnswer) -> Bool { answer.number(answer.value("code")) == 10_008 }
}
