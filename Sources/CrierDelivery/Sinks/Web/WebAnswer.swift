import CrierHTTP
import CrierNotifications

import struct Foundation.Data
import struct Foundation.Date
import class Foundation.JSONDecoder
import struct Foundation.URL

/// An answer of a service as its ``WebService`` sees it.
public struct WebAnswer: Sendable {
    public let response: HTTPResponse
    /// Who answered, for words.
    public let host: String
    /// When it came.
    public let now: Date
    /// The receipt of the message that the call was to replace; nil where it was a new one.
    public let replaced: String?
    /// The body, if it is JSON and no longer than that of any service.
    public let json: UserInfoValue
    /// In bytes. To look up keys that are made of marks takes the square of their length.
    private static let longestJSON = 65_536

    /// - Parameter replaced: The receipt of the message that the call was to replace; nil where it was a new one.
    public init(_ response: HTTPResponse, host: String, now: Date, replaced: String? = nil) {
        self.response = response
        self.host = host
        self.now = now
        self.replaced = replaced
        let isRead = response.body.count <= Self.longestJSON
        json = (isRead ? try? JSONDecoder().decode(UserInfoValue.self, from: Data(response.body)) : nil) ?? .null
    }

    var isAccepted: Bool { 200...299 ~= response.status }

    /// Whether a service that names what it makes, or says that it did, has taken the message. Any page that stands before it,
    /// such as one to log in, is answered with 2xx as well; but none is without a body, as 204 says. Of a body that broke off
    /// nobody knows what it said: the message may have been taken.
    ///
    /// - Parameter isNamed: Whether the body says what was made.
    func isAccepted(where isNamed: Bool) -> Bool {
        isAccepted && (isNamed || response.status == 204 || !response.hasWholeBody)
    }

    /// Whether it may be a page of whoever stands before a web hook, where nobody does at home.
    var isPageOfStranger: Bool {
        guard let host = URL(string: response.url)?.host, !NetworkAddress.isPrivate(host: host) else { return false }
        return HTTPResponse.isPageOfStranger(response.body, from: response.url)
    }

    /// Whether the body is `ok` and no more, as incoming webhooks answer; or JSON that says so, as of Rocket.Chat, which takes the
    /// same calls.
    var saysOK: Bool {
        if value("ok") == .bool(true) || value("success") == .bool(true) { return true }
        return HarmlessText.line(String(decoding: response.body.prefix(20), as: UTF8.self)).lowercased() == "ok"
    }

    /// What is at the end of a path of keys.
    func value(_ path: String...) -> UserInfoValue {
        path.reduce(json) { value, key in
            if case .object(let members) = value { members[key] ?? .null } else { .null }
        }
    }

    func text(_ key: String) -> String? {
        if case .string(let text) = value(key) { HarmlessText.cut(HarmlessText.line(text), to: 200) } else { nil }
    }

    func number(_ value: UserInfoValue) -> Double? {
        if case .number(let number) = value { number } else { nil }
    }

    /// A failure with what the service says about it and how long it wants to be left alone.
    func failure(_ saying: String?, after seconds: Double? = nil) -> DeliveryOutcome {
        let asked = seconds.flatMap { $0.isFinite && $0 >= 0 ? Duration.seconds(min($0, 86_400)) : nil }
        let silence =
            HTTPRedirect.isStatus(response.status)
            ? ": redirects are not followed" : isAccepted ? ", and does not say that it took the message" : ""
        let saying = saying.map { ": \($0)" } ?? silence
        let reason = "\(host) answered HTTP \(response.status)\(saying)"
        let retryAfter = asked ?? RetryAfter.parse(response.fields, now: now)
        return isOfGateway
            ? .unanswered(reason: reason, retryAfter: retryAfter) : .failed(reason: reason, retryAfter: retryAfter)
    }

    /// Whether it is of somebody before the receiver, who has passed the call on and got no answer that makes sense, or none in
    /// time (RFC 9110 §15.6.3, §15.6.5; of Cloudflare 520 and 524): the receiver may have taken it.
    private var isOfGateway: Bool { [502, 504, 520, 524].contains(response.status) }
}
