import CrierTesting
import Foundation
import Testing

/// At its end a process does not take libraries down in which threads of its own may still be: what the dynamic linker says of
/// them (ld.so(8), `LD_DEBUG`).
@Suite(.timeLimit(.minutes(5))) struct ProcessEndTests {
    #if os(Linux)
        @Test(arguments: [("fetch", 0), ("nonsense", 64), ("--help", 0)] as [(String, Int32)])
        func aRunEndsAtOnce(argument: String, status: Int32) async throws {
            let origin = try await ScriptedOrigin()
            await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
            var crier = try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))'}\n")
            try await crier.run("authorize", "--allow")
            Self.listen(to: &crier)
            let run = try await crier.run(argument)
            #expect(run.status == status)
            #expect((run.output + run.errors).isEmpty == false)
            try Self.expectNoLibraryTakenDown(by: crier)
            await origin.stop()
        }

        @Test func theAgentEndsAtOnce() async throws {
            var bench = try await AgentBench()
            Self.listen(to: &bench.crier)
            let agent = try await bench.agent()
            try await agent.says("raised")
            #expect(await agent.end() == 0)
            try Self.expectNoLibraryTakenDown(by: bench.crier)
            await bench.origin.stop()
        }

        /// Whatever there is no descriptor for: the lock, the state, a library, the pipe that wakes libcurl, a connection.
        @Test(arguments: 8...20) func aRunEndsWithoutDescriptors(count: Int) async throws {
            let origin = try await ScriptedOrigin()
            await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
            let crier = try BuiltCrier("sources: {news: {url: '\(origin.url("/feed"))', first: all}}\n")
            try await crier.authorize()
            let run = try await crier.run(["fetch", "--quiet", "--force"]) { process in
                // The others are held by whoever starts it.
                let script = """
                    ulimit -n 32
                    for ((held = \(count); held < 32; held++)); do eval "exec $held< /dev/null"; done
                    exec "$0" "$@"
                    """
                process.arguments = ["bash", "-c", script, BuiltCrier.binary] + (process.arguments ?? [])
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            }
            #expect([0, 69, 74].contains(run.status), "\(run)")
            #expect(run.status == 0 || !run.errors.isEmpty, "it says why: \(run)")
            let more = try await crier.run("fetch", "--quiet", "--force", "--format", "json")
            #expect((run.output.isEmpty ? more.objects.count : 3) == 3, "nothing is lost: \(run) \(more)")
            await origin.stop()
        }

        private static func listen(to crier: inout BuiltCrier) {
            crier.environment["LD_DEBUG"] = "files"
            crier.environment["LD_DEBUG_OUTPUT"] = crier.folder.file("linker")
        }

        private static func expectNoLibraryTakenDown(by crier: BuiltCrier) throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path)
                .filter { $0.hasPrefix("linker.") }
            #expect(!files.isEmpty)
            for file in files {
                let text = try #require(crier.folder.read(file))
                #expect(text.contains("calling init: "))
                #expect(!text.contains("calling fini: "), "\(file)")
            }
        }
    #endif
}
