import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite(
    "A real desktop", .serialized,
    .enabled(if: DesktopSession.isPossible, "needs dunst, Xvfb, dbus-run-session, libnotify-bin"))
struct DesktopSinkTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Enough for a busy machine; a desktop answers within milliseconds.
    private let limit = Duration.seconds(60)

    @Test("Titles and bodies are shown as they were written, whatever they hold")
    func texts() async throws {
        let texts = [
            "-t 5 --help", "--version", "干货更新啦 👩🏽‍🚀", "<b>bold</b> & <i>", #"C:\new\101 \\ 100% %s"#, "$(id) `id` \"'",
        ]
        _ = try await DesktopSession.run(in: folder) { session in
            let sink = DesktopSink(environment: session.environment, limit: limit)
            #expect(await sink.capabilities.features.isSuperset(of: [.subtitle, .urgency, .replacement, .markup]))
            for (index, text) in texts.enumerated() {
                let content = NotificationContent(title: text, body: text + "\n2nd & last")
                guard case .delivered(_?, _) = await sink.deliver(.of(content, identifier: "\(index)")) else {
                    return #expect(Bool(false), "\(text) is not shown")
                }
            }
            let history = try await session.history()
            #expect(history.map(\.title) == texts)
            let escaped = texts.map { text in
                text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            }
            let bodies = history.map { $0.text.split(separator: "\n").dropFirst().joined(separator: "\n") }
            #expect(bodies == escaped.map { $0 + "\n2nd &amp; last" })
        }
    }

    @Test("A server that reads no markup gets none")
    func noMarkup() async throws {
        _ = try await DesktopSession.run(markup: false, in: folder) { session in
            let sink = DesktopSink(environment: session.environment, limit: limit)
            let content = NotificationContent(title: "T", body: #"<b>a</b> & \n"#)
            #expect(await sink.deliver(.of(content)).message == "2")
            let drawn = try await session.history().map(\.text)
            #expect(drawn == [#"<b>T</b>"# + "\n" + #"&lt;b&gt;a&lt;/b&gt; &amp; \n"#])
        }
    }

    @Test("One that takes the place of another gets markup as it reads it itself")
    func markupOfTheNext() async throws {
        try await DesktopSession.runWithoutServer { session in
            let sink = DesktopSink(environment: session.environment, limit: limit)
            for isRead in [false, true] {
                try await session.withServer(markup: isRead, in: folder) {
                    guard case .delivered = await sink.deliver(.of(NotificationContent(title: "T", body: "<b>a</b>")))
                    else { return #expect(Bool(false), "not shown") }
                    let drawn = try await session.history().map(\.text)
                    #expect(drawn == ["<b>T</b>\n&lt;b&gt;a&lt;/b&gt;"], "markup: \(isRead)")
                }
            }
        }
    }

    @Test("A second notification of an identifier takes the place of the first")
    func replacement() async throws {
        _ = try await DesktopSession.run(in: folder) { session in
            let sink = DesktopSink(environment: session.environment, limit: limit)
            let other = await sink.deliver(.titled("other", identifier: "gank:干货:2"))
            let first = await sink.deliver(.titled("first", identifier: "gank:干货:1"))
            guard case .delivered(let receipt?, _) = first else { return #expect(Bool(false), "\(first)") }
            let content = NotificationContent(title: "second")
            let second = await sink.deliver(.of(content, identifier: "gank:干货:1", receipt: receipt))
            #expect(second != other)
            // Without its receipt it is found by its identifier.
            let another = DesktopSink(environment: session.environment, limit: limit)
            _ = await another.deliver(.titled("third", identifier: "gank:干货:1"))
            let titles = try await session.history().map(\.title).sorted()
            #expect(titles == ["other", "third"])
        }
    }

    @Test("Level, category, name and icon reach the server")
    func attributes() async throws {
        let levels = InterruptionLevel.allCases
        let shown = try await DesktopSession.run(in: folder) { session in
            let sink = DesktopSink(
                environment: session.environment, applicationName: "干货 Crier", icon: "mail-unread",
                expiration: .seconds(7), limit: limit)
            for level in levels {
                let content = NotificationContent(
                    title: level.rawValue, categoryIdentifier: level == .critical ? "" : "im.received",
                    interruptionLevel: level)
                _ = await sink.deliver(.of(content, identifier: level.rawValue))
            }
            let history = try await session.history()
            #expect(history.allSatisfy { $0.applicationName == "干货 Crier" })
            #expect(Set(history.map(\.category)) == ["im.received", "x-crier.feed.new"])
        }
        #expect(shown.count == levels.count)
        for (text, urgency) in zip(shown, ["LOW", "NORMAL", "NORMAL", "CRITICAL"]) {
            #expect(text.contains("urgency: \(urgency)\n"), "\(text)")
            #expect(text.contains("icon: 'mail-unread'\n"))
            #expect(text.contains("timeout: 7000\n"))
        }
    }

    @Test("Nothing of outsiders steers the desktop")
    func hostile() async throws {
        _ = try await DesktopSession.run(in: folder) { session in
            let sink = DesktopSink(environment: session.environment, limit: limit)
            let content = NotificationContent(
                title: hostileTitle, subtitle: hostileTitle, body: hostileTitle, sound: .named(hostileTitle),
                threadIdentifier: hostileTitle, categoryIdentifier: hostileTitle, url: hostileTitle)
            guard case .delivered = await sink.deliver(.of(content, identifier: hostileTitle)) else {
                return #expect(Bool(false), "not shown")
            }
            let shown = try #require(try await session.history().first)
            #expect(shown.title == "--help [31mred]8;;http://evil.example/link]8;; $(id) %s <script>gpj !")
            #expect(shown.text.isHarmless && !shown.text.contains("<script>"))
        }
    }

    @Test("A server that comes later is found, and one that was restarted takes nobody's place")
    func serverComesAndGoes() async throws {
        try await DesktopSession.runWithoutServer { session in
            let sink = DesktopSink(environment: session.environment, limit: limit)
            let missing = DeliveryOutcome.deferred(reason: "no notification server is on the session bus")
            #expect(await sink.deliver(.titled("early", identifier: "a")) == missing)
            var receipt: String?
            try await session.withServer(in: folder) {
                let outcome = await sink.deliver(.titled("first", identifier: "a"))
                if case .delivered(let given, _) = outcome { receipt = given }
                let titles = try await session.history().map(\.title)
                #expect(titles == ["first"])
            }
            let between = NotificationContent(title: "between")
            #expect(await sink.deliver(.of(between, identifier: "a", receipt: receipt)) == missing)
            try await session.withServer(in: folder) {
                for title in ["one", "two", "three"] {
                    _ = await DesktopSink(environment: session.environment, limit: limit).deliver(
                        .titled(title, identifier: title))
                }
                let content = NotificationContent(title: "late")
                _ = await sink.deliver(.of(content, identifier: "a", receipt: receipt))
                let titles = try await session.history().map(\.title).sorted()
                #expect(titles == ["late", "one", "three", "two"])
            }
            #expect(receipt != nil)
        }
    }
}

extension DesktopSession {
    fileprivate var environment: DesktopEnvironment { DesktopEnvironment(variables: variables, userID: 0) }
}
