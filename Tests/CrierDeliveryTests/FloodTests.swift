import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// More than anybody reads one by one, at a sink that shows each notification at once.
@Suite(.timeLimit(.minutes(1))) struct FloodTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws { store = try .authorized(at: clock.now) }

    /// - Returns: The numbers of these as titles.
    @discardableResult
    private func add(_ numbers: ClosedRange<Int>, _ level: InterruptionLevel = .active) throws -> [String] {
        let titles = numbers.map(String.init)
        try add(titles, level, to: ["desktop"])
        return titles
    }

    @Test(arguments: [
        (10, RetryPolicy.desktop, OwnNotices.all, 10), (11, .desktop, .all, 1), (700, .desktop, .all, 1),
        (11, .service, .all, 11), (11, .desktop, .conditions, 11),
    ])
    func moreThanTenAtOnceAreOneWhereEachIsShownAtOnce(
        count: Int, retries: RetryPolicy, own: OwnNotices, shown: Int
    ) async throws {
        try add(1...count)
        let sink = RecordingSink()
        let center = UserNotificationCenter(
            store: store, sinks: [named("desktop", sink, retries)], clock: clock, own: own)
        #expect(try await center.deliverDue().delivered == ["desktop": shown])
        let titles = await sink.attempts.map(\.request.content.title)
        #expect(titles == (shown == 1 ? ["\(count) new notifications"] : (1...count).map(String.init)))
        #expect(try !store.hasWaitingDeliveries())
    }

    /// A centre at work, and what it raises.
    private final class Work: Sendable {
        let center: UserNotificationCenter
        private let sink = RecordingSink()
        private let (reports, report) = AsyncStream.makeStream(of: DeliveryReport.self)

        init(_ suite: FloodTests, _ others: NamedSink...) {
            center = UserNotificationCenter(
                store: suite.store, sinks: [suite.named("desktop", sink, .desktop)] + others, clock: suite.clock)
        }

        /// The next titles, when it has written down that they were raised.
        func next(_ count: Int) async -> [String] {
            var left = count
            for await report in reports {
                left -= report.delivered["desktop"] ?? 0
                if left <= 0 { break }
            }
            return await sink.attempts.suffix(count).map(\.request.content.title)
        }

        func during(_ work: (Work) async throws -> Void) async throws {
            let run = Task { [center, report] in try await center.run { report.yield($0) } }
            try await work(self)
            run.cancel()
            _ = await run.result
        }
    }

    /// Has it raise as many as come one by one within a minute.
    private func fill(_ work: Work) async throws {
        let first = try add(1...10)
        work.center.wake()
        #expect(await work.next(10) == first)
    }

    @Test(arguments: [(12...14, "3 new notifications"), (12...12, "12")])
    func atTheEndOfARunWhatWasTooMuchIsOne(numbers: ClosedRange<Int>, shown: String) async throws {
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
        let sink = ToldSink()
        let first = try add(1...10)
        try add(11...11, .critical)
        let center = center(named("desktop", sink, .desktop))
        async let report = center.run(wakeUps: wakeUps)
        for title in first + ["11"] { #expect(await sink.next() == title) }
        try add(numbers)
        try add(15...15, .critical)
        wake.yield()
        #expect(await sink.next() == "15")
        while await !center.busy.isEmpty { await Task.yield() }
        wake.finish()
        #expect(try await report.delivered == ["desktop": 13])
        #expect(await sink.next() == shown)
    }

    @Test(arguments: [(11...12, ["11", "12"]), (11...25, ["15 new notifications"])])
    func whatComesBeyondTenWaitsUntilTheMinuteIsOver(numbers: ClosedRange<Int>, shown: [String]) async throws {
        try await Work(self).during { work in
            try await fill(work)
            clock.advance(by: 20)
            try add(numbers)
            work.center.wake()
            await clock.waitForSleepers(until: clock.now + 40)
            #expect(try await work.center.nextDelivery() == clock.now + 40)
            clock.advance(by: 40)
            #expect(await work.next(shown.count) == shown)
        }
    }

    @Test func whatIsUrgentWaitsForNothingAndMakesNothingWait() async throws {
        try await Work(self).during { work in
            let urgent = try add(1...20, .timeSensitive)
            work.center.wake()
            #expect(await work.next(20) == urgent)
            let ordinary = try add(21...30)
            work.center.wake()
            #expect(await work.next(10) == ordinary)
            try add(31...42)
            try add(43...43, .critical)
            work.center.wake()
            #expect(await work.next(1) == ["43"])
            await clock.waitForSleepers(until: clock.now + 60)
            clock.advance(by: 60)
            #expect(await work.next(1) == ["12 new notifications"])
        }
    }

    @Test func elevenWithinMoreThanAMinuteComeOneByOne() async throws {
        try await Work(self).during { work in
            for number in 1...11 {
                try add(number...number)
                work.center.wake()
                #expect(await work.next(1) == ["\(number)"])
                clock.advance(by: 6.1)
            }
        }
    }

    @Test func aClockThatIsSetBackMakesNothingWait() async throws {
        try await Work(self).during { work in
            try await fill(work)
            clock.advance(to: clock.now - 3600)
            try add(11...11)
            work.center.wake()
            #expect(await work.next(1) == ["11"])
        }
    }

    @Test func aRunThatHasMadeItsRequestsWaitsForNoMinuteOfOthers() async throws {
        try await Work(self).during { work in
            try await fill(work)
            clock.advance(by: 1)
            let own = await work.center.follow()
            try add(11...15)
            work.center.wake()
            await clock.waitForSleepers(until: clock.now + 59)
            _ = await work.center.close(own)
            #expect(try await work.center.outcome(of: own).delivered == ["desktop": 1])
            #expect(await work.next(1) == ["5 new notifications"])
        }
    }

    @Test func aRunWaitsForTheSummaryOfItsOwnThatIsUnderWay() async throws {
        let desktop = AskedSink()
        let center = center(named("desktop", desktop, .desktop))
        let run = Task { try await center.run() }
        let own = await center.follow()
        try add(1...11)
        center.wake()
        #expect(await desktop.next()?.hasPrefix(Store.summaryPrefix) == true)
        _ = await center.close(own)
        async let outcome = center.outcome(of: own)
        await desktop.answer(.delivered())
        #expect(try await outcome.delivered == ["desktop": 1])
        run.cancel()
        _ = await run.result
    }

    @Test func aSummaryOfOthersIsNoneOfARun() async throws {
        try await Work(self).during { work in
            try add(1...11)
            clock.advance(by: 1)
            let own = await work.center.follow()
            work.center.wake()
            #expect(await work.next(1) == ["11 new notifications"])
            _ = await work.center.close(own)
            #expect(try await work.center.outcome(of: own) == DeliveryReport())
        }
    }

    @Test func aSlowSinkDoesNotOutlastTheMinute() async throws {
        let slow = AskedSink()
        try await Work(self, named("slow", slow)).during { work in
            try await fill(work)
            clock.advance(by: 1)
            try add(["a"], to: ["slow"])
            try add(11...11)
            work.center.wake()
            #expect(await slow.next() == "a")
            await clock.waitForSleepers(until: clock.now + 59)
            clock.advance(by: 59)
            #expect(await work.next(1) == ["11"])
            await slow.answer(.delivered())
        }
    }

    @Test func aRunThatWaitsForAnotherSinkEndsNoMinute() async throws {
        let slow = AskedSink()
        try await Work(self, named("slow", slow)).during { work in
            try await fill(work)
            clock.advance(by: 1)
            let own = await work.center.follow()
            try add(["a"], to: ["slow"])
            _ = await work.center.close(own)
            async let outcome = work.center.outcome(of: own)
            #expect(await slow.next() == "a")
            try add(11...11)
            work.center.wake()
            await clock.waitForSleepers(until: clock.now + 59)
            await slow.answer(.delivered())
            #expect(try await outcome.delivered == ["slow": 1])
        }
    }

    @Test func itGoesToTheSummaryThatWaitsForTheDesktop() async throws {
        try add(1...11)
        let away = RecordingSink([], otherwise: .deferred(reason: "no session"))
        #expect(try await center(named("desktop", away, .desktop)).deliverDue().waiting["desktop"]?.count == 1)
        try add(12...30)
        let sink = RecordingSink()
        #expect(try await center(named("desktop", sink, .desktop)).deliverDue().delivered == ["desktop": 1])
        #expect(await sink.attempts.map(\.request.content.title) == ["30 notifications waited for you"])
        #expect(await sink.identifiers == away.identifiers)
    }

    @Test func aClockThatIsSetBackPutsNoSummaryOff() async throws {
        try add(1...11)
        let center = center(named("desktop", RecordingSink([.deferred(reason: "no session")]), .desktop))
        _ = try await center.deliverDue()
        clock.advance(by: -3600)
        try add(12...22)
        #expect(try await center.deliverDue().delivered == ["desktop": 1])
    }

    @Test func whatHasFailedIsTriedAgainWhateverWaitsForTheMinute() async throws {
        try add(0...0)
        let sink = RecordingSink([.failed(reason: "D-Bus")])
        let center = center(named("desktop", sink, .desktop))
        await center.expectMore()
        for numbers in [1...10, 11...12] {
            _ = try await center.deliverDue()
            try add(numbers)
            clock.advance(by: 10)
        }
        #expect(try await center.deliverDue().delivered == ["desktop": 1])
        #expect(await sink.identifiers.last == "0")
    }

    @Test func whatASourceTellsIsNoSummaryWhateverItIsCalled() async throws {
        let source = Store.summaryPrefix + "x"
        try commit(source, (1...11).map { "\(source)/\($0)" }, to: "desktop")
        let sink = RecordingSink()
        #expect(try await center(named("desktop", sink, .desktop)).deliverDue().delivered == ["desktop": 1])
        #expect(await sink.attempts.map(\.request.content.title) == ["11 new notifications"])
    }

    private func issue(_ number: Int) throws {
        let slot = clock.now
        let issue = DigestIssue(
            digest: "m", previous: slot - 60, slot: slot, items: [], leftOut: [],
            content: NotificationContent(title: "Digest \(number)"), identifier: "digest/m/\(number)",
            sinks: ["desktop"])
        _ = try store.issue(issue, at: slot)
    }

    @Test func aDigestAndWhatHasFailedAreNoLinesOfIt() async throws {
        try store.account("m", upTo: clock.now - 60)
        try issue(1)
        try add(1...1)
        let sink = RecordingSink([.delivered(), .failed(reason: "D-Bus")])
        let center = center(named("desktop", sink, .desktop))
        _ = try await center.deliverDue()
        clock.advance(by: 60)
        try issue(2)
        try add(2...12)
        _ = try await center.deliverDue()
        let titles = await sink.attempts.map(\.request.content.title)
        #expect(titles.prefix(2) == ["Digest 1", "1"])
        #expect(titles.dropFirst(2).sorted() == ["1", "11 new notifications", "Digest 2"])
    }
}
