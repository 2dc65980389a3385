import CrierTesting
import Foundation
import Testing

/// An agent that has nothing to do waits for what is to come, and looks at nothing meanwhile, whatever it has done before.
@Suite(.timeLimit(.minutes(5))) struct AgentIdleTests {
    #if os(Linux)
        @Test(arguments: [
            ("", ""), ("", "sinks:\n  hook: {kind: exec, command: [cat]}\n"), (", only: '.title != null'", ""),
        ])
        func noTimerGoesOnAfterAVisit(options: String, more: String) async throws {
            let bench = try await AgentBench()
            try bench.crier.folder.write(
                "\(more)sources:\n  news: {url: '\(bench.origin.url("/feed"))'\(options)}\n", to: "crier.yaml")
            let agent = try await bench.agent()
            try await agent.says("raised")
            #expect(Self.rests(agent.identifier))
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }

        @Test func noTimerGoesOnAfterSomebodyHasListened() async throws {
            let bench = try await AgentBench()
            let agent = try await bench.agent()
            try await agent.says("raised")
            await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...4))])
            #expect(try await bench.crier.run("fetch", "--force", "--quiet").output.hasPrefix("Item 4"))
            #expect(Self.rests(agent.identifier))
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }

        /// Whether its next timer is more than a minute away, in a hundred looks. What ends with the work just done may take its
        /// moment; a timer that is set anew each second is seen nearly each time.
        private static func rests(_ process: Int32) -> Bool {
            var quiet = 0
            for _ in 0..<20_000 where quiet < 100 {
                quiet = timers(of: process).contains { $0 > 0 && $0 < 60 } ? 0 : quiet + 1
            }
            return quiet == 100
        }

        /// In how many seconds each timer comes; 0 is one that is not set (proc(5), `/proc/pid/fdinfo`). One that nobody watches
        /// any more wakes nobody.
        private static func timers(of process: Int32) -> [Double] {
            let folder = "/proc/\(process)/fdinfo"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = names.compactMap { name in
                (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)).map { (name, text: $0) }
            }
            let watched = Set(files.flatMap { $0.text.matches(of: /tfd: +(\d+)/).map { String($0.1) } })
            return files.compactMap { name, text in
                guard watched.contains(name), let match = text.firstMatch(of: /it_value: \((\d+), (\d+)\)/),
                    let seconds = Double(match.1), let rest = Double(match.2)
                else { return nil }
                return seconds + rest / 1e9
            }
        }
    #endif
}
