import Testing

import class Foundation.ProcessInfo

@testable import CrierAgent

@Suite("Settings of sinks")
struct SinkConfigurationTests {
    @Test("Each service is read with its own keys")
    func services() throws {
        let topic = "News_2-" + String(repeating: "x", count: 57)
        let read = try configuration(
            """
            sinks:
              ntfy: {topic: \(topic)}
              gotify: {url: "https://g/", token: {env: G}}
              slack: {url: {env: S}}
              discord: {url: {file: /d}}
              mattermost: {url: {command: [m]}}
              telegram: {chat: "-1", token: {env: T}}
              matrix: {url: "https://m/", room: "!r:m", token: {env: M}}
              pushover: {token: {env: P}, user: {env: U}}
            """)
        #expect(
            read.sinks.map(\.settings) == [
                .service(.ntfy(url: "https://ntfy.sh", topic: topic, token: nil)),
                .service(.gotify(url: "https://g/", token: .environment("G"))),
                .service(.slack(url: .environment("S"))), .service(.discord(url: .file("/d"))),
                .service(.mattermost(url: .command(["m"]))),
                .service(.telegram(url: "https://api.telegram.org", chat: "-1", token: .environment("T"))),
                .service(.matrix(url: "https://m/", room: "!r:m", token: .environment("M"))),
                .service(
                    .pushover(url: "https://api.pushover.net", token: .environment("P"), user: .environment("U"))),
            ])
        #expect(read.sinks.map(\.settings.kind.rawValue) == read.sinks.map(\.name))
    }

    @Test("Settings made in code have the defaults of the table")
    func defaults() throws {
        let read = try configuration(
            """
            sinks:
              file: {path: /f}
              exec: {command: [a, b]}
              email: {server: "smtp://h:587", from: a@b, to: c@d}
              apprise: {targets: {env: A}}
              feed: {path: ~/f.xml}
            """)
        #expect(
            read.sinks.map(\.settings) == [
                .file(FileSinkSettings(path: "/f")), .exec(ExecSinkSettings(command: ["a", "b"])),
                .email(EmailSinkSettings(server: "smtp://h:587", sender: "a@b", recipients: ["c@d"])),
                .apprise(AppriseSinkSettings(targets: .environment("A"))), .feed(FeedSinkSettings(path: "~/f.xml")),
            ])
    }

    @Test("The address and the fields of a web hook may be secrets")
    func secretsOfAWebHook() throws {
        let read = try configuration(
            """
            sinks:
              webhook: {url: {file: ~/hook}, headers: {Authorization: {env: TEAM_TOKEN}, X-Team: news}}
            """)
        let settings = WebhookSinkSettings(
            url: .secret(.file("~/hook")),
            headers: ["Authorization": .secret(.environment("TEAM_TOKEN")), "X-Team": "news"])
        #expect(read.sinks.map(\.settings) == [.webhook(settings)])
    }

    @Test(
        "What cannot be is told where it stands",
        arguments: [
            (
                "webhook: {url: \"https://h/\", headers: {X-A: b, Content-Length: \"5\"}}",
                "1:56: sinks.webhook.headers: \"Content-Length\" is Crier's own to send; expected other HTTP fields"
            ),
            (
                "webhook: {url: \"https://h/\", headers: {transfer-encoding: key-secret}}",
                "\"transfer-encoding\" is Crier's own"
            ),
            (
                "webhook: {url: \"https://h/\", headers: {Webhook-Signature: key-secret}}",
                "\"Webhook-Signature\" is Crier's own to send; expected other HTTP fields"
            ),
            ("webhook: {url: \"https://h/\", headers: {X-A: b, x-a: c}}", "\"x-a\" is given twice"),
            (
                "webhook: {url: {envv: A}}",
                "1:25: sinks.webhook.url: unknown key; expected env, file, credential or command"
            ),
            ("webhook: {url: [a]}", "expected an address, or where the secret is found: {env: NAME}"),
            ("exec: {command: [./tell-me]}", "exec.command: a path that depends on where Crier"),
            ("exec: {command: [bin/tell-me, /x]}", "exec.command: a path that depends on where Crier is started"),
            (
                "ntfy: {topic: x, token: {command: [../key-secret]}}",
                "ntfy.token: a path that depends on where Crier is started"
            ),
            (
                "ntfy: {topic: a/b c}",
                "1:23: sinks.ntfy.topic: \"a/b c\" is not a topic of ntfy; expected 1 to 64 letters A to Z, digits, - and _"
            ),
            ("ntfy: {topic: \(String(repeating: "a", count: 65))}", "is not a topic of ntfy"),
            ("ntfy: {topic: neuigkeiten-für-mich}", "is not a topic of ntfy"),
            (
                "matrix: {url: \"https://m/\", token: {env: M}, room: \"#news:example.org\"}",
                "1:60: sinks.matrix.room: \"#news:example.org\" is not the identifier of a room; expected an identifier such as "
                    + "'!abc:example.org', not an alias"
            ),
            ("matrix: {url: \"https://m/\", token: {env: M}, room: \"!\"}", "is not the identifier of a room"),
            ("file: {path: ~/news/}", "file.path: the path of a folder; expected that of a file"),
            ("ntfy: {topic: x, token: {file: /key-secret/}}", "ntfy.token: the path of a folder; expected that"),
            ("file: {path: news}", "a path that depends on where Crier is started"),
            ("stdout: {template: \"a {{#b}}\"}", "is not Mustache"),
            ("feed: {path: /x, entries: many}", "\"many\" is not a whole number"),
            ("feed: {path: /x, entries: 0}", "0 is too small; expected at least 1"),
            (
                "slack: {url: \"https://hooks.slack.com/key-secret\"}",
                "a secret does not stand in the configuration itself"
            ),
            ("email: {server: \"smtp://h\", from: \"A <a@b>\", to: c@d}", "is not a mail address"),
            ("email: {server: \"smtp://h\", from: a@b, to: [c@d, \"e@f,g@h\"]}", "is not a mail address"),
            (
                "webhook: {url: \"https://h/\", template: x, content-type: \"text/plain\\r\\nX-A: 1\"}",
                "webhook.content-type: the value holds a line end or another control character; expected one line"
            ),
            (
                "email: {server: \"smtp://h\", from: a@b, to: c@d, user: \"u\\nv\", password: {env: P}}",
                "the value holds a line end or another control character; expected one line"
            ),
            ("email: {server: \"smtp://h\", from: a@b, to: c@d, user: u}", "\"user\" without \"password\""),
            (
                "email: {server: \"smtp://h\", from: a@b, to: c@d, user: u, password: {env: P}, encryption: none}",
                "the password would be sent unencrypted"
            ),
        ])
    func problem(sink: String, expected: String) {
        let found = problems("sinks: {\(sink)}")
        #expect(found.count == 1 && found[0].contains(expected), "\(found)")
        #expect(!found.contains { $0.contains("key-secret") })
    }

    @Test("no sink writes the configuration", arguments: ["file", "feed"])
    func ownPath(kind: String) {
        let text = "sinks: {\(kind): {path: /etc/./crier.yaml}}"
        let found = Configuration.load(text: text, file: "/etc/crier.yaml").problems.map(\.description)
        let words = "the path of this configuration itself; expected that of another file"
        #expect(found == ["/etc/crier.yaml:1:22: sinks.\(kind).path: \(words)"])
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let atHome = Configuration.load(text: "sinks: {\(kind): {path: ~/c.yaml}}", file: home + "/c.yaml").problems
        #expect(atHome.map(\.description) == ["\(home)/c.yaml:1:22: sinks.\(kind).path: \(words)"])
    }
}
