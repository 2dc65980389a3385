import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What a run hears of its requests, which are raised by what keeps deliveries going beside it.
@Suite(.timeLimit(.minutes(1))) struct RunBesideTests {
    let folder: TemporaryFolder
    let store: Store
    let clock = ManualClock()
    let slow = AskedSink()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: clock.now)
    }

    private func add(_ identifier: String, to sinks: [String]) throws {
        let request = NotificationRequest(identifier: identifier, content: NotificationContent(title: identifier))
        try store.add(request, to: sinks, at: clock.now)
    }

    private func center(_ others: [String: any NotificationSink] = [:], quiet: QuietHours = QuietHours())
        -> UserNotificationCenter
    {
        let sinks = others.merging(["slow": slow]) { $1 }.sorted { $0.key < $1.key }
        return UserNotificationCenter(
            store: store, sinks: sinks.map { NamedSink(name: $0.key, sink: $0.value, retries: .webhook) },
            quietHours: quiet, clock: clock)
    }

    /// While the centre delivers what is due.
    private func during<T: Sendable>(
        _ center: UserNotificationCenter, _ work: @Sendable () async throws -> T
    ) async throws -> T {
        let rounds = Task { try await center.run() }
        defer { rounds.cancel() }
        return try await work()
    }

    private var now: ClosedRange<Date> { clock.now...clock.now }

    @Test func aRunWaitsForTheSlowestOfItsOwn() async throws {
        let center = center(["fast": RecordingSink()])
        try await during(center) {
            try add("a", to: ["fast", "slow"])
            async let outcome = center.outcome(ofRequestsMade: now)
            #expect(await slow.next() == "a")
            await slow.answer(.delivered())
            #expect(try await outcome.delivered == ["fast": 1, "slow": 1])
        }
    }

    @Test func aRunWaitsForNothingThatWasMadeBeforeItOrAfter() async throws {
        let center = center()
        try await during(center) {
            try add("before", to: ["slow"])
            center.wake()
            #expect(await slow.next() == "before")
            clock.advance(by: 1)
            #expect(try await center.outcome(ofRequestsMade: now) == DeliveryReport(), "it has made nothing")
            let made = now
            try add("own", to: ["slow"])
            clock.advance(by: 1)
            try add("after", to: ["slow"])
            async let outcome = center.outcome(ofRequestsMade: made)
            await slow.answer(.failed(reason: "HTTP 500"))
            #expect(await slow.next() == "own")
            await slow.answer(.delivered())
            #expect(await slow.next() == "after")
            #expect(try await outcome.delivered == ["slow": 1], "while the sink has others still")
            #expect(try await outcome.waiting.isEmpty, "the one before says nothing of it")
            await slow.answer(.delivered())
        }
    }

    @Test func aRunHearsWhyOfItsOwnSomeAreNotRaised() async throws {
        let refusing = RecordingSink([], otherwise: .rejected(reason: "HTTP 400"))
        let away = RecordingSink([], otherwise: .deferred(reason: "no session"))
        let center = center(["away": away, "refusing": refusing])
        try await during(center) {
            try add("a", to: ["away", "refusing", "slow"])
            async let outcome = center.outcome(ofRequestsMade: now)
            #expect(await slow.next() == "a")
            await slow.answer(.failed(reason: "HTTP 500"))
            let report = try await outcome
            #expect(report.dead == ["refusing": .init(count: 1, reason: "HTTP 400")])
            #expect(
                report.waiting == [
                    "away": .init(count: 1, reason: "no session"), "slow": .init(count: 1, reason: "HTTP 500"),
                ])
            clock.advance(by: 1)
            try add("b", to: ["away"])
            try add("c", to: ["away"])
            let next = try await center.outcome(ofRequestsMade: now)
            #expect(next.waiting == ["away": .init(count: 2, reason: "no session", isRepeated: true)])
        }
    }

    @Test func aRunHearsOfWhatWaitsForTheUser() async throws {
        let undecided = NotificationSettings(authorizationStatus: .notDetermined, options: [])
        try store.setNotificationSettings(undecided, at: clock.now)
        let center = center()
        try add("before", to: ["slow"])
        try await during(center) {
            clock.advance(by: 1)
            try add("a", to: ["slow"])
            let held = try await center.outcome(ofRequestsMade: now)
            #expect(held.newlyHeld == 1)
            #expect(held.held == 2)
            try await center.setAuthorization(.denied)
            clock.advance(by: 1)
            try add("b", to: ["slow"])
            #expect(try await center.outcome(ofRequestsMade: now).suppressed == 1)
        }
    }

    @Test func aRunHearsOfWhatWaitsForTheEndOfQuietHours() async throws {
        let day = QuietHours.Period(start: 0, end: 1440, timeZone: .gmt)
        let center = center(quiet: QuietHours([day]))
        try await during(center) {
            try add("a", to: ["slow"])
            #expect(try await center.outcome(ofRequestsMade: now).quieted == 1)
        }
    }

    @Test func aRunThatIsToEndDoesNotWait() async throws {
        let center = center(["fast": RecordingSink()])
        try await during(center) {
            try add("a", to: ["fast", "slow"])
            let made = now
            let run = Task { try await center.outcome(ofRequestsMade: made) }
            #expect(await slow.next() == "a")
            run.cancel()
            #expect(try await run.value.delivered["slow"] == nil)
            await slow.answer(.delivered())
        }
    }
}

/// It tells what it is asked to raise, and waits for the answer that it is to give.
actor AskedSink: NotificationSink {
    nonisolated var attemptLimit: Duration { .seconds(86_400) }
    private let (asked, ask) = AsyncStream.makeStream(of: String.self)
    private let (answers, giveAnswer) = AsyncStream.makeStream(of: DeliveryOutcome.self)

    /// The identifier of the next request that it is asked for, or was.
    nonisolated func next() async -> String? {
        for await identifier in asked { return identifier }
        return nil
    }

    func answer(_ outcome: DeliveryOutcome) { giveAnswer.yield(outcome) }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        ask.yield(attempt.request.identifier)
        for await outcome in answers { return outcome }
        return .deferred(reason: "the run was stopped")
    }
}
