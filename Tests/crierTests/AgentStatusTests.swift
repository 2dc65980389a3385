import CrierStore
import CrierTesting
import Foundation
import Testing

/// What `crier status` and `crier log` tell while an agent runs, and after it.
@Suite(.timeLimit(.minutes(5))) struct AgentStatusTests {
    @Test func statusTellsWhatTheAgentDoesNowAndTheRestFromTheState() async throws {
        var bench = try await AgentBench()
        let manager = try bench.crier.underServiceManager()
        let body = atomFeed(1...3)
        await bench.origin.script(
            "/feed",
            [
                ScriptedAnswer(steps: [
                    .gate("go"),
                    .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)),
                ])
            ])
        let agent = try await bench.agent()
        await bench.origin.received(1)
        let busy = try #require(try await bench.crier.run("status", "--format", "json").objects.last?["agent"])
        let live = try #require(busy as? [String: Any])
        #expect(live["fetching"] as? [String] == ["news"])
        #expect(live["process"] as? Int32 == agent.identifier)
        #expect(try await bench.crier.run("status").output.contains(" and visits news now.\n"))
        await bench.origin.open("go")
        var line = manager.next("STATUS=")
        while let told = line, !told.contains("next fetch") || told.contains("to deliver") {
            line = manager.next("STATUS=")
        }
        let idle = try await bench.crier.run("status").lines
        #expect(idle.contains { $0.hasPrefix("The agent (process \(agent.identifier)) runs since ") })
        #expect(idle.contains { $0.contains("; the next visit is in ") })
        let source = try await bench.crier.run("status", "--format", "json").lines.first
        #expect(await agent.end() == 0)
        let alone = try await bench.crier.run("status")
        #expect(try await bench.crier.run("status", "--format", "json").lines.first == source)
        let rest = idle.filter { !$0.hasPrefix("The agent ") }
        #expect(alone.lines.dropFirst(2) == rest.dropFirst(2), "the rest is the same without one")
        #expect(try await bench.crier.run("status", "--format", "json").objects.last?["agent"] is NSNull)
        await bench.origin.stop()
    }

    @Test func whoWaitsAtATerminalForTheAgentIsToldWhatItVisits() async throws {
        var bench = try await AgentBench()
        bench.crier.environment["TERM"] = "xterm"
        let head = "HTTP/1.1 500 -\r\nContent-Length: 0\r\n\r\n"
        await bench.origin.script("/feed", [ScriptedAnswer(steps: [.gate("go"), .bytes(Array(head.utf8))])])
        let agent = try await bench.agent()
        await bench.origin.received(1)
        let terminal = try PseudoTerminal()
        let process = bench.crier.process(["fetch"], at: terminal)
        async let ended: Void = process.runToEnd()
        let told = await withTaskExecutorPreference(OwnThreads.shared) { () async in terminal.shown(upTo: "\n") }
        #expect(told == "The agent is at work, and visits news now; what you ask for comes after that.\r\n")
        await bench.origin.open("go")
        try await ended
        #expect(process.terminationStatus == 0, "nothing is due any more")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func anAgentThatIsStoppedIsToldWithWhatLetsItGoOn() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        #expect(try await bench.crier.run("status", "--format", "json").objects.last?["stopped"] is NSNull)
        agent.send(SIGSTOP)
        let process = agent.identifier
        let remedy = "kill -CONT \(process)"
        let status = try await bench.crier.run("status").output
        let words = "The run or agent at work (process \(process)) is stopped: nothing is fetched or raised;"
        #expect(status.contains("\(words) `\(remedy)` lets it go on.\n"), "\(status)")
        #expect(try await bench.crier.run("status", "--format", "json").objects.last?["stopped"] as? Int32 == process)
        let findings = try await bench.crier.run("doctor", "--format", "json").objects
        #expect(findings.contains { $0["verdict"] as? String == "fail" && $0["remedy"] as? String == remedy })
        let run = try await bench.crier.run("fetch", "--scheduled", "--quiet")
        #expect(run.status == 75 && run.errors.contains("is stopped: nothing is fetched or raised; `\(remedy)`"))
        let watch = try await bench.crier.run("watch")
        #expect(watch.status == 69 && watch.errors.hasSuffix("or raised; `\(remedy)` lets it go on\n"))
        agent.send(SIGCONT)
        #expect(try await bench.crier.run("status").output.contains("The agent (process \(process)) runs since "))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    #if os(Linux)
        /// Of what the doctor warns of in these words.
        private func remedy(of words: String, _ bench: AgentBench) async throws -> String? {
            let doctor = try await bench.crier.run("doctor", "--format", "json").objects
            let finding = try #require(doctor.first { $0["words"] as? String == words })
            #expect(finding["verdict"] as? String == "warn")
            return finding["remedy"] as? String
        }

        @Test func anAgentWhoseProgramWasReplacedOrRemovedIsTold() async throws {
            let bench = try await AgentBench()
            let program = bench.crier.folder.file("crier")
            if link(BuiltCrier.binary, program) != 0 {
                try FileManager.default.copyItem(atPath: BuiltCrier.binary, toPath: program)
            }
            let agent = try RunningCommand(bench.crier, "agent", behind: "set -- '\(program)' agent")
            try await agent.says("ready socket")
            let who = "he agent (process \(agent.identifier))"
            #expect(try await !bench.crier.run("status").output.contains(" program that "))
            // As a package does it that is updated, and then removed.
            try bench.crier.folder.write("", to: "new")
            #expect(rename(bench.crier.folder.file("new"), program) == 0)
            let replaced = "\(who) still runs the program that was there before an update"
            #expect(try await bench.crier.run("status").output.hasSuffix("T\(replaced): start it anew.\n"))
            #expect(try await remedy(of: "t\(replaced)", bench) == "end it, and start it anew")
            try FileManager.default.removeItem(atPath: program)
            let gone = "\(who) runs a program that is not there any more"
            #expect(try await bench.crier.run("status").output.hasSuffix("T\(gone): see `crier doctor`.\n"))
            #expect(try await remedy(of: "t\(gone)", bench) == "end it, then crier install --agent --enable")
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }

        @Test func aRunAtWorkOrAnAgentThatDoesNotAnswerIsTold() async throws {
            let crier = try BuiltCrier("sources: {news: {url: 'file:///no/such/feed'}}\n")
            try await crier.authorize()
            #expect(try await crier.run("status", "--format", "json").objects.last?["atWork"] is NSNull)
            let lock = try RunLock(statePath: crier.statePath)
            let words = "un is at work (process \(getpid())), or an agent that does not answer"
            let status = try await crier.run("status")
            #expect(status.status == 0 && status.output.contains("A r\(words).\n"), "\(status)")
            #expect(try await crier.run("status", "--format", "json").objects.last?["atWork"] as? Int32 == getpid())
            let watch = try await crier.run("watch")
            #expect(watch.status == 69 && watch.errors == "crier: a r\(words)\n")
            let service = try await crier.run("doctor", "--format", "json").objects.filter {
                $0["subject"] as? String == "service"
            }
            #expect(service.contains { $0["words"] as? String == "a r\(words)" }, "\(service)")
            _ = consume lock
            #expect(try await !crier.run("status").output.contains("at work"))
        }
    #endif

    @Test func theLogTellsWhyTheAgentWokeUp() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        try await bench.crier.run("mute", "1h")
        try await bench.crier.run("fetch", "--force", "--quiet")
        agent.send(SIGHUP)
        try await agent.says("configuration reloaded")
        func reasons() async throws -> [String] {
            try await bench.crier.run("log", "--format", "json").objects.filter { $0["type"] as? String == "wake" }
                .compactMap { $0["reason"] as? String }
        }
        let expected = ["command", "request", "configuration"]
        // Routes of this machine may change meanwhile.
        #expect(try await reasons().filter { $0 != "network" } == expected)
        let lines = try await bench.crier.run("log").lines
        #expect(lines.contains { $0.hasSuffix("  agent: woke up: another command has changed something") })
        #expect(try await bench.crier.run("log", "news").lines.allSatisfy { !$0.contains("woke up") })
        try await bench.crier.run("unmute")
        #expect(await agent.end() == 0)
        #expect(try await reasons().filter { $0 != "network" } == expected + ["command"], "none is lost at the end")
        await bench.origin.stop()
    }
}
