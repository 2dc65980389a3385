import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

@Suite struct QuietDeliveryTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()
    let sink = RecordingSink()

    init() throws { store = try .authorized(at: clock.now) }

    /// 2023-11-14 22:13 UTC lies within.
    private func center() -> UserNotificationCenter {
        let hours = QuietHours([QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)])
        return center(named("a", sink), quietHours: hours)
    }

    private func add(_ level: InterruptionLevel, _ identifier: String? = nil) throws {
        let content = NotificationContent(title: level.rawValue, interruptionLevel: level)
        let request = NotificationRequest(identifier: identifier ?? level.rawValue, content: content)
        try store.add(request, to: ["a"], at: clock.now)
    }

    @Test func inQuietHoursTheUrgentPassAndTheOthersComeAsOneSummaryAfterwards() async throws {
        for level in InterruptionLevel.allCases { try add(level) }
        let report = try await center().deliverDue()
        #expect(report.quieted == 2)
        #expect(await sink.identifiers == ["time-sensitive", "critical"])
        #expect(try await center().nextDelivery() == Date(timeIntervalSince1970: 1_700_002_800))
        _ = try await center().deliverDue()
        #expect(await sink.attempts.count == 2)
        clock.advance(by: 3600)
        _ = try await center().deliverDue()
        #expect(await sink.attempts.map(\.request.content.title).last == "2 notifications waited for you")
        #expect(await sink.attempts.last?.request.content.body == "• active\n• passive")
        #expect(try store.deliveryCounts() == [.delivered: 3, .suppressed: 2])
    }

    /// It waits for the end of that as well, but it was not for that that it has not come.
    @Test func whatWaitedForItsSinkBeforeComesByItself() async throws {
        let evening = QuietHours([QuietHours.Period(start: 22 * 60 + 30, end: 23 * 60, timeZone: .gmt)])
        let center = center(named("a", sink), quietHours: evening)
        await sink.answerNext(.failed(reason: "HTTP 500", retryAfter: .seconds(3600)))
        for identifier in ["1", "2", "3"] { try add(.active, identifier) }
        _ = try await center.deliverDue()
        clock.advance(by: 20 * 60)
        for identifier in ["4", "5"] { try add(.active, identifier) }
        #expect(try await center.deliverDue().quieted == 0, "they are told as those of a sink that is paused")
        #expect(try store.quietedCount() == 4, "the first is due later")
        clock.advance(by: 3600)
        _ = try await center.deliverDue()
        #expect(await Set(sink.identifiers.filter { !$0.hasPrefix(Store.summaryPrefix) }) == ["1", "2", "3"])
        #expect(await sink.attempts.last?.request.content.title == "2 notifications waited for you")
        #expect(try store.waitingCounts().pending == 0)
    }

    @Test(arguments: [true, false])
    func whatWaitedForTheUserBeforeComesAsOneSummary(isAllowedFirst: Bool) async throws {
        clock.advance(by: 3600)
        let center = center(named("a", sink))
        try store.setNotificationSettings(NotificationSettings(authorizationStatus: .notDetermined), at: clock.now)
        for identifier in ["1", "2", "3", "4"] { try add(.active, identifier) }
        #expect(try await center.deliverDue().held == 4)
        clock.advance(by: 60)
        if isAllowedFirst { try store.setNotificationSettings(.authorized, at: clock.now) }
        try store.mute(until: clock.now.addingTimeInterval(600))
        if !isAllowedFirst { try store.setNotificationSettings(.authorized, at: clock.now) }
        clock.advance(by: 60)
        #expect(try await center.deliverDue().quieted == 4)
        clock.advance(by: 600)
        _ = try await center.deliverDue()
        #expect(await sink.attempts.map(\.request.content.title) == ["4 notifications waited for you"])
    }

    @Test func whatComesWhileASinkIsAtWorkWaitsToo() async throws {
        let fed = RecordingSink { [self] _ in
            try? add(["news"], to: ["a"])
            return .delivered()
        }
        let hours = QuietHours([QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)])
        let center = center(named("a", fed), quietHours: hours)
        try add(.critical)
        #expect(try await center.deliverDue().delivered == ["a": 1])
        #expect(try await center.deliverDue().quieted == 1)
        #expect(try store.deliveryCounts() == [.delivered: 1, .pending: 1])
    }

    @Test func aSingleOneComesAsItIs() async throws {
        try add(.active)
        _ = try await center().deliverDue()
        clock.advance(by: 3600)
        _ = try await center().deliverDue()
        #expect(await sink.identifiers == ["active"])
    }

    @Test func whileMutedOnlyTheCriticalPass() async throws {
        clock.advance(by: 3600)
        try store.mute(until: clock.now.addingTimeInterval(600))
        for level in InterruptionLevel.allCases { try add(level) }
        _ = try await center().deliverDue()
        #expect(await sink.identifiers == ["critical"])
        clock.advance(by: 600)
        _ = try await center().deliverDue()
        #expect(await sink.attempts.map(\.request.content.title).last == "3 notifications waited for you")
        #expect(await sink.attempts.last?.request.content.interruptionLevel == .timeSensitive)
    }

    @Test func whatWaitsForAMutingOfAClockThatWasAheadIsRaisedOnceItIsRight() async throws {
        clock.advance(by: 3600)
        let right = clock.now
        clock.advance(by: 365 * 86_400)
        try store.mute(until: clock.now + 3600, since: clock.now)
        try add(.active)
        #expect(try await center().deliverDue().quieted == 1)
        clock.advance(by: right.timeIntervalSince(clock.now))
        _ = try await center().deliverDue()
        #expect(await sink.identifiers == ["active"])
    }

    @Test(arguments: [0.0, 3600]) func mutingThatEndsInQuietHoursGoesOnAsThese(before: TimeInterval) throws {
        let hours = QuietHours([QuietHours.Period(start: 22 * 60, end: 23 * 60, timeZone: .gmt)])
        try store.mute(until: clock.now.addingTimeInterval(60))
        clock.advance(by: -before)
        let quiet = try #require(try Quiet(store, hours, at: clock.now))
        #expect(quiet.isMuted && quiet.end == Date(timeIntervalSince1970: 1_700_002_800))
    }

    @Test func whatPassesQuietHoursIsRaisedWhenMutingEndsWithinThem() async throws {
        let end = clock.now.addingTimeInterval(600)
        try store.mute(until: end)
        for level in InterruptionLevel.allCases { try add(level) }
        let center = center()
        let quieted = try await center.deliverDue().quieted
        #expect(quieted == 3)
        let start = clock.now
        #expect(try await center.nextDelivery() == end)
        #expect(try await center.nextDelivery(after: start) == end)
        clock.advance(to: end)
        #expect(try await center.deliverDue().quieted == 2)
        #expect(await sink.identifiers == ["critical", "time-sensitive"])
        #expect(try await center.nextDelivery() == Date(timeIntervalSince1970: 1_700_002_800))
        // Those that pass are told together, as at the end of all quiet.
        try store.mute(until: clock.now.addingTimeInterval(60))
        for number in 1...2 { try add(.timeSensitive, "urgent \(number)") }
        _ = try await center.deliverDue()
        try store.mute(until: nil)
        _ = try await center.deliverDue()
        #expect(await sink.attempts.last?.request.content.title == "2 notifications waited for you")
        #expect(await sink.attempts.count == 3)
    }

    enum Meanwhile: CaseIterable { case muted, reset, denied }

    @Test(arguments: Meanwhile.allCases) func whatIsUnderWayIsToldOnceWhateverIsSaidMeanwhile(
        _ meanwhile: Meanwhile
    ) async throws {
        let slow = SlowSink()
        let center = center(named("a", slow))
        for number in 1...12 { try add(.active, "\(number)") }
        async let run = center.deliverDue()
        await slow.begins()
        switch meanwhile {
        case .muted: try store.mute(until: .distantFuture)
        case .reset: try await center.setAuthorization(.notDetermined)
        case .denied: try await center.setAuthorization(.denied)
        }
        let report = try await center.deliverDue()
        #expect([report.quieted, report.held, report.suppressed].max() == 11)
        try store.mute(until: nil)
        try await center.setAuthorization(.authorized)
        _ = try await center.deliverDue()
        await slow.goOn()
        _ = try await run
        _ = try await center.deliverDue()
        let summaries = meanwhile == .denied ? [] : ["11 notifications waited for you"]
        #expect(await slow.titles == ["active"] + summaries)
        #expect(try store.deliveryCounts() == [.delivered: 1 + summaries.count, .suppressed: 11])
    }

    @Test func aRetryInTheNightWaitsToo() async throws {
        clock.advance(by: -3600)
        await sink.answerNext(.failed(reason: "no"))
        try add(.active)
        _ = try await center().deliverDue()
        clock.advance(by: 3600)
        #expect(try await center().deliverDue().quieted == 1)
        #expect(await sink.attempts.count == 1)
        clock.advance(by: 3600)
        _ = try await center().deliverDue()
        #expect(await sink.attempts.map(\.number) == [1, 2])
    }

    /// Leaves a summary of some pending that its sink has answered in a way.
    private func leaveSummary(
        of identifiers: [String], _ outcome: DeliveryOutcome, with urgent: Bool = false
    ) async throws {
        clock.advance(by: 3600)
        try store.mute(until: .distantFuture)
        for identifier in identifiers { try add(.active, identifier) }
        if urgent { try add(.timeSensitive, "urgent") }
        _ = try await center().deliverDue()
        try store.mute(until: nil)
        await sink.answerNext(outcome)
        _ = try await center().deliverDue()
        #expect(await sink.attempts.count == 1)
        clock.advance(by: 60)
    }

    private func correct(_ identifier: String) throws {
        let content = NotificationContent(title: "corrected")
        try store.add(NotificationRequest(identifier: identifier, content: content), to: ["a"], at: clock.now)
    }

    @Test func aSummaryThatWasNotTakenTellsTheTextsThatThereAreThen() async throws {
        try await leaveSummary(of: ["1", "2", "3"], .failed(reason: "HTTP 500"))
        try correct("2")
        _ = try await center().deliverDue()
        #expect(await sink.attempts.dropFirst().map(\.request.content.body) == ["• active\n• corrected\n• active"])
        #expect(try store.deliveryCounts() == [.delivered: 1, .suppressed: 4])
    }

    @Test func whatIsUrgentOfASummaryWithAnotherTextWaitsForNoQuiet() async throws {
        try await leaveSummary(of: ["1", "2"], .failed(reason: "HTTP 500"), with: true)
        try correct("2")
        clock.advance(by: 23 * 3600)
        #expect(try await center().deliverDue().quieted == 2)
        #expect(await sink.identifiers.dropFirst() == ["urgent"])
        clock.advance(by: 3600)
        _ = try await center().deliverDue()
        #expect(await sink.attempts.last?.request.content.body == "• corrected\n• active")
        #expect(try store.waitingCounts().pending == 0)
    }

    @Test func whatIsTakenOutOfASummaryThatWasNotTakenIsToldOnceWhateverChangesThen() async throws {
        try await leaveSummary(of: ["1", "2", "3"], .failed(reason: "HTTP 500"))
        let first = try #require(try store.deliveries(in: [.suppressed]).first { $0.request.identifier == "1" })
        #expect(try store.retryDeliveries([first.id], at: clock.now) == 1)
        try correct("2")
        _ = try await center().deliverDue()
        #expect(await sink.identifiers.dropFirst().sorted() == ["1", "2", "3"])
        #expect(try store.deliveryCounts() == [.delivered: 3, .suppressed: 1])
    }

    @Test func aSummaryThatIsRetriedTogetherWithWhatItTellsTellsNothingTwice() async throws {
        try await leaveSummary(of: ["1", "2", "3"], .failed(reason: "HTTP 500"))
        let waiting = try store.deliveries(in: [.pending, .suppressed])
        let ids = waiting.filter { !["2", "3"].contains($0.request.identifier) }.map(\.id)
        #expect(ids.count == 2)
        #expect(try store.retryDeliveries(ids, at: clock.now) == 1)
        _ = try await center().deliverDue()
        #expect(await sink.attempts.dropFirst().map(\.request.content.body) == ["", "• active\n• active"])
    }

    @Test func aClockThatWasAheadLetsNothingPassTheQuiet() async throws {
        clock.advance(by: 10 * 86_400)
        try add(.active, "1")
        clock.advance(by: -10 * 86_400)
        try store.mute(until: .distantFuture)
        #expect(try await center().deliverDue().quieted == 1)
        #expect(await sink.attempts.isEmpty)
    }

    @Test func aSummaryThatMayHaveBeenTakenStaysAsItIs() async throws {
        try await leaveSummary(of: ["1", "2"], .unanswered(reason: "no answer"))
        try correct("2")
        _ = try await center().deliverDue()
        #expect(Set(await sink.identifiers).count == 2)
        #expect(await sink.identifiers.contains("2"))
        #expect(await sink.attempts.count == 3)
    }
}

