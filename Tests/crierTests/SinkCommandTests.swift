import CrierTesting
import Foundation
import Testing

@Suite("The command that tests a sink")
struct SinkCommandTests {
    @Test("It raises a notification, says what the sink shows and what it drops, and fails when it is refused")
    func tests() async throws {
        var crier = try BuiltCrier(
            "sinks: {file: {path: ~/news.jsonl}, program: {kind: exec, command: [sh, -c, exit 3]}}\n")
        crier.environment["HOME"] = crier.folder.path
        let good = try await crier.run("sink", "test", "file")
        #expect(good.status == 0)
        #expect(good.errors.contains("file: shows title, text, subtitle, link, images"))
        #expect(good.errors.contains("file: drops markup, buttons, replacement; of this test nothing"))
        #expect(good.errors.contains("file: delivered in "))
        #expect(crier.folder.read("news.jsonl")?.contains("Test of the sink file") == true)
        let bad = try await crier.run("sink", "test", "program")
        #expect(bad.status == 69 && bad.errors.contains("sh ended with exit status 3"))
        crier.environment["HOME"] = nil
        let lost = try await crier.run("sink", "test", "file")
        let reason = "~/news.jsonl cannot be written: its path begins with ~ but HOME is not an absolute path"
        #expect(lost.status == 69 && lost.errors.contains(reason), "\(lost)")
    }

