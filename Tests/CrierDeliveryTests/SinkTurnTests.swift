import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// What a sink is given first after it has failed.
extension SinkTroubleTests {
    /// A receiver that refuses some notifications each time, whatever they say.
    private actor ChoosySink: NotificationSink {
        private(set) var taken: [String] = []

        func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
            let identifier = attempt.request.identifier
            if identifier.hasPrefix("bad") { return .failed(reason: "HTTP 400") }
            taken.append(identifier)
            return .delivered()
        }
    }

    @Test(arguments: [false, true])
    func whatASinkRefusesEachTimeKeepsNoOthersWaiting(isOrdered: Bool) async throws {
        let sink = ChoosySink()
        let center = center(named("choosy", sink, isOrdered: isOrdered))
        func commit(_ source: String, _ identifiers: [String]) throws {
            let requests = identifiers.map {
                NotificationRequest(identifier: $0, content: NotificationContent(title: $0))
            }
            try store.commit(
                FetchCommit(
                    state: SourceState(name: source), requests: requests, sinks: ["choosy"], date: clock.now))
        }
        try commit("one", (1...7).map { "bad \($0)" })
        _ = try await center.deliverDue()
        clock.advance(by: 3600)
        _ = try await center.deliverDue()
        try commit("two", ["good 1", "good 2"])
        // After one pause it is the turn of what was tried before, after the next that of what was not.
        clock.advance(by: 1800)
        _ = try await center.deliverDue()
        clock.advance(by: 3600)
        _ = try await center.deliverDue()
        #expect(await sink.taken == ["good 1", "good 2"])
        // Those that are refused are still tried, and what comes with them is taken all the same.
        try commit("two", ["good 3"])
        clock.advance(by: 7 * 3600)
        _ = try await center.deliverDue()
        #expect(await sink.taken.last == "good 3")
        #expect(try store.deliveries(in: [.pending]).contains { try store.failedAttempts(of: $0.id).count > 1 })
    }

    /// Takes each notification at its second attempt, as a receiver does that makes ready at the first.
    private actor SlowlySink: NotificationSink {
        func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
            attempt.number == 1 ? .failed(reason: "HTTP 503") : .delivered()
        }
    }

    @Test func whatWouldBeTakenAtItsSecondAttemptHasOne() async throws {
        let sink = named("a", SlowlySink())
        try add((1...18).map(String.init), to: ["a"])
        for _ in 1...12 {
            _ = try await center(sink).deliverDue()
            guard let next = try store.nextDelivery() else { break }
            clock.advance(to: max(next, clock.now.addingTimeInterval(60)))
        }
        #expect(try store.deliveryCounts() == [.delivered: 18])
    }

    @Test func whatIsPutOffSaysNothingOfTheSink() async throws {
        let sink = RecordingSink(Array(repeating: .putOff(reason: "450"), count: 36))
        try add((1...18).map(String.init), to: ["a"])
        for _ in 1...2 {
            let report = try await center(named("a", sink, .email)).deliverDue()
            #expect(report.waiting["a"]?.count == 18)
            clock.advance(by: 3600)
        }
        #expect(try store.failingSinks().isEmpty)
        #expect(try await center(named("a", sink, .email)).deliverDue().delivered == ["a": 18])
        #expect(await Set(sink.attempts.suffix(18).map(\.number)) == [3], "the attempts count")
    }
}
