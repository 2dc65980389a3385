import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierAgent

/// One hostile notification through every kind of sink there is: a new kind is here without being added.
@Suite("Nothing of outsiders gets through any sink")
struct SinkTableTests {
    /// Terminal sequences, options, shell, markup of every service, mail fields, reordering, a NUL.
    private static let text =
        "--help \u{1b}[31mred\u{1b}]8;;http://evil.example/\u{7}link $(id) `id` %s <script>alert(1)</script> <!channel> "
        + "@everyone **bold** [x](http://evil.example) \"}], \\u0000 {{title}} \u{202e}gpj\u{0}\r\nBcc: evil@example.org\r\n.\r\n"
        + "&lt; ]]> </entry>"

    private let folder: TemporaryFolder
    private let transport = ScriptedTransport()
    private let mail = RecordingMail()

    init() throws { folder = try TemporaryFolder() }

    @Test("every kind", arguments: SinkKind.allCases)
    func hostile(kind: SinkKind) async throws {
        let recorder = "#!/bin/sh\n{ printf '%s\\n' \"$@\"; cat; } >> '\(folder.file("program"))'\n"
        for name in ["notify-send", "apprise", "tell-me"] { try folder.write(recorder, to: name, isExecutable: true) }
        let sink = try sink(kind)
        let content = NotificationContent(
            title: Self.text, subtitle: Self.text, body: Self.text, sound: .named(Self.text),
            threadIdentifier: Self.text,
            categoryIdentifier: Self.text, userInfo: ["items": [["title": .string(Self.text)]], Self.text: .null],
            attachments: [NotificationAttachment(url: Self.text, type: "image/" + Self.text)], url: Self.text)
        let request = NotificationRequest(identifier: Self.text, content: content)
        _ = await sink.sink.deliver(DeliveryAttempt(request: request, created: Date(timeIntervalSince1970: 0)))
        let said = try output()
        #expect(said.contains("gpj"), "\(kind) has not raised it")
        let harmful = said.unicodeScalars.filter { scalar in
            let isLineEnd = scalar == "\n" || kind == .email && scalar == "\r"
            return scalar.value < 0x20 && !isLineEnd || (0x7f...0x9f).contains(scalar.value)
                || (0x202a...0x202e).contains(scalar.value)
        }
        #expect(harmful.isEmpty, "\(kind): \(harmful.map(\.value))")
        check(said, of: kind)
    }

    /// What the place where the text goes would read as its own. Every kind has its line here.
    private func check(_ said: String, of kind: SinkKind) {
        let unwanted: [String]
        switch kind {
        // Plain text, in which nothing means anything.
        case .stdout, .ntfy, .gotify, .pushover, .apprise: unwanted = []
        case .desktop:
            // The title is no markup and is an argument behind `--`; the body is markup.
            #expect(said.contains("\n--\n--help [31mred") && said.components(separatedBy: "<script>").count == 2)
            unwanted = []
        case .file, .exec, .webhook: unwanted = ["\"}], \\u0000 {", "\n."]
        // Behind the blocks, whose texts are never markup.
        case .slack: unwanted = ["],\"text\":\"--help [31mred]8;;http://evil.example/link $(id) `id` %s <"]
        case .discord: unwanted = ["<script>", "**bold**", "](http", "@everyone"]
        case .mattermost: unwanted = ["<script>", "**bold**", "](http", "@everyone"]
        case .telegram: unwanted = ["<script>", "</entry>", "@everyone"]
        case .matrix: unwanted = ["<strong>--help [31mred]8;;http://evil.example/link $(id) `id` %s <"]
        case .email:
            let html = said.components(separatedBy: "Content-Type: text/html").last ?? ""
            let header = said.components(separatedBy: "\r\n\r\n").first ?? ""
            #expect(!html.contains("<script>") && !header.contains("\nBcc:"))
            unwanted = []
        case .feed: unwanted = ["<script>", "]]> </entry>"]
        }
        // The name of the source stands in a footer, where Discord reads no markup.
        let parts = said.components(separatedBy: "\"footer\":")
        let read = parts[0] + (parts.count > 1 ? parts[1].components(separatedBy: "\"timestamp\":").last ?? "" : "")
        for text in unwanted { #expect(!read.contains(text), "\(kind) lets \(text) through") }
    }

    /// A sink of that kind as a configuration with its required keys alone makes it.
    private func sink(_ kind: SinkKind) throws -> NamedSink {
        var text = "sinks:\n  tested:\n    kind: \(kind.rawValue)\n"
        for row in OptionTable.rows(in: "sinks.*", sink: kind) where row.fallback == .required {
            let value =
                switch row.type {
                case .path: folder.file("file")
                case .command: "[\(folder.file("tell-me"))]"
                case .secret: "{env: \(row.key == "url" ? "ADDRESS" : "TOKEN")}"
                default: row.example
                }
            text += "    \(row.key): \(value)\n"
        }
        let read = try configuration(text)
        try folder.write("", to: "output")
        let output = open(folder.file("output"), O_WRONLY)
        let environment = [
            "PATH": "\(folder.path):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "tcp:host=127.0.0.1,port=1",
            "TOKEN": "t0ken",
            "ADDRESS": "https://hooks.example.org/in",
        ]
        let surroundings = Surroundings(
            transport: transport, mail: mail, environment: environment, output: DescriptorWriter(output))
        return try #require(read.sinks.first).makeSink(surroundings)
    }

    /// All that went out, wherever.
    private func output() throws -> String {
        var parts = ["output", "file", "program"].compactMap { folder.read($0) }
        parts += transport.requests.map { "\($0.url)\n" + String(decoding: $0.body ?? [], as: UTF8.self) }
        parts += transport.requests.flatMap { $0.fields.all.map { "\($0.name): \($0.value)" } }
        parts += mail.sent.map { String(decoding: $0.message, as: UTF8.self).replacing("=\r\n", with: "") }
        return parts.joined(separator: "\n")
    }
}

/// Takes every mail.
private final class RecordingMail: MailTransport {
    private let mails = Mutex<[Mail]>([])

    var sent: [Mail] { mails.withLock { $0 } }

    func send(_ mail: Mail) async throws(MailError) -> [MailRefusal] {
        mails.withLock { $0.append(mail) }
        return []
    }
}
