import CLinux
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierAgent

/// The agent's own services in simulated time, with a real state file, in a world that does it all the harm there is.
final class SoakRun: Sendable {
    struct Figures: Sendable {
        var restarts = 0
        var reloads = 0
        var outages = 0
        var sleeps = 0
        var hookOutages = 0
        var days: [Day] = []
    }

    /// At its end.
    struct Day: Sendable {
        /// Resident bytes, and those of them that are in use.
        var memory = 0
        var heap = 0
        var descriptors = 0
        /// Bytes of the state file.
        var database = 0
        /// What the test itself has noted until then.
        var items = 0
    }

    private enum Event: CaseIterable {
        case reload, reload2, outage, sleep, hookOutage, restart, restart2
    }

    let world: SoakWorld
    let folder: TemporaryFolder
    let figures = Mutex(Figures())
    private let span: DateInterval
    /// The sources that are left out of the configuration now, and those that have another name.
    private let absent = Mutex<Set<Int>>([])
    private let renamed = Mutex<Set<Int>>([])
    static let digestTag = 10

    init(sources: Int, days: Int, slowness: Int, seed: UInt64) async throws {
        folder = try TemporaryFolder()
        let start = try Date("2026-03-26T00:00:00Z", strategy: .iso8601)
        span = DateInterval(start: start, duration: Double(days) * 86_400)
        world = try await SoakWorld(sources: sources, slowness: slowness, span: span, seed: seed)
        try SimulatedAgent.authorize(in: folder, at: start)
        try writeConfiguration()
    }

    private func writeConfiguration() throws {
        let (absent, renamed) = (absent.withLock { $0 }, renamed.withLock { $0 })
        let lines = world.sources.filter { !absent.contains($0.number) }.map { source in
            let tag = source.number % Self.digestTag == 0 ? ", tags: [digest]" : ""
            return "  \(renamed.contains(source.number) ? "r" : "s")\(source.number): "
                + "{url: '\(source.url)', every: \(source.every)s, first: all, to: [heard, team]\(tag)}"
        }
        try folder.write(
            """
            time-zone: Europe/Berlin
            sinks:
              heard: {kind: file, path: '\(folder.file("heard.jsonl"))'}
              team: {kind: webhook, url: 'https://hook.example/in'}
              paper: {kind: file, path: '\(folder.file("paper.jsonl"))'}
            digests:
              morning: {at: '02:30', to: [paper], tags: [digest], max: 1000}
            hosts:
              127.0.0.1: {gap: 2s}
            sources:
            \(lines.joined(separator: "\n"))

            """, to: "crier.yaml")
    }

    /// The days, and then as long as it takes until everything that is well has come to its end.
    func run() async throws {
        try await world.time.run { [self] in
            var nextDay = span.start.addingTimeInterval(86_400)
            while world.time.now < span.end { try await live(nextDay: &nextDay, until: span.end) }
            world.state.withLock { ($0.isHealed, $0.isDown) = (true, false) }
            absent.withLock { $0 = [] }
            try writeConfiguration()
            var never = Date.distantFuture
            // A failure may have put a source off by a day, and then comes the next digest.
            try await live(nextDay: &never, until: span.end.addingTimeInterval(2.25 * 86_400))
        }
        await world.origin.stop()
    }

    /// One life of the agent.
    private func live(nextDay: inout Date, until end: Date) async throws {
        let time = world.time
        let agent = try SimulatedAgent(in: folder, time: time, transport: world)
        let isOver = try await agent.run {
            var isOver = false
            while !isOver, time.now < end {
                let next = time.now.addingTimeInterval(3600 * (1 + 3 * world.chance()))
                while nextDay <= min(next, end) {
                    try await time.sleep(until: nextDay)
                    try await note(agent.desk.store)
                    nextDay.addTimeInterval(86_400)
                }
                try await time.sleep(until: min(next, end))
                if time.now < end, !world.state.withLock({ $0.isHealed }) { isOver = try await harm(agent.desk) }
            }
            return isOver
        }
        world.state.withLock { $0.manners.restart(at: time.now) }
        if isOver { try await time.sleep(until: time.now.addingTimeInterval(5 + 600 * world.chance())) }
    }

    /// Lets something happen. True where the process is to end.
    private func harm(_ desk: AgentDesk) async throws -> Bool {
        let time = world.time
        switch Event.allCases[Int(world.chance() * Double(Event.allCases.count))] {
        case .reload, .reload2:
            figures.withLock { $0.reloads += 1 }
            let count = Double(world.sources.count)
            let chosen = (0..<world.sources.count / 50).map { _ in Int(world.chance() * count) }
            if world.chance() < 0.5 {
                absent.withLock { $0.formSymmetricDifference(chosen) }
            } else {
                renamed.withLock { $0.formSymmetricDifference(chosen) }
            }
            try writeConfiguration()
            await desk.reload()
        case .outage:
            figures.withLock { $0.outages += 1 }
            world.state.withLock { $0.isDown = true }
            try await time.sleep(until: time.now.addingTimeInterval(600 + 7200 * world.chance()))
            world.state.withLock { $0.isDown = false }
            desk.wake(.network)
        case .sleep:
            figures.withLock { $0.sleeps += 1 }
            time.set(time.now.addingTimeInterval(3600 + 8 * 3600 * world.chance()))
            desk.wake(.resume)
        case .hookOutage:
            figures.withLock { $0.hookOutages += 1 }
            world.state.withLock { $0.isHookDown = true }
            try await time.sleep(until: time.now.addingTimeInterval(600 + 14_400 * world.chance()))
            world.state.withLock { $0.isHookDown = false }
        case .restart, .restart2:
            figures.withLock { $0.restarts += 1 }
            return true
        }
        return false
    }

    /// The process and its file at the end of a day.
    private func note(_ store: Store) async throws {
        await world.origin.forgetRequests()
        var day = Day()
        day.database = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
        day.descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        day.memory = (Int(pages) ?? 0) * 4096
        #if canImport(Glibc)
            let heap = mallinfo2()
            day.heap = heap.uordblks + heap.hblkhd
        #endif
        day.items = world.state.withLock { $0.served.values.reduce(0) { $0 + $1.count } }
        figures.withLock { $0.days.append(day) }
    }
}
