import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// Sinks that said they are gone, and lead elsewhere later.
@Suite struct SinkDestinationTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws { store = try .authorized(at: clock.now) }

    private func add(_ identifier: String) throws { try add([identifier], to: ["gone"]) }

    @Test func aSinkThatIsGoneIsTriedAgainWhenAConfigurationThatIsTakenOnHasItLeadElsewhere() async throws {
        let sinks = ["a", "a", "b"].map { LeadingSink(destination: $0) }
        try add("1")
        await sinks[0].base.answerNext(.gone(reason: "HTTP 410"))
        let center = center(named("gone", sinks[0]))
        for sink in sinks {
            await center.use(sinks: [named("gone", sink)], quietHours: QuietHours())
            clock.advance(by: 60)
            _ = try await center.deliverDue()
        }
        for (sink, count) in zip(sinks, [1, 0, 1]) { #expect(await sink.base.attempts.count == count) }
        #expect(try store.goneSinks().isEmpty)
    }

    /// A program may have to be asked for it, which takes its time.
    @Test func whoIsAskedWhereASinkLeadsKeepsNoOtherWaiting() async throws {
        try store.markGone("gone", reason: "HTTP 410", destination: "a", at: clock.now)
        let (slow, other) = (SlowlyLeadingSink(), ToldSink())
        try add("1")
        try add(["2"], to: ["other"])
        let center = center(named("gone", slow), named("other", other))
        let run = Task { try await center.deliverDue() }
        #expect(await other.next() == "2")
        await slow.tell("b")
        #expect(try await run.value.delivered == ["gone": 1, "other": 1])
    }

    @Test func whereASinkLedThatNobodyKnewOfIsRememberedAndItIsNotTriedForIt() async throws {
        try store.markGone("gone", reason: "HTTP 410", at: clock.now)
        var sink = LeadingSink(destination: "a")
        let center = center(named("gone", sink))
        _ = try await center.deliverDue()
        // Nothing waits for it: nobody is asked where it leads.
        #expect(try store.goneSinks().map(\.destination) == [nil])
        try add("1")
        for (destination, count) in [("a", 0), ("a", 0), ("b", 1)] {
            sink = LeadingSink(destination: destination)
            await center.use(sinks: [named("gone", sink)], quietHours: QuietHours())
            _ = try await center.deliverDue()
            #expect(await sink.base.attempts.count == count)
        }
    }
}

/// One that says where it leads when it is told.
private actor SlowlyLeadingSink: NotificationSink {
    private let (places, told) = AsyncStream<String>.makeStream()

    var destination: String? {
        get async {
            for await place in places { return place }
            return nil
        }
    }

    func tell(_ place: String) { told.yield(place) }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { .delivered() }
}

/// One that says where it leads.
private struct LeadingSink: NotificationSink {
    let destination: String?
    let base = RecordingSink()

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await base.deliver(attempt) }
}
