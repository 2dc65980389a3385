import CrierProcess

/// One entry of `sinks:`.
public struct SinkConfiguration: Sendable, Hashable {
    /// Unique in a configuration; what `to:` names.
    public var name: String
    public var settings: SinkSettings

    public init(name: String, settings: SinkSettings) {
        self.name = name
        self.settings = settings
    }

    /// The sink of a file that names none.
    public static let `default` = SinkConfiguration(name: "stdout", settings: .stdout(StdoutSinkSettings()))
}

/// What kinds of sinks there are.
public enum SinkKind: String, Sendable, Hashable, CaseIterable {
    case stdout, desktop, webhook
}

/// The kind of a sink and what it is told.
public enum SinkSettings: Sendable, Hashable {
    case stdout(StdoutSinkSettings)
    case desktop(DesktopSinkSettings)
    case webhook(WebhookSinkSettings)

    public var kind: SinkKind {
        switch self {
        case .stdout: .stdout
        case .desktop: .desktop
        case .webhook: .webhook
        }
    }
}

/// A sink that prints to standard output.
public struct StdoutSinkSettings: Sendable, Hashable {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case text, json
    }

    public var format: Format

    public init(format: Format = .text) {
        self.format = format
    }
}

/// A sink that shows notifications on the desktop.
public struct DesktopSinkSettings: Sendable, Hashable {
    public var appName: String
    /// A name of the icon theme, or a file.
    public var icon: String?
    /// The `category` hint of the Desktop Notifications Specification.
    public var category: String
    /// How long a notification stays; nil is the server's own default, zero stays until it is closed.
    public var timeout: Duration?

    public init(
        appName: String = "Crier", icon: String? = nil, category: String = "x-crier.feed.new", timeout: Duration? = nil
    ) {
        self.appName = appName
        self.icon = icon
        self.category = category
        self.timeout = timeout
    }
}

/// A sink that sends notifications to a web service.
public struct WebhookSinkSettings: Sendable, Hashable {
    /// An http or https URL; may itself be a secret.
    public var url: String
    /// What requests are signed with.
    public var secret: SecretReference?
    /// Sent with every request.
    public var headers: [String: String]
    /// How long one attempt may take.
    public var timeout: Duration

    public init(
        url: String, secret: SecretReference? = nil, headers: [String: String] = [:], timeout: Duration = .seconds(20)
    ) {
        self.url = url
        self.secret = secret
        self.headers = headers
        self.timeout = timeout
    }
}
