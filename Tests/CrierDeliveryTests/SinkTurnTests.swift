import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// What a sink is given first after it has failed.
extension SinkTroubleTests {
    @Test(arguments: [false, true])
    func whatASinkRefusesEachTimeKeepsNoOthersWaiting(isOrdered: Bool) async throws {
        let sink = RecordingSink { attempt in
            attempt.request.identifier.hasPrefix("bad") ? .failed(reason: "HTTP 400") : .delivered()
        }
        func taken() async -> [String] { await sink.identifiers.filter { $0.hasPrefix("good") } }
        let center = center(named("choosy", sink, isOrdered: isOrdered))
        try commit("one", (1...7).map { "bad \($0)" }, to: "choosy")
        _ = try await center.deliverDue()
        clock.advance(by: 3600)
        _ = try await center.deliverDue()
        try commit("two", ["good 1", "good 2"], to: "choosy")
        // After one pause it is the turn of what was tried before, after the next that of what was not.
        clock.advance(by: 1800)
        _ = try await center.deliverDue()
        clock.advance(by: 3600)
        _ = try await center.deliverDue()
        #expect(await taken() == ["good 1", "good 2"])
        // Those that are refused are still tried, and what comes with them is taken all the same.
        try commit("two", ["good 3"], to: "choosy")
        clock.advance(by: 7 * 3600)
        _ = try await center.deliverDue()
        #expect(await taken().last == "good 3")
        #expect(try store.deliveries(in: [.pending]).contains { try store.failedAttempts(of: $0.id).count > 1 })
    }

    @Test func whatWouldBeTakenAtItsSecondAttemptHasOne() async throws {
        // As a receiver does that makes ready at the first attempt.
        let sink = named("a", RecordingSink { $0.number == 1 ? .failed(reason: "HTTP 503") : .delivered() })
        try add((1...18).map(String.init), to: ["a"])
        for _ in 1...12 {
            _ = try await center(sink).deliverDue()
            guard let next = try store.nextDelivery() else { break }
            clock.advance(to: max(next, clock.now.addingTimeInterval(60)))
        }
        #expect(try store.deliveryCounts() == [.delivered: 18])
    }

    /// It is tried no more, and says nothing of the sink.
    @Test(arguments: [false, true]) func whatIsRefusedForGoodKeepsNoOthersWaiting(isOrdered: Bool) async throws {
        let identifiers = (1...8).map(String.init)
        try commit("news", identifiers, to: "a")
        let sink = RecordingSink(Array(repeating: .rejected(reason: "HTTP 422"), count: 6))
        let report = try await center(named("a", sink, isOrdered: isOrdered)).deliverDue()
        #expect(report.delivered == ["a": 2])
        #expect(await sink.identifiers == identifiers)
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
