import CrierDelivery
import CrierNotifications

extension OptionTable {
    /// Every key of a sink, by kind.
    static let sinks = localSinks + webhookSinks + serviceSinks + imageSinks + mailSinks

    private static let localSinks = [
        Option(
            path: "sinks.*.kind", type: .choice(SinkKind.allCases.map(\.rawValue)),
            fallback: .words("the sink's name, if it is a kind"), example: "webhook",
            summary: "What the sink is."),
        Option(
            path: "sinks.*.ordered", type: .flag, fallback: .value("false"), example: "true",
            summary: "Whether a notification that has to be tried again keeps the later ones of its source waiting."),
        Option(
            path: "sinks.*.format", sink: .stdout, type: .choice(StdoutSink.Format.allCases.map(\.rawValue)),
            fallback: .value("text"), example: "json",
            summary: "Lines to read, or one JSON object per line."),
        Option(
            path: "sinks.*.template", sink: .stdout, type: .template, fallback: .none,
            example: "'{{source}}: {{title}}'",
            summary: "What is written for each notification instead."),
        Option(
            path: "sinks.*.app-name", sink: .desktop, type: .text, fallback: .value("Crier"), example: "News",
            summary: "The application that the desktop shows as the sender."),
        Option(
            path: "sinks.*.icon", sink: .desktop, type: .text, fallback: .none, example: "dialog-information",
            summary: "A name of the desktop's icon theme, or the absolute path of a picture."),
        Option(
            path: "sinks.*.category", sink: .desktop, type: .text, fallback: .value("x-crier.feed.new"),
            example: "im.received",
            summary: "The category that the desktop may have rules for."),
        Option(
            path: "sinks.*.timeout", sink: .desktop, type: .duration(atLeast: .zero),
            fallback: .words("the desktop's own"),
            example: "10s",
            summary: "How long a notification is shown; `0s` is until it is closed."),
        Option(
            path: "sinks.*.path", sink: .file, type: .path, fallback: .required, example: "~/news.jsonl",
            summary: "The file that gets one JSON object per line; it may be rotated at any time."),
        Option(
            path: "sinks.*.command", sink: .exec, type: .command, fallback: .required,
            example: "[/usr/local/bin/tell-me]",
            summary: "The program that gets each notification as JSON on its standard input; run without a shell."),
        Option(
            path: "sinks.*.timeout", sink: .exec, type: .duration(atLeast: .seconds(1)), fallback: .value("30s"),
            example: "2m",
            summary: "How long the program may run."),
        Option(
            path: "sinks.*.path", sink: .feed, type: .path, fallback: .required, example: "~/public/news.xml",
            summary: "The Atom file that is written."),
        Option(
            path: "sinks.*.title", sink: .feed, type: .text, fallback: .value("Crier"), example: "What is new",
            summary: "The title of the feed."),
        Option(
            path: "sinks.*.entries", sink: .feed, type: .count(atLeast: 1), fallback: .value("100"), example: "20",
            summary: "How many entries the feed keeps."),
    ]

    private static let webhookSinks = [
        Option(
            path: "sinks.*.url", sink: .webhook, type: .secretURL(schemes: ["https", "http"]), fallback: .required,
            example: "https://hooks.example.org/in",
            summary: "Where notifications are sent to."),
        Option(
            path: "sinks.*.secret", sink: .webhook, type: .secret, fallback: .none, example: "{env: CRIER_SECRET}",
            summary:
                "What requests are signed with: where base64, with or without `whsec_` before it, or another text is found, never the secret itself."
        ),
        Option(
            path: "sinks.*.headers", sink: .webhook, type: .headers(ofWebhook: true), fallback: .value("{}"),
            example: "{X-Team: news, Authorization: {env: TEAM_TOKEN}}",
            summary: "HTTP fields to send with every request, each a text or where a secret is found."),
        Option(
            path: "sinks.*.timeout", sink: .webhook, type: .duration(atLeast: .seconds(1)), fallback: .value("20s"),
            example: "5s",
            summary: "How long one attempt may take."),
        Option(
            path: "sinks.*.encoding", sink: .webhook,
            type: .choice(WebhookSinkSettings.Encoding.allCases.map(\.rawValue)),
            fallback: .value("standard"), example: "cloudevents",
            summary: "What the body is: Standard Webhooks, the notification alone as JSON or as a form, or CloudEvents."
        ),
        Option(
            path: "sinks.*.template", sink: .webhook, type: .template, fallback: .none,
            example: "'{\"text\": \"{{title}}\"}'",
            summary: "A body of your own in place of `encoding`."),
        Option(
            path: "sinks.*.content-type", sink: .webhook, type: .line, fallback: .value("application/json"),
            example: "text/plain",
            summary: "The media type of `template`, which decides how values are escaped in it."),
    ]

