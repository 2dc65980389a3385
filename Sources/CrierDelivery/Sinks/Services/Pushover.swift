import CrierHTTP
import CrierNotifications

import struct Foundation.Date

/// A user or group of Pushover (pushover.net/api).
public struct Pushover: WebService {
    public let name = "Pushover"
    public let secrets: [SecretName: SecretProvider]
    public var address: String? { url }
    private let url: String

    /// 1024 characters of a message, 250 of a title, 512 of a URL.
    public let capabilities = SinkCapabilities([.subtitle, .link, .sound, .urgency], bodyLimit: Self.textLimit)

    private static let textLimit = 1_024

    /// - Parameters:
    ///   - token: the application's.
    ///   - user: the key of the user or group.
    public init(
        url: String = "https://api.pushover.net", token: @escaping SecretProvider, user: @escaping SecretProvider
    ) {
        self.url = url
        self.secrets = [.token: token, .user: user]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let content = attempt.request.content
        let parts = MessageParts(content)
        let link = parts.link.flatMap { $0.utf8.count <= 512 ? $0 : nil }
        let priority = content.interruptionLevel.choose(passive: -1, active: 0, timeSensitive: 1, critical: 2)
        // A longer one stands behind the text, where it fits into the message.
        let behind = link == nil ? parts.link.flatMap { $0.utf16.count <= Self.textLimit ? $0 : nil } : nil
        let room = Self.textLimit - (behind.map { $0.utf16.count + 1 } ?? 0)
        let text = MessageParts.cut(parts.text.isEmpty && behind == nil ? parts.title : parts.text, to: room)
        var message: [String: UserInfoValue?] = [
            "token": .string(try secrets.line(.token, "token")), "user": .string(try secrets.line(.user, "user key")),
            "title": .string(MessageParts.cut(parts.title, to: 250)),
            "message": .string([text, behind ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")),
            "priority": .number(Double(priority)), "url": link.map(UserInfoValue.string),
            "timestamp": .number(attempt.created.timeIntervalSince1970.rounded(.down)),
            "sound": content.sound == nil ? "none" : nil,
        ]
        if priority == 2 {
            // Repeated every minute until somebody has seen it, for an hour.
            message["retry"] = .number(60)
            message["expire"] = .number(3_600)
        }
        return .json(url.appending(path: "/1/messages.json"), message)
    }

    /// `{"status":1,"request":"…"}`, or `{"user":"invalid","errors":["user identifier is invalid"],"status":0}`; 429 is the month's quota, with the time of
    /// its end in a field.
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        if answer.isAccepted(where: answer.value("status") == .number(1)) {
            return .delivered(receipt: answer.text("request"))
        }
        var said: String?
        if case .array(let errors) = answer.value("errors"), case .string(let first)? = errors.first {
            said = HarmlessText.cut(HarmlessText.line(first), to: 200)
        }
        let reset =
            answer.response.status == 429 ? answer.response.fields["X-Limit-App-Reset"].flatMap(Double.init) : nil
        return answer.failure(said, after: reset.map { max(0, $0 - answer.now.timeIntervalSince1970) })
    }
}
