import CrierHTTP
import CrierNotifications

import struct Foundation.Date

/// An incoming webhook of Slack (docs.slack.dev, "Sending messages using incoming webhooks").
///
/// The message is made of rich-text blocks, whose texts are never read as markup; `text`, which is shown where blocks are
/// not, is escaped.
public struct Slack: WebService {
    public let name = "Slack"
    public let secrets: [SecretName: SecretProvider]
    public let address: String? = nil
    public let capabilities = SinkCapabilities([.subtitle, .link, .images, .markup], bodyLimit: 3_000)

    /// - Parameter url: gives the address of the webhook, which is the key to it.
    public init(url: @escaping SecretProvider) {
        secrets = [.url: url]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let parts = MessageParts(attempt.request.content)
        let title = HarmlessText.cut(parts.title, to: 250)
        var heading: [String: UserInfoValue] = ["type": "text", "text": .string(title), "style": ["bold": .bool(true)]]
        if let link = parts.link {
            heading["type"] = "link"
            heading["url"] = .string(link)
        }
        var sections: [UserInfoValue] = [["type": "rich_text_section", "elements": [.object(heading)]]]
        let text = MessageParts.cut(parts.text, to: 3_000)
        if !text.isEmpty {
            sections.append([
                "type": "rich_text_section", "elements": [["type": "text", "text": .string("\n" + text)]],
            ])
        }
        var blocks: [UserInfoValue] = [["type": "rich_text", "elements": .array(sections)]]
        if let image = parts.image {
            blocks.append(["type": "image", "image_url": .string(image), "alt_text": .string(title)])
        }
        return .json(
            try secrets.address(),
            [
                "text": .string(Escaping.slack.escape(title, keepsLines: false)), "blocks": .array(blocks),
                "unfurl_links": .bool(false), "unfurl_media": .bool(false),
            ])
    }

    /// A word in plain text, `ok` or such as `invalid_payload`; 410 is an archived channel, and 404 a webhook that was removed.
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        if answer.isAccepted(where: answer.saysOK) { return .delivered() }
        if answer.isAccepted { return answer.failure(answer.text("error")) }
        if answer.response.status == 404 { return .gone(reason: "\(answer.host) knows no such webhook") }
        guard 400...499 ~= answer.response.status, answer.response.status != 410 else { return nil }
        return answer.failure(word(of: answer))
    }

    /// What it says of blocks that it cannot show, such as of a picture that it cannot fetch: nothing is posted then.
    public func refusesPicture(_ answer: WebAnswer) -> Bool {
        answer.response.status == 400 && ["invalid_blocks", "invalid_attachments"].contains(word(of: answer))
    }

    private func word(of answer: WebAnswer) -> String {
        HarmlessText.line(String(decoding: answer.response.body.prefix(100), as: UTF8.self))
    }
}
