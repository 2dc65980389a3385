import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What a run hears of its requests, which are raised by what keeps deliveries going beside it.
@Suite(.timeLimit(.minutes(1))) struct FollowedRunTests: DeliverySuite {
    let clock = ManualClock()
    let store: Store
    let slow = AskedSink()

    init() throws {
        store = try Store.authorized(at: clock.now)
    }

    /// While the centre delivers what is due.
    private func during<T: Sendable>(
        _ center: UserNotificationCenter, _ rounds: DeliveryRounds = DeliveryRounds { _ in },
        _ work: @Sendable () async throws -> T
    ) async throws -> T {
        let run = Task { try await center.run(rounds) }
        defer { run.cancel() }
        return try await work()
    }

    /// A run that makes these, and ends a second later.
    private func run(
        _ center: UserNotificationCenter, _ identifiers: String..., to sinks: [String]
    ) async throws -> Int {
        let number = await center.follow()
        try add(identifiers, to: sinks)
        _ = await center.close(number)
        clock.advance(by: 1)
        return number
    }

    @Test func aRunWaitsForTheSlowestOfItsOwn() async throws {
        let center = center(named("fast", RecordingSink()), named("slow", slow))
        try await during(center) {
            let own = try await run(center, "a", to: ["fast", "slow"])
            async let outcome = center.outcome(of: own)
            #expect(await slow.next() == "a")
            await slow.answer(.delivered())
            #expect(try await outcome.delivered == ["fast": 1, "slow": 1])
        }
    }

    @Test func whatIsRaisedWhileItMakesMoreCounts() async throws {
        let center = center(named("slow", slow))
        try await during(center) {
            let own = await center.follow()
            try add(["a"], to: ["slow"])
            center.wake()
            #expect(await slow.next() == "a")
            await slow.answer(.delivered())
            try add(["b"], to: ["slow"])
            _ = await center.close(own)
            async let outcome = center.outcome(of: own)
            #expect(await slow.next() == "b")
            await slow.answer(.delivered())
            #expect(try await outcome.delivered == ["slow": 2])
        }
    }

    @Test func aRunWaitsForNothingThatWasMadeBeforeItOrAfter() async throws {
        let center = center(named("slow", slow))
        try await during(center) {
            try add(["before"], to: ["slow"])
            center.wake()
            #expect(await slow.next() == "before")
            clock.advance(by: 1)
            let idle = try await run(center, to: [])
            #expect(try await center.outcome(of: idle) == DeliveryReport(), "it has made nothing")
            let own = try await run(center, "own", to: ["slow"])
            try add(["after"], to: ["slow"])
            async let outcome = center.outcome(of: own)
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
        let center = center(named("away", away), named("refusing", refusing), named("slow", slow))
        try await during(center) {
            let first = try await run(center, "a", to: ["away", "refusing", "slow"])
            async let outcome = center.outcome(of: first)
            #expect(await slow.next() == "a")
            await slow.answer(.failed(reason: "HTTP 500"))
            let report = try await outcome
            #expect(report.dead == ["refusing": .init(count: 1, reason: "HTTP 400")])
            #expect(
                report.waiting == [
                    "away": .init(count: 1, reason: "no session"), "slow": .init(count: 1, reason: "HTTP 500"),
                ])
            let next = try await run(center, "b", "c", to: ["away"])
            #expect(
                try await center.outcome(of: next).waiting
                    == ["away": .init(count: 2, reason: "no session", isRepeated: true)])
        }
    }

    @Test func aRunHearsOfTheSinkThatItsOwnHaveShownNotToWork() async throws {
        let gone = RecordingSink([], otherwise: .gone(reason: "HTTP 410"))
        let center = center(named("gone", gone), named("slow", slow))
        try await during(center) {
            let own = try await run(center, "a", to: ["gone"])
            async let outcome = center.outcome(of: own)
            #expect(await slow.next()?.hasPrefix("crier/sink-gone-") == true)
            await slow.answer(.delivered())
            #expect(try await outcome.delivered == ["slow": 1])
        }
    }

    @Test func whatAnotherMakesAnewWasRaisedAllTheSame() async throws {
        let fast = AskedSink()
        let center = center(named("fast", fast), named("slow", slow))
        try await during(center) {
            let own = try await run(center, "a", to: ["fast", "slow"])
            let outcome = Task.immediate { try await center.outcome(of: own) }
            #expect(await slow.next() == "a")
            #expect(await fast.next() == "a")
            #expect(await center.followed[own]?.due.count == 2, "it is asked for before")
            try add(["a"], to: ["fast", "slow"])
            center.wake()
            for sink in [fast, slow] {
                await sink.answer(.delivered())
                #expect(await sink.next() == "a")
            }
            #expect(try await outcome.value.delivered == ["fast": 1, "slow": 1])
            for sink in [fast, slow] { await sink.answer(.delivered()) }
        }
    }

    @Test func aRunHearsOfWhatWaitsForTheUser() async throws {
        let undecided = NotificationSettings(authorizationStatus: .notDetermined, options: [])
        try store.setNotificationSettings(undecided, at: clock.now)
        let center = center(named("slow", slow))
        try add(["before"], to: ["slow"])
        clock.advance(by: 1)
        try await during(center) {
            let own = try await run(center, "a", to: ["slow"])
            let held = try await center.outcome(of: own)
            #expect(held.newlyHeld == 1)
            #expect(held.held == 2)
        }
    }

    @Test func aRunHearsOfWhatWaitsForTheEndOfQuietHours() async throws {
        let day = QuietHours.Period(start: 0, end: 1440, timeZone: .gmt)
        let center = center(named("slow", slow), quietHours: QuietHours([day]))
        try await during(center) {
            let own = try await run(center, "a", to: ["slow"])
            #expect(try await center.outcome(of: own).quieted == 1)
        }
    }

    @Test func aRunThatIsToEndSaysSo() async throws {
        let center = center(named("slow", slow))
        try await during(center) {
            let own = try await run(center, "a", to: ["slow"])
            let outcome = Task { try await center.outcome(of: own) }
            #expect(await slow.next() == "a")
            outcome.cancel()
            await #expect(throws: CancellationError.self) { try await outcome.value }
            await slow.answer(.delivered())
        }
    }

    /// A loop endures what passes by itself; whoever has made what could not be raised hears of it.
    @Test(arguments: [(when: "attempts", isFirst: true), (when: "state", isFirst: false)])
    func aRunHearsThatTheStateCouldNotBeWritten(when column: String, isFirst: Bool) async throws {
        let center = center(named("slow", slow))
        var rounds = DeliveryRounds { _ in }
        rounds.endures = { _ in true }
        try await during(center, rounds) {
            let trigger = "BEFORE UPDATE OF \(column) ON delivery BEGIN SELECT RAISE(ABORT, 'full'); END"
            try await store.writer.write { try $0.execute(sql: "CREATE TRIGGER full \(trigger)") }
            let own = try await run(center, "a", to: ["slow"])
            let outcome = Task { try await center.outcome(of: own) }
            if !isFirst {
                #expect(await slow.next() == "a")
                await slow.answer(.delivered())
            }
            await #expect(throws: StoreError.self) { try await outcome.value }
        }
    }
}
