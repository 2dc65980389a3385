import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Of digests whose schedule becomes another one.
@Suite struct DigestScheduleTests {
    private func bench(
        _ at: String, zone: String = "Europe/Berlin", from start: String = "2026-11-20T12:00:00Z"
    ) async throws -> DigestBench {
        let bench = try DigestBench(at, zone: zone, from: start)
        #expect(try await bench.desk.issueDue().isEmpty)
        return bench
    }

    private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test func anEditedScheduleHasMissedNothingBeforeItWasSeen() async throws {
        var bench = try await bench("mon 08:30")
        try bench.see("a")
        try bench.set("2026-11-23T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
        try bench.see("b")
        try bench.set("2026-11-26T13:00:00Z")
        bench.digest.at = try CalendarExpression("18:00")
        try bench.restart()
        #expect(try bench.desk.next() == date("2026-11-26T17:00:00Z"))
        for _ in 1...2 { #expect(try await bench.desk.issueDue().isEmpty) }
        try bench.set("2026-11-26T16:59:59Z")
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.set("2026-11-27T20:00:00Z")
        // From then on it may be missed.
        #expect(try await bench.desk.issueDue().map(\.request?.titles) == [["Title b"]])
    }

    @Test func anIssueThatIsAskedForAfterAnEditLeavesTheNextSlotItsOwn() async throws {
        var bench = try await bench("mon 08:30")
        try bench.set("2026-11-26T13:00:00Z")
        bench.digest.at = try CalendarExpression("18:00")
        try bench.see("a")
        #expect(try await bench.desk.issue(bench.digest).count == 1)
        try bench.see("b")
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.set("2026-11-26T17:00:00Z")
        #expect(try await bench.desk.issueDue().map(\.request?.titles) == [["Title b"]])
    }

    /// As a state from before schedules were remembered has it.
    @Test func aSlotOfAScheduleThatNobodyKnowsCountsForThatOfNow() async throws {
        var bench = try await bench("08:30")
        try bench.store.account("morning", upTo: bench.clock.now)
        try bench.see("a")
        try bench.set("2026-11-21T10:00:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1], "it was missed")
        bench.digest.at = try CalendarExpression("10:30")
        #expect(try await bench.desk.issueDue().isEmpty, "the schedule is known by now")
    }

    @Test func aSlotOfAZoneThatNobodyKnowsCountsAsItIs() async throws {
        let bench = try await bench("08:30")
        try bench.store.account(
            "morning", upTo: bench.clock.now, by: DigestSchedule(expression: "08:30", timeZone: "Nowhere/Land"))
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().count == 1)
    }

    @Test func furtherWestATimeThatWasIssuedIsNotDueOnceMore() async throws {
        var bench = try await bench("08:30")
        try bench.see("a")
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
        try bench.see("b")
        bench.digest.timeZone = try zone("America/New_York")
        for time in ["2026-11-21T12:00:00Z", "2026-11-21T13:30:00Z", "2026-11-21T20:00:00Z"] {
            try bench.set(time)
            #expect(try await bench.desk.issueDue().isEmpty)
            #expect(try bench.desk.next() == date("2026-11-22T13:30:00Z"))
        }
        bench.digest.timeZone = try zone("Europe/Berlin")
        #expect(try bench.desk.next() == date("2026-11-22T07:30:00Z"))
        try bench.set("2026-11-22T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request?.titles) == [["Title b"]])
    }

    @Test func furtherEastATimeThatTheClocksPassedOverIsDueAtOnce() async throws {
        var bench = try await bench("08:30", zone: "America/New_York")
        try bench.set("2026-11-21T13:30:00Z")
        _ = try await bench.desk.issueDue()
        try bench.see("a")
        try bench.set("2026-11-22T08:00:00Z")
        bench.digest.timeZone = try zone("Europe/Berlin")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
        #expect(try bench.desk.next() == date("2026-11-23T07:30:00Z"))
    }

    @Test(arguments: [("Europe/Berlin", "America/New_York"), ("America/New_York", "Europe/Berlin")])
    func aDigestOfEveryHourGoesOn(_ former: String, _ latter: String) async throws {
        var bench = try await bench("*:00", zone: former, from: "2026-11-21T12:00:00Z")
        bench.digest.timeZone = try zone(latter)
        try bench.set("2026-11-21T12:10:00Z")
        #expect(try await bench.desk.issueDue().isEmpty)
        #expect(try bench.desk.next() == date("2026-11-21T13:00:00Z"))
    }

    @Test("on journeys each day has one issue", arguments: [UInt64(1), 2, 3])
    func journeys(_ seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        var bench = try DigestBench("08:30", from: "2026-01-01T00:00:00Z", isInMemory: true)
        bench.digest.emptiness = .say
        let zones = try ["America/New_York", "Europe/Berlin", "Asia/Dubai", "UTC"].map(zone)
        for _ in 0..<4000 {
            _ = try await bench.desk.issueDue()
            bench.clock.advance(by: Double.random(in: 60...7200, using: &random).rounded())
            if Int.random(in: 0..<30, using: &random) == 0 {
                bench.digest.timeZone = try #require(zones.randomElement(using: &random))
            }
        }
        let days = try bench.outbox().map { try #require(CalendarDay(String($0.dropFirst("digest/morning/".count)))) }
        #expect(days.count > 100)
        #expect(zip(days, days.dropFirst()).allSatisfy { $0.next == $1 })
    }
}
