import CrierTesting
import Foundation
import Synchronization
import Testing

/// Nothing is lost and nothing is raised twice, whenever the process is killed.
@Suite(.timeLimit(.minutes(5))) struct KillTests {
    /// What a receiver that honours the identifier has seen.
    private final class Receiver: Sendable {
        private let seen = Mutex<[String: Set<[UInt8]>]>([:])
        private let calls = Mutex(0)

        func receive(_ request: ReceivedRequest) {
            let identifier = request.fields["webhook-id"] ?? "none"
            calls.withLock { $0 += 1 }
            seen.withLock { _ = $0[identifier, default: []].insert(request.body) }
        }

        var bodiesByIdentifier: [String: Set<[UInt8]>] { seen.withLock { $0 } }
        var count: Int { calls.withLock { $0 } }
    }

    @Test func aKilledRunIsMadeUpForByTheNext() async throws {
        let origin = try await ScriptedOrigin()
        let target = try await ScriptedOrigin()
        let receiver = Receiver()
        let published = Mutex(1)
        await origin.handle { _ in ScriptedAnswer(body: atomFeed(1...published.withLock { $0 })) }
        await target.handle { request in
            receiver.receive(request)
            return ScriptedAnswer(status: 204)
        }
        let crier = try BuiltCrier(
            """
            sinks:
              team: {kind: webhook, url: '\(target.url("/in"))'}
            sources:
              news: {url: '\(origin.url("/feed"))', first: all, every: 1s}
            """)
        try await crier.authorize()
        // The length of a run is felt for: longer when it was killed before its end, shorter when not.
        var length = 0.1
        var killed = 0
        for _ in 0..<60 {
            published.withLock { $0 += Int.random(in: 1...2) }
            let isKilled = try await runAndKill(crier, after: .random(in: 0...1) * length)
            killed += isKilled ? 1 : 0
            length *= isKilled ? 1.25 : 0.7
        }
        // Attempts that failed with the process are due after seconds by their schedule: made due at once.
        try await crier.run("fetch", "--force")
        try await crier.run("deliveries", "retry", "--all")
        try await crier.run("fetch", "--force")

        let bodies = receiver.bodiesByIdentifier
        let titles = bodies.values.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
        for number in 1...published.withLock({ $0 }) {
            let told = titles.filter { $0.contains("\"Item \(number)\"") }.count
            #expect(told == 1, "item \(number) came under \(told) identifiers")
        }
        #expect(bodies.values.allSatisfy { $0.count == 1 }, "an identifier came with different content")
        #expect(killed > 10, "only \(killed) runs were killed")
        print("killed \(killed) of 60 runs, \(receiver.count) calls for \(bodies.count) notifications")
        await origin.stop()
        await target.stop()
    }

    /// True where the process was still running.
    private func runAndKill(_ crier: BuiltCrier, after seconds: Double) async throws -> Bool {
        let process = crier.process(["fetch", "--force", "--quiet"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        async let ended: Void = process.runToEnd()
        while process.processIdentifier == 0 { await Task.yield() }
        await Task.detached { pause(seconds) }.value
        kill(process.processIdentifier, SIGKILL)
        try await ended
        return process.terminationReason == .uncaughtSignal
    }
}

/// A moment chosen by chance: not a wait for something to happen.
private func pause(_ seconds: Double) {
    Thread.sleep(forTimeInterval: seconds)
}
