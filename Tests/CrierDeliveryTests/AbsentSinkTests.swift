import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// Sinks that are not there for a while, such as a desktop without a session.
@Suite struct AbsentSinkTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws { store = try .authorized(at: clock.now) }

    /// What it comes to at a desktop that is there or not, each time in a run of its own.
    private func trouble(_ isThere: Bool = false, _ reason: String = "no session") async throws
        -> DeliveryReport.Trouble?
    {
        let sink = RecordingSink([], otherwise: isThere ? .delivered() : .deferred(reason: reason))
        return try await center(named("desktop", sink, .desktop)).deliverDue().waiting["desktop"]
    }

    private func add(_ identifiers: String..., level: InterruptionLevel = .active) throws {
        try add(identifiers, level, to: ["desktop"])
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

    /// What comes while it is not there, one each ten minutes, as runs of cron find it.
    private func addWhileAway(_ count: Int) async throws {
        for number in 1...count {
            try add("\(number)")
            _ = try await trouble()
            clock.advance(by: 600)
        }
    }

    /// The titles that a sink is given by one run.
    private func titles(
        at sink: RecordingSink = RecordingSink(), _ retries: RetryPolicy = .desktop, quiet: QuietHours = QuietHours()
    ) async throws -> [String] {
        let count = await sink.attempts.count
        _ = try await center(named("desktop", sink, retries), quietHours: quiet).deliverDue()
        return await sink.attempts.dropFirst(count).map(\.request.content.title)
    }

    @Test(arguments: [10, 11, 60])
    func moreThanTenThatWaitedComeInOneSummary(count: Int) async throws {
        try await addWhileAway(count)
        let titles = try await titles()
        #expect(titles == (count > 10 ? ["\(count) notifications waited for you"] : (1...count).map(String.init)))
        #expect(try store.deliveryCounts()[.suppressed] == (count > 10 ? count : nil), "no summary of another")
        #expect(try !store.hasWaitingDeliveries())
    }

    @Test func whatComesWhileTheDesktopIsFoundAwayHasWaitedToo() async throws {
        try add("1")
        let away = NewsSink { [self] number in
            if number <= 11 { try? add("\(number)") }
            return .deferred(reason: "no session")
        }
        #expect(try await center(named("desktop", away, .desktop)).deliverDue().waiting["desktop"]?.count == 10)
        clock.advance(by: 600)
        #expect(try await titles() == ["11 notifications waited for you"])
    }

    @Test func aSummaryTakesInWhatComesWhileTheDesktopIsAwayAgain() async throws {
        try await addWhileAway(11)
        let sink = RecordingSink([.deferred(reason: "no session"), .deferred(reason: "no session")])
        #expect(try await titles(at: sink) == ["11 notifications waited for you"])
        try add("12")
        #expect(try await titles(at: sink) == ["12 notifications waited for you"])
        clock.advance(by: 600)
        #expect(try await titles(at: sink) == ["12 notifications waited for you"])
        #expect(Set(await sink.identifiers).count == 1)
        #expect(try store.deliveryCounts() == [.delivered: 1, .suppressed: 12])
    }

    @Test func aSummaryIsNotTriedWithEachThatItTakesIn() async throws {
        let sink = RecordingSink([.deferred(reason: "no session")])
        let center = center(named("desktop", sink, .desktop))
        for number in 1...11 { try add("\(number)") }
        #expect(try await center.deliverDue().waiting["desktop"]?.count == 1)
        for number in 12...14 {
            clock.advance(by: 10)
            try add("\(number)")
            #expect(try await center.deliverDue().isEmpty)
        }
        clock.advance(by: 30)
        #expect(try await center.deliverDue().delivered == ["desktop": 1])
        #expect(await sink.attempts.last?.request.content.title == "14 notifications waited for you")
    }

    @Test func aSummaryIsTriedAtOnceWhereSomethingHasComeThrough() async throws {
        let sink = RecordingSink([.deferred(reason: "no session")])
        let center = center(named("desktop", sink, .desktop))
        for number in 1...11 { try add("\(number)") }
        _ = try await center.deliverDue()
        for identifier in ["fire", "12"] {
            clock.advance(by: 10)
            try add(identifier, level: identifier == "fire" ? .critical : .active)
            #expect(try await center.deliverDue().delivered == ["desktop": 1])
        }
        let titles = await sink.attempts.dropFirst().map(\.request.content.title)
        #expect(titles == ["fire", "12 notifications waited for you"])
    }

    @Test func thatElevenWaitIsNoNews() async throws {
        try await addWhileAway(10)
        try add("11")
        #expect(try await trouble() == .init(count: 1, reason: "no session", isRepeated: true))
    }

    @Test func aSummaryThatIsRefusedKeepsNoOtherBack() async throws {
        try await addWhileAway(11)
        #expect(try await titles(at: RecordingSink([.failed(reason: "boom")])) == ["11 notifications waited for you"])
        for number in ["12", "13"] {
            try add(number)
            #expect(try await titles() == [number])
        }
    }

    @Test func anIssueOfADigestIsNoLineOfTheSummary() async throws {
        try store.account("m", upTo: clock.now)
        let issue = DigestIssue(
            digest: "m", previous: clock.now, slot: clock.now, items: [], leftOut: [],
            content: NotificationContent(title: "Digest"), identifier: "digest/m/1", sinks: ["desktop"])
        _ = try store.issue(issue, at: clock.now)
        try await addWhileAway(11)
        #expect(try await titles().sorted() == ["11 notifications waited for you", "Digest"])
    }

    @Test func oneThatIsTriedAgainByTheUserComesByItself() async throws {
        try await addWhileAway(12)
        let told = try #require(try store.deliveries(in: [.suppressed]).last)
        #expect(try store.retryDeliveries([told.id], at: clock.now) == 1)
        #expect(try await titles().sorted() == ["1", "11 notifications waited for you"])
    }

    @Test func whatIsUrgentComesByItselfAndBringsNothingElseIntoTheNight() async throws {
        // It is 22:13.
        let night = QuietHours([QuietHours.Period(start: 22 * 60 + 30, end: 7 * 60 + 30, timeZone: .gmt)])
        for number in 1...12 { try add("\(number)") }
        try add("fire", level: .critical)
        _ = try await trouble()
        // Now the summary is made, and waits as well.
        clock.advance(by: 65)
        _ = try await trouble()
        clock.advance(by: 1800)
        #expect(try await titles(quiet: night) == ["fire"])
        clock.advance(by: 9 * 3600)
        let last = try await titles(quiet: night)
        #expect(last == ["12 notifications waited for you"])
    }

    @Test func whatFailedAndIsTriedAgainByTheUserComesByItself() async throws {
        let broken = RecordingSink([], otherwise: .failed(reason: "boom"))
        let policy = RetryPolicy(delays: [], expiration: .seconds(86_400), breaker: nil)
        for number in 1...12 {
            try add("\(number)")
            _ = try await center(named("desktop", broken, policy)).deliverDue()
        }
        let dead = try store.deliveries(in: [.dead]).map(\.id)
        #expect(dead.count == 12)
        #expect(try store.retryDeliveries(Array(dead.prefix(10)), at: clock.now) == 10)
        #expect(try await titles().count == 10)
    }

    @Test(arguments: [
        (
            RetryPolicy(delays: [.seconds(60)], expiration: .seconds(86_400), breaker: nil),
            DeliveryOutcome.failed(reason: "D-Bus")
        ),
        (.program, .deferred(reason: "status 75")), (.stdout, .deferred(reason: "nobody reads")),
    ]) func eachComesByItselfWhereItFailedOrTheSinkWantsAll(
        retries: RetryPolicy, outcome: DeliveryOutcome
    ) async throws {
        for number in 1...11 {
            try add("\(number)")
            _ = try await titles(at: RecordingSink([], otherwise: outcome), retries)
        }
        clock.advance(by: 3600)
        #expect(Set(try await titles(at: RecordingSink(), retries)) == Set((1...11).map(String.init)))
    }

    @Test(arguments: [(3, ["32 notifications waited for you"]), (12, ["6 notifications waited for you", "84", "96"])])
    func whatHasWaitedForDaysComesInOneSummary(hours: Int, shown: [String]) async throws {
        let begin = clock.now
        for hour in 1...96 {
            if hour % hours == 0 { try add("\(hour)") }
            _ = try await trouble()
            clock.advance(to: begin.addingTimeInterval(Double(hour) * 3600))
        }
        #expect(try await titles() == shown)
        #expect(try store.deliveryCounts()[.suppressed] == 96 / hours - (shown.count - 1), "no summary of another")
    }

    @Test func aFailureIsNewEachTime() async throws {
        try add("1")
        for _ in 1...2 {
            let sink = RecordingSink([.failed(reason: "HTTP 500")])
            let center = center(named("desktop", sink, .desktop))
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

/// Something new comes at each attempt.
private actor NewsSink: NotificationSink {
    private var number = 1
    private let answer: @Sendable (_ number: Int) -> DeliveryOutcome

    /// - Parameter answer: To the attempt before which so many have come.
    init(answer: @escaping @Sendable (_ number: Int) -> DeliveryOutcome) { self.answer = answer }

    func deliver(_ attempt: DeliveryAttempt) -> DeliveryOutcome {
        number += 1
        return answer(number)
    }
}
