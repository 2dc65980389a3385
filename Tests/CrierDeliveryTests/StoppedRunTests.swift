import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// A run that is stopped while a sink is at work.
extension SinkTroubleTests {
    /// Has a sink begin with what waits for it, and stops the run.
    private func stop(_ named: NamedSink, _ slow: CancelledSink) async throws -> DeliveryReport {
        let center = center(named)
        let run = Task { try await center.deliverDue() }
        await slow.begins()
        run.cancel()
        return try await run.value
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func whatWasStoppedIsDueAtOnceAndInItsPlace(isOrdered: Bool, defersSingly: Bool) async throws {
        let added = clock.now
        try add(["1", "2", "3"], to: ["a"])
        clock.advance(by: 30)
        let slow = CancelledSink(defersSingly: defersSingly)
        let report = try await stop(named("a", slow, isOrdered: isOrdered), slow)
        #expect(report.waiting["a"] == DeliveryReport.Trouble(count: 1, reason: "the run was stopped"))
        let waiting = try store.deliveries(in: [.pending])
        #expect(waiting.count == 3)
        #expect(waiting.allSatisfy { $0.nextAttempt == added && $0.attempts == 0 && $0.lastError == nil })
        try add(["4"], to: ["a"])
        let sink = RecordingSink(defersSingly: defersSingly)
        #expect(try await center(named("a", sink, isOrdered: isOrdered)).deliverDue().delivered == ["a": 4])
        #expect(await sink.identifiers == ["1", "2", "3", "4"])
    }

    @Test func whatIsTakenAsTheRunIsStoppedIsItsLast() async throws {
        try add(["1", "2"], to: ["a"])
        let slow = CancelledSink(.delivered())
        #expect(try await stop(named("a", slow), slow).delivered == ["a": 1])
        let waiting = try store.deliveries(in: [.pending])
        #expect(waiting.map(\.request.identifier) == ["2"] && waiting.map(\.attempts) == [0])
    }

    @Test func whatHadFailedBeforeItWasStoppedKeepsItsReason() async throws {
        try add(["1"], to: ["a"])
        _ = try await center(named("a", RecordingSink([.failed(reason: "HTTP 500")]))).deliverDue()
        clock.advance(by: 3600)
        let slow = CancelledSink()
        _ = try await stop(named("a", slow), slow)
        let delivery = try #require(try store.deliveries(in: [.pending]).first)
        #expect(delivery.attempts == 1 && delivery.lastError == "HTTP 500" && delivery.nextAttempt <= clock.now)
    }

    /// The clock was set back by days: a date that far ahead counts for one that has passed.
    @Test func whatWasStoppedIsDueAtOnceAlsoWhereItsDateIsFarAhead() async throws {
        try add(["1"], to: ["a"])
        clock.advance(by: -30 * 86_400)
        let slow = CancelledSink()
        _ = try await stop(named("a", slow), slow)
        #expect(try await center(named("a", RecordingSink())).deliverDue().delivered == ["a": 1])
    }

    @Test func whatWasLeftIsTakenOnByTheRunThatGoesOn() async throws {
        try add(["1", "2"], to: ["a"])
        let slow = CancelledSink()
        let center = center(named("a", slow))
        let stopped = Task { try await center.deliverDue() }
        await slow.begins()
        let lasting = Task { try await center.run() }
        // The deadline of the attempt, and the run that found the sink at work.
        await clock.waitForSleepers(2)
        stopped.cancel()
        _ = try await stopped.value
        await slow.begins()
        lasting.cancel()
        try await lasting.value
    }
}
