import CrierTesting
import Foundation
import Testing

/// Where files may not grow beyond a size (`ulimit -f`): as with a full disk, nobody is told twice or asked in vain again and again.
@Suite(.timeLimit(.minutes(5))) struct FileSizeLimitTests {
    private let origin: ScriptedOrigin
    private let crier: BuiltCrier

    init() async throws {
        origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: atomFeed(1...9)) }
        crier = try BuiltCrier()
        let told = crier.folder.file("told.jsonl")
        try crier.folder.write(
            """
            sinks: {program: {kind: exec, command: [/bin/sh, -c, 'cat >> "$0"', '\(told)']}}
            sources: {news: {url: '\(origin.url("/feed"))', first: all, every: 1h}}
            """, to: "crier.yaml")
        try await crier.authorize()
    }

    private func fetch(within kibibytes: Int) async throws -> BuiltCrier.Outcome {
        try await crier.run(["fetch", "--scheduled", "--quiet"], limited(to: kibibytes))
    }

    private func limited(to kibibytes: Int) -> (ChildProcess) -> Void {
        { process in
            let script = "ulimit -f \(kibibytes); exec \"$0\" \"$@\""
            process.arguments = ["-c", script, BuiltCrier.binary] + (process.arguments ?? [])
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
        }
    }

    private var told: [Int] {
        (crier.folder.read("told.jsonl") ?? "").split(separator: "\n").compactMap { itemNumber(String($0)) }
    }

    @Test(arguments: [16, 32, 48, 64]) func withoutRoomForAVisitNobodyIsAsked(kibibytes: Int) async throws {
        for _ in 1...3 {
            let run = try await fetch(within: kibibytes)
            let words = "no file may have more than \(kibibytes) KiB (ulimit -f)"
            #expect(run.status == 74 && run.errors.contains(words), "\(run)")
        }
        #expect(await origin.requests.isEmpty)
    }

    @Test func theDoctorKnowsWhatGivesRoom() async throws {
        let doctor = try await crier.run(["doctor", "--format", "json"], limited(to: 16))
        let finding = try #require(doctor.objects.first { $0["subject"] as? String == "state" })
        #expect(finding["remedy"] as? String == "raise the limit (ulimit -f, LimitFSIZE=)", "\(finding)")
    }

    /// Its log is begun anew before it reaches the limit.
    @Test func anAgentGoesOnWithinTheLimit() async throws {
        var crier = crier
        crier.environment["XDG_RUNTIME_DIR"] = crier.folder.path
        #expect(try await crier.run("background", "off").status == 0)
        let agent = try RunningCommand(crier, "agent", behind: "ulimit -f 320")
        try await agent.says("ready socket")
        for round in 1...30 {
            await origin.handle { _ in ScriptedAnswer(body: atomFeed(round...round + 20)) }
            let run = try await crier.run("fetch", "--force", "--quiet")
            #expect(run.status == 0, "\(round): \(run.errors)")
        }
        #expect(await agent.end() == 0)
        #expect(await origin.requests.count == 30)
    }

    /// With room for the visit and not for an attempt's record, and for a few of them.
    @Test(arguments: [80, 96, 112, 128, 160, 200, 260, 320])
    func whatIsToldIsToldOnceAndAnOriginAskedOnce(kibibytes: Int) async throws {
        for _ in 1...4 { _ = try await fetch(within: kibibytes) }
        #expect(await origin.requests.count == 1)
        #expect(Set(told).count == told.count)
        #expect(try await crier.run("fetch", "--force").status == 0)
        #expect(told.sorted() == Array(1...9))
    }
}
