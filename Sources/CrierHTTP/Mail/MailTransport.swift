import protocol Foundation.LocalizedError

/// Hands one message to a mail server (RFC 5321).
public protocol MailTransport: Sendable {
    /// Returns when the server has taken the message: for every recipient but those that it gives.
    ///
    /// Cancelling the task ends the attempt. Where the whole message is with the server already, its answer is waited for half
    /// a second more. Whether it takes the mail is unknown then, as where the connection breaks there: handed in again, the
    /// mail may come twice, which is better than never.
    func send(_ mail: Mail) async throws(MailError) -> [MailRefusal]
}

/// A message in its envelope, and the server that is to take it.
public struct Mail: Sendable, Hashable {
    public var server: MailServer
    /// An address without a name, such as `crier@example.org`.
    public var sender: String
    public var recipients: [String]
    /// RFC 5322, with lines that end in CR LF. What SMTP does to lines of a single dot is the transport's.
    public var message: [UInt8]
    /// Whether a recipient whom the server puts off (4xx) puts off the mail. One whom it refuses does not.
    public var waitsForAll: Bool
    /// For all until the whole message is with the server.
    public var limit: Duration
    /// For the server's answer to the whole message, behind that: it may have a lot to look at, and a mail that it takes late
    /// would be handed in twice (RFC 5321 §4.5.3.2.6).
    public var answerLimit: Duration

    public init(
        server: MailServer, sender: String, recipients: [String], message: [UInt8], waitsForAll: Bool = true,
        limit: Duration = Self.usualLimit, answerLimit: Duration = Self.usualAnswerLimit
    ) {
        self.server = server
        self.sender = sender
        self.recipients = recipients
        self.message = message
        self.waitsForAll = waitsForAll
        self.limit = limit
        self.answerLimit = answerLimit
    }

    public static let usualLimit = Duration.seconds(60)
    public static let usualAnswerLimit = Duration.seconds(240)
}

/// A recipient whom a server does not take a message for.
public struct MailRefusal: Sendable, Hashable, CustomStringConvertible {
    public let recipient: String
    /// In the server's words.
    public let reply: String

    public var description: String { "\(recipient): \(reply)" }

    /// Whether the server may take it later (4xx).
    public var isForNow: Bool { reply.hasPrefix("4") }

    public init(recipient: String, reply: String) {
        self.recipient = recipient
        self.reply = reply
    }
}

/// Where mail is handed in, and how.
public struct MailServer: Sendable, Hashable {
    public enum Security: String, Sendable, Hashable, CaseIterable {
        /// TLS from the first byte (RFC 8314).
        case tls
        /// In the clear until STARTTLS (RFC 3207), which must work.
        case startTLS = "starttls"
        /// Never encrypted.
        case none
    }

    /// The server's address: `smtp://HOST:PORT` or `smtps://HOST:PORT`.
    public var url: String
    public var security: Security
    /// The user's name; nil hands in without a login.
    public var user: String?
    public var password: String?

    public init(url: String, security: Security, user: String? = nil, password: String? = nil) {
        self.url = url
        self.security = security
        self.user = user
        self.password = password
    }
}

/// Why a server has not taken a message.
public struct MailError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// The server has no address, or there is no connection to it.
        case unreachable
        /// What answers is no mail server, the connection broke, or libcurl cannot be used.
        case broken
        /// No encryption, or a certificate that is not trusted.
        case tls
        case timeout
        /// The connection broke when the whole message was with the server, which may have taken it.
        case unanswered
        /// The server does not know the user, or not with this password.
        case login
        /// The server said 4xx: later perhaps.
        case temporary
        /// The server said 4xx of a recipient, and would take the mail for others.
        case putOff
        /// The server said 5xx to who hands in, sends or gets the mail: to every mail, until that is mended.
        case refused
        /// The server said 5xx to the message: never.
        case permanent
        case cancelled
        /// Not to be handed in at all: an address with a line break in it.
        case invalid
    }

    public let kind: Kind
    public let description: String
    public var errorDescription: String? { description }
    /// Whether the server said so of the recipients alone.
    public let isOfRecipients: Bool

    public init(_ kind: Kind, _ description: String, isOfRecipients: Bool = false) {
        self.kind = kind
        self.description = description
        self.isOfRecipients = isOfRecipients
    }
}
