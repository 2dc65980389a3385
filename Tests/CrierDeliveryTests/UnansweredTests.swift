import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// What a sink may have taken, although it did not say so, is told under its own identifier alone.
@Suite struct UnansweredTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()
    let sink = RecordingSink()

    init() throws { store = try .authorized(at: clock.now) }

    private func deliver(to sink: (any NotificationSink)? = nil) async throws {
        _ = try await center(named("a", sink ?? self.sink)).deliverDue()
    }

    private func add(_ identifiers: String...) throws { try add(identifiers, to: ["a"]) }

    /// More come while it is quiet, which is over then.
    private func addInQuiet(_ identifiers: String...) async throws {
        try store.mute(until: .distantFuture)
        try add(identifiers, to: ["a"])
        clock.advance(by: 600)
        try await deliver()
        try store.mute(until: nil)
        try await deliver()
    }

    /// Those told since the first, in the order of their names: summaries by what they say.
    private func told() async -> [String] {
        await sink.attempts.dropFirst().map { attempt in
            let isSummary = attempt.request.identifier.hasPrefix(Store.summaryPrefix)
            return isSummary ? attempt.request.content.body : attempt.request.identifier
        }.sorted()
    }

    @Test(arguments: [
        ([DeliveryOutcome.unanswered(reason: "no answer")], ["a", "• c\n• b"]),
        ([.failed(reason: "HTTP 500")], ["• c\n• b\n• a"]),
        // The second attempt says nothing of the first.
        ([.unanswered(reason: "no answer"), .failed(reason: "HTTP 500")], ["a", "a", "• c\n• b"]),
    ]) func whatWasCalledWithoutAnAnswerIsInNoSummary(outcomes: [DeliveryOutcome], told: [String]) async throws {
        try add("a")
        for outcome in outcomes {
            await sink.answerNext(outcome)
            try await deliver()
            clock.advance(by: 60)
        }
        try await addInQuiet("b", "c")
        #expect(await self.told() == told)
        #expect(try store.waitingCounts().pending == 0)
    }

    @Test func anotherTextOfItWasNotCalledYet() async throws {
        try add("a")
        await sink.answerNext(.unanswered(reason: "no answer"))
        try await deliver()
        try await addInQuiet("a", "b")
        #expect(await told() == ["• b\n• a"])
    }

    @Test func aSummaryThatWasCalledIsInNoOther() async throws {
        try add("a")
        try await deliver()
        await sink.answerNext(.unanswered(reason: "no answer"))
        try await addInQuiet("b", "c")
        try await addInQuiet("d")
        #expect(await told() == ["d", "• c\n• b", "• c\n• b"])
        #expect(Set(await sink.identifiers).count == 3, "under the same identifier")
    }

    @Test func ofWhatWasStoppedNobodyKnows() async throws {
        try add("a")
        let slow = CancelledSink()
        let run = Task { try await deliver(to: slow) }
        await slow.begins()
        run.cancel()
        try await run.value
        #expect(try store.deliveries(in: [.pending]).map(\.attempts) == [0])
        try await addInQuiet("b", "c")
        #expect(await sink.identifiers.contains("a"))
        #expect(Set(await sink.attempts.map(\.request.content.body)) == ["", "• c\n• b"])
    }

    @Test func ofWhatWasUnderWayWhenTheProcessEndedNobodyKnows() async throws {
        try add("a")
        _ = try store.begin(try store.dueDeliveries(at: clock.now))
        try await addInQuiet("b", "c")
        #expect(Set(await sink.attempts.map(\.request.content.body)) == ["", "• c\n• b"])
        #expect(await sink.identifiers.contains("a"))
    }
}
