import CrierHTTP
import CrierNotifications

import struct Foundation.Date

/// A web hook as Standard Webhooks says: a signed POST; and the same call with other bodies.
///
/// The receiver sees the same `webhook-id` and the same body at every attempt of a request, and a new
/// `webhook-timestamp`.
public struct Webhook: WebService {
    /// What the body is.
    public enum Encoding: Sendable {
        /// `{"type","timestamp","data"}` of Standard Webhooks.
        case standard
        /// The ``NotificationDocument`` itself.
        case json
        /// `application/x-www-form-urlencoded`: the texts of the document.
        case form
        /// CloudEvents 1.0 in JSON ("structured content mode").
        case cloudEvents
        /// The user's own.
        case template(NotificationTemplate, contentType: String)
    }

    public let name = "web hook"
    public let secrets: [SecretName: SecretProvider]
    public let address: String?
    private let encoding: Encoding

    public var capabilities: SinkCapabilities {
        switch encoding {
        case .form: SinkCapabilities([.subtitle, .link, .urgency, .grouping, .replacement])
        default:
            SinkCapabilities([.subtitle, .link, .images, .sound, .badge, .urgency, .grouping, .replacement, .data])
        }
    }

    /// - Parameters:
    ///   - url: an absolute http or https URL.
    ///   - secret: gives `whsec_` and base64, or a text; several lines are several secrets, which all sign: so a secret is
    ///     exchanged for a new one. Nil, or an empty answer, sends unsigned.
    public init(url: String, secret: SecretProvider? = nil, encoding: Encoding = .standard) {
        address = url
        secrets = secret.map { [.secret: $0] } ?? [:]
        self.encoding = encoding
    }

    /// One whose address is the key to it.
    ///
    /// - Parameters:
    ///   - url: gives an absolute http or https URL.
    ///   - secret: as of any other.
    public init(url: @escaping SecretProvider, secret: SecretProvider? = nil, encoding: Encoding = .standard) {
        address = nil
        secrets = [SecretName.url: url].merging(secret.map { [.secret: $0] } ?? [:]) { $1 }
        self.encoding = encoding
    }

    public func call(
        for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date
    ) throws(WebCallProblem) -> HTTPRequest {
        let url = if let address { address } else { try secrets.address() }
        guard let (body, contentType) = body(of: attempt) else {
            throw .notification("the notification's identifier is too long for a web hook")
        }
        // A token, because the signed text separates its parts by full stops.
        let id = "msg_" + IdentifierToken.token(of: attempt.idempotencyKey)
        let timestamp = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
        var fields: HTTPFields = [
            "Content-Type": contentType, "webhook-id": id, "webhook-timestamp": String(timestamp),
        ]
        do {
            fields["webhook-signature"] = try WebhookSignature.header(
                id: id, timestamp: timestamp, body: body, secrets: secrets[.secret] ?? "")
        } catch {
            throw .secret("what follows whsec_ is not base64 in the secret")
        }
        return HTTPRequest(method: "POST", url: url, fields: fields, body: body)
    }

    private func body(of attempt: DeliveryAttempt) -> (body: [UInt8], contentType: String)? {
        let json = "application/json"
        switch encoding {
        case .standard: return WebhookPayload.standard(attempt).map { ($0, json) }
        case .json: return WebhookPayload.plain(attempt).map { ($0, json) }
        case .cloudEvents: return WebhookPayload.cloudEvent(attempt).map { ($0, "application/cloudevents+json") }
        case .form: return (WebhookPayload.form(attempt), "application/x-www-form-urlencoded")
        case .template(let template, let contentType): return (Array(template.render(attempt).utf8), contentType)
        }
    }
}
