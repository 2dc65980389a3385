import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A year of days: items come at any time, the machine is off now and then, runs end and begin anew.
@Suite struct DigestYearTests {
    @Test(
        "each item of a year is in one issue, and each slot is issued once",
        arguments: [
            ("02:30", "Europe/Berlin", UInt64(1)), ("mon..fri 08:30", "America/New_York", 2),
            ("Sat *-*-1..7 18:00", "Asia/Shanghai", 3), ("*-*-* 00,12:00", "Australia/Lord_Howe", 4),
            ("00:10", "America/Sao_Paulo", 5),
        ])
    func year(_ at: String, _ zone: String, _ seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        var bench = try DigestBench(at, zone: zone, from: "2026-01-01T00:00:00Z", isInMemory: true)
        bench.digest.limit = 1000
        _ = try await bench.desk.issueDue()
        let end = try Date("2027-01-01T00:00:00Z", strategy: .iso8601)
        var slots: [Date] = []
        var seen: [String] = []
        var expected = 0
        var slot = bench.digest.at.next(after: bench.clock.now, in: bench.digest.timeZone)
        while bench.clock.now < end {
            let isOutage = try advance(bench, to: slot, &random)
            if isOutage || Int.random(in: 0..<20, using: &random) == 0 { try bench.restart() }
            if Int.random(in: 0..<2, using: &random) == 0 {
                seen.append("item-\(seen.count)")
                try bench.see(seen[seen.count - 1])
            }
            var missed = 0
            while let due = slot, due <= bench.clock.now {
                missed += 1
                slot = bench.digest.at.next(after: due, in: bench.digest.timeZone)
            }
            if missed > 0 { expected += 1 }
            let reports = try await bench.desk.issueDue()
            #expect(reports.count == (missed > 0 ? 1 : 0))
            slots += reports.isEmpty ? [] : [bench.clock.now]
        }
        #expect(slots.count == expected)
        bench.clock.advance(by: 40 * 86_400)
        _ = try await bench.desk.issueDue()
        let requests = try bench.requests()
        let told = requests.flatMap { page(of: $0)?.groups.flatMap(\.items).map(\.title) ?? [] }
        #expect(told.count == seen.count)
        #expect(Set(told) == Set(seen.map { "Title \($0)" }))
        #expect(Set(requests.map(\.identifier)).count == requests.count)
    }

    /// To a second before the next slot, onto it, a second behind it, or to any time within nine hours, so that each slot is
    /// met from all sides; or over a time of up to nine days for which the machine is off. Whether it was off.
    private func advance(_ bench: DigestBench, to slot: Date?, _ random: inout SeededNumbers) throws -> Bool {
        if Int.random(in: 0..<60, using: &random) == 0 {
            bench.clock.advance(by: Double.random(in: 3600...777_600, using: &random))
            return true
        }
        var next = bench.clock.now.addingTimeInterval(Double.random(in: 1...32_400, using: &random).rounded())
        if let slot, slot > bench.clock.now, slot < next {
            let near = slot.addingTimeInterval(Double(Int.random(in: -1...1, using: &random)))
            if near > bench.clock.now { next = near }
        }
        bench.clock.advance(to: next)
        return false
    }

    @Test("a slot that the clocks leave out is issued when they have been moved on, one that they show twice once")
    func clockChanges() async throws {
        let bench = try DigestBench("02:30", from: "2026-03-28T12:00:00Z")
        _ = try await bench.desk.issueDue()
        #expect(try bench.desk.next() == Date("2026-03-29T01:00:00Z", strategy: .iso8601))
        try bench.set("2026-10-24T12:00:00Z")
        _ = try await bench.desk.issueDue()
        try bench.see("a")
        try bench.set("2026-10-25T00:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
        try bench.see("b")
        try bench.set("2026-10-25T01:30:00Z")
        #expect(try await bench.desk.issueDue().isEmpty)
    }

    private func page(of request: NotificationRequest) -> DigestPage? {
        guard let value = request.content.userInfo[DigestPage.key], let data = try? JSONEncoder().encode(value)
        else { return nil }
        return try? JSONDecoder().decode(DigestPage.self, from: data)
    }
}
