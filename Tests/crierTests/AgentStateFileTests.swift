import CrierStore
import CrierTesting
import Foundation
import Testing

/// A state file that is taken away from a running agent: what it writes to it from then on would be lost with it.
@Suite(.timeLimit(.minutes(5))) struct AgentStateFileTests {
    @Test func anAgentEndsAtOnceWhoseStateWasReplaced() async throws {
        let bench = try await AgentBench()
        let copy = bench.crier.folder.file("copy.sqlite")
        #expect(try await bench.crier.run("backup", copy).status == 0)
        let agent = try await bench.agent()
        try await agent.says("raised")
        #expect(rename(copy, bench.crier.statePath) == 0)
        try await expectEnd(of: agent, bench)
        // The next one goes on with what is there now: nothing of the old one's log is mixed into it.
        let next = try await bench.agent()
        #expect(try await next.line() == "Item 3")
        #expect(await next.end() == 0)
        await bench.origin.stop()
    }

    @Test func anAgentEndsAtItsNextStepWhoseStateWasTakenAway() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        let away = bench.crier.folder.file("away.sqlite")
        #expect(rename(bench.crier.statePath, away) == 0)
        agent.send(SIGHUP)
        try await expectEnd(of: agent, bench)
        let store = try #require(try Store.existing(path: away))
        #expect(Set(try store.states().keys) == ["news"], "what was in its log is in the file")
        await bench.origin.stop()
    }

    @Test func anAgentEndsWhenALinkToItsStateLeadsElsewhere() async throws {
        var bench = try await AgentBench(isAuthorized: false)
        let folder = bench.crier.folder
        let link = folder.file("link")
        for name in ["one", "two"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        #expect(symlink("one", link) == 0)
        bench.crier.environment["CRIER_STATE"] = link + "/crier.sqlite"
        try await bench.crier.authorize()
        #expect(try await bench.crier.run("backup", folder.file("two/crier.sqlite")).status == 0)
        let agent = try await bench.agent()
        try await agent.says("raised")
        #expect(symlink("two", link + "2") == 0 && rename(link + "2", link) == 0)
        try await expectEnd(of: agent, bench, at: link + "/crier.sqlite")
        await bench.origin.stop()
    }

    /// A command that comes then begins a log of its own, and what it says is done reaches no agent.
    @Test(arguments: [false, true])
    func anAgentEndsAtItsNextStepWhoseLogWasTakenAway(isAnotherBegun: Bool) async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        let state = bench.crier.statePath
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: state + suffix) }
        if isAnotherBegun {
            #expect(try await bench.crier.run("mute", "1h").status == 0)
        } else {
            agent.send(SIGHUP)
        }
        try await expectEnd(of: agent, bench, at: state + "-wal")
        let store = try Store(path: state, integrityCheck: .always)
        // Of two logs one counts.
        if !isAnotherBegun { #expect(Set(try store.states().keys) == ["news"], "what was in its log is in the file") }
        await bench.origin.stop()
    }

    /// As the help of `crier backup` says it.
    @Test func aBackupIsGoneBackToAfterAnAgentThatWasKilled() async throws {
        let bench = try await AgentBench()
        await bench.origin.script("/feed", [1...3, 1...5].map { ScriptedAnswer(body: atomFeed($0)) })
        try await bench.crier.run("fetch", "--quiet")
        let (copy, state) = (bench.crier.folder.file("copy.sqlite"), bench.crier.statePath)
        #expect(try await bench.crier.run("backup", copy).status == 0)
        let agent = try await bench.agent()
        #expect(try await bench.crier.run("fetch", "--force", "--quiet").output.contains("Item 5\n"))
        _ = await agent.end(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: state + "-wal"), "what came last is there")
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: state + suffix) }
        try FileManager.default.copyItem(atPath: copy, toPath: state)
        let run = try await bench.crier.run("fetch", "--force", "--quiet")
        #expect(run.status == 0 && run.output.contains("Item 4\n") && run.output.contains("Item 5\n"), "\(run)")
        #expect(!run.output.contains("Item 3\n"), "that was told before")
        await bench.origin.stop()
    }

    private func expectEnd(of agent: RunningCommand, _ bench: AgentBench, at path: String? = nil) async throws {
        try await agent.says(
            "crier: the state file \(path ?? bench.crier.statePath) was removed or replaced by another while it was in use"
        )
        #expect(await agent.end(0) == 74)
    }
}
