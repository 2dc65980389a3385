import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct AgentCommandTests {
    @Test func fetchesAndRaisesByItselfAndEndsInOrder() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        #expect(try await agent.line() == "Item 3")
        try await agent.says("raised count=1 sink=stdout")
        let mode = try FileManager.default.attributesOfItem(atPath: bench.socket)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(await agent.end() == 0)
        #expect(await agent.everythingSaid().last?.hasSuffix("info: agent ended") == true)
        #expect(!FileManager.default.fileExists(atPath: bench.crier.statePath + "-wal"), "the state was closed")
        // What it did is remembered: the next one raises nothing again.
        let next = try await bench.agent()
        let run = try await bench.crier.run("fetch", "--force")
        #expect(run.output == "Nothing new in 1 source.\n")
        #expect(await next.end() == 0)
        await bench.origin.stop()
    }

    /// Its window was closed: nobody could see it any more, nor what it prints.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 is not installed"),
        arguments: [(false, "0\n"), (true, "stays\n0\n")])
    func oneWhoseTerminalIsGoneEndsUnlessItIsToOutliveThat(nohup: Bool, expected: String) async throws {
        let bench = try await AgentBench()
        let script = try bench.crier.folder.write(
            """
            import os, pty, signal, subprocess, sys
            process, terminal = pty.fork()
            if process == 0:
                if sys.argv[2] == "true": signal.signal(signal.SIGHUP, signal.SIG_IGN)
                os.execv(sys.argv[1], [sys.argv[1], "agent"])
            said = b""
            while b"ready socket" not in said: said += os.read(terminal, 4096)
            os.close(terminal)
            if sys.argv[2] == "true":
                subprocess.run([sys.argv[1], "status"], stdout=subprocess.DEVNULL, check=True)
                if os.waitpid(process, os.WNOHANG) == (0, 0): print("stays")
                os.kill(process, signal.SIGTERM)
            print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
            """, to: "terminal.py")
        let run = try await bench.crier.run([]) { process in
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = [script, BuiltCrier.binary, "\(nohup)"]
        }
        #expect(run.output == expected, "\(run.errors)")
        await bench.origin.stop()
    }

    @Test func aSecondAgentAndAnotherRunFindTheLock() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        let second = try await bench.crier.run("agent")
        #expect(second.status == 75)
        #expect(second.errors.contains("process \(agent.identifier)"))
        // One that cannot be reached at its socket is another run like any.
        var other = bench.crier
        other.environment["XDG_RUNTIME_DIR"] = bench.crier.folder.file("none")
        #expect(try await other.run("fetch").status == 75)
        // Another state, but the same socket.
        #expect(try await bench.crier.run("agent", "--state", bench.crier.folder.file("other.sqlite")).status == 75)
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aSocketThatCannotBeIsToldInWordsAndEndsNoAgent() async throws {
        let long = String(repeating: "long", count: 30)
        for (place, cause) in [
            ("run/\(long)", "the path is too long for a socket"), ("folder", "what is there is no socket"),
            ("file", "what is there is no socket"), ("crier.yaml", "Not a directory"),
        ] {
            var bench = try await AgentBench()
            try bench.crier.folder.write("mine", to: "folder/crier/agent.sock/mine")
            try bench.crier.folder.write("mine", to: "file/crier/agent.sock")
            bench.crier.environment["XDG_RUNTIME_DIR"] = bench.crier.folder.file(place)
            let agent = try RunningCommand(bench.crier, "agent")
            try await agent.says("warning: other commands cannot reach the agent: \(cause) socket=")
            #expect(try await agent.line() == "Item 3")
            #expect(await agent.end() == 0)
            #expect(bench.crier.folder.read("file/crier/agent.sock") == "mine")
            await bench.origin.stop()
        }
    }

    @Test func aFetchUnderWayIsLeftToTheNextAgent() async throws {
        let bench = try await AgentBench()
        await bench.origin.script("/feed", [.hang])
        let agent = try await bench.agent()
        await bench.origin.received(1)
        #expect(await agent.end() == 0)
        let store = try #require(try Store.existing(path: bench.crier.statePath))
        #expect(try store.states().isEmpty, "nothing is counted against a source that was not let finish")
        await bench.origin.stop()
    }

    @Test func aChangedConfigurationHoldsAtOnceAndABadOneNever() async throws {
        let bench = try await AgentBench()
        await bench.origin.script("/more", [ScriptedAnswer(body: atomFeed(7...8, title: "More"))])
        let agent = try await bench.agent()
        try await agent.says("raised")
        try bench.configure([("news", "/feed"), ("more", "/more")])
        try await agent.says("configuration reloaded")
        try await agent.says("source=more")
        try bench.crier.folder.write("sources:\n  news: {url: 'ftp:'}\n", to: "crier.yaml")
        try await agent.says("crier.yaml:2")
        try await agent.says("the one in force stays")
        try bench.crier.folder.write("sources: [\n", to: "crier.yaml")
        try await agent.says("the one in force stays")
        let url = bench.origin.url("/feed")
        try bench.crier.folder.write("sources:\n  news: {url: '\(url)', only: '.['}\n", to: "crier.yaml")
        try await agent.says("sources.news.only: jq: syntax error")
        try await agent.says("the one in force stays")
        // A hangup has it read again, and it is no better.
        agent.send(SIGHUP)
        try await agent.says("the one in force stays")
        try bench.configure([("news", "/feed")])
        try await agent.says("configuration reloaded")
        agent.send(SIGHUP)
        try await agent.says("configuration reloaded")
        #expect(await agent.end() == 0)
        let store = try #require(try Store.existing(path: bench.crier.statePath))
        #expect(Set(try store.states().keys) == ["news", "more"], "what was remembered stays")
        await bench.origin.stop()
    }

    @Test func aConfigurationThatIsTakenAwayIsToldOnceAndSoIsItsReturn() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        let file = bench.crier.folder.file("crier.yaml")
        for _ in 1...2 {
            try FileManager.default.moveItem(atPath: file, toPath: file + "~")
            try await agent.says("crier.yaml is not there any more; the configuration in force stays")
            try FileManager.default.moveItem(atPath: file + "~", toPath: file)
            try await agent.says("the configuration file is there again")
        }
        #expect(await agent.end() == 0)
        let said = await agent.everythingSaid()
        #expect(said.count { $0.contains("in force stays") } == 2, "\(said)")
        #expect(!said.contains { $0.contains("no changes of") }, "the kernel tells to the end")
        await bench.origin.stop()
    }

    @Test func aMistakeIsToldOnceForOneStateOfTheFile() async throws {
        let bench = try await AgentBench("  bad: {url: 'ftp:'}\n")
        let agent = try await bench.agent()
        // The file is the one that it began with, and asked for it says so.
        agent.send(SIGHUP)
        try await agent.says("whose mistakes were told")
        try bench.crier.folder.write("sources:\n  news: {url: 'gopher:'}\n", to: "crier.yaml")
        // Heard of by the kernel first, and then asked for.
        try await agent.says("the configuration has mistakes: the one in force stays")
        agent.send(SIGHUP)
        try await agent.says("whose mistakes were told")
        try bench.configure([("news", "/feed")])
        try await agent.says("configuration reloaded")
        #expect(await agent.end() == 0)
        let said = await agent.everythingSaid()
        #expect(said.count { $0.contains("crier.yaml:3:") && $0.contains("ftp") } == 1, "\(said)")
        #expect(said.count { $0.contains("crier.yaml:2:") && $0.contains("gopher") } == 1, "\(said)")
        await bench.origin.stop()
    }

    @Test func aRenamedSourceKeepsWhatIsRememberedOfIt() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        let store = try #require(try Store.existing(path: bench.crier.statePath))
        let before = try store.state(of: "news")
        try bench.configure([("daily-news", "/feed")])
        try await agent.says("a source has another name, and keeps what is remembered of it from=news to=daily-news")
        let after = try store.state(of: "daily-news")
        #expect(after.lastSucceeded == before.lastSucceeded && before.lastSucceeded != nil)
        #expect(try store.itemCount(of: "daily-news") == 3)
        #expect(await agent.end() == 0)
        // So it does where no agent runs.
        try bench.configure([("third-name", "/feed")])
        #expect(try await bench.crier.run("fetch").output.hasPrefix("Nothing is due"))
        #expect(try store.itemCount(of: "third-name") == 3)
        await bench.origin.stop()
    }

    @Test func nothingIsFetchedBeforeTheUserHasAuthorizedIt() async throws {
        let bench = try await AgentBench(isAuthorized: false)
        let agent = try await bench.agent()
        try await agent.says("run `crier authorize`")
        #expect(await bench.origin.requests.isEmpty)
        try await bench.crier.authorize()
        #expect(try await agent.line() == "Item 3")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func theConfigurationMayLetItFetchBefore() async throws {
        let bench = try await AgentBench("background: always\n", isAuthorized: false)
        let agent = try await bench.agent()
        try await agent.says("notifications wait for your permission")
        let answer = try await bench.crier.run("authorize", "--allow")
        #expect(answer.output == "Crier may raise notifications. What waited (1) comes now.\n")
        #expect(try await agent.line() == "Item 3")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func theSwitchEndsFetchingInTheBackgroundUntilItIsSwitchedOn() async throws {
        let bench = try await AgentBench()
        #expect(try await bench.crier.run("background", "off").output == "Fetching in the background is off.\n")
        let agent = try await bench.agent()
        try await agent.says("switched off")
        #expect(await bench.origin.requests.isEmpty)
        let answer = try await bench.crier.run("background", "on", "--minimum-interval", "3h")
        #expect(
            answer.output
                == "Fetching in the background is on, no source more often than every 3 h, from its next visit on.\n")
        #expect(try await agent.line() == "Item 3")
        let store = try #require(try Store.existing(path: bench.crier.statePath))
        let reason = try store.state(of: "news").nextFetchReason
        #expect(reason == "the least interval of 3 h, longer than its own of 1 h")
        #expect(await agent.end() == 0)
        #expect(try await bench.crier.run("background", "--minimum-interval", "2d").status == 64)
        await bench.origin.stop()
    }

    @Test func theLogIsJSONWhenAsked() async throws {
        let bench = try await AgentBench()
        let agent = try RunningCommand(bench.crier, "agent", "--log-format", "json", "--log-level", "debug")
        let line = try await agent.says("ready")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(object["level"] == "info" && object["message"] == "ready" && object["socket"] == bench.socket)
        #expect(await agent.end(SIGINT) == 0)
        await bench.origin.stop()
    }

    @Test func mistakesThatItBeginsWithAreLoggedAsItsLogIs() async throws {
        let bench = try await AgentBench("  bad: {url: 'ftp:'}\n")
        let agent = try RunningCommand(bench.crier, "agent", "--log-format", "json")
        let line = try await agent.says("crier.yaml:3")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(object["level"] == "error")
        try await agent.says("ready")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func theServiceManagerIsToldWhenItIsReadyReloadedAndAboutToEnd() async throws {
        var bench = try await AgentBench()
        bench.crier.environment["WATCHDOG_USEC"] = "60000000"
        let manager = try bench.crier.underServiceManager()
        let agent = try await bench.agent()
        agent.send(SIGHUP)
        try await agent.says("configuration reloaded")
        #expect(await agent.end() == 0)
        let told = manager.all().map { String($0.prefix { $0 != "=" && $0 != "\n" }) }
        // The end may be told of before the reading is.
        #expect(
            told.filter { !["WATCHDOG", "STATUS"].contains($0) }.sorted() == [
                "READY", "READY", "RELOADING", "STOPPING",
            ])
        #expect(told.contains("WATCHDOG"))
        await bench.origin.stop()
    }

    @Test func theServiceManagerIsToldWhatIsGoingOnEachTimeThatItChanges() async throws {
        var bench = try await AgentBench(isAuthorized: false)
        let manager = try bench.crier.underServiceManager()
        let agent = try await bench.agent()
        #expect(manager.next("STATUS=") == "STATUS=1 source, waits for `crier authorize`")
        // What is asked for is fetched, and held.
        try await bench.crier.run("fetch", "--quiet")
        var line = manager.next("STATUS=")
        while let told = line, told.contains("deliver") { line = manager.next("STATUS=") }
        #expect(line == "STATUS=1 source, waits for `crier authorize`, 1 held")
        try await bench.crier.authorize()
        line = manager.next("STATUS=")
        while let told = line, told.contains("held") || told.contains("deliver") { line = manager.next("STATUS=") }
        #expect(line?.wholeMatch(of: /STATUS=1 source, next fetch [-0-9 ]*\d\d:\d\d/) != nil, "\(line ?? "nothing")")
        try await bench.crier.run("background", "off")
        #expect(manager.next("STATUS=") == "STATUS=1 source, fetching is switched off")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aDroppedDeliveryIsNoLongerWaitedFor() async throws {
        var bench = try await AgentBench("sinks:\n  team: {kind: webhook, url: 'http://127.0.0.1:1/'}\n")
        let manager = try bench.crier.underServiceManager()
        let agent = try await bench.agent()
        try await agent.says("not delivered yet")
        let id = try #require(
            try await bench.crier.run("deliveries", "list", "--format", "json").objects.first?["id"] as? Int)
        var line = manager.next("STATUS=")
        while let told = line, !told.hasSuffix("1 to deliver") { line = manager.next("STATUS=") }
        #expect(try await bench.crier.run("deliveries", "drop", "\(id)").output == "1 dropped.\n")
        #expect(manager.next("STATUS=")?.contains("to deliver") == false)
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }
}
