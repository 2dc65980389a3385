import CrierProcess

/// A sink that appends to a file.
public struct FileSinkSettings: Sendable, Hashable {
    /// Absolute, or beginning with `~/`.
    public var path: String

    public init(path: String) {
        self.path = path
    }
}

/// A sink that runs a program.
public struct ExecSinkSettings: Sendable, Hashable {
    public var command: [String]
    public var timeout: Duration

    public init(command: [String], timeout: Duration = .seconds(30)) {
        self.command = command
        self.timeout = timeout
    }
}

/// A sink that writes an Atom feed.
public struct FeedSinkSettings: Sendable, Hashable {
    /// Absolute, or beginning with `~/`.
    public var path: String
    public var title: String
    /// How many are kept.
    public var entries: Int

    public init(path: String, title: String = "Crier", entries: Int = 100) {
        self.path = path
        self.title = title
        self.entries = entries
    }
}

/// A sink that calls a chat or push service, each in its own way.
public enum ServiceSinkSettings: Sendable, Hashable {
    case ntfy(url: String, topic: String, token: SecretReference?)
    case gotify(url: String, token: SecretReference)
    case slack(url: SecretReference)
    case discord(url: SecretReference)
    case mattermost(url: SecretReference)
    case telegram(url: String, chat: String, token: SecretReference)
    case matrix(url: String, room: String, token: SecretReference)
    case pushover(url: String, token: SecretReference, user: SecretReference)

    public var kind: SinkKind {
        switch self {
        case .ntfy: .ntfy
        case .gotify: .gotify
        case .slack: .slack
        case .discord: .discord
        case .mattermost: .mattermost
        case .telegram: .telegram
        case .matrix: .matrix
        case .pushover: .pushover
        }
    }
}

/// A sink that sends mail.
public struct EmailSinkSettings: Sendable, Hashable {
    /// Of an address that begins with `smtp://`.
    public enum Encryption: String, Sendable, Hashable, CaseIterable {
        case starttls, none
    }

    /// An smtp or smtps URL.
    public var server: String
    public var encryption: Encryption
    public var user: String?
    public var password: SecretReference?
    public var sender: String
    public var recipients: [String]
    /// Mustache, as the next two.
    public var subject: String?
    public var text: String?
    public var html: String?

    public init(
        server: String, encryption: Encryption = .starttls, user: String? = nil, password: SecretReference? = nil,
        sender: String, recipients: [String], subject: String? = nil, text: String? = nil, html: String? = nil
    ) {
        self.server = server
        self.encryption = encryption
        self.user = user
        self.password = password
        self.sender = sender
        self.recipients = recipients
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// A sink that hands over to the program `apprise`.
public struct AppriseSinkSettings: Sendable, Hashable {
    /// The URLs of its targets, one in each line.
    public var targets: SecretReference

    public init(targets: SecretReference) {
        self.targets = targets
    }
}
