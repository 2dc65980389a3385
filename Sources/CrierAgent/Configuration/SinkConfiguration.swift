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

    /// Whether it shows nothing but what a template of the user's own says.
    package var hasTemplate: Bool {
        switch self {
        case .stdout(let settings): settings.template != nil
        case .webhook(let settings): settings.template != nil
        default: false
        }
    }
}
