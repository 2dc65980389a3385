import CrierProcess

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
