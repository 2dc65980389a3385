import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierAgent

/// A simulated time of the agent with many sources, restarts, reloads and outages. `scripts/soak` asks for a week of thousands.
@Suite(.timeLimit(.minutes(60))) struct SoakTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func mannersAndDeliveryHoldForDaysOfHarm() async throws {
        let isWhole = Self.number("CRIER_SOAK_DAYS") != nil
        let days = Self.number("CRIER_SOAK_DAYS") ?? 1
        let count = Self.number("CRIER_SOAK_SOURCES") ?? 40
        let seed = UInt64(Self.number("CRIER_SOAK_SEED") ?? Int.random(in: 0...999_999))
        let slowness = Self.number("CRIER_SOAK_SLOWNESS") ?? 1
        let run = try await SoakRun(sources: count, days: days, slowness: slowness, seed: seed)
        try await run.run()
        let state = run.world.state.withLock { $0 }
        let manners = state.manners
        #expect(manners.faults.isEmpty, "seed \(seed): \(manners.faults.prefix(10).joined(separator: "; "))")
        #expect(manners.requests > count * days * 4 / slowness && manners.conditional > manners.requests / 4)

        let heard = Self.items(in: run.folder.read("heard.jsonl"))
        var missing: [String] = []
        var repeated: [String] = []
        var expected = 0
        for source in run.world.sources {
            for item in state.served[source.number] ?? [] {
                expected += 1
                let identifier = "urn:\(source.number):\(item)"
                let count = heard[identifier] ?? 0
                if count == 0 || state.told[identifier] == nil { missing.append(identifier) }
                if count > 1 || state.repeated.contains(identifier) { repeated.append(identifier) }
            }
            // Whatever was done to it, in the end it is well.
            #expect(state.answers[source.number] ?? 0 > 0, "\(source.name) (\(source.kind)) was never read")
            let last = source.items(at: run.world.time.now).upperBound - 1
            #expect(
                state.served[source.number]?.contains(last) == true,
                "seed \(seed): \(source.name) (\(source.kind)) is stuck")
        }
        #expect(missing.isEmpty, "seed \(seed): lost \(missing.count), such as \(missing.prefix(5))")
        #expect(repeated.isEmpty, "seed \(seed): told again \(repeated.count), such as \(repeated.prefix(5))")
        #expect(heard.count == expected, "what was not served is not told")
        let rows = try Self.rows(run.folder.file("crier.sqlite"), sources: count)
        let allowed = Self.expectWithinBounds(
            rows, sources: count, items: expected, visitsADay: manners.requests / days)
        let figures = run.figures.withLock { $0 }
        if isWhole, days >= 4 { Self.expectNoGrowth(figures.days) }
        print(
            """
            soak: seed \(seed): days \(days), sources \(count), slowness \(slowness), requests \(manners.requests), of them conditional \
            \(manners.conditional), at most at once \(manners.mostInFlight), restarts \(figures.restarts), \
            reloads \(figures.reloads), outages \(figures.outages), sleeps \(figures.sleeps), receiver down \
            \(figures.hookOutages); items \(expected), calls \(state.calls), lost \(missing.count), told again \
            \(repeated.count), faults of manners \(manners.faults.count); memory \
            \(figures.days.map { "\($0.memory >> 20)" }.joined(separator: " ")) MiB, of that in use \
            \(figures.days.map { "\($0.heap >> 10)" }.joined(separator: " ")) KiB, descriptors \
            \(figures.days.map { "\($0.descriptors)" }.joined(separator: " ")), state file \
            \(figures.days.map { "\($0.database >> 20)" }.joined(separator: " ")) MiB, in the end \(rows.bytes >> 10) KiB \
            of \(allowed >> 10) allowed, \(rows.freeBytes >> 10) free
            """)
    }

    /// What is in the state file, and how long that makes it.
    ///
    /// - Returns: The bytes that it may have.
    private static func expectWithinBounds(_ rows: Rows, sources: Int, items: Int, visitsADay: Int) -> Int {
        #expect(rows.items == items)
        #expect(rows.digestItems == rows.digestible && rows.waiting == 0, "\(rows)")
        #expect(rows.waitingDeliveries == 0 && rows.dead == 0, "\(rows)")
        // What is cut off once a day is at most a day more.
        #expect(rows.visits <= 100_000 + 2 * visitsADay)
        #expect(rows.wakes <= 20_000 + 2 * visitsADay)
        #expect(rows.sources == sources, "a renamed source is one")
        // An item with its notification and two deliveries, a source with its host, a visit.
        let allowed = 1 << 20 + sources * 2048 + rows.items * 640 + rows.visits * 128
        #expect(rows.bytes <= allowed, "\(rows) in \(rows.bytes) bytes, allowed \(allowed)")
        #expect(rows.freeBytes <= rows.bytes / 10 + 1 << 20, "what was deleted is used again: \(rows)")
        return allowed
    }

    /// From the middle of the time to its end, but for the test's own notes of each item.
    private static func expectNoGrowth(_ days: [SoakRun.Day]) {
        let (middle, last) = (days[days.count / 2], days[days.count - 1])
        let notes = (last.items - middle.items) * 160
        #expect(last.heap <= middle.heap + middle.heap / 4 + notes + 4 << 20, "\(days.map(\.heap))")
        #expect(last.memory <= middle.memory + notes + middle.memory / 10, "\(days.map(\.memory))")
        #expect(last.descriptors <= middle.descriptors + 2, "\(days.map(\.descriptors))")
    }

    /// How often each item stands in a file of notifications.
    private static func items(in text: String?) -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in (text ?? "").split(separator: "\n") {
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            for item in object?["items"] as? [[String: Any]] ?? [] {
                if let identifier = item["id"] as? String { counts[identifier, default: 0] += 1 }
            }
        }
        return counts
    }

    private struct Rows {
        var sources = 0, items = 0, visits = 0, digestible = 0, digestItems = 0, waiting = 0
        var waitingDeliveries = 0, dead = 0, wakes = 0, bytes = 0, freeBytes = 0
    }

    private static func rows(_ path: String, sources: Int) throws -> Rows {
        try DatabaseQueue(path: path).read { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            let tagged = "(SELECT id FROM source WHERE CAST(substr(name, 2) AS INTEGER) % \(SoakRun.digestTag) = 0)"
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            return Rows(
                sources: try count("SELECT count(*) FROM source"), items: try count("SELECT count(*) FROM item"),
                visits: try count("SELECT count(*) FROM fetch"),
                digestible: try count("SELECT count(*) FROM item WHERE source IN \(tagged)"),
                digestItems: try count("SELECT count(*) FROM digest_item"),
                waiting: try count("SELECT count(*) FROM digest_item WHERE issue IS NULL"),
                waitingDeliveries: try count("SELECT count(*) FROM delivery WHERE state IN ('pending', 'held')"),
                dead: try count("SELECT count(*) FROM delivery WHERE state = 'dead'"),
                wakes: try count("SELECT count(*) FROM wake"),
                bytes: try count("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
                freeBytes: try count(
                    "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"))
        }
    }
}
