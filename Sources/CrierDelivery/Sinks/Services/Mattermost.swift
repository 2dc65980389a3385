import CrierHTTP
import CrierNotifications

import struct Foundation.Date

/// An incoming webhook of Mattermost (docs.mattermost.com, "Incoming webhooks", "Message priority").
public struct Mattermost: WebService {
    public let name = "Mattermost"
    public let secrets: [SecretName: SecretProvider]
    public let address: String? = nil
    /// A post has at most 16383 characters.
    public let capabilities = SinkCapabilities([.subtitle, .link, .images, .markup, .urgency], bodyLimit: 15_000)

    /// - Parameter url: gives the address of the webhook, which is the key to it.
    public init(url: @escaping SecretProvider) {
        secrets = [.url: url]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let content = attempt.request.content
        let parts = MessageParts(content)
        // The title of an attachment is read as Markdown where it has no link, and only there; the fallback is, of which notifications
        // show the words.
        let markdown = MessageParts.cut(parts.title, to: 500) { MattermostText.markdown($0, keepsLines: false) }
        let title =
            parts.link == nil ? markdown : MessageParts.cut(parts.title, to: 500) { MattermostText.line($0) }
        let text = MessageParts.cut(parts.text, to: 15_000) { MattermostText.markdown($0) }
        var attachment: [String: UserInfoValue] = [
            "fallback": .string(markdown), "title": .string(title), "text": .string(text),
        ]
        if let link = parts.link { attachment["title_link"] = .string(link) }
        if let image = parts.image { attachment["image_url"] = .string(image) }
        let priority = content.interruptionLevel.choose(
            passive: nil, active: nil, timeSensitive: "important", critical: "urgent")
        return .json(
            try secrets.address(),
            [
                "attachments": [.object(attachment)],
                "priority": priority.map { UserInfoValue.object(["priority": .string($0)]) },
            ])
    }

    /// `ok` in plain text, or `{"id":"…","message":"…","status_code":400}`
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        answer.isAccepted(where: answer.saysOK) ? .delivered() : answer.failure(answer.text("message"))
    }
}
