import CrierDelivery
import CrierProcess

/// One entry of `sinks:`.
public struct SinkConfiguration: Sendable, Hashable {
    /// Unique in a configuration; what `to:` names.
    public var name: String
    public var settings: SinkSettings
    /// Whether notifications of one source must arrive in their order.
    public var isOrdered: Bool
    /// Whether a service is given the addresses of pictures, whose servers then may see who reads.
    public var showsImages: Bool

    public init(name: String, settings: SinkSettings, isOrdered: Bool = false, showsImages: Bool = true) {
        self.name = name
        self.settings = settings
        self.isOrdered = isOrdered
        self.showsImages = showsImages
    }

    /// The sink of a file that names none.
    public static let `default` = SinkConfiguration(name: "stdout", settings: .stdout(StdoutSinkSettings()))
}

/// What kinds of sinks there are.
public enum SinkKind: String, Sendable, Hashable, CaseIterable {
    case stdout, desktop, file, exec, webhook, ntfy, gotify, slack, discord, mattermost, telegram, matrix, pushover
    case email, apprise, feed
}

/// The kind of a sink and what it is told.
public enum SinkSettings: Sendable, Hashable {
    case stdout(StdoutSinkSettings)
    case desktop(DesktopSinkSettings)
    case file(FileSinkSettings)
    case exec(ExecSinkSettings)
    case webhook(WebhookSinkSettings)
    case service(ServiceSinkSettings)
    case email(EmailSinkSettings)
    case apprise(AppriseSinkSettings)
    case feed(FeedSinkSettings)

    public var kind: SinkKind {
        switch self {
        case .stdout: .stdout
        case .desktop: .desktop
        case .file: .file
        case .exec: .exec
        case .webhook: .webhook
        case .service(let service): service.kind
        case .email: .email
        case .apprise: .apprise
        case .feed: .feed
        }
    }
}

/// A sink that prints to standard output.
public struct StdoutSinkSettings: Sendable, Hashable {
    public var format: StdoutSink.Format
    /// Mustache; what is written instead.
    public var template: String?

    public init(format: StdoutSink.Format = .text, template: String? = nil) {
        self.format = format
        self.template = template
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
    /// What a body is.
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        case standard, json, form, cloudevents
    }

    /// An http or https URL.
    public var url: TextOrSecret
    /// What requests are signed with.
    public var secret: SecretReference?
    /// Sent with every request.
    public var headers: [String: TextOrSecret]
    /// How long one attempt may take.
    public var timeout: Duration
    public var encoding: Encoding
    /// Mustache; a body of the user's own in place of ``encoding``.
    public var template: String?
    /// The media type of ``template``.
    public var contentType: String

    public init(
        url: TextOrSecret, secret: SecretReference? = nil, headers: [String: TextOrSecret] = [:],
        timeout: Duration = .seconds(20), encoding: Encoding = .standard, template: String? = nil,
        contentType: String = "application/json"
    ) {
        self.url = url
        self.secret = secret
        self.headers = headers
        self.timeout = timeout
        self.encoding = encoding
        self.template = template
        self.contentType = contentType
    }
}
