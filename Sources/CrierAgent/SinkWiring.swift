import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierProcess
import Foundation

extension SinkConfiguration {
    /// One row for each kind of sink.
    ///
    /// - Parameter looks: How digests look, where the user has templates for them.
    public func makeSink(_ surroundings: Surroundings, looks: DigestLooks = DigestLooks()) -> NamedSink {
        switch settings {
        case .stdout(let settings): named(settings.sink(surroundings, looks), .stdout)
        case .desktop(let settings): named(settings.sink(surroundings, looks), .desktop)
        case .file(let settings): named(FileSink(path: surroundings.path(settings.path)), .file)
        case .exec(let settings):
            named(
                ExecSink(command: settings.command, variables: surroundings.environment, limit: settings.timeout),
                .program)
        case .webhook(let settings): named(settings.sink(surroundings), .webhook)
        case .service(let settings):
            named(
                WebSink(
                    settings.service(surroundings.provider), userAgent: CrierVersion.userAgent,
                    showsImages: showsImages, transport: surroundings.transport, clock: surroundings.clock),
                .service)
        case .email(let settings): named(settings.sink(surroundings, looks), .email)
        case .apprise(let settings):
            named(
                AppriseSink(targets: surroundings.provider(settings.targets), variables: surroundings.environment),
                .program)
        case .feed(let settings):
            named(
                FeedSink(
                    path: surroundings.path(settings.path), title: settings.title, limit: settings.entries, looks: looks
                ),
                .file)
        }
    }

    private func named(_ sink: any NotificationSink, _ retries: RetryPolicy) -> NamedSink {
        NamedSink(name: name, sink: sink, retries: retries)
    }
}

extension Surroundings {
    /// Looked up at each attempt: a secret that is exchanged needs no restart, and none is kept in memory.
    fileprivate func provider(_ secret: SecretReference) -> SecretProvider {
        { [environment] in try await secret.resolve(environment: environment) }
    }

    /// A path with the home folder for its `~`.
    fileprivate func path(_ path: String) -> String {
        HomePath.expanded(path, home: environment["HOME"]) ?? path
    }

    /// A template that the configuration has checked; nil for none.
    fileprivate func template(_ text: String?, _ escaping: Escaping) -> NotificationTemplate? {
        text.flatMap { try? NotificationTemplate($0, escaping: escaping) }
    }
}

extension StdoutSinkSettings {
    fileprivate func sink(_ surroundings: Surroundings, _ looks: DigestLooks) -> StdoutSink {
        // A format that is asked for on the command line counts more than the file's.
        let template = surroundings.stdoutFormat == nil ? surroundings.template(template, .plain) : nil
        return StdoutSink(
            format: surroundings.stdoutFormat ?? format, template: template,
            isTerminal: surroundings.stdoutIsTerminal, digestPrint: surroundings.digestPrint, looks: looks,
            output: surroundings.output)
    }
}

extension DesktopSinkSettings {
    fileprivate func sink(_ surroundings: Surroundings, _ looks: DigestLooks) -> DesktopSink {
        DesktopSink(
            environment: DesktopEnvironment(variables: surroundings.environment, userID: getuid()),
            applicationName: appName, icon: icon, category: category, expiration: timeout,
            pages: ConfigurationPaths.pages(environment: surroundings.environment).map {
                DigestPages(folder: $0, looks: looks)
            })
    }
}

extension WebhookSinkSettings {
    fileprivate func sink(_ surroundings: Surroundings) -> WebSink {
        var fields = HTTPFields()
        var secretFields: [String: SecretProvider] = [:]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .plain(let text): fields[name] = text
            case .secret(let secret): secretFields[name] = surroundings.provider(secret)
            }
        }
        let template = surroundings.template(template, .forContent(ofType: contentType))
        let encoding: Webhook.Encoding =
            switch encoding {
            case _ where template != nil: template.map { .template($0, contentType: contentType) } ?? .standard
            case .standard: .standard
            case .json: .json
            case .form: .form
            case .cloudevents: .cloudEvents
            }
        return WebSink(
            webhook(encoding, surroundings), fields: fields, secretFields: secretFields,
            userAgent: CrierVersion.userAgent, timeout: timeout, transport: surroundings.transport,
            clock: surroundings.clock)
    }

    private func webhook(_ encoding: Webhook.Encoding, _ surroundings: Surroundings) -> Webhook {
        let secret = secret.map(surroundings.provider)
        return switch url {
        case .plain(let url): Webhook(url: url, secret: secret, encoding: encoding)
        case .secret(let url): Webhook(url: surroundings.provider(url), secret: secret, encoding: encoding)
        }
    }
}

extension ServiceSinkSettings {
    fileprivate func service(_ provider: (SecretReference) -> SecretProvider) -> any WebService {
        switch self {
        case .ntfy(let url, let topic, let token): Ntfy(url: url, topic: topic, token: token.map(provider))
        case .gotify(let url, let token): Gotify(url: url, token: provider(token))
        case .slack(let url): Slack(url: provider(url))
        case .discord(let url): Discord(url: provider(url))
        case .mattermost(let url): Mattermost(url: provider(url))
        case .telegram(let url, let chat, let token): Telegram(url: url, chat: chat, token: provider(token))
        case .matrix(let url, let room, let token): Matrix(url: url, room: room, token: provider(token))
        case .pushover(let url, let token, let user): Pushover(url: url, token: provider(token), user: provider(user))
        }
    }
}

extension EmailSinkSettings {
    var security: MailServer.Security {
        server.lowercased().hasPrefix("smtps:") ? .tls : encryption == .none ? .none : .startTLS
    }

    fileprivate func sink(_ surroundings: Surroundings, _ looks: DigestLooks) -> EmailSink {
        EmailSink(
            server: MailServer(url: server, security: security, user: user),
            password: password.map(surroundings.provider),
            envelope: EmailSink.Envelope(sender: sender, recipients: recipients),
            layout: MailLayout(
                subject: surroundings.template(subject, .plain), text: surroundings.template(text, .plain),
                html: surroundings.template(html, .html)),
            looks: looks,
            transport: surroundings.mail)
    }
}
