import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// What a program that is the host of a centre lets it raise of its own accord.
@Suite struct OwnNoticesTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()
    let good = RecordingSink()

    init() throws { store = try Store.inMemory() }

    @Test func withoutSummariesWhatWaitedIsRaisedEachByItself() async throws {
        let quiet = QuietHours([QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)])
        let center = UserNotificationCenter(
            store: store, sinks: [named("good", good, .desktop)], quietHours: quiet, clock: clock, own: .conditions)
        try add((1...12).map(String.init), to: ["good"])
        _ = try await center.deliverDue()
        try await center.setAuthorization(.authorized)
        _ = try await center.deliverDue()
        #expect(await good.attempts.isEmpty, "it is quiet")
        // Longer than the sink wants them, too.
        clock.advance(by: 2 * 86_400 + 3600)
        _ = try await center.deliverDue()
        #expect(await Set(good.identifiers) == Set((1...12).map(String.init)))
        #expect(await good.attempts.count == 12)
    }

    /// What is told of a sink that fails, and of one that is gone.
    private func notices(_ own: OwnNotices?) async throws -> [String] {
        try store.setNotificationSettings(.authorized, at: clock.now)
        try add((1...5).map(String.init), to: ["bad"])
        try add(["gone"], to: ["gone"])
        let sinks = [
            named("good", good), named("bad", RecordingSink([], otherwise: .failed(reason: "no"))),
            named("gone", RecordingSink([.gone(reason: "410")])),
        ]
        let center =
            own.map { UserNotificationCenter(store: store, sinks: sinks, clock: clock, own: $0) }
            ?? UserNotificationCenter(store: store, sinks: sinks, clock: clock)
        _ = try await center.deliverDue()
        _ = try await center.deliverDue()
        return await good.attempts.map(\.request.content.body).sorted()
    }

    @Test func aProgramIsToldOfItsSinksWithoutCommandsThatItDoesNotHave() async throws {
        let waits = "Nothing is lost: its notifications wait"
        #expect(try await notices(nil) == ["410\n\(waits).", "no\n\(waits), for up to 30 days."])
    }

    @Test func theCommandsAreNamedWhereTheyAreThere() async throws {
        let notices = try await notices(.all)
        #expect(notices[0].hasSuffix("once its address is another, or `crier sink test gone` succeeds."))
        #expect(notices[1].hasSuffix("`crier status` shows them."))
    }

    @Test func nothingIsToldOfSinksWhereNobodyWantsToKnow() async throws {
        #expect(try await notices(.summaries).isEmpty)
    }
}