    private static let serviceSinks = [
        Option(
            path: "sinks.*.url", sink: .ntfy, type: .url(schemes: ["https", "http"]),
            fallback: .value("https://ntfy.sh"),
            example: "https://ntfy.example.org",
            summary: "The ntfy server."),
        Option(
            path: "sinks.*.topic", sink: .ntfy, type: .topic, fallback: .required,
            example: "crier-news",
            summary: "The topic that is published to."),
        Option(
            path: "sinks.*.token", sink: .ntfy, type: .secret, fallback: .none,
            example: "{env: NTFY_TOKEN}",
            summary: "An access token, for topics that are not open."),
        Option(
            path: "sinks.*.url", sink: .gotify, type: .url(schemes: ["https", "http"]), fallback: .required,
            example: "https://gotify.example.org",
            summary: "The Gotify server."),
        Option(
            path: "sinks.*.token", sink: .gotify, type: .secret, fallback: .required,
            example: "{env: GOTIFY_TOKEN}",
            summary: "The token of the application."),
        Option(
            path: "sinks.*.url", sink: .slack, type: .secret, fallback: .required,
            example: "{env: SLACK_WEBHOOK}",
            summary: "The address of an incoming webhook of Slack, which is a secret."),
        Option(
            path: "sinks.*.url", sink: .discord, type: .secret, fallback: .required,
            example: "{env: DISCORD_WEBHOOK}",
            summary: "The address of a webhook of a Discord channel, which is a secret."),
        Option(
            path: "sinks.*.url", sink: .mattermost, type: .secret, fallback: .required,
            example: "{env: MATTERMOST_WEBHOOK}",
            summary: "The address of an incoming webhook of Mattermost, which is a secret."),
        Option(
            path: "sinks.*.chat", sink: .telegram, type: .text, fallback: .required,
            example: "'-1001234567890'",
            summary: "The number of the chat, or `@` and the name of a public channel."),
        Option(
            path: "sinks.*.token", sink: .telegram, type: .secret, fallback: .required,
            example: "{env: TELEGRAM_TOKEN}",
            summary: "The token of the bot."),
        Option(
            path: "sinks.*.url", sink: .telegram, type: .url(schemes: ["https", "http"]),
            fallback: .value("https://api.telegram.org"),
            example: "https://telegram.example.org",
            summary: "The server of Telegram's Bot API."),
        Option(
            path: "sinks.*.url", sink: .matrix, type: .url(schemes: ["https", "http"]), fallback: .required,
            example: "https://matrix.example.org",
            summary: "The homeserver."),
        Option(
            path: "sinks.*.room", sink: .matrix, type: .room, fallback: .required,
            example: "'!abc:example.org'",
            summary:
                "The identifier of a room that the user of the token has joined; in an encrypted one, too, what is sent is not encrypted."
        ),
        Option(
            path: "sinks.*.token", sink: .matrix, type: .secret, fallback: .required,
            example: "{env: MATRIX_TOKEN}",
            summary: "An access token of a Matrix user."),
        Option(
            path: "sinks.*.token", sink: .pushover, type: .secret, fallback: .required,
            example: "{env: PUSHOVER_TOKEN}",
            summary: "The API token of the application."),
        Option(
            path: "sinks.*.user", sink: .pushover, type: .secret, fallback: .required,
            example: "{env: PUSHOVER_USER}",
            summary: "The key of the user or group."),
        Option(
            path: "sinks.*.url", sink: .pushover, type: .url(schemes: ["https", "http"]),
            fallback: .value("https://api.pushover.net"),
            example: "https://pushover.example.org",
            summary: "The server of Pushover's API."),
    ]

    /// Of the services that show a picture.
    private static let imageSinks = [
        (kind: SinkKind.ntfy, name: "ntfy"), (.gotify, "Gotify"), (.slack, "Slack"), (.discord, "Discord"),
        (.mattermost, "Mattermost"),
    ].map { service in
        Option(
            path: "sinks.*.images", sink: service.kind, type: .flag, fallback: .value("true"), example: "false",
            summary: "Whether \(service.name) is told where an item's picture is, whose server may then see who reads.")
    }

    private static let mailSinks = [
        Option(
            path: "sinks.*.server", sink: .email, type: .url(schemes: ["smtps", "smtp"]), fallback: .required,
            example: "smtp://mail.example.org:587",
            summary: "Where mail is handed in; `smtps` is encrypted from the first byte."),
        Option(
            path: "sinks.*.encryption", sink: .email,
            type: .choice(EmailSinkSettings.Encryption.allCases.map(\.rawValue)), fallback: .value("starttls"),
            example: "none",
            summary: "With `smtp`: STARTTLS, which must work, or none at all."),
        Option(
            path: "sinks.*.user", sink: .email, type: .line, fallback: .none,
            example: "me@example.org",
            summary: "The user at the mail server."),
        Option(
            path: "sinks.*.password", sink: .email, type: .secret, fallback: .none,
            example: "{command: [pass, mail]}",
            summary: "The user's password."),
        Option(
            path: "sinks.*.from", sink: .email, type: .mailAddress, fallback: .required,
            example: "crier@example.org",
            summary: "Whom mails come from."),
        Option(
            path: "sinks.*.to", sink: .email, type: .mailAddresses, fallback: .required,
            example: "[me@example.org]",
            summary: "Whom mails go to."),
        Option(
            path: "sinks.*.subject", sink: .email, type: .template, fallback: .words("the title"),
            example: "'[{{source}}] {{title}}'",
            summary: "The subject."),
        Option(
            path: "sinks.*.template", sink: .email, type: .template, fallback: .words("title, text and address"),
            example: "'{{body}}'",
            summary: "The text; without `html` the mail has no other part."),
        Option(
            path: "sinks.*.html", sink: .email, type: .template, fallback: .words("made from the notification"),
            example: "'<p>{{body}}</p>'",
            summary: "The HTML part."),
        Option(
            path: "sinks.*.targets", sink: .apprise, type: .secret, fallback: .required,
            example: "{file: ~/.config/crier/apprise}",
            summary: "The URLs of the targets, one in each line; a line that begins with `#` is none."),
    ]
}
