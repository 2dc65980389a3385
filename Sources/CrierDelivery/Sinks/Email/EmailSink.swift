import CrierHTTP
import CrierNotifications
import CrierProcess

import struct Foundation.Data
import struct Foundation.URL

/// Raises notifications by mail (RFC 5322), in text and HTML, the mails of one source in one thread.
public struct EmailSink: NotificationSink {
    /// Whom mails come from and go to: addresses without names.
    public struct Envelope: Sendable, Hashable {
        public var sender: String
        public var recipients: [String]

        public init(sender: String, recipients: [String]) {
            self.sender = sender
            self.recipients = recipients
        }
    }

    private let server: MailServer
    private let password: SecretProvider?
    private let envelope: Envelope
    private let layout: MailLayout
    private let looks: DigestLooks
    private let transport: any MailTransport

    public let capabilities = SinkCapabilities([.subtitle, .link, .images, .markup, .urgency, .grouping])

    /// - Parameters:
    ///   - server: without its password.
    ///   - password: nil hands in without a login.
    ///   - layout: what subject and texts are, where it is not the usual.
    ///   - looks: the user's own templates for digests.
    public init(
        server: MailServer, password: SecretProvider? = nil, envelope: Envelope, layout: MailLayout = MailLayout(),
        looks: DigestLooks = DigestLooks(), transport: any MailTransport
    ) {
        self.server = server
        self.password = password
        self.envelope = envelope
        self.layout = layout
        self.looks = looks
        self.transport = transport
    }

    public var attemptLimit: Duration { Mail.usualLimit + Mail.usualAnswerLimit + .seconds(30) }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        // A line end would begin another field of the mail, or another command to the server.
        guard ([envelope.sender] + envelope.recipients).allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7f } })
        else { return .rejected(reason: "an address of the mail holds a control character") }
        var server = server
        do { server.password = try await password?() } catch {
            return SecretOutcome.outcome(of: error, secret: "the password for the mail server")
        }
        let secrets = server.secrets
        let message = MailMessage(attempt, from: envelope, layout, looks)
        // Another text is for all of them again.
        let placed = PlacedReceipt(place: attempt.idempotencyKey)
        let served = attempt.receipt.flatMap(placed.name)?.split(separator: " ").map(String.init) ?? []
        let recipients = envelope.recipients.filter { !served.contains($0) }
        if recipients.isEmpty, !served.isEmpty { return .delivered() }
        do {
            let refusals = try await transport.send(
                Mail(
                    server: server, sender: envelope.sender, recipients: recipients, message: message.bytes,
                    waitsForAll: attempt.number <= Self.attemptsForAll))
            if refusals.isEmpty { return .delivered() }
            let list = refusals.map(\.description).joined(separator: "; ")
            let remark = "not taken for " + Self.words(list, hiding: secrets)
            guard refusals.contains(where: \.isForNow) else { return .delivered(remark: remark) }
            let refused = Set(refusals.map(\.recipient))
            let taken = served + recipients.filter { !refused.contains($0) }
            return .putOff(reason: remark, receipt: placed.receipt(of: taken.joined(separator: " ")))
        } catch {
            let reason = Self.words(error.description, hiding: secrets)
            let receipt = served.isEmpty ? nil : attempt.receipt
            switch error.kind {
            case .cancelled: return .deferred(reason: "handing in the mail was stopped")
            // Some have it.
            case .permanent where receipt != nil: return .delivered(remark: reason)
            case .permanent: return .rejected(reason: reason)
            case .putOff: return .putOff(reason: reason, receipt: receipt)
            // A server that has taken the mail for others says this of the last ones.
            case .temporary where receipt != nil && error.isOfRecipients,
                .refused where receipt != nil && error.isOfRecipients:
                return .putOff(reason: reason, receipt: receipt)
            case .timeout, .unanswered: return .unanswered(reason: reason)
            case .unreachable where URL(string: server.url)?.host.map(NetworkAddress.isPrivate(host:)) == false:
                return .unreached(reason: reason)
            case .unreachable, .broken, .tls, .login, .temporary, .refused, .invalid: return .failed(reason: reason)
            }
        }
    }

    /// So many attempts wait for a recipient whom the server puts off, as servers do who have not seen a sender before. Then
    /// the others wait no longer, and those are tried on.
    private static let attemptsForAll = 2

    private static func words(_ text: String, hiding secrets: SentSecrets) -> String {
        HarmlessText.cut(secrets.hidden(in: HarmlessText.line(text)), to: 300)
    }
}

extension MailServer {
    /// As they are, and as the logins LOGIN and PLAIN (RFC 4616) send them.
    fileprivate var secrets: SentSecrets {
        guard let password else { return SentSecrets() }
        let logins = [password, "\0\(user ?? "")\0\(password)"].map { Data($0.utf8).base64EncodedString() }
        return SentSecrets([password] + logins)
    }
}

/// A user's own texts for mails.
public struct MailLayout: Sendable {
    /// Nil is the title.
    public var subject: NotificationTemplate?
    public var text: NotificationTemplate?
    /// Nil beside a text is a mail without HTML.
    public var html: NotificationTemplate?

    public init(
        subject: NotificationTemplate? = nil, text: NotificationTemplate? = nil, html: NotificationTemplate? = nil
    ) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}
