import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// Until there is a configuration file that is whole.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationWaitTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let signals: AgentSignals

    init() async throws {
        folder = try TemporaryFolder()
        signals = await AgentSignals(endings: [], hangups: [])
    }

    /// Whether the file is there, of which somebody tells, nobody, or nobody can.
    private func wait(
        hearing changes: @escaping @Sendable (WorldEvents.FileSubject) -> AsyncStream<Void>
    ) async -> Bool {
        let surroundings = Surroundings(clock: clock, environment: [:], logger: Agent.quiet)
        var wait = ConfigurationWait(
            for: ConfigurationFile(path: folder.file("crier.yaml")), signals: signals, surroundings: surroundings)
        wait.changes = changes
        return await wait.run()
    }

    /// In seconds, which pass as long as somebody waits for them.
    private func duration(
        until second: Int = 0, hearing changes: @escaping @Sendable (WorldEvents.FileSubject) -> AsyncStream<Void>
    ) async throws -> TimeInterval {
        let (begin, time) = (clock.now, Task { await pass(second) })
        #expect(await wait(hearing: changes))
        time.cancel()
        await time.value
        return clock.now.timeIntervalSince(begin)
    }

    /// - Parameter second: When the file is made.
    private func pass(_ second: Int) async {
        for now in 1... {
            await clock.waitForSleepers()
            if Task.isCancelled { return }
            if now == second { _ = try? folder.write("sources: {}\n", to: "crier.yaml") }
            clock.advance(by: 1)
            await Task.yield()
        }
    }

    @Test(arguments: [(WorldEvents.FileSubject.content, 1.0), (WorldEvents.FileSubject.place, 10.0)])
    func aFileIsThereWhenItRests(subject: WorldEvents.FileSubject, seconds: TimeInterval) async throws {
        try folder.write("sources: {}\n", to: "crier.yaml")
        let duration = try await duration { told in AsyncStream { if told == subject { $0.yield() } } }
        #expect(duration >= seconds)
    }

    /// As where there is no inotify instance left.
    @Test func aFileOfWhichNobodyTellsIsLookedFor() async throws {
        let duration = try await duration(until: 30) { _ in AsyncStream { $0.finish() } }
        #expect(duration >= 70)
    }

    @Test func whoIsAskedToEndDoes() async {
        signals.end.ring()
        let isThere = await wait { _ in AsyncStream { _ in } }
        #expect(!isThere)
    }
}
