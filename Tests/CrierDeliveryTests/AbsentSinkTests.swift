import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// Sinks that are not there for a while, such as a desktop without a session.
@Suite struct AbsentSinkTests {
    let folder: TemporaryFolder
    let store: Store
    let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: clock.now)
    }

    /// What it comes to at a desktop that is there or not, each time in a run of its own.
    private func trouble(_ isThere: Bool = false, _ reason: String = "no session") async throws
        -> DeliveryReport.Trouble?
    {
        let sink = RecordingSink([], otherwise: isThere ? .delivered() : .deferred(reason: reason))
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "desktop", sink: sink, retries: .desktop)], clock: clock)
        return try await center.deliverDue().waiting["desktop"]
    }

    private func add(_ identifiers: String...) throws {
        for identifier in identifiers {
            let content = NotificationContent(title: identifier)
            try store.add(NotificationRequest(identifier: identifier, content: content), to: ["desktop"], at: clock.now)
        }
    }

    @Test func thatItIsNotThereIsNewOnceForEachTimeAndReason() async throws {
        try add("1", "2")
        #expect(try await trouble() == .init(count: 2, reason: "no session"))
        // Of what is new meanwhile, too, whether the others are due or not.
        try add("3")
        #expect(try await trouble() == .init(count: 1, reason: "no session", isRepeated: true))
        clock.advance(by: 600)
        #expect(try await trouble() == .init(count: 3, reason: "no session", isRepeated: true))
        clock.advance(by: 600)
        #expect(try await trouble(false, "no notify-send")?.isRepeated == false)
        clock.advance(by: 600)
        #expect(try await trouble(true) == nil)
        try add("4")
        #expect(try await trouble()?.isRepeated == false)
    }

    @Test func theSummaryOfWhatWaitsSaysNothingNewEither() async throws {
        try add("1", "2")
        #expect(try await trouble()?.isRepeated == false)
        for _ in 1...3 {
            clock.advance(by: 90_000)
            #expect(try await trouble() == .init(count: 1, reason: "no session", isRepeated: true))
            try add("\(clock.now)")
            #expect(try await trouble()?.isRepeated == true)
        }
    }

    @Test func whatHasWaitedForDaysComesInOneSummary() async throws {
        let begin = clock.now
        for hour in 1...96 {
            if hour % 3 == 0 { try add("\(hour)") }
            _ = try await trouble()
            clock.advance(to: begin.addingTimeInterval(Double(hour) * 3600))
        }
        let back = RecordingSink()
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "desktop", sink: back, retries: .desktop)], clock: clock)
        #expect(try await center.deliverDue().delivered == ["desktop": 9])
        let titles = await back.attempts.map(\.request.content.title)
        #expect(titles.filter { $0.contains(" ") } == ["24 notifications waited for you"])
        #expect(titles.filter { !$0.contains(" ") } == ["75", "78", "81", "84", "87", "90", "93", "96"])
        #expect(try store.deliveries(in: [.suppressed]).count == 24, "no summary of another")
    }

    @Test func aFailureIsNewEachTime() async throws {
        try add("1")
        for _ in 1...2 {
            let sink = RecordingSink([.failed(reason: "HTTP 500")])
            let center = UserNotificationCenter(
                store: store, sinks: [NamedSink(name: "desktop", sink: sink, retries: .desktop)], clock: clock)
            #expect(try await center.deliverDue().waiting["desktop"] == .init(count: 1, reason: "HTTP 500"))
            clock.advance(by: 3600)
        }
    }

    @Test func whatAnAgentOfAnEarlierVersionTellsIsRead() throws {
        let report = try JSONDecoder().decode(
            DeliveryReport.Trouble.self, from: Data(#"{"count": 2, "reason": "no session"}"#.utf8))
        #expect(report == .init(count: 2, reason: "no session"))
    }
}
