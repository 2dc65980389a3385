import CrierTesting
import Foundation
import Testing

/// `only-on` against a NetworkManager that answers on a bus of its own.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: FakeNetworkManager.isPossible, "scripts/bootstrap --tests installs what this needs"))
struct ConditionCommandTests {
    @Test func aMeteredConnectionIsWaitedOutAndSaidAndOverridden() async throws {
        var bench = try await AgentBench()
        try bench.crier.folder.write(
            "sources:\n  news: {url: '\(bench.origin.url("/feed"))', only-on: [unmetered, ac-power]}\n",
            to: "crier.yaml")
        let folder = try TemporaryFolder()
        try await FakeNetworkManager.run(metered: 3, in: folder) { manager in
            bench.crier.environment.merge(manager.variables) { $1 }
            let crier = bench.crier
            let run = try await crier.run("fetch")
            #expect(run.errors.contains("1 source that is due waits: the connection is metered"))
            #expect(run.output.isEmpty, "it is due")
            #expect(await bench.origin.requests.isEmpty)
            let status = try await crier.run("status")
            #expect(status.output.contains("Sources wait where `only-on` says so: the connection is metered."))
            #expect(status.lines[1].hasSuffix("waits"))
            let line = try #require(try await crier.run("status", "--format", "json").objects.first)
            #expect(line["waitsFor"] as? [String] == ["unmetered"])
            #expect(
                try await crier.run("why", "news").output
                    == "news was never visited; it waits, since the connection is metered.\n")
            let named = try await crier.run("fetch", "news", "--quiet")
            #expect(named.output.hasPrefix("Item 3\n"))
            let why = try await crier.run("why", "news").output
            #expect(why.contains("Only on       unmetered, ac-power; it waits, since the connection is metered"))
            #expect(try await crier.run("fetch", "--force").errors.isEmpty)
            #expect(await bench.origin.requests.count == 2)
        }
        await bench.origin.stop()
    }

    @Test func theAgentFetchesWhenTheConnectionHasChanged() async throws {
        var bench = try await AgentBench()
        try bench.crier.folder.write(
            "sources:\n  news: {url: '\(bench.origin.url("/feed"))', only-on: unmetered}\n", to: "crier.yaml")
        let folder = try TemporaryFolder()
        try await FakeNetworkManager.run(metered: 1, in: folder) { manager in
            bench.crier.environment.merge(manager.variables) { $1 }
            let agent = try await bench.agent()
            #expect(try await bench.crier.run("fetch").errors.contains("1 source that is due waits"))
            #expect(await bench.origin.requests.isEmpty)
            try manager.become(metered: 2)
            // Whatever wakes it: it judges anew.
            try await bench.crier.run("mute", "1h")
            try await bench.crier.run("unmute")
            #expect(try await agent.line() == "Item 3")
            #expect(await agent.end() == 0)
        }
        await bench.origin.stop()
    }
}
