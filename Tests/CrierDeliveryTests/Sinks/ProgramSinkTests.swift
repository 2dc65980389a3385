import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("Programs that get notifications")
struct ProgramSinkTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A program gets the notification as JSON, and no shell reads its arguments")
    func input() async throws {
        let script = try folder.write("#!/bin/sh\ncat > \"$1\"; echo \"$2\" >> \"$1\"", to: "take", isExecutable: true)
        let sink = ExecSink(command: [script, folder.file("got"), "$(id) `id`; *"])
        #expect(await sink.deliver(.titled(hostileTitle)) == .delivered())
        let lines = try #require(folder.read("got")).split(separator: "\n")
        let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
        #expect(object?["identifier"] as? String == "gank:1")
        #expect(lines[0].contains("<script>gpj") && String(lines[0]).isHarmless)
        #expect(lines[1] == "$(id) `id`; *")
    }

    @Test(
        "How it ends says what becomes of the notification",
        arguments: [
            ("exit 0", DeliveryOutcome.delivered()),
            ("exit 75", .deferred(reason: "sh wants to be called again later")),
            (
                "echo first >&2; printf 'no \\033[31mroom' >&2; exit 3",
                .failed(reason: "sh ended with exit status 3: no [31mroom")
            ),
            ("kill -9 $$", .unanswered(reason: "sh was ended by a signal")),
        ])
    func endings(script: String, expected: DeliveryOutcome) async {
        #expect(await ExecSink(command: ["sh", "-c", script]).deliver(.titled("x")) == expected)
    }

    @Test("What a program wants later says nothing of the others")
    func later() {
        #expect(ExecSink(command: ["sh"]).defersSingly)
    }

    @Test("One that takes too long is ended, with all it has started")
    func overdue() async {
        let sink = ExecSink(
            command: ["sh", "-c", "trap '' TERM; sleep 600 & wait; sleep 600"], limit: .milliseconds(300))
        let outcome = await sink.deliver(.titled("x"))
        #expect(outcome == .unanswered(reason: "sh did not end within 300 ms"))
    }

    @Test("One that has done its work when it is asked to end is not called again", .timeLimit(.minutes(5)))
    func endedWell() async throws {
        func sink(_ status: Int, limit: Duration) -> ExecSink {
            let script = "trap 'exit \(status)' TERM; echo > \(folder.file("begun")); while :; do sleep 0.05; done"
            return ExecSink(command: ["sh", "-c", script], limit: limit)
        }
        #expect(await sink(0, limit: .seconds(3)).deliver(.titled("x")) == .delivered())
        for (status, outcome) in [(0, DeliveryOutcome.delivered()), (1, .deferred(reason: "the run was stopped"))] {
            try? FileManager.default.removeItem(atPath: folder.file("begun"))
            let delivery = Task { await sink(status, limit: .seconds(600)).deliver(.titled("x")) }
            await folder.appears("begun")
            delivery.cancel()
            #expect(await delivery.value == outcome)
        }
    }

    @Test("One that does its work may print whatever it likes", arguments: ["1", "2"])
    func talkative(descriptor: String) async throws {
        let script = "head -c 2000000 /dev/zero >&\(descriptor)"
        #expect(await ExecSink(command: ["sh", "-c", script]).deliver(.titled("x")) == .delivered())
        try folder.write("#!/bin/sh\n\(script)", to: "apprise", isExecutable: true)
        let apprise = AppriseSink(targets: { "x" }, variables: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(await apprise.deliver(.titled("x")) == .delivered())
    }

    @Test("One that prints without end is ended when its time is over", arguments: ["1", "2"])
    func flood(descriptor: String) async {
        let sink = ExecSink(
            command: ["sh", "-c", "exec cat /dev/zero >&\(descriptor)"], limit: .milliseconds(300))
        #expect(await sink.deliver(.titled("x")) == .unanswered(reason: "sh did not end within 300 ms"))
    }

    @Test("One that reads nothing, and one that is not there")
    func unwilling() async {
        let long = NotificationContent(title: "x", body: String(repeating: "long ", count: 100_000))
        #expect(await ExecSink(command: ["true"]).deliver(.of(long)) == .delivered())
        let absent = await ExecSink(command: ["/nowhere/program"]).deliver(.titled("x"))
        #expect(absent == .failed(reason: "/nowhere/program is not installed or not executable"))
    }

    @Test(
        "apprise hands on, and no address stands in an argument",
        .enabled(if: PythonTools.has("apprise"), "\(PythonTools.needs)"))
    func apprise() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/hook", [ScriptedAnswer(status: 200)])
        let target = "json://user:p4ss@127.0.0.1:\(origin.port)/hook\n"
        let path = "\(PythonTools.folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let sink = AppriseSink(targets: { target }, variables: ["PATH": path, "HOME": folder.path])
        let content = NotificationContent(
            title: hostileTitle, body: "-t two\nlines", interruptionLevel: .critical, url: "https://gank.io/")
        #expect(await sink.deliver(.of(content)) == .delivered())
        let request = try #require(await origin.requests.first)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
        #expect(json["title"] as? String == "--help [31mred]8;;http://evil.example/link]8;; $(id) %s <script>gpj !")
        #expect(json["message"] as? String == "-t two\nlines\nhttps://gank.io/")
        #expect(json["type"] as? String == "warning")
        await origin.script("/hook", [ScriptedAnswer(status: 500)])
        let refused = await sink.deliver(.of(content))
        guard case .failed(let reason, _) = refused else { return #expect(Bool(false), "\(refused)") }
        #expect(!reason.contains("p4ss"))
        await origin.stop()
    }

    @Test("apprise gets its targets by its environment and waits until it is installed")
    func appriseCommand() async throws {
        let absent = AppriseSink(targets: { "x" }, variables: ["PATH": folder.path])
        #expect(
            await absent.deliver(.titled("x")) == .deferred(reason: "apprise is not installed (Debian package apprise)")
        )
        try folder.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(folder.file("argv"))'\necho \"$APPRISE_URLS\" >> '\(folder.file("urls"))'",
            to: "apprise", isExecutable: true)
        let sink = AppriseSink(
            targets: { "a://secret\n\n  # off://secret\n b://secret\n" },
            variables: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(await sink.deliver(.titled("--config=/etc/passwd")) == .delivered())
        #expect(folder.read("urls")?.split(separator: "\n").sorted() == ["a://secret", "b://secret"])
        let arguments = try #require(folder.read("argv"))
        #expect(arguments.hasPrefix("--title=--config=/etc/passwd\n") && !arguments.contains("secret"))
        let none = AppriseSink(targets: { "# off://secret" }, variables: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(await none.deliver(.titled("x")) == .failed(reason: "there is no URL in the targets of apprise"))
    }

    @Test("What some targets of apprise have taken is not given to them again, and calls nobody by name")
    func appriseTargets() async throws {
        try folder.write(
            """
            #!/bin/sh
            printf '%s ' "$1" "$(cat)" >> "\(folder.path)/$APPRISE_URLS"
            test "$APPRISE_URLS" != bad
            """, to: "apprise", isExecutable: true)
        func deliver(to targets: String) async -> DeliveryOutcome {
            await AppriseSink(targets: { targets }, variables: ["PATH": "\(folder.path):/usr/bin:/bin"]).deliver(
                .of(
                    NotificationContent(
                        title: "@all win@everyone", body: "@here me@example.org https://a.example/@me <!here> <@U1>")))
        }
        #expect(
            await deliver(to: "good\nbad\nfine")
                == .delivered(remark: "not taken by 1 of 3 targets: apprise ended with exit status 1"))
        let told =
            "--title=@\u{200b}all win@\u{200b}everyone @\u{200b}here me@example.org https://a.example/%40me "
            + "<!\u{200b}here> <@\u{200b}U1> "
        for target in ["good", "bad", "fine"] { #expect(folder.read(target) == told) }
        #expect(await deliver(to: "bad") == .failed(reason: "apprise ended with exit status 1"))
        let many = (1...9).map { "t\($0)" }
        #expect(await deliver(to: many.joined(separator: "\n")) == .delivered())
        for target in many { #expect(folder.read(target) == told) }
    }

    @Test("All targets of apprise are called again where it was stopped between two", .timeLimit(.minutes(5)))
    func appriseStopped() async throws {
        try folder.write(
            """
            #!/bin/sh
            trap '' TERM
            test "$APPRISE_URLS" = quick || trap 'exit 1' TERM
            echo "$APPRISE_URLS" >> "\(folder.file("told"))"
            until test "$APPRISE_URLS" = quick -o -e "\(folder.file("free"))"; do sleep 0.05; done
            """, to: "apprise", isExecutable: true)
        let sink = AppriseSink(targets: { "quick\nslow" }, variables: ["PATH": "\(folder.path):/usr/bin:/bin"])
        func told() -> [Substring] { (folder.read("told") ?? "").split(separator: "\n").sorted() }
        let delivery = Task { await sink.deliver(.titled("x")) }
        while told() != ["quick", "slow"] { await Task.yield() }
        delivery.cancel()
        #expect(await delivery.value == .deferred(reason: "the run was stopped"))
        try folder.write("", to: "free")
        #expect(await sink.deliver(.titled("x")) == .delivered())
        #expect(told() == ["quick", "quick", "slow", "slow"])
    }
}