    @Test func ofATemplateNothingIsSaidThatItDoesNotSay() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: "ok") }
        let crier = try BuiltCrier(
            """
            sinks:
              hook: {kind: webhook, url: '\(origin.url("/in"))', template: '{"text": "{{title}}"}'}
              stdout: {template: '{{title}}'}
            """)
        for sink in ["hook", "stdout"] {
            let run = try await crier.run("sink", "test", sink)
            #expect(run.status == 0, "\(run)")
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == "\(sink): shows what its template says", "\(run)")
        }
        await origin.stop()
    }

    /// The units that `install` writes have such a mask.
    @Test func aFeedMayBeReadByAWebServerWhateverTheMaskAndAllElseIsPrivate() async throws {
        let crier = try BuiltCrier()
        let feed = crier.folder.file("public/html/news.xml")
        try crier.folder.write(
            "sinks: {feed: {path: '\(feed)'}, file: {path: '\(crier.folder.file("log/news.jsonl"))'}}\n",
            to: "crier.yaml")
        for sink in ["feed", "file"] {
            let test = try await crier.run(shell: "umask 077; exec \"$0\" sink test \(sink)")
            #expect(test.status == 0, "\(test)")
        }
        let modes = try ["public", "public/html", "public/html/news.xml", "log", "log/news.jsonl"].map {
            try FileManager.default.attributesOfItem(atPath: crier.folder.file($0))[.posixPermissions] as? Int
        }
        #expect(modes == [0o755, 0o755, 0o644, 0o700, 0o600])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func anInterruptionEndsTheProgramToo(_ signal: Int32) async throws {
        let crier = try BuiltCrier()
        let started = crier.folder.file("started")
        try #require(mkfifo(started, 0o600) == 0)
        let command = "[sh, -c, 'echo $$ > \(started); exec sleep 60']"
        try crier.folder.write("sinks: {program: {kind: exec, command: \(command)}}\n", to: "crier.yaml")
        let test = try RunningCommand(crier, "sink", "test", "program")
        var program: Int32?
        try await withProgram("cat", [started]) { program = Int32(try await $0.firstLine()) }
        #expect(await test.end(signal) == 128 + signal)
        #expect(kill(try #require(program), 0) == -1)
    }

    #if os(Linux)
        /// As in a container whose root may only be read.
        @Test(arguments: ["/nonexistent", ""]) func theInputOfAProgramNeedsNoFolder(temporary: String) async throws {
            var crier = try BuiltCrier("")
            let heard = crier.folder.file("heard")
            let command = "[sh, -c, 'readlink /proc/self/fd/0 > \(heard); cat >> \(heard)']"
            try crier.folder.write("sinks: {program: {kind: exec, command: \(command)}}\n", to: "crier.yaml")
            crier.environment["TMPDIR"] = temporary
            let run = try await crier.run("sink", "test", "program")
            #expect(run.status == 0, "\(run)")
            let lines = try #require(crier.folder.read("heard")).split(separator: "\n")
            #expect(lines.first == "/memfd:crier-input (deleted)")
            #expect(lines.last?.contains("Test of the sink program") == true, "\(lines)")
        }
    #endif

    @Test("Why the input of a program cannot be written is told")
    func input() async throws {
        let crier = try BuiltCrier("sinks: {program: {kind: exec, command: [cat]}}\n")
        // No file may have a single byte, but what is printed is no file.
        let run = try await crier.run(shell: "{ ulimit -f 0; \"$0\" sink test program 2>&1; } | cat")
        let reason = #/the input of cat cannot be written in \S+: File too large/#
        #expect(run.output.contains(reason), "\(run)")
    }

    @Test("Why a secret cannot be had is told, and nothing of it")
    func secrets() async throws {
        var crier = try BuiltCrier(
            """
            sinks:
              hook: {kind: webhook, url: "http://127.0.0.1:1/", secret: {env: HUNTER2}}
              mail:
                {kind: email, server: "smtp://127.0.0.1:1", user: me, password: {file: /no/hunter2}, from: a@b.example,
                to: a@b.example}
              others: {kind: apprise, targets: {command: [sh, -c, "echo hunter2 >&2; exit 1"]}}
              chat: {kind: slack, url: {command: [/no/hunter2]}}
              room: {kind: discord, url: {command: [sh, -c, "yes hunter2"]}}
            """)
        let program = try crier.folder.write("#!/bin/sh\n", to: "bin/apprise", isExecutable: true)
        crier.environment["PATH"] = "\((program as NSString).deletingLastPathComponent):/usr/bin:/bin"
        let told = [
            "hook": "the secret of web hook at 127.0.0.1 cannot be read: the environment variable is not set",
            "mail": "the password for the mail server cannot be read: the file cannot be read",
            "others": "the targets of apprise cannot be read: its program failed",
            "chat": "the address of Slack cannot be read: its program cannot be run",
            "room": "the address of Discord cannot be read: its program printed more than 64 KiB",
        ]
        for (name, reason) in told {
            let outcome = try await crier.run("sink", "test", name)
            #expect(outcome.status == 69 && outcome.errors.contains(reason), "\(outcome)")
            #expect(!(outcome.errors + outcome.output).lowercased().contains("hunter2"))
        }
    }

    @Test("A line that the disk has no room for leaves nothing of it in a file")
    func full() async throws {
        let crier = try BuiltCrier()
        let before = String(repeating: "x", count: (1 << 20) - 11) + "\n"
        let path = try crier.folder.write(before, to: "lines")
        try crier.folder.write("sinks: {log: {kind: file, path: '\(path)'}}", to: "crier.yaml")
        let process = crier.process([])
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // No file may grow beyond a MiB, of which ten bytes are left.
        process.arguments = ["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" sink test log", BuiltCrier.binary]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        #expect(process.terminationStatus == 69)
        #expect(crier.folder.read("lines") == before)
    }

    @Test func aKeyThatIsAnotherEachTimeLeadsASinkThatIsGoneNowhereElse() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(status: 410) }
        var crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        try crier.folder.write(
            """
            sinks: {team: {kind: webhook, url: '\(origin.url("/in"))', secret: {env: KEY}}}
            sources: {news: {url: 'file://\(feed)'}}
            """, to: "crier.yaml")
        try await crier.authorize()
        for key in ["a", "b", "c"] {
            crier.environment["KEY"] = key
            try await crier.run("fetch")
        }
        #expect(await origin.requests.count == 1)
        await origin.stop()
    }

    /// In the configuration, and by a secret.
    @Test(arguments: ["{kind: webhook, url: 'ORIGIN/PATH'}", "{kind: slack, url: {env: PLACE}}"])
    func aSinkThatIsGoneIsTriedAgainOnceItLeadsElsewhere(sink: String) async throws {
        let origin = try await ScriptedOrigin()
        var crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        func lead(to path: String) throws {
            crier.environment["PLACE"] = origin.url(path)
            let settings = sink.replacing("/PATH", with: path).replacing("ORIGIN", with: origin.url(""))
            try crier.folder.write(
                "sinks: {team: \(settings)}\nsources: {news: {url: 'file://\(feed)'}}\n", to: "crier.yaml")
        }
        await origin.handle { _ in ScriptedAnswer(status: 410) }
        try lead(to: "/former")
        try await crier.authorize()
        for _ in 0..<2 { try await crier.run("fetch") }
        #expect(await origin.requests.count == 1)
        #expect(try await crier.run("status").output.contains("The sink team is gone"))
        await origin.handle { _ in ScriptedAnswer(body: "ok") }
        try await crier.run("fetch")
        #expect(await origin.requests.count == 1, "it leads where it led")
        try lead(to: "/latter")
        try await crier.run("fetch")
        #expect(await origin.requests.count == 2)
        let delivered = try await crier.run("deliveries", "list", "--in", "delivered", "--format", "json").objects
        #expect(delivered.count == 1)
        #expect(try await !crier.run("status").output.contains("The sink team is gone"))
        for file in ["crier.sqlite", "crier.sqlite-wal"] {
            let bytes = FileManager.default.contents(atPath: crier.folder.file(file)) ?? Data()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("/former"))
        }
        await origin.stop()
    }

    @Test func aProgramHasWorkedAlsoWhereChildrenAreForgotten() async throws {
        let crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let heard = crier.folder.file("heard")
        try crier.folder.write(
            """
            sinks: {program: {kind: exec, command: [sh, -c, 'cat >> \(heard)']}}
            sources: {news: {url: 'file://\(feed)'}}
            """, to: "crier.yaml")
        try await crier.authorize()
        let outcome = try await crier.run(shell: "trap '' CHLD; exec \"$0\" fetch")
        #expect(outcome.status == 0 && !outcome.errors.contains("signal"), "\(outcome)")
        #expect(try await crier.run("deliveries", "list", "--all").output.contains("delivered"))
    }
}
