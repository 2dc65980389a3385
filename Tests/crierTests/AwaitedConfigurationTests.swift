import CrierTesting
import Foundation
import Testing

@Suite("An agent begins when there is a configuration, and holds nothing until then", .timeLimit(.minutes(5)))
struct AwaitedConfigurationTests {
    private let lack = "there is no configuration yet at "

    /// The configuration lies elsewhere than where the agent looks for it.
    private func bench(_ more: String = "") async throws -> AgentBench {
        var bench = try await AgentBench(more)
        bench.crier.environment["CRIER_CONFIG"] = bench.crier.folder.file("new/crier.yaml")
        return bench
    }

    @Test func itBeginsWithWhatAddMakes() async throws {
        var bench = try await bench()
        bench.crier.environment["WATCHDOG_USEC"] = "60000000"
        let manager = try bench.crier.underServiceManager()
        let agent = try RunningCommand(bench.crier, "agent")
        try await agent.says("\(lack)\(bench.crier.folder.file("new/crier.yaml")): `crier add URL` makes one")
        #expect(manager.next("READY=1") == "READY=1\nSTATUS=waits for a configuration")
        #expect(manager.next("WATCHDOG=1") != nil)
        try await #require(bench.crier.run("add", bench.origin.url("/feed"), "--name", "news").status == 0)
        try await agent.says("the configuration file is there")
        try await agent.says("ready socket")
        try await agent.says("raised")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test(arguments: [SIGTERM, SIGINT]) func theStateIsEverybodys(end: Int32) async throws {
        let bench = try await bench("quiet-hours: 00:00-24:00\n")
        let usual = ["--config", bench.crier.folder.file("crier.yaml")]
        try bench.crier.folder.write("", to: "printed")
        let agent = try RunningCommand(bench.crier, "agent", printingTo: bench.crier.folder.file("printed"))
        try await agent.says(lack)
        let run = try await bench.crier.run(["fetch"] + usual)
        #expect(run.status == 0, "\(run)")
        // Asked for, it looks.
        agent.send(SIGHUP)
        try await agent.says(lack)
        #expect(try await bench.crier.run(["deliveries", "list"] + usual).output.contains("Item 3"))
        #expect(await agent.end(end) == 0)
        #expect(await agent.everythingSaid().last?.hasSuffix("info: agent ended") == true)
        #expect(bench.crier.folder.read("printed") == "", "quiet hours hold it, of which the agent has not heard")
        await bench.origin.stop()
    }

    @Test func aMistakeKeepsNothingElseFromBeginning() async throws {
        let bench = try await bench()
        let agent = try RunningCommand(bench.crier, "agent")
        try await agent.says(lack)
        let config = "sources:\n  bad: {url: 'ftp:'}\n  news: {url: '\(bench.origin.url("/feed"))'}\n"
        try bench.crier.folder.write(config, to: "new/crier.yaml")
        try await agent.says("crier.yaml:2")
        #expect(try await agent.line() == "Item 3")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    /// Its author may be at work on it.
    @Test func whatCannotBeUsedIsWaitedOutToo() async throws {
        let bench = try await bench()
        let agent = try RunningCommand(bench.crier, "agent")
        try await agent.says(lack)
        try bench.crier.folder.write("sources: [\n", to: "new/crier.yaml")
        try await agent.says("crier.yaml:")
        try await agent.says("the configuration cannot be used: it is read again when it changes")
        let config = "sources:\n  news: {url: '\(bench.origin.url("/feed"))'}\n"
        try bench.crier.folder.write(config, to: "new/crier.yaml")
        #expect(try await agent.line() == "Item 3")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }
}
