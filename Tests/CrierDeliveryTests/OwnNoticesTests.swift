import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// What a program that is the host of a centre lets it raise of its own accord.
@Suite struct OwnNoticesTests {
    let store: Store
    let clock = ManualClock()
    let good = RecordingSink()

    init() throws { store = try Store.inMemory() }

    private func add(_ count: Int, to sinks: [String]) throws {
        for number in 1...count {
            let content = NotificationContent(title: "T \(number)")
            try store.add(NotificationRequest(identifier: "\(number)", content: content), to: sinks, at: clock.now)
        }
    }

    @Test func withoutSummariesWhatWaitedIsRaisedEachByItself() async throws {
        let quiet = QuietHours([QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)])
        let named = NamedSink(name: "good", sink: good, retries: .desktop)
        let center = UserNotificationCenter(
            store: store, sinks: [named], quietHours: quiet, clock: clock, own: .conditions)
        try add(12, to: ["good"])
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
        try add(5, to: ["bad"])
        try store.add(
            NotificationRequest(identifier: "gone", content: NotificationContent(title: "T")), to: ["gone"],
            at: clock.now)
        let sinks = [
            NamedSink(name: "good", sink: good, retries: .webhook),
            NamedSink(name: "bad", sink: RecordingSink([], otherwise: .failed(reason: "no")), retries: .webhook),
            NamedSink(name: "gone", sink: RecordingSink([.gone(reason: "410")]), retries: .webhook),
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
