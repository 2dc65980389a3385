import CrierHTTP
import CrierNotifications

import struct Foundation.Date
import struct Foundation.URL

/// Raises notifications by calling a web hook as Standard Webhooks says: a signed POST of JSON.
///
/// The receiver sees the same `webhook-id` and the same body at every attempt of a request, and a new
/// `webhook-timestamp`. Only the host of the address appears in outcomes and descriptions: the rest of it, the fields
/// and the secret may be what keeps strangers out.
public struct WebhookSink: NotificationSink {
    private let url: String
    private let host: String
    private let secret: (@Sendable () async throws -> String)?
    private let fields: HTTPFields
    private let limits: HTTPLimits
    private let transport: any HTTPTransport
    private let clock: any WallClock

    /// - Parameters:
    ///   - url: an absolute http or https URL.
    ///   - secret: gives `whsec_` and base64, or a text; several lines are several secrets. Asked at every attempt, so
    ///     that a new secret counts without a restart. Nil, or an empty answer, sends unsigned.
    ///   - fields: header fields to send besides.
    ///   - timeout: for the whole call; 15…30 s are usual.
    public init(
        url: String, secret: (@Sendable () async throws -> String)? = nil, fields: HTTPFields = HTTPFields(),
        userAgent: String, timeout: Duration = .seconds(20), transport: any HTTPTransport, clock: any WallClock
    ) {
        self.url = url
        self.host = PlainText.line(URL(string: url)?.host ?? "the web hook")
        self.secret = secret
        var fields = fields
        fields["User-Agent"] = userAgent
        fields["Content-Type"] = "application/json"
        self.fields = fields
        var limits = HTTPLimits.webhook
        limits.total = timeout
        limits.connect = min(limits.connect, timeout)
        self.limits = limits
        self.transport = transport
        self.clock = clock
    }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        guard let body = WebhookPayload.bytes(of: attempt) else {
            return .rejected(reason: "the notification's identifier is too long for a web hook")
        }
        let secrets: String
        do { secrets = try await secret?() ?? "" } catch {
            return .failed(reason: "the secret of the web hook at \(host) cannot be read")
        }
        let now = clock.now
        var request = HTTPRequest(
            method: "POST", url: url, fields: fields, body: body, limits: limits, followsRedirects: false)
        do {
            try sign(&request, id: "msg_" + IdentifierToken.token(of: attempt.idempotencyKey), now: now, secrets)
        } catch {
            return .failed(reason: "the secret of the web hook at \(host) is not base64 after whsec_")
        }
        do {
            let response = try await transport.send(request)
            return WebhookOutcome.outcome(of: response, host: host, now: clock.now)
        } catch {
            return WebhookOutcome.outcome(of: error, host: host)
        }
    }

    /// The id is a token because the signed text separates its parts by full stops.
    private func sign(
        _ request: inout HTTPRequest, id: String, now: Date, _ secrets: String
    ) throws(WebhookSignature.InvalidSecret) {
        let timestamp = Int(now.timeIntervalSince1970.rounded(.down))
        request.fields["webhook-id"] = id
        request.fields["webhook-timestamp"] = String(timestamp)
        request.fields["webhook-signature"] = try WebhookSignature.header(
            id: id, timestamp: timestamp, body: request.body ?? [], secrets: secrets)
    }
}

extension WebhookSink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the host alone.
    public var description: String { "web hook at \(host)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