/// Is at work until it may go on.
private actor SlowSink: NotificationSink {
    private(set) var titles: [String] = []
    private let (beginnings, begin) = AsyncStream<Void>.makeStream()
    private let (end, finish) = AsyncStream<Void>.makeStream()

    func begins() async { for await _ in beginnings { return } }

    func goOn() { finish.finish() }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        titles.append(attempt.request.content.title)
        begin.yield()
        for await _ in end {}
        return .delivered()
    }
}

@Suite struct WaitedSummaryTests {
    @Test func theMostRelevantComesFirstAndAmongEqualsTheNewest() async throws {
        let clock = ManualClock()
        let store = try Store.authorized(at: clock.now)
        for (title, score) in [("old", 0), ("least", -1), ("most", 1), ("new", 0)] {
            let content = NotificationContent(title: title, relevanceScore: Double(score))
            try store.add(NotificationRequest(identifier: title, content: content), to: ["sink"], at: clock.now)
        }
        try store.quietDeliveries(passing: [], since: .distantPast, at: clock.now)
        let sink = RecordingSink()
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "sink", sink: sink, retries: .webhook)], clock: clock)
        _ = try await center.deliverDue()
        #expect(await sink.attempts.map(\.request.content.body) == ["• most\n• new\n• old\n• least"])
    }
}
