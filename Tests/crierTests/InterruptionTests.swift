import CrierTesting
import Foundation
import Testing

/// SIGINT, SIGTERM and SIGHUP, which a command takes over for the work that it can end in order.
@Suite(.timeLimit(.minutes(5))) struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func afterTheWorkASignalEndsTheProcessAsAnyOther(signal: Int32) async throws {
        let origin = try await ScriptedOrigin()
        // More than a pipe holds: the command is kept at printing what its work has brought.
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3000))])
        let process = try BuiltCrier("sources: {}\n").process(["try", origin.url("/feed")])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await withTaskExecutorPreference(OwnThreads.shared) { () async throws in
            _ = try output.fileHandleForReading.read(upToCount: 1)
        }
        kill(process.processIdentifier, signal)
        await process.end()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        await origin.stop()
    }

    /// As a shell has it for what runs in its background, and `nohup` for others.
    @Test(arguments: [("INT", SIGINT), ("TERM", SIGTERM), ("HUP", SIGHUP)])
    func aSignalThatTheCallerHasIgnoredEndsNothing(name: String, signal: Int32) async throws {
        let origin = try await ScriptedOrigin()
        let process = try BuiltCrier("sources: {}\n").process([])
        // The answer comes once the signal has been sent.
        await origin.handle { _ in
            kill(process.processIdentifier, signal)
            return ScriptedAnswer(body: atomFeed(1...3))
        }
        process.arguments =
            ["-c", "trap '' \(name); exec \"$@\"", "sh", BuiltCrier.binary, "try", origin.url("/feed")]
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        await origin.stop()
    }

    /// As by a program that was to hear of signals in a thread of its own.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalThatTheCallerHasBlockedEndsTheRunAllTheSame(signal: Int32) async throws {
        let origin = try await ScriptedOrigin()
        let crier = try BuiltCrier("sources: {news: {url: '\(origin.url("/feed"))'}}\n")
        let process = crier.process([])
        await origin.handle { _ in
            kill(process.processIdentifier, signal)
            return ScriptedAnswer(body: atomFeed(1...3))
        }
        process.arguments = ["--block-signal", BuiltCrier.binary, "fetch"]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 128 + signal)
    }

    /// Those that the run has sent to itself, by a timer.
    @Test(arguments: [("ALRM", SIGALRM), ("PROF", EX_SOFTWARE)])
    func whatIsToEndARunThatDoesNotEndIsHeardAlsoWhereItWasBlocked(name: String, status: Int32) async throws {
        let crier = try BuiltCrier("sources: {news: {command: [sh, -c, 'kill -\(name) \"$PPID\"']}}\n")
        let run = try await crier.run(["--block-signal", BuiltCrier.binary, "fetch"]) {
            $0.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        }
        #expect(run.status == status, "\(run.errors)")
    }

    @Test func anAgentIsDeafToWhatTheCallerHasIgnored() async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("background", "off")
        let agent = try RunningCommand(bench.crier, "agent", behind: "trap '' INT")
        try await agent.says("ready socket")
        agent.send(SIGINT)
        try await bench.crier.run("fetch", "--force")
        try await agent.says("source=news")
        #expect(await agent.end(SIGTERM) == 0)
        await bench.origin.stop()
    }
}
