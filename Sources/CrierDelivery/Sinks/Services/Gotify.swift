import CrierHTTP
import CrierNotifications

import struct Foundation.Date

/// An application of a Gotify server (gotify.net/docs/pushmsg, "msgextras").
public struct Gotify: WebService {
    public let name = "Gotify"
    public let secrets: [SecretName: SecretProvider]
    public var address: String? { url }
    private let url: String

    public let capabilities = SinkCapabilities([.subtitle, .link, .images, .sound, .urgency])

    /// - Parameter token: the application's.
    public init(url: String, token: @escaping SecretProvider) {
        self.url = url
        self.secrets = [.token: token]
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let content = attempt.request.content
        let parts = MessageParts(content)
        var notification: [String: UserInfoValue] = [:]
        if let link = parts.link { notification["click"] = ["url": .string(link)] }
        if let image = parts.image { notification["bigImageUrl"] = .string(image) }
        var request = HTTPRequest.json(
            url.appending(path: "/message"),
            [
                "title": .string(HarmlessText.cut(parts.title, to: 250)),
                "message": .string(HarmlessText.cut(parts.text.isEmpty ? parts.title : parts.text, to: 8_000)),
                // Below 4 the application makes no sound.
                "priority": .number(
                    content.interruptionLevel.choose(
                        passive: 2, active: content.sound == nil ? 3 : 5, timeSensitive: 7, critical: 10)),
                "extras": [
                    "client::display": ["contentType": "text/plain"], "client::notification": .object(notification),
                ],
            ])
        request.fields["X-Gotify-Key"] = try secrets.line(.token, "token")
        return request
    }

    /// `{"id":25,…}`, or `{"error":"Unauthorized","errorCode":401,"errorDescription":"…"}`
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? {
        answer.isAccepted(where: answer.number(answer.value("id")) != nil)
            ? .delivered() : answer.failure(answer.text("errorDescription"))
    }
}
