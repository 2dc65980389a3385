import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// For how long a delivery is tried, whoever is at fault.
@Suite struct GivenUpTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()
    let good = RecordingSink()

    init() throws { store = try .authorized(at: clock.now) }

    private func center(
        _ sink: any NotificationSink, _ retries: RetryPolicy, isOrdered: Bool = false
    ) -> UserNotificationCenter {
        center(named("a", sink, retries, isOrdered: isOrdered), named("good", good))
    }

    private func add(_ identifiers: String...) throws { try add(identifiers, to: ["a"]) }

    /// Takes everything but one.
    private func fussySink() -> RecordingSink {
        RecordingSink { $0.request.identifier == "bad" ? .failed(reason: "bad") : .delivered() }
    }

    /// Delivers whenever something is due, for so many days.
    private func run(_ center: UserNotificationCenter, days: Double) async throws {
        let end = clock.now.addingTimeInterval(days * 86_400)
        while true {
            _ = try await center.deliverDue()
            guard let next = try await center.nextDelivery(), next <= end else { break }
            clock.advance(to: max(next, clock.now))
        }
        clock.advance(to: end)
    }

    @Test(arguments: [RetryPolicy.webhook, .service, .email, .program])
    func whatASinkIsBrokenForWaitsAMonth(_ retries: RetryPolicy) async throws {
        let dead = RecordingSink([], otherwise: .failed(reason: "no connection"))
        let center = center(dead, retries)
        try add("1", "2", "3")
        try await run(center, days: 29)
        #expect(try store.deliveryCounts()[.dead] == nil)
        #expect(await dead.attempts.count < 150)
        try await run(center, days: 7)
        #expect(try store.deliveryCounts()[.pending] == nil)
        let notices = await good.attempts.map(\.request.content)
        #expect(notices.map(\.title) == ["The sink a does not work", "The sink a has not worked for long"])
        #expect(notices.first?.body.contains("wait, for up to 30 days") == true)
        #expect(try store.deliveryCounts()[.dead] == 3)
        #expect(notices.last?.body.hasPrefix("no connection\nWhat has waited for it is given up now.") == true)
    }

    @Test func whatWaitedForTheUserHasItsMonthToo() async throws {
        let center = center(RecordingSink([], otherwise: .failed(reason: "no connection")), .program)
        try store.setNotificationSettings(NotificationSettings(authorizationStatus: .notDetermined), at: clock.now)
        try add("1", "2", "3")
        #expect(try await center.deliverDue().held == 3)
        clock.advance(by: 40 * 86_400)
        try store.setNotificationSettings(.authorized, at: clock.now)
        try await run(center, days: 29)
        #expect(try store.deliveryCounts()[.dead] == nil)
    }

    @Test func aClockThatIsAheadForOneRunGivesNothingUp() async throws {
        let failures = Array(repeating: DeliveryOutcome.failed(reason: "no connection"), count: 14)
        let sink = RecordingSink(failures)
        let center = center(sink, .webhook)
        try add("1", "2")
        try await run(center, days: 6)
        let right = clock.now
        clock.advance(by: 365 * 86_400)
        _ = try await center.deliverDue()
        #expect(try store.deliveryCounts()[.dead] == nil)
        clock.advance(to: right.addingTimeInterval(3600))
        try await run(center, days: 2)
        #expect(try store.deliveryCounts()[.pending] == nil && store.deliveryCounts()[.dead] == nil)
        #expect(await Set(sink.identifiers.suffix(2)) == ["1", "2"])
    }

    @Test func itComesOnceTheSinkWorksAgain() async throws {
        let failures = Array(repeating: DeliveryOutcome.failed(reason: "no connection"), count: 40)
        let sink = RecordingSink(failures)
        let center = center(sink, .webhook)
        try add("1", "2")
        try await run(center, days: 20)
        #expect(try store.deliveryCounts()[.pending] == nil && store.deliveryCounts()[.dead] == nil)
        #expect(await Set(sink.identifiers.suffix(2)) == ["1", "2"])
    }

    /// As services do that have had too much at once.
    @Test func whatFailsOnceMoreBehindAnOutageIsNotGivenUp() async throws {
        let no = DeliveryOutcome.failed(reason: "no")
        let sink = RecordingSink(Array(repeating: no, count: 60) + [.delivered(), no, no, no])
        try add("1", "2", "3")
        try await run(center(sink, .webhook), days: 25)
        #expect(try store.deliveryCounts() == [.delivered: 4], "with the notice of the outage")
    }

    @Test func whatTheUserHasTriedAgainLeavesTheOthersTheirTime() async throws {
        let sink = RecordingSink([], otherwise: .failed(reason: "no"))
        try add("1", "2", "3")
        try await run(center(sink, .program), days: 5)
        #expect(try store.retryDeliveries([1], at: clock.now) == 1)
        try await run(center(sink, .program), days: 5)
        #expect(try store.deliveryCounts()[.dead] == nil)
    }

    @Test(
        "What may have been raised is not tried for a month, nor is what others wait behind",
        arguments: [(DeliveryOutcome.unanswered(reason: "504"), false), (.failed(reason: "504"), true)])
    func givenUpByItsSchedule(_ outcome: DeliveryOutcome, isOrdered: Bool) async throws {
        let sink = RecordingSink([], otherwise: outcome)
        try add("1")
        try await run(center(sink, .webhook, isOrdered: isOrdered), days: 20)
        #expect(await sink.attempts.count == 10)
        #expect(try store.deliveryCounts()[.dead] == 1)
        let notices = await good.attempts.map(\.request.content)
        #expect(notices.map(\.title) == ["The sink a does not work", "The sink a has not worked for long"])
        let words = "504\nIts notifications wait. Each is given up after 10 attempts."
        #expect(notices.first?.body.hasPrefix(words) == true)
    }

    @Test func whatAloneFailsAtASinkInOrderIsGivenUpByItsSchedule() async throws {
        let sink = fussySink()
        try commit("news", ["bad", "2", "3"], to: "a")
        try await run(center(sink, .program, isOrdered: true), days: 1)
        #expect(try store.deliveryCounts()[.dead] == 1)
        #expect(try store.deliveryCounts()[.delivered] ?? 0 >= 2)
    }

    @Test func thatOneAfterTheOtherIsGivenUpIsWrittenTogetherWithTheNoticeOfIt() async throws {
        let center = center(RecordingSink([], otherwise: .rejected(reason: "no")), .webhook)
        try add("1", "2", "3")
        try await store.writer.write { db in
            try db.execute(
                sql: "CREATE TRIGGER full BEFORE INSERT ON notification BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        await #expect(throws: StoreError.self) { _ = try await center.deliverDue() }
        #expect(try store.deliveryCounts() == [.dead: 2, .pending: 1])
        try await store.writer.write { try $0.execute(sql: "DROP TRIGGER full") }
        #expect(try await center.deliverDue().delivered == ["good": 1])
        #expect(await good.attempts.last?.request.content.title == "The sink a refuses what it is given")
    }

    @Test func whatAloneFailsIsGivenUpByItsSchedule() async throws {
        let sink = fussySink()
        let center = center(sink, .program)
        try add("bad")
        for number in 1...40 {
            try add("\(number)")
            try await run(center, days: 0.02)
        }
        #expect(try store.deliveryCounts()[.dead] == 1)
    }
}
