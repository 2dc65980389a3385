import CrierStore
import CrierTesting
import Foundation
import GRDB
import Testing

/// Runs the built binary against a scripted origin, a web hook and a file, and does it all the harm there is.
final class KillHarness {
    struct Figures {
        var kills = 0
        var runs = 0
        var fullDisks = 0
        var clockJumps = 0
        var overlaps = 0
        var visited: Set<CrashPoint> = []
    }

    let receiver = KillReceiver()
    var figures = Figures()
    private let origin: ScriptedOrigin
    private let target: ScriptedOrigin
    private let crier: BuiltCrier
    private var random: SeededNumbers
    /// Of a run, in seconds, as it is felt for: longer when one was killed before its end, shorter when not.
    private var length = 0.1

    init(seed: UInt64) async throws {
        random = SeededNumbers(seed: seed)
        origin = try await ScriptedOrigin()
        target = try await ScriptedOrigin()
        let folder = try TemporaryFolder()
        heard = folder
        crier = try BuiltCrier(
            """
            sinks:
              team: {kind: webhook, url: '\(target.url("/in"))', timeout: 1s}
              heard: {kind: file, path: '\(folder.file("heard.jsonl"))'}
            sources:
              news: {url: '\(origin.url("/feed"))', first: all, every: 1s}
            """)
        await origin.handle { [receiver] _ in receiver.feed }
        await target.handle { [receiver] in receiver.answer($0) }
        try await crier.authorize()
    }

    private let heard: TemporaryFolder

    func stop() async {
        await origin.stop()
        await target.stop()
    }

    // MARK: - Harm

    /// Has the process killed at a point, in the circumstances under which it gets there.
    func crash(at point: CrashPoint) async throws {
        receiver.publish()
        switch point {
        case .holdInside:
            try await run(["authorize", "--reset"])
            try await crash(at: point, ["fetch", "--force"])
            try await run(["authorize", "--allow"])
        case .releaseInside, .releaseAfter:
            try await run(["authorize", "--reset"])
            try await run(["fetch", "--force"])
            try await run(["authorize", "--allow"])
            try await crash(at: point, ["fetch", "--force"])
        case .failureInside, .failureAfter: try await crash(at: point, ["fetch", "--force"], mood: .broken)
        case .goneInside: try await crash(at: point, ["fetch", "--force"], mood: .gone)
        case .retryInside: try await crash(at: point, ["deliveries", "retry", "--all"])
        default: try await crash(at: point, ["fetch", "--force"])
        }
    }

    private func crash(at point: CrashPoint, _ arguments: [String], mood: KillReceiver.Mood = .well) async throws {
        receiver.set(mood)
        let passage = figures.visited.contains(point) ? Int.random(in: 1...2, using: &random) : 1
        let ended = try await run(arguments, with: ["CRIER_CRASH_AT": "\(point.rawValue):\(passage)"])
        receiver.set(.well)
        if ended == nil { figures.visited.insert(point) }
    }

    /// Kills a run at a moment chosen by chance, whatever the receiver does.
    func killAtRandom() async throws {
        receiver.publish()
        receiver.set(KillReceiver.Mood.allCases.randomElement(using: &random) ?? .well)
        let moment = Double.random(in: 0...1, using: &random) * length
        let process = quiet(["fetch", "--force"], [:])
        async let ended: Void = process.runToEnd()
        while process.processIdentifier == 0 { await Task.yield() }
        await Task.detached { pause(moment) }.value
        kill(process.processIdentifier, SIGKILL)
        try await ended
        let isKilled = process.terminationReason == .uncaughtSignal
        count(process)
        length *= isKilled ? 1.25 : 0.7
        receiver.set(.well)
    }

