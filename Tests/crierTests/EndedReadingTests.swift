import CrierTesting
import Foundation
import Testing

/// A document that ends whoever reads it must not be all that is ever done.
@Suite(.timeLimit(.minutes(5))) struct EndedReadingTests {
    private static let cause = "an earlier run was ended while it read the document"

    @Test(arguments: [["fetch"], ["simulate", "fetch", "news"]])
    func aDocumentThatEndedARunIsLeftAloneForAWhile(command: [String]) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
        let crier = try BuiltCrier("sources: {news: {url: '\(origin.url("/feed"))', first: all}}\n")
        try await crier.authorize()
        var killed = crier
        killed.environment["CRIER_CRASH_AT"] = "reading.inside"
        #expect(try await killed.run(command).status == SIGKILL)
        let next = try await crier.run("fetch")
        #expect(next.status == 69 && next.errors.contains(Self.cause), "\(next.errors)")
        #expect(try await crier.run("why", "news").output.contains(Self.cause))
        let later = try await crier.run("fetch")
        #expect(later.status == 0 && !later.errors.contains(Self.cause), "\(later.errors)")
        #expect(await origin.requests.count == 1)
        let forced = try await crier.run("fetch", "--force")
        #expect(forced.output.contains("Item 3"))
        #expect(await origin.requests.count == 2)
        await origin.stop()
    }

    @Test func aRunOfAnotherSourceTellsOfIt() async throws {
        let empty = "{command: [echo, '<rss version=\"2.0\"><channel><title>x</title></channel></rss>']}"
        let crier = try BuiltCrier("sources: {a: \(empty), news: \(empty)}\n")
        try await crier.authorize()
        try crier.folder.write("4711\nnews\u{0}", to: "crier.sqlite.lock")
        let run = try await crier.run("fetch", "a")
        #expect(run.errors.contains("news: decode failed: \(Self.cause)"), "\(run.errors)")
        #expect(run.status == 0, "it says nothing of what was asked")
    }

    @Test func anAgentGoesOnWithItsOtherSources() async throws {
        let bench = try await AgentBench()
        try bench.crier.folder.write("4711\nnews\u{0}gone\u{0}half", to: "crier.sqlite.lock")
        let agent = try await bench.agent()
        try await agent.says(Self.cause)
        #expect(await agent.end() == 0)
        #expect(await bench.origin.requests.isEmpty)
        await bench.origin.stop()
    }
}
