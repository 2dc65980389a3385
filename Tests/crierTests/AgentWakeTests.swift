import CrierStore
import CrierTesting
import Foundation
import Testing

/// What other commands change in the state holds at once for an agent that sleeps.
@Suite(.timeLimit(.minutes(5))) struct AgentWakeTests {
    @Test func theEndOfMutingIsHeardOfAtOnce() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        #expect(try await agent.line() == "Item 3")
        try await agent.says("raised count=1 sink=stdout")
        try await bench.crier.run("mute", "1h")
        await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...4))])
        #expect(try await bench.crier.run("fetch", "--force", "--quiet").output.isEmpty)
        #expect(try await bench.crier.run("unmute").output == "No longer muted. What waited (1) comes now.\n")
        try await agent.says("raised count=1 sink=stdout")
        while try await agent.line() != "Item 4" {}
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aDecisionIsHeardOfByAnAgentWithoutASocket() async throws {
        var bench = try await AgentBench(isAuthorized: false)
        bench.crier.environment["XDG_RUNTIME_DIR"] = bench.crier.folder.file("crier.yaml")
        let agent = try RunningCommand(bench.crier, "agent")
        try await agent.says("nothing is fetched in the background unless you allow notifications")
        try await bench.crier.authorize()
        #expect(try await agent.line() == "Item 3")
        try await bench.crier.run("background", "off")
        try await agent.says("fetching in the background is switched off")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aSinkThatAnswersATestGetsWhatWaitsAtOnce() async throws {
        let receiver = try await ScriptedOrigin()
        // No attempt, and no retry of it, before the test goes through.
        await receiver.script("/in", [ScriptedAnswer(status: 503, fields: ["Retry-After": "7200"])])
        let bench = try await AgentBench(
            "sinks:\n  team: {kind: webhook, url: '\(receiver.url("/in"))', encoding: json}\n")
        let agent = try await bench.agent()
        try await agent.says("not delivered yet")
        await receiver.script("/in", [ScriptedAnswer(status: 204)])
        #expect(try await bench.crier.run("sink", "test", "team").status == 0)
        try await agent.says("raised count=1 sink=team")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
        await receiver.stop()
    }
}
