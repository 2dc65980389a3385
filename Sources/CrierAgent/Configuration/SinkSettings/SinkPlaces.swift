import CrierHashing
import CrierProcess
import CrierStore

extension SinkConfiguration {
    /// States hold it: made otherwise it is a migration.
    var place: SinkPlace {
        SinkPlace(
            name: name, fingerprint: XXH3.hash(([settings.kind.rawValue] + settings.place).flatMap { [0] + $0.utf8 }))
    }
}

extension SinkSettings {
    /// Where a sink of its kind leads, whatever it is given there. Secrets are not looked up: where they are kept counts.
    fileprivate var place: [String] {
        switch self {
        case .stdout, .desktop: []
        case .file(let settings): [settings.path]
        case .exec(let settings): settings.command
        case .webhook(let settings): settings.url.place
        case .service(let settings): settings.place
        case .email(let settings): settings.recipients
        case .apprise(let settings): settings.targets.place
        case .feed(let settings): [settings.path]
        }
    }
}

extension ServiceSinkSettings {
    fileprivate var place: [String] {
        switch self {
        case .ntfy(let url, let topic, _): [url, topic]
        case .gotify(let url, let token): [url] + token.place
        case .slack(let url), .discord(let url), .mattermost(let url): url.place
        case .telegram(let url, let chat, _): [url, chat]
        case .matrix(let url, let room, _): [url, room]
        case .pushover(let url, _, let user): [url] + user.place
        }
    }
}

extension TextOrSecret {
    fileprivate var place: [String] {
        switch self {
        case .plain(let text): [text]
        case .secret(let reference): reference.place
        }
    }
}
