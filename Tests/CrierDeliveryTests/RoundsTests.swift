import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What whoever keeps deliveries going waits for.
@Suite(.timeLimit(.minutes(1))) struct RoundsTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws { store = try .authorized(at: clock.now) }

    @Test func whatCouldNotBeBegunIsTriedAgainAfterThePause() async throws {
        try add(["a"], to: ["web"])
        try store.refuseWrites()
        let sink = RecordingSink()
        let center = center(named("web", sink))
        let (told, tell) = AsyncStream.makeStream(of: Int.self)
        var rounds = DeliveryRounds { report in
            if let count = report.delivered["web"] { tell.yield(count) }
        }
        rounds.endures = { _ in true }
        let run = Task { [rounds] in try await center.run(rounds) }
        await clock.waitForSleepers(until: clock.now + 60)
        #expect(clock.deadlines.first == clock.now + 60)
        try store.acceptWrites()
        clock.advance(by: 60)
        for await count in told {
            #expect(count == 1)
            break
        }
        #expect(await sink.identifiers == ["a"])
        run.cancel()
        _ = await run.result
    }

    @Test func whatIsGivenUpForASinkThatIsMissingAndGoneIsTold() async throws {
        try add(["a"], to: ["team"])
        try store.markGone("team", reason: "HTTP 410", at: clock.now)
        clock.advance(by: Store.longestAbsence + 1)
        let center = UserNotificationCenter(store: store, sinks: [], clock: clock)
        let (told, tell) = AsyncStream.makeStream(of: DeliveryReport.self)
        let run = Task { try await center.run { tell.yield($0) } }
        let first = await told.first { !$0.dead.isEmpty }
        #expect(first?.dead == ["team": .init(count: 1, reason: Store.absence(of: "team"))])
        run.cancel()
        _ = await run.result
    }

    @Test func anAgentForgetsWhatIsOverForLong() async throws {
        try add(["a"], to: ["web"])
        let center = center(named("web", RecordingSink()))
        _ = try await center.deliverDue()
        clock.advance(by: 31 * 86_400)
        let run = Task { try await center.run() }
        await clock.waitForSleepers()
        #expect(try store.deliveryCounts().isEmpty)
        run.cancel()
        _ = await run.result
    }

    @Test func aRemarkIsToldOnce() async throws {
        try add(["a"], to: ["web"])
        let center = center(named("web", RecordingSink([.delivered(remark: "without its picture")])))
        let (told, tell) = AsyncStream.makeStream(of: DeliveryReport.self)
        let run = Task { try await center.run { tell.yield($0) } }
        let reports = await told.prefix(2).reduce(into: []) { $0.append($1) }
        #expect(reports.map(\.remarks) == [["web": .init(count: 1, reason: "without its picture")], [:]])
        run.cancel()
        _ = await run.result
    }

    @Test func aSlowSinkKeepsNoOtherFromItsNextAttempt() async throws {
        try add(["a"], to: ["fast", "slow"])
        let slow = AskedSink()
        let fast = ToldSink([.failed(reason: "HTTP 500")])
        let center = center(named("fast", fast), named("slow", slow))
        let run = Task { try await center.run() }
        await clock.waitForSleepers(until: clock.now + 10)
        clock.advance(by: 10)
        #expect(await fast.next() == "a")
        #expect(await fast.next() == "a")
        #expect(await slow.next() == "a")
        await slow.answer(.delivered())
        run.cancel()
        _ = await run.result
    }

    @Test func whatAnotherDeliveryFindsInQuietHoursComesAtTheirEnd() async throws {
        let sink = ToldSink()
        // It is 22:13.
        let period = QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)
        let center = center(named("web", sink), quietHours: QuietHours([period]))
        let run = Task { try await center.run() }
        await clock.waitForSleepers()
        try add(["a"], to: ["web"])
        #expect(try await center.deliverDue().quieted == 1)
        let end = Date(timeIntervalSince1970: 1_700_002_800)
        await clock.waitForSleepers(until: end)
        clock.advance(to: end)
        #expect(await sink.next() == "a")
        run.cancel()
        _ = await run.result
    }

    @Test func aSlowSinkDoesNotOutlastQuietHours() async throws {
        try add(["ordinary"], to: ["fast"])
        try add(["urgent"], .critical, to: ["slow"])
        let (slow, fast) = (AskedSink(), ToldSink())
        // It is 22:13.
        let period = QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)
        let center = center(named("fast", fast), named("slow", slow), quietHours: QuietHours([period]))
        let run = Task { try await center.run() }
        let end = Date(timeIntervalSince1970: 1_700_002_800)
        await clock.waitForSleepers(until: end)
        #expect(clock.deadlines.first == end)
        clock.advance(to: end)
        #expect(await fast.next() == "ordinary")
        #expect(await slow.next() == "urgent")
        await slow.answer(.delivered())
        run.cancel()
        _ = await run.result
    }

    /// A minute later at first; for one that has waited for hours a quarter of an hour.
    @Test func whatWaitsForASinkThatIsNotThereIsTriedMoreAndMoreSeldom() async throws {
        try add(["a"], to: ["desktop"])
        let sink = RecordingSink([], otherwise: .deferred(reason: "no session"))
        let center = center(named("desktop", sink))
        var pauses: [TimeInterval] = []
        for age in [0.0, 600, 1_200, 86_400] {
            clock.advance(to: Date(timeIntervalSince1970: 1_700_000_000 + age))
            _ = try await center.deliverDue()
            pauses.append(try #require(try await center.nextDelivery()).timeIntervalSince(clock.now))
        }
        #expect(pauses == [60, 60, 120, 900])
        #expect(await sink.attempts.count == 4)
    }
}
