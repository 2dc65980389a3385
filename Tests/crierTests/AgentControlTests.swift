import CrierTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct AgentControlTests {
    /// What two runs print, the second after something new has come.
    private func twoRuns(_ bench: AgentBench, _ arguments: [String]) async throws -> [BuiltCrier.Outcome] {
        await bench.origin.script(
            "/feed", [ScriptedAnswer(body: atomFeed(1...3)), ScriptedAnswer(body: atomFeed(1...5))])
        var outcomes: [BuiltCrier.Outcome] = []
        for _ in 0..<2 { outcomes.append(try await bench.crier.run(["fetch", "--force"] + arguments)) }
        return outcomes
    }

    @Test(arguments: ["text", "json"])
    func aRunOfTheAgentPrintsWhatItsOwnWouldHavePrinted(_ format: String) async throws {
        let more = "  broken: {url: 'http://127.0.0.1:1/'}\n"
        let alone = try await AgentBench(more)
        let own = try await twoRuns(alone, ["--format", format])
        let bench = try await AgentBench(more)
        // So that the first run is not the agent's own.
        try await bench.crier.run("background", "off")
        let agent = try await bench.agent()
        let handedOver = try await twoRuns(bench, ["--format", format])
        func words(_ outcome: BuiltCrier.Outcome) -> [String] {
            // Dates and the jitter of a back-off differ between any two runs.
            let lines: [String] = (outcome.output + outcome.errors).split(separator: "\n").map { line in
                String(line).replacing(/next visit.*/, with: "").replacing(/"date":"[^"]*"/, with: "")
            }
            return lines + ["\(outcome.status)"]
        }
        #expect(handedOver.map(words) == own.map(words))
        #expect(own[1].output.contains("Item 5"))
        #expect(await agent.end() == 0)
        await alone.origin.stop()
        await bench.origin.stop()
    }

    /// As whoever keeps configurations elsewhere and links to one of them does.
    @Test func aLinkThatIsLedElsewhereIsTheAgentsConfigurationStill() async throws {
        var bench = try await AgentBench()
        let feed = bench.origin.url("/feed")
        for name in ["one", "two"] {
            try bench.crier.folder.write("sources: {\(name): {url: '\(feed)'}}\n", to: "\(name)/crier.yaml")
        }
        let link = bench.crier.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "one")
        bench.crier.environment["CRIER_CONFIG"] = "\(link)/crier.yaml"
        let agent = try await bench.agent()
        #expect(try await bench.crier.run("fetch", "one", "--force").status == 0)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "two")
        let run = try await bench.crier.run("fetch", "two", "--force")
        #expect(run.status == 0, "\(run.errors)")
        bench.crier.environment["CRIER_CONFIG"] = bench.crier.folder.file("one/crier.yaml")
        #expect(try await bench.crier.run("fetch", "--force").errors.contains("another configuration"))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    #if os(Linux)
        @Test func whatARunCannotPrintIsPrintedByTheAgent() async throws {
            let bench = try await AgentBench()
            try await bench.crier.run("background", "off")
            let agent = try await bench.agent()
            let run = try await bench.crier.run(shell: "exec \"$0\" fetch --force > /dev/full")
            #expect(run.status == 74)
            #expect(try await agent.line() == "Item 3")
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }
    #endif

    @Test(arguments: [(#"{"sources": ["news"]}"#, #""source":"news""#), ("{}", "ended"), ("", "expected JSON")])
    func whatAnOrderLeavesOutIsNotAskedFor(_ order: String, _ answer: String) async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("background", "off")
        let agent = try await bench.agent()
        #expect(try PlainRequest.post("/v1/fetch", order, socket: bench.socket).body.contains(answer))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func anUnknownSourceIsTheUsersMistakeAndAnotherConfigurationIsRefused() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        #expect(try await bench.crier.run("fetch", "nwes").status == 64)
        let other = try bench.crier.folder.write("sources:\n  x: {url: '\(bench.origin.url())'}\n", to: "other.yaml")
        let run = try await bench.crier.run("fetch", "--config", other)
        #expect(run.status == 75)
        let words = "he agent (process \(agent.identifier)) works with another configuration, "
        #expect(run.errors.contains("t\(words)"))
        #expect(try await bench.crier.run("status", "--config", other).output.contains("\nT\(words)"))
        let doctor = try await bench.crier.run("doctor", "--format", "json", "--config", other).objects
        let finding = try #require(doctor.first { ($0["words"] as? String)?.hasPrefix("t\(words)") == true })
        #expect(finding["verdict"] as? String == "warn")
        #expect(finding["remedy"] as? String == "give this configuration a --state of its own, or end the agent")
        #expect(try await !bench.crier.run("status").output.contains(words))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func besideAnAgentADigestIsItsBusiness() async throws {
        let bench = try await AgentBench("digests: {morning: {at: '08:30', time-zone: UTC}}\n")
        let agent = try await bench.agent()
        let words = /the agent \(process \d+\) is at work, and issues morning itself when it is due, on \S+ 08:30:00/
        for more in [[], ["--now"]] {
            let run = try await bench.crier.run(["digest", "morning"] + more)
            #expect(run.status == 75 && run.errors.firstMatch(of: words) != nil, "\(run.errors)")
        }
        #expect(try await bench.crier.run("digest", "morning", "--quiet").errors.isEmpty)
        let other = try bench.crier.folder.write(
            "sources: {x: {url: 'https://e.example/'}}\ndigests: {morning: {at: '08:30'}}\n", to: "other.yaml")
        let run = try await bench.crier.run("digest", "morning", "--config", other)
        #expect(run.status == 75 && run.errors.contains("works with another configuration"))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func watchShowsEachNotificationOnceWhicheverSinksItGoesTo() async throws {
        let bench = try await AgentBench("sinks:\n  stdout: {}\n  file: {path: '/dev/null'}\n")
        let agent = try await bench.agent()
        try await agent.says("raised")
        let watch = try RunningCommand(bench.crier, "watch", "--format", "json")
        try await watch.says("Watching")
        await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...5))])
        try await bench.crier.run("fetch", "--force")
        for title in ["Item 4", "Item 5"] {
            let object = try JSONSerialization.jsonObject(with: Data(try await watch.line().utf8)) as? [String: Any]
            #expect(object?["title"] as? String == title)
        }
        #expect(await agent.end() == 0)
        // The watch ends with the agent, and nothing else was to be seen.
        await #expect(throws: RunningCommand.NoSuchLine.self) { try await watch.line() }
        await bench.origin.stop()
    }

    @Test func watchSaysThatTheAgentWasKilled() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        let watch = try RunningCommand(bench.crier, "watch")
        try await watch.says("Watching")
        #expect(await agent.end(SIGKILL) == SIGKILL)
        #expect(await watch.end(0) == 75)
        #expect(await watch.everythingSaid().last == "crier: the agent has ended before its answer did")
        await bench.origin.stop()
    }

    #if os(Linux)
        @Test func watchThatCannotPrintSaysSo() async throws {
            let bench = try await AgentBench()
            try await bench.crier.run("background", "off")
            let agent = try await bench.agent()
            let watch = try RunningCommand(bench.crier, "watch", printingTo: "/dev/full")
            try await watch.says("Watching")
            try await bench.crier.run("fetch", "--force")
            #expect(await watch.end(0) == 74)
            let said = await watch.everythingSaid()
            #expect(said.last == "crier: the output cannot be written: No space left on device")
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }
    #endif

    @Test func watchWithTheConfigurationOfNoAgentSaysSo() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        let watch = try RunningCommand(bench.crier, "watch", "--config", bench.crier.folder.file("other.yaml"))
        try await watch.says("(process \(agent.identifier)) works with another configuration, ")
        #expect(await watch.end(0) == 75)
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func watchWithoutAnAgentSaysSo() async throws {
        let bench = try await AgentBench()
        let watch = try await bench.crier.run("watch")
        #expect(watch.status == 69)
        #expect(watch.errors.contains("`crier agent` starts one"))
        await bench.origin.stop()
    }

    @Test func aDeliveryThatIsTriedAgainIsRaisedAtOnce() async throws {
        let bench = try await AgentBench("sinks:\n  team: {kind: webhook, url: 'http://127.0.0.1:1/'}\n  stdout: {}\n")
        let agent = try await bench.agent()
        try await agent.says("not delivered yet")
        let retry = try await bench.crier.run("deliveries", "retry", "--all")
        #expect(retry.output == "1 due now.\n")
        try await agent.says("not delivered yet")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func thatASinkIsNotThereIsAWarningOnce() async throws {
        let bench = try await AgentBench("sinks:\n  desktop: {}\n")
        let agent = try RunningCommand(bench.crier, "agent", "--log-level", "debug")
        try await agent.says("warning: not delivered yet: ")
        try await bench.crier.run("deliveries", "retry", "--all")
        try await agent.says("debug: not delivered yet: ")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }
}
