import CrierProcess

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