    /// A run none of whose files may grow beyond some KiB (`RLIMIT_FSIZE`): no file system has to be mounted for it.
    func fillDisk() async throws {
        receiver.publish()
        let size = try FileManager.default.attributesOfItem(atPath: crier.statePath)[.size] as? Int ?? 0
        let limit = Int.random(in: 1...max(2, size / 1024 + 16), using: &random)
        let process = quiet([], [:])
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [
            "-c", "trap '' XFSZ; ulimit -f \(limit); exec \"$0\" fetch --force --quiet", BuiltCrier.binary,
        ]
        try await process.runToEnd()
        count(process)
        figures.fullDisks += 1
    }

    /// A second run while one is under way.
    func overlap() async throws {
        receiver.setOriginSilent(true)
        let first = quiet(["fetch", "--force"], [:])
        let requests = await origin.requests.count
        async let ended: Void = first.runToEnd()
        await origin.received(requests + 1)
        #expect(try await run(["fetch", "--force"]) == 75)
        kill(first.processIdentifier, SIGKILL)
        try await ended
        count(first)
        receiver.setOriginSilent(false)
        figures.overlaps += 1
    }

    /// A year ahead, a year back, and to the present: each run must fetch and deliver, by its own schedule.
    func jumpClock() async throws {
        for days in [365, -365, 0] {
            receiver.publish()
            let status = try await run(["fetch"], with: ["CRIER_CLOCK_OFFSET": "\(days * 86_400)"])
            #expect(status == 0, "at \(days) days")
            #expect(receiver.told[receiver.last] == 1, "item \(receiver.last) is stuck at \(days) days")
            figures.clockJumps += 1
        }
    }

    // MARK: - Account

    /// Lets everything come to its end, and looks whether all is well.
    func settle() async throws {
        receiver.set(.well)
        for _ in 0..<2 {
            try await run(["deliveries", "retry", "--all"])
            #expect(try await run(["fetch", "--force"]) == 0)
        }
        let told = receiver.told
        let lines = (heard.read("heard.jsonl") ?? "").split(separator: "\n").map(String.init)
        let noted = Dictionary(lines.compactMap(itemNumber).map { ($0, 1) }, uniquingKeysWith: +)
        for number in 1...receiver.last {
            #expect(told[number] == 1, "item \(number) came under \(told[number] ?? 0) identifiers")
            #expect(noted[number] == 1, "item \(number) is \(noted[number] ?? 0) times in the file")
        }
        #expect(receiver.changed == 0, "an identifier came with different content")
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "a line of the file is torn")
        let verdict = try await DatabaseQueue(path: crier.statePath).read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        #expect(verdict == ["ok"])
        receiver.forgetOldOnes()
    }

    var summary: String {
        let told = receiver.told
        return """
            kills \(figures.kills), runs \(figures.runs), items \(receiver.last), calls \(receiver.calls), \
            deliveries \(receiver.notifications), lost \((1...receiver.last).count { told[$0] == nil }), \
            repeats \(told.values.count { $0 > 1 }), changed \(receiver.changed), \
            crash points \(figures.visited.count) of \(CrashPoint.allCases.count), full disks \(figures.fullDisks), \
            clock jumps \(figures.clockJumps), overlaps \(figures.overlaps)
            """
    }

    // MARK: - Runs

    /// The exit status; nil where it was killed.
    @discardableResult
    private func run(_ arguments: [String], with extra: [String: String] = [:]) async throws -> Int32? {
        let process = quiet(arguments, extra)
        try await process.runToEnd()
        count(process)
        return process.terminationReason == .uncaughtSignal ? nil : process.terminationStatus
    }

    private func quiet(_ arguments: [String], _ extra: [String: String]) -> ChildProcess {
        let process = crier.process(arguments)
        process.environment = crier.environment.merging(extra) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    private func count(_ process: ChildProcess) {
        figures.runs += 1
        if process.terminationReason == .uncaughtSignal { figures.kills += 1 }
    }
}

/// A moment chosen by chance: not a wait for something to happen.
private func pause(_ seconds: Double) {
    Thread.sleep(forTimeInterval: seconds)
}
