import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

/// `DesktopSink` with a `notify-send` of the test's own, and a socket in place of a bus.
@Suite("Running notify-send")
struct NotifySendTests {
    let folder: TemporaryFolder
    private let bus: ListeningSocket

    init() throws {
        folder = try TemporaryFolder()
        bus = try ListeningSocket(at: folder.path + "/bus")
    }

    @Test("Without notify-send the notification waits, and the reason says what to install")
    func missing() async {
        let outcome = await sink().deliver(.titled("Hi"))
        #expect(outcome == .deferred(reason: "notify-send is not installed (Debian package libnotify-bin)"))
    }

    @Test("Without a session bus it waits, and nothing is run")
    func noBus() async throws {
        try notifySend("touch \(folder.path)/ran")
        for address in [
            nil, "", "autolaunch:", "disabled:", "garbage", "unix:dir=/tmp", "unix:path=\(folder.path)/gone",
        ] {
            let environment = DesktopEnvironment(
                variables: ["PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": address ?? ""], userID: 1,
                runtimeDirectories: folder.path + "/run")
            let outcome = await DesktopSink(environment: environment).deliver(.titled("Hi"))
            #expect(outcome == .deferred(reason: "there is no session bus"))
        }
        #expect(folder.read("ran") == nil)
    }

    @Test("The bus is the given one, or the socket in the runtime directory")
    func busAddress() throws {
        func address(_ variables: [String: String]) -> String? {
            DesktopEnvironment(variables: variables, userID: 7, runtimeDirectories: folder.path).busAddress
        }
        let own = "unix:path=\(folder.path)/bus"
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=x"]) == "unix:abstract=x")
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": own + ",guid=1"]) == own + ",guid=1")
        #expect(address(["XDG_RUNTIME_DIR": folder.path]) == own)
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": own + "-gone", "XDG_RUNTIME_DIR": folder.path]) == own)
        #expect(address([:]) == nil)
        try FileManager.default.createDirectory(atPath: folder.path + "/7", withIntermediateDirectories: false)
        try folder.write("not a socket", to: "7/bus")
        #expect(address([:]) == nil)
        try FileManager.default.removeItem(atPath: folder.path + "/7/bus")
        let socket = try ListeningSocket(at: folder.path + "/7/bus")
        withExtendedLifetime(socket) { #expect(address([:]) == "unix:path=\(folder.path)/7/bus") }
        // Only a client reads what is written as numbers.
        let written = "unix:path=/no%2fsuch%2fbus"
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": written, "XDG_RUNTIME_DIR": folder.path]) == written)
    }

    @Test("One at which nobody listens any more gives way to one at which somebody does")
    func deadBus() throws {
        func address(_ given: String) -> String? {
            let variables = ["DBUS_SESSION_BUS_ADDRESS": given, "XDG_RUNTIME_DIR": folder.path]
            return DesktopEnvironment(variables: variables, userID: 7, runtimeDirectories: folder.path).busAddress
        }
        let (own, other) = ("unix:path=\(folder.path)/bus", "unix:path=\(folder.path)/other")
        let left = try ListeningSocket(at: folder.path + "/other")
        for dead in ["unix:abstract=/tmp/dbus-\(UUID()),guid=1", other] {
            #expect(address(dead) == dead, "they are all alike")
        }
        bus.listen()
        for dead in ["unix:abstract=/tmp/dbus-\(UUID()),guid=1", other, "unix:path=/no/bus;\(other)"] {
            #expect(address(dead) == own)
        }
        #expect(address("\(other);\(own)") == "\(other);\(own)")
        left.listen()
        #expect(address(other) == other)
        #expect(address("tcp:host=localhost,port=1") == "tcp:host=localhost,port=1", "nobody is asked who is far")
    }

    @Test("A number counts as shown, whatever the exit code")
    func shownAndFailed() async throws {
        try notifySend("echo 41; echo 'actions are not supported' >&2; exit 1")
        #expect(await sink().deliver(.titled("Hi")).message == "41")
    }

    @Test("No number and an exit code is a failure, with what notify-send said")
    func failed() async throws {
        try notifySend("printf 'bad \\033[31mthing\\n' >&2; exit 1")
        #expect(await sink().deliver(.titled("Hi")) == .failed(reason: "notify-send: bad [31mthing"))
    }

    @Test("What the server has shown a moment ago is delivered")
    func excess() async throws {
        try notifySend(
            "echo 'GDBus.Error:org.freedesktop.Notifications.Error.ExcessNotificationGeneration: x' >&2; exit 1")
        #expect(await sink().deliver(.titled("Hi")) == .delivered())
    }

    @Test(
        "No server on the bus waits",
        arguments: [
            "GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown: The name is not there",
            "Error calling StartServiceByName for org.freedesktop.Notifications: Process exited",
            "Could not connect: Connection refused",
        ])
    func absent(message: String) async throws {
        try notifySend("echo '\(message)' >&2; exit 1")
        guard case .deferred = await sink().deliver(.titled("Hi")) else {
            return #expect(Bool(false), "\(message) does not defer")
        }
    }

    @Test("A server that ends at a notification has failed at it, and the next is not given it another way")
    func endedServer() async throws {
        let error = "GDBus.Error:org.freedesktop.DBus.Error.NoReply: Message recipient disconnected without replying"
        try notifySend("echo >> \(folder.path)/calls; echo '\(error)' >&2; exit 1")
        let outcome = await sink().deliver(.of(NotificationContent(title: "Hi"), receipt: "5"))
        #expect(outcome == .failed(reason: "notify-send: \(error)"))
        #expect(folder.read("calls") == "\n")
    }

    @Test("One that hangs is ended with all it started, and has failed", .timeLimit(.minutes(5)))
    func hanging() async throws {
        try notifySend(
            "trap '' TERM; echo $$ >> \(folder.path)/pids; sleep 600 & echo $! >> \(folder.path)/pids; wait; wait")
        let outcome = await sink(patience: .seconds(2)).deliver(.of(NotificationContent(title: "Hi"), receipt: "5"))
        #expect(outcome == .failed(reason: "the notification server did not answer within 2 s"))
        let started = (folder.read("pids") ?? "").split(separator: "\n").compactMap { Int32($0) }
        #expect(started.count == 2, "it is not tried another way")
        // The kernel ends a killed process when it comes to it.
        for process in started { while !isGone(process) { await Task.yield() } }
    }

    @Test("A server that is silent is given nothing until it answers", .timeLimit(.minutes(5)))
    func silentServer() async throws {
        let silence = DeliveryOutcome.deferred(reason: "the notification server did not answer within 1 s")
        let sink = sink(limit: .seconds(1))
        try folder.write("#!/bin/sh\nexec /usr/bin/sleep 600\n", to: "busctl", isExecutable: true)
        try notifySend("echo 5")
        #expect(await sink.deliver(.titled("Hi")) == silence)
        #expect(folder.read("arguments") == nil)
        try folder.write("#!/bin/sh\necho 'as 1 \"body\"'\n", to: "busctl", isExecutable: true)
        #expect(await sink.deliver(.titled("Hi")).message == "5")
    }

    @Test("A server that answers to questions has its time to show something", .timeLimit(.minutes(5)))
    func slowServer() async throws {
        try folder.write("#!/bin/sh\necho 'as 1 \"body\"'\n", to: "busctl", isExecutable: true)
        try notifySend("sleep 2; echo 5")
        #expect(await sink(limit: .seconds(1)).deliver(.titled("Hi")).message == "5")
    }

    @Test("A server that falls silent is asked before it is given the next", .timeLimit(.minutes(5)))
    func fallenSilent() async throws {
        let sink = sink(limit: .seconds(1), patience: .seconds(1))
        try folder.write("#!/bin/sh\necho 'as 1 \"body\"'\n", to: "busctl", isExecutable: true)
        try notifySend("echo >> \(folder.path)/calls; exec sleep 600")
        let reason = "the notification server did not answer within 1 s"
        #expect(await sink.deliver(.titled("Hi")) == .failed(reason: reason))
        try folder.write("#!/bin/sh\nexec /usr/bin/sleep 600\n", to: "busctl", isExecutable: true)
        #expect(await sink.deliver(.titled("Hi")) == .deferred(reason: reason))
        #expect(folder.read("calls") == "\n")
    }

    @Test("A run that is stopped does not wait as long as that", .timeLimit(.minutes(5)))
    func stopped() async throws {
        let sink = sink(limit: .seconds(1), patience: .seconds(600))
        try notifySend("exec sleep 600")
        let delivery = Task { await sink.deliver(.titled("Hi")) }
        await folder.appears("arguments")
        delivery.cancel()
        #expect(await delivery.value == .failed(reason: "\(folder.path)/notify-send was ended too soon"))
    }

    @Test("A run that is stopped takes what is shown meanwhile for shown", .timeLimit(.minutes(5)))
    func stoppedAndShown() async throws {
        let sink = sink(limit: .seconds(50))
        try notifySend("while ! [ -e \(folder.path)/stopped ]; do sleep 0.05; done; echo 5")
        let delivery = Task { await sink.deliver(.titled("Hi")) }
        await folder.appears("arguments")
        delivery.cancel()
        try folder.write("", to: "stopped")
        #expect(await delivery.value.message == "5")
    }

    @Test("An old version gets no options that it does not know")
    func oldVersion() async throws {
        try notifySend(help: "-u, --urgency", "exit 0")
        let content = NotificationContent(title: "Hi", sound: nil)
        #expect(await sink().deliver(.of(content, receipt: "5")) == .delivered())
        let arguments = try #require(folder.read("arguments"))
        #expect(!arguments.contains("--print-id") && !arguments.contains("--replace-id"))
        #expect(!arguments.contains("boolean"))
    }

    @Test("A new version replaces by number, is silent when asked, and gets the texts last")
    func newVersion() async throws {
        try notifySend("echo 5")
        let content = NotificationContent(title: "-Hi", subtitle: "Sub", body: #"a\n<b>"#, sound: nil)
        #expect(await sink().deliver(.of(content, receipt: "5")).message == "5")
        let arguments = try #require(folder.read("arguments")).split(separator: "\n").map(String.init)
        #expect(arguments.contains("--replace-id=5") && arguments.contains("--print-id"))
        #expect(arguments.contains("boolean:suppress-sound:true"))
        #expect(arguments.contains { $0.hasPrefix("string:x-dunst-stack-tag:") })
        #expect(arguments.suffix(4) == ["--", "-Hi", "Sub", #"a\\n&lt;b&gt;"#])
    }

    @Test("The number of a message that another kind of sink sent is none of the desktop's, nor the other way round")
    func otherKinds() async throws {
        try notifySend("echo 5")
        let content = NotificationContent(title: "Hi")
        guard case .delivered(let receipt?, _) = await sink().deliver(.of(content, receipt: "7 at 0123456789abcdef"))
        else { return #expect(Bool(false), "not shown") }
        #expect(folder.read("arguments")?.contains("--replace-id") == false)
        _ = await sink().deliver(.of(content, receipt: receipt))
        #expect(folder.read("arguments")?.contains("--replace-id=5") == true)
        let transport = ScriptedTransport()
        let telegram = Telegram(url: "https://tg.example", chat: "1", token: { "1:t" })
        let chat = WebSink(telegram, userAgent: "crier/test", transport: transport, clock: ManualClock(now: madeAt))
        _ = await chat.deliver(.of(content, receipt: receipt))
        #expect(transport.requests.map(\.url) == ["https://tg.example/bot1:t/sendMessage"])
    }

    @Test("A number of another session, or of a server that was started anew, is none of this one's")
    func otherSessions() async throws {
        try notifySend("echo 5")
        var receipt: String?
        for (bus, owner, isKnown) in [("a1", 1, false), ("a1", 1, true), ("a1", 2, false), ("b2", 2, false)] {
            let answers = #"*GetNameOwner*) echo 's ":1.\#(owner)"';; *GetId*) echo 's "\#(bus)"';;"#
            let script = "#!/bin/sh\ncase \"$*\" in \(answers) *) echo 'as 1 \"body\"';; esac\n"
            try folder.write(script, to: "busctl", isExecutable: true)
            let outcome = await sink().deliver(.of(NotificationContent(title: "Hi"), receipt: receipt))
            guard case .delivered(let given?, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(folder.read("arguments")?.contains("--replace-id=5") == isKnown, "\(bus) \(owner)")
            receipt = given
        }
    }

    @Test("A number that the server refuses is not insisted on")
    func refusedNumber() async throws {
        try notifySend("case \"$*\" in *--replace-id*) echo 'Invalid notification ID' >&2; exit 1;; esac; echo 9")
        #expect(await sink().deliver(.of(NotificationContent(title: "Hi"), receipt: "5")).message == "9")
    }

    @Test("A server that takes the place of another is told what it understands itself")
    func anotherServer() async throws {
        try notifySend("echo 5")
        let sink = sink()
        let attempt = DeliveryAttempt.of(NotificationContent(title: "Hi", body: "a < b"))
        for (abilities, body) in [(#""body""#, "a < b"), (#""body" "body-markup""#, "a &lt; b"), (#""body""#, "a < b")]
        {
            try folder.write("#!/bin/sh\necho 'as 9 \(abilities)'\n", to: "busctl", isExecutable: true)
            #expect(await sink.deliver(attempt).message == "5")
            #expect(folder.read("arguments")?.hasSuffix("\n\(body)\n") == true)
        }
    }

    @Test("The number that it was given is no sign that anything was shown")
    func givenNumber() async throws {
        let content = NotificationContent(title: "Hi")
        let refusal = "GDBus.Error:org.x.Error.Nope: nope"
        try notifySend(
            "case \"$*\" in *--replace-id=5*) echo '\(refusal)' >&2; echo 5; exit 1;; esac; echo 9")
        #expect(await sink().deliver(.of(content, receipt: "5")).message == "9")
        try notifySend("echo '\(refusal)' >&2; case \"$*\" in *--replace-id=5*) echo 5;; *) echo 0;; esac; exit 1")
        #expect(await sink().deliver(.of(content, receipt: "5")) == .failed(reason: "notify-send: \(refusal)"))
        try notifySend("echo 'GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown: x' >&2; echo 5; exit 1")
        let absent = DeliveryOutcome.deferred(reason: "no notification server is on the session bus")
        #expect(await sink().deliver(.of(content, receipt: "5")) == absent)
        try notifySend("echo 'ExcessNotificationGeneration: x' >&2; echo 5; exit 1")
        #expect(await sink().deliver(.of(content, receipt: "5")).message == "5")
    }

    @Test("Nor is it where a click is waited for, and nobody waits for one then", .timeLimit(.minutes(5)))
    func givenNumberOfADigest() async throws {
        for (program, options) in [("stdbuf", 1), ("timeout", 2), ("xdg-open", 1)] {
            try folder.write("#!/bin/sh\nshift \(options); exec \"$@\"\n", to: program, isExecutable: true)
        }
        try folder.write("#!/bin/sh\necho 'as 2 \"body\" \"actions\"'\n", to: "busctl", isExecutable: true)
        let page: UserInfoValue = [
            "name": "morning", "title": "Morning", "day": "today", "date": "2026-11-21", "language": "en",
            "count": .number(0), "summary": "none", "left": .number(0), "groups": [],
        ]
        let content = NotificationContent(title: "Hi", userInfo: [DigestPage.key: page])
        // As version 0.8.1 does: it waits for a click on what was not shown.
        let refused = """
            echo $$ >> \(folder.path)/pids; echo 'GDBus.Error:org.x.Error.Nope: nope' >&2
            case "$*" in *--replace-id=5*) echo 5;; *) echo 0;; esac
            case "$*" in *--action*) exec sleep 600;; esac; exit 1
            """
        try notifySend(help: "--print-id --replace-id --action", refused)
        let failure = DeliveryOutcome.failed(reason: "notify-send: GDBus.Error:org.x.Error.Nope: nope")
        #expect(await digestSink().deliver(.of(content, receipt: "5")) == failure)
        let started = (folder.read("pids") ?? "").split(separator: "\n").compactMap { Int32($0) }
        #expect(started.count == 3, "with the number, with the click, and without both")
        for process in started { while !isGone(process) { await Task.yield() } }
        // What is said besides is no error.
        let warned = """
            echo >&2; echo '(notify-send:1): libnotify-WARNING **: x' >&2
            echo 'Actions are not supported by this notifications server.' >&2; echo 5; exit 1
            """
        try notifySend(help: "--print-id --replace-id --action", warned)
        #expect(await digestSink().deliver(.of(content, receipt: "5")).message == "5")
    }

    @Test("A server's name and abilities decide what it is told")
    func server() async throws {
        try notifySend("echo 5")
        let answers = #"""
            case "$*" in
            *GetServerInformation) echo 'ssss "Plasma" "KDE" "6" "1.2"';;
            *) echo 'as 3 "actions" "body" "persistence"';;
            esac
            """#
        try folder.write("#!/bin/sh\n\(answers)\n", to: "busctl", isExecutable: true)
        let content = NotificationContent(title: "Hi", body: "<b>")
        #expect(await sink().deliver(.of(content, receipt: "5")).message == "5")
        let arguments = try #require(folder.read("arguments")).split(separator: "\n").map(String.init)
        #expect(arguments.contains("string:desktop-entry:crier"))
        #expect(arguments.contains("--replace-id=5"))
        #expect(!arguments.contains { $0.contains("tag") })
        #expect(arguments.last == "<b>")
    }

    private func sink(limit: Duration = .seconds(60), patience: Duration = .seconds(60)) -> DesktopSink {
        let variables = ["PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
        return DesktopSink(
            environment: DesktopEnvironment(variables: variables, userID: 1), limit: limit, patience: patience)
    }

    private func digestSink() -> DesktopSink {
        let variables = ["PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
        return DesktopSink(
            environment: DesktopEnvironment(variables: variables, userID: 1), limit: .seconds(60),
            patience: .seconds(60), pages: DigestPages(folder: folder.file("pages")))
    }

    private func notifySend(help: String = "--print-id --replace-id boolean", _ script: String) throws {
        let text = """
            #!/bin/sh
            PATH=/usr/bin:/bin
            [ "$1" = --help ] && { echo '\(help)'; exit; }
            printf '%s\\n' "$@" > \(folder.path)/arguments
            \(script)

            """
        try folder.write(text, to: "notify-send", isExecutable: true)
    }

    /// Gone, or only waiting for its parent to take notice.
    private func isGone(_ process: Int32) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return state.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }
}

/// A socket in the file system that a program may find; as of a bus that was killed before ``listen()``.
private final class ListeningSocket: Sendable {
    private let descriptor: Int32

    init(at path: String) throws {
        descriptor = try LocalSocket.bound(to: path, SOCK_STREAM)
    }

    func listen() { _ = Foundation.listen(descriptor, 8) }

    deinit { close(descriptor) }
}
