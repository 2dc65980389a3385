import CrierHTTP
import CrierNotifications
import CrierProcess

import struct Foundation.Date

/// A chat with a Telegram bot (core.telegram.org/bots/api, "sendMessage", "editMessageText", "HTML style").
///
/// The receipt is the message's number: a later notification of the same identifier edits it.
public struct Telegram: WebService {
    public let name = "Telegram"
    public let secrets: [SecretName: SecretProvider]
    public var address: String? { url }
    private let url: String
    private let chat: String

    /// A message has at most 4096 characters, counted without its markup.
    public let capabilities = SinkCapabilities(
        [.subtitle, .link, .markup, .sound, .urgency, .replacement], bodyLimit: 3_500)

    /// - Parameters:
    ///   - url: of the Bot API.
    ///   - chat: the number of a chat, or `@` and the name of a public channel.
    ///   - token: the bot's.
    public init(url: String = "https://api.telegram.org", chat: String, token: @escaping SecretProvider) {
        self.url = url
        self.chat = chat
        self.secrets = [.token: token]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let content = attempt.request.content
        let parts = MessageParts(content)
        let title = "<b>\(Self.escaped(parts.title, to: 250))</b>"
        let heading = parts.link.map { "<a href=\"\(Escaping.html.escape($0))\">\(title)</a>" } ?? title
        let text = Self.escaped(parts.text, to: 3_500)
        let token = try secrets.line(.token, "token").percentEncoded.replacing("%3A", with: ":")
        let replaced = attempt.receipt.flatMap(Int64.init)
        let isSilent = content.interruptionLevel == .passive || content.sound == nil
        var message: [String: UserInfoValue?] = [
            "chat_id": .string(chat), "text": .string(text.isEmpty ? heading : "\(heading)\n\(text)"),
            "parse_mode": "HTML", "link_preview_options": ["is_disabled": .bool(parts.link == nil)],
        ]
        let bot = url.appending(path: "/bot\(token)")
        guard let replaced else {
            message["disable_notification"] = .bool(isSilent)
            return .json(bot + "/sendMessage", message)
        }
        message["message_id"] = .number(Double(replaced))
        return .json(bot + "/editMessageText", message)
    }

    private static func escaped(_ text: String, to limit: Int) -> String {
        func size(_ text: String) -> Int {
            text.utf16.count + 2 * text.utf8.count { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "!") }
        }
        let text = MessageParts.cut(text, to: limit, size: size)
        return NamelessText.callingNobody(Escaping.html.escape(text))
    }

    /// Each chat counts its messages, and of a chat with one person each bot: a token begins with the bot's number.
    public func place(_ secrets: [SecretName: String]) -> String? {
        let bot = HarmlessText.line(secrets[.token] ?? "").prefix { $0 != ":" }
        return "\(bot) \(chat)"
    }

    /// `{"ok":false,"error_code":429,"description":"…","parameters":{"retry_after":35}}`
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        let description = answer.text("description")
        if answer.isAccepted(where: answer.value("ok") == .bool(true)) {
            // Of an edit it may say no more than that it was made.
            let number = answer.number(answer.value("result", "message_id")).flatMap { Int64(exactly: $0) }
            return .delivered(receipt: number.map(String.init) ?? answer.replaced)
        }
        // What was to be written is there already.
        if description?.contains("message is not modified") ?? false { return .delivered(receipt: answer.replaced) }
        // Of a group that has become a supergroup.
        let other = answer.number(answer.value("parameters", "migrate_to_chat_id")).flatMap { Int64(exactly: $0) }
        let said = other.map { "the chat is \($0) now: \(description ?? "")" } ?? description
        return answer.failure(said, after: answer.number(answer.value("parameters", "retry_after")))
    }

    public func hasLostReceipt(_ answer: WebAnswer) -> Bool {
        let description = answer.text("description") ?? ""
        let refusals = ["message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID"]
        return refusals.contains { description.contains($0) }
    }
}
