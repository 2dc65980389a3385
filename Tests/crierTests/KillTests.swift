import CrierStore
import Foundation
import Testing

/// Nothing is lost and nothing is raised twice, whenever the process is killed. `scripts/torture` asks for more kills.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// Those of digests have tests of their own.
    private static let points = CrashPoint.allCases.filter { !$0.rawValue.hasPrefix("digest") }

    @Test func aKilledRunIsMadeUpForByTheNext() async throws {
        let wanted = Self.number("CRIER_TORTURE_KILLS") ?? 60
        let seed = Self.number("CRIER_TORTURE_SEED") ?? Int.random(in: 0...999_999)
        let harness = try await KillHarness(seed: UInt64(seed))
        // Pruning comes once a day, at the end of the first run that gets there.
        let points =
            [CrashPoint.pruneInside, .pruneAfter] + Self.points.filter { !$0.rawValue.hasPrefix("prune") }
        var rounds = 0
        while harness.figures.kills < wanted, rounds < wanted * 4 {
            // Few enough that more than ten never wait and come as one.
            for _ in 0..<3 {
                try await harness.crash(at: points[rounds % points.count])
                if rounds >= points.count { try await harness.killAtRandom() }
                rounds += 1
            }
            if rounds % 12 == 0 { try await harness.fillDisk() }
            try await harness.settle()
            if rounds % 30 == 6 {
                try await harness.jumpClock()
                try await harness.overlap()
            }
        }
        try await harness.settle()
        print("torture: seed \(seed): \(harness.summary)")
        #expect(harness.figures.kills >= wanted)
        #expect(harness.figures.visited == Set(Self.points))
        await harness.stop()
    }
}
