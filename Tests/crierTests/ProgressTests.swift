import CrierTesting
import Foundation
import Testing

/// The line that tells how far a run is, beside notifications on the same terminal.
@Suite(.timeLimit(.minutes(5))) struct ProgressTests {
    /// Two sources, of which one has news and the other never answers.
    private func bench(_ terminal: String = "xterm") async throws -> AgentBench {
        var bench = try await AgentBench()
        await bench.origin.script("/hang", [.hang])
        try bench.configure([("news", "/feed"), ("slow", "/hang")])
        bench.crier.environment["TERM"] = terminal
        bench.crier.environment["NO_COLOR"] = "1"
        return bench
    }

    /// Runs a fetch at the terminal until the notification is shown, and gives all that was.
    private func shown(_ bench: AgentBench) async throws -> String {
        let terminal = try PseudoTerminal()
        let process = bench.crier.process(["fetch", "--force"], at: terminal)
        async let ended: Void = process.runToEnd()
        let shown = await withTaskExecutorPreference(OwnThreads.shared) { () async in terminal.shown(upTo: "Item 3") }
        process.interrupt()
        try await ended
        #expect(process.terminationStatus == 128 + SIGINT)
        return shown + terminal.screen()
    }

    private let notification = "Item 3\r\n  The feed\r\n  https://e.example/3\r\n"
    private let line = "1 of 2 sources"
    private let clearing = "\r\u{1b}[K"

    @Test func theLineMakesWayForANotificationAndComesBack() async throws {
        let bench = try await bench()
        #expect(try await shown(bench) == line + clearing + notification + line + clearing)
        await bench.origin.stop()
    }

    @Test func soItDoesWhereTheAgentMakesTheRun() async throws {
        let bench = try await bench()
        try await bench.crier.run("background", "off")
        let agent = try await bench.agent()
        #expect(try await shown(bench) == line + clearing + notification + line + clearing)
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aDumbTerminalHasNoSuchLine() async throws {
        let bench = try await bench("dumb")
        #expect(try await shown(bench) == notification)
        await bench.origin.stop()
    }
}
