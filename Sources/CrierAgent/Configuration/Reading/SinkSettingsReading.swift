import CrierDelivery

extension SinkSettings {
    /// What the values of a section mean for a kind of sink; nil where one that is required is missing.
    init?(_ kind: SinkKind, _ values: SectionValues) {
        switch kind {
        case .stdout:
            guard let format = values.text("format").flatMap(StdoutSink.Format.init) else { return nil }
            self = .stdout(StdoutSinkSettings(format: format, template: values.text("template")))
        case .desktop:
            guard let appName = values.text("app-name"), let category = values.text("category") else { return nil }
            self = .desktop(
                DesktopSinkSettings(
                    appName: appName, icon: values.text("icon"), category: category,
                    timeout: values.duration("timeout")))
        case .file:
            guard let path = values.text("path") else { return nil }
            self = .file(FileSinkSettings(path: path))
        case .exec:
            guard let command = values.list("command"), let timeout = values.duration("timeout") else { return nil }
            self = .exec(ExecSinkSettings(command: command.map(\.value), timeout: timeout))
        case .feed:
            guard let path = values.text("path"), let title = values.text("title"),
                let entries = values.count("entries")
            else { return nil }
            self = .feed(FeedSinkSettings(path: path, title: title, entries: entries))
        case .apprise:
            guard let targets = values.secret("targets") else { return nil }
            self = .apprise(AppriseSinkSettings(targets: targets))
        case .webhook:
            guard let settings = WebhookSinkSettings(values) else { return nil }
            self = .webhook(settings)
        case .email:
            guard let settings = EmailSinkSettings(values) else { return nil }
            self = .email(settings)
        case .ntfy, .gotify, .slack, .discord, .mattermost, .telegram, .matrix, .pushover:
            guard let settings = ServiceSinkSettings(kind, values) else { return nil }
            self = .service(settings)
        }
    }
}

extension WebhookSinkSettings {
    fileprivate init?(_ values: SectionValues) {
        guard let url = values.textOrSecret("url"), let timeout = values.duration("timeout"),
            let encoding = values.text("encoding").flatMap(Encoding.init), let contentType = values.text("content-type")
        else { return nil }
        let headers = values.httpFields("headers").map { ($0.name, $0.value) }
        self.init(
            url: url, secret: values.secret("secret"), headers: Dictionary(headers) { first, _ in first },
            timeout: timeout, encoding: encoding, template: values.text("template"), contentType: contentType)
    }
}

extension EmailSinkSettings {
    fileprivate init?(_ values: SectionValues) {
        guard let server = values.text("server"), let sender = values.text("from"), let recipients = values.list("to"),
            let encryption = values.text("encryption").flatMap(Encryption.init)
        else { return nil }
        self.init(
            server: server, encryption: encryption, user: values.text("user"), password: values.secret("password"),
            sender: sender, recipients: recipients.map(\.value), subject: values.text("subject"),
            text: values.text("template"), html: values.text("html"))
    }
}

extension ServiceSinkSettings {
    fileprivate init?(_ kind: SinkKind, _ values: SectionValues) {
        let url = values.text("url") ?? ""
        let token = values.secret("token")
        switch kind {
        case .ntfy:
            guard let topic = values.text("topic") else { return nil }
            self = .ntfy(url: url, topic: topic, token: token)
        case .gotify:
            guard let token else { return nil }
            self = .gotify(url: url, token: token)
        case .telegram:
            guard let token, let chat = values.text("chat") else { return nil }
            self = .telegram(url: url, chat: chat, token: token)
        case .matrix:
            guard let token, let room = values.text("room") else { return nil }
            self = .matrix(url: url, room: room, token: token)
        case .pushover:
            guard let token, let user = values.secret("user") else { return nil }
            self = .pushover(url: url, token: token, user: user)
        case .slack, .discord, .mattermost:
            guard let address = values.secret("url") else { return nil }
            self =
                kind == .slack
                ? .slack(url: address) : kind == .discord ? .discord(url: address) : .mattermost(url: address)
        default: return nil
        }
    }
}
