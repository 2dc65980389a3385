import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// Sinks that are slow, dead or away, and what becomes of their notifications and of the other sinks.
@Suite(.timeLimit(.minutes(5))) struct SinkTroubleTests: DeliverySuite {
    let folder: TemporaryFolder
    let store: Store
    let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: clock.now)
    }

    @Test func whatIsAmissWithADeliveryIsRemembered() async throws {
        try add(["1"], to: ["a"])
        let sink = RecordingSink([.delivered(receipt: "7", remark: "not taken for you@example.org")])
        #expect(try await center(named("a", sink)).deliverDue().delivered == ["a": 1])
        let delivery = try #require(try store.deliveries(in: [.delivered]).first)
        #expect(delivery.receipt == "7" && delivery.lastError == "not taken for you@example.org")
    }

    // MARK: Network

    @Test func whatReachesNobodyWhileTheNetworkIsDownCountsForNothing() async throws {
        try add(["1", "2"], to: ["a"])
        let sink = RecordingSink(Array(repeating: .unreached(reason: "no address"), count: 7) + [.delivered()])
        let center = center(named("a", sink), named("b", RecordingSink([.delivered()])))
        let begin = clock.now
        try store.noteNetwork(isDown: true, at: begin)
        for round in 0..<7 {
            clock.advance(to: begin.addingTimeInterval(900 * Double(round)))
            #expect(try await center.deliverDue().waiting["a"]?.reason == "the network is down: no address")
        }
        #expect(await sink.attempts.count == 7, "one for both of them at a time")
        #expect(try store.pausedSinks(at: clock.now).isEmpty && store.failures(of: "a") == 0)
        #expect(try store.deliveries(in: [.pending]).map(\.attempts) == [0, 0])
        // When a host is reached they wait for no date.
        #expect(try await center.deliverDue().delivered.isEmpty)
        try store.noteNetwork(isDown: false, at: clock.now)
        #expect(try await center.deliverDue().delivered == ["a": 2])
    }

    /// Nobody may be left who would end it.
    @Test(arguments: [(true, 3.0), (false, 1.0)])
    func aSinkThatIsDeadItselfIsToldOfAfterDaysOfAnOutage(_ isOfAll: Bool, _ days: Double) async throws {
        try add(["1"], to: ["a"])
        let sink = RecordingSink(Array(repeating: .unreached(reason: "no address"), count: 2))
        let center = center(named("a", sink))
        let begin = clock.now
        if isOfAll { try store.noteNetwork(isDown: true, at: begin) } else { try store.noteUnreached(at: begin) }
        for (days, reason) in [(days - 0.1, "the network is down: no address"), (days, "no address")] {
            clock.advance(to: begin.addingTimeInterval(86_400 * days))
            #expect(try await center.deliverDue().waiting["a"]?.reason == reason)
        }
        #expect(try store.failures(of: "a") == 1)
    }

    @Test(arguments: [true, false]) func whatWasPausedDuringAnOutageIsTriedWhenItEnds(_ isOfAll: Bool) async throws {
        try add((1...6).map(String.init), to: ["a"])
        let center = center(
            named(
                "a", RecordingSink(Array(repeating: .unanswered(reason: "a page"), count: 5), otherwise: .delivered())))
        if isOfAll {
            try store.noteNetwork(isDown: true, at: clock.now)
        } else {
            try store.noteUnreached(at: clock.now)
        }
        for _ in 0..<12 where try store.pausedSinks(at: clock.now).isEmpty {
            _ = try await center.deliverDue()
            clock.advance(by: 600)
        }
        #expect(try !store.pausedSinks(at: clock.now).isEmpty)
        if isOfAll {
            try store.noteNetwork(isDown: false, at: clock.now)
        } else {
            _ = try store.makeUnreachedDue(at: clock.now)
        }
        #expect(try store.pausedSinks(at: clock.now).isEmpty)
    }

    @Test func whatWasPausedBeforeAnOutageStaysSo() async throws {
        try add((1...6).map(String.init), to: ["a"])
        let center = center(named("a", RecordingSink(Array(repeating: .failed(reason: "HTTP 500"), count: 5))))
        for _ in 0..<12 where try store.pausedSinks(at: clock.now).isEmpty {
            _ = try await center.deliverDue()
            clock.advance(by: 600)
        }
        for isDown in [true, false] { try store.noteNetwork(isDown: isDown, at: clock.now) }
        #expect(try !store.pausedSinks(at: clock.now).isEmpty)
    }

    @Test func whatASinkRefusesDuringAnOutageWaitsForItsDateWhenThatEnds() async throws {
        try add(["1"], to: ["a"])
        let center = center(named("a", RecordingSink([.failed(reason: "HTTP 500"), .delivered()])))
        try store.noteNetwork(isDown: true, at: clock.now)
        _ = try await center.deliverDue()
        try store.noteNetwork(isDown: false, at: clock.now)
        #expect(try await center.deliverDue().delivered.isEmpty)
    }

    /// An outage that a clock has noted which was ahead is none.
    @Test(arguments: [false, true])
    func whatReachesNobodyWhileOthersAreReachedHasFailed(isNotedAhead: Bool) async throws {
        try add(["1"], to: ["a"])
        if isNotedAhead { try store.noteNetwork(isDown: true, at: clock.now.addingTimeInterval(3600)) }
        let center = center(named("a", RecordingSink([.unreached(reason: "no address")])))
        #expect(try await center.deliverDue().waiting["a"]?.reason == "no address")
        #expect(try store.failures(of: "a") == 1)
    }

    // MARK: Breaker

    /// A letter with its accent is one scalar or two.
    @Test func aSinkIsLeftAloneHoweverItsNameIsSpelled() async throws {
        let (one, two) = ("caf\u{e9}", "cafe\u{301}")
        let sink = RecordingSink([.gone(reason: "gone")])
        let center = center(named(one, sink))
        for number in 1...3 {
            let request = NotificationRequest(identifier: "\(number)", content: NotificationContent(title: "T"))
            try await center.add(request, to: [one, two])
            _ = try await center.deliverDue()
        }
        #expect(await sink.attempts.count == 1)
        #expect(try store.goneSinks().map(\.name.unicodeScalars.count) == [4])
        #expect(try store.deliveries(in: [.pending]).count == 3)
    }

    @Test func aStateThatIsGoneIsTold() async throws {
        try add(["1"], to: ["a"])
        try FileManager.default.removeItem(atPath: store.path)
        let sink = RecordingSink([.delivered()])
        let center = center(named("a", sink))
        await #expect(throws: StoreError.self) { _ = try await center.deliverDue() }
        let request = NotificationRequest(identifier: "2", content: NotificationContent(title: "T"))
        await #expect(throws: StoreError.self) { try await center.add(request) }
        #expect(await sink.attempts.isEmpty)
    }

    @Test func anAttemptThatIsCutShortIsNotCountedAgainstTheSink() async throws {
        let slow = CancelledSink()
        try add(["1"], to: ["slow"])
        let center = center(named("slow", slow))
        let run = Task { try await center.deliverDue() }
        await slow.begins()
        run.cancel()
        _ = try await run.value
        let delivery = try #require(try store.deliveries(in: [.pending]).first)
        #expect(delivery.attempts == 0 && delivery.lastError == nil)
    }

    @Test func aPauseThatIsLongerThanAnyIsTheLongest() async throws {
        let busy = RecordingSink([.failed(reason: "HTTP 429", retryAfter: .seconds(9 * 86_400))])
        let retries = RetryPolicy(delays: [.seconds(9 * 86_400)], retryAfterLimit: .seconds(9 * 86_400))
        try add(["1", "2"], to: ["busy"])
        let center = center(named("busy", busy, retries))
        for _ in 1...3 { _ = try await center.deliverDue() }
        #expect(await busy.attempts.count == 1)
    }

    @Test func aReceiverThatSaysWhenToComeBackIsLeftAloneWithEverything() async throws {
        let busy = RecordingSink([.failed(reason: "HTTP 429", retryAfter: .seconds(3600))])
        let sinks = [named("busy", busy)]
        try add(["1", "2", "3"], to: ["busy"])
        let center = center(sinks[0])
        _ = try await center.deliverDue()
        #expect(await busy.attempts.count == 1)
        #expect(try store.pausedSinks(at: clock.now).map(\.until) == [clock.now.addingTimeInterval(3600)])
        #expect(try await center.nextDelivery() == clock.now.addingTimeInterval(3600))
        clock.advance(by: 3599)
        try add(["4"], to: ["busy"])
        _ = try await center.deliverDue()
        #expect(await busy.attempts.count == 1, "nor with what is new")
        clock.advance(by: 1)
        _ = try await center.deliverDue()
        #expect(await busy.attempts.count == 5)
        #expect(try store.pausedSinks(at: clock.now).isEmpty)
    }

    @Test func aReceiversWishIsLongerThanThePauseOfFiveFailures() async throws {
        let busy = RecordingSink([], otherwise: .failed(reason: "HTTP 429", retryAfter: .seconds(7200)))
        try add(["1"], to: ["busy"])
        for attempts in 1...6 {
            _ = try await center(named("busy", busy)).deliverDue()
            #expect(await busy.attempts.count == attempts)
            let paused = try #require(try store.pausedSinks(at: clock.now).first)
            #expect(paused.until >= clock.now.addingTimeInterval(7200))
            clock.advance(to: try #require(try store.nextDelivery()))
        }
    }

    @Test func fiveStraightFailuresPauseASinkAndEachFurtherOneDoublesThePauseUpToSixHours() async throws {
        let dead = RecordingSink([], otherwise: .failed(reason: "HTTP 500"))
        let good = RecordingSink()
        try add((1...8).map(String.init), to: ["dead"])
        _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        #expect(await dead.attempts.count == 5)
        var pauses: [Double] = []
        for attempts in 6...11 {
            // A run of its own each time: what is remembered is in the file.
            let paused = try #require(try Store(path: store.path).pausedSinks(at: clock.now).first)
            #expect(paused.reason == "HTTP 500")
            pauses.append(paused.until.timeIntervalSince(clock.now) / 60)
            clock.advance(to: paused.until.addingTimeInterval(-1))
            _ = try await center(named("dead", dead), named("good", good)).deliverDue()
            #expect(await dead.attempts.count == attempts - 1, "left alone")
            clock.advance(by: 1)
            _ = try await center(named("dead", dead), named("good", good)).deliverDue()
            #expect(await dead.attempts.count == attempts, "the first attempt after a pause decides")
        }
        #expect(pauses == [15, 30, 60, 120, 240, 360])
    }

    @Test func aSinkThatRefusesOneAfterTheOtherForGoodIsToldOfOnce() async throws {
        let dead = RecordingSink([.rejected(reason: "1"), .delivered()], otherwise: .rejected(reason: "no"))
        let good = RecordingSink()
        try add(["1", "2"], to: ["dead"])
        _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        clock.advance(by: 1)
        try add(["3", "4"], to: ["dead"])
        _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        #expect(await good.attempts.isEmpty)
        for identifiers in [["5"], ["6", "7"]] {
            clock.advance(by: 1)
            try add(identifiers, to: ["dead"])
            _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        }
        let notice = try #require(await good.attempts.first?.request.content)
        #expect(notice.title == "The sink dead refuses what it is given" && notice.body.hasPrefix("no\n"))
        #expect(await good.attempts.count == 1)
    }

    @Test func aSinkThatFailedLastItselfIsNotTheFirstToBeGivenANotice() async throws {
        let gone = RecordingSink([.gone(reason: "HTTP 410")])
        let failing = RecordingSink([], otherwise: .failed(reason: "HTTP 500"))
        let good = RecordingSink()
        let center = center(named("gone", gone), named("failing", failing), named("good", good))
        try add(["1"], to: ["failing"])
        _ = try await center.deliverDue()
        try add(["2"], to: ["gone"])
        _ = try await center.deliverDue()
        #expect(await good.attempts.map(\.request.content.title) == ["The sink gone is gone"])
        #expect(await failing.identifiers == ["1"])
    }

    @Test func aPausedSinkIsToldOfOnceThroughAnother() async throws {
        let dead = RecordingSink([], otherwise: .failed(reason: "HTTP 500"))
        let good = RecordingSink()
        try add((1...8).map(String.init), to: ["dead", "good"])
        let report = try await center(named("dead", dead), named("good", good)).deliverDue()
        #expect(report.delivered == ["good": 9], "in the same run")
        let notice = try #require(await good.attempts.last?.request.content)
        #expect(notice.title == "The sink dead does not work")
        #expect(notice.body.hasPrefix("HTTP 500\n"))
        #expect(report.paused.isEmpty, "what failed in this run is said already")
        let again = try await center(named("dead", dead), named("good", good)).deliverDue()
        #expect(again.paused["dead"]?.count == 8 && again.waiting.isEmpty)
        let total = Tally()
        for report in [report, again] { await total.add { () throws(StoreError) in report } }
        let sum = try await total.result.get()
        #expect(sum.paused.isEmpty && sum.waiting["dead"] != nil)
        clock.advance(by: 3600)
        _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        #expect(await dead.attempts.count == 6)
        #expect(await good.attempts.count == 9, "not again")
    }

    @Test func aSuccessClosesTheBreakerAndTheRestFollows() async throws {
        let sink = RecordingSink(Array(repeating: .failed(reason: "x"), count: 5))
        try add((1...8).map(String.init), to: ["a"])
        _ = try await center(named("a", sink)).deliverDue()
        clock.advance(by: 900)
        #expect(try await center(named("a", sink)).deliverDue().delivered == ["a": 8])
        #expect(try store.pausedSinks(at: clock.now).isEmpty)
    }

    @Test func anOutputThatCannotBeWrittenPausesNothingBeyondItsRun() async throws {
        let closed = RecordingSink([], otherwise: .failed(reason: "EPIPE"))
        try add((1...8).map(String.init), to: ["stdout"])
        _ = try await center(named("stdout", closed, .stdout)).deliverDue()
        #expect(await closed.attempts.count == 5)
        #expect(try store.pausedSinks(at: clock.now).isEmpty)
        clock.advance(by: 10)
        let next = RecordingSink()
        #expect(try await center(named("stdout", next, .stdout)).deliverDue().delivered == ["stdout": 8])
    }

    // MARK: Slow sinks

    @Test func aSinkThatDoesNotAnswerDelaysNoOtherNotEvenInLaterWakeUps() async throws {
        let (slow, fast) = (AskedSink(), ToldSink())
        let center = center(named("slow", slow), named("fast", fast))
        try add(["1"], to: ["slow", "fast"])
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
        async let run = center.run(wakeUps: wakeUps)
        #expect(await slow.next() == "1")
        #expect(await fast.next() == "1")
        try add(["2"], to: ["slow", "fast"])
        wake.yield()
        #expect(await fast.next() == "2")
        wake.finish()
        for _ in 1...2 { await slow.answer(.delivered()) }
        #expect(try await run.delivered == ["slow": 2, "fast": 2])
    }

    @Test func anAttemptHasADeadline() async throws {
        let deaf = CancelledSink(.deferred(reason: "stopped"))
        let center = center(NamedSink(name: "a", sink: deaf, retries: .webhook, deadline: .seconds(30)))
        try add(["1"], to: ["a"])
        async let run = center.deliverDue()
        await clock.waitForSleepers()
        clock.advance(by: 30)
        #expect(try await run.waiting["a"]?.reason == "no answer within 30 s")
        let delivery = try #require(try store.deliveries(in: [.pending]).first)
        #expect(delivery.attempts == 1)
    }

    // MARK: Order

    @Test func whereASinkAsksForOrderAFailureKeepsTheLaterOnesOfItsSourceWaiting() async throws {
        func run(_ sink: RecordingSink, isOrdered: Bool) async throws -> [String] {
            let store = try Store.authorized(at: clock.now)
            for (source, identifiers) in [("one", ["1", "2"]), ("two", ["3"]), ("one", ["4"])] {
                let requests = identifiers.map {
                    NotificationRequest(identifier: $0, content: NotificationContent(title: $0))
                }
                try store.commit(
                    FetchCommit(
                        state: SourceState(name: source), requests: requests, sinks: ["a"], date: clock.now))
            }
            let center = UserNotificationCenter(
                store: store, sinks: [named("a", sink, isOrdered: isOrdered)], clock: clock)
            _ = try await center.deliverDue()
            clock.advance(by: 10)
            _ = try await center.deliverDue()
            return await sink.identifiers
        }
        #expect(try await run(RecordingSink([.failed(reason: "x")]), isOrdered: false) == ["1", "2", "3", "4", "1"])
        #expect(try await run(RecordingSink([.failed(reason: "x")]), isOrdered: true) == ["1", "3", "1", "2", "4"])
    }

    // MARK: Absence

    @Test func whatIsADayOldWhenTheDesktopIsBackComesAsOneSummary() async throws {
        let away = RecordingSink([], otherwise: .deferred(reason: "no session"))
        try add(["1", "2", "3"], to: ["desktop"])
        for _ in 0..<50 {
            _ = try await center(named("desktop", away, .desktop)).deliverDue()
            clock.advance(by: 3600)
        }
        try add(["4"], to: ["desktop"])
        let back = RecordingSink()
        _ = try await center(named("desktop", back, .desktop)).deliverDue()
        let titles = await back.attempts.map(\.request.content.title)
        #expect(titles.sorted() == ["3 notifications waited for you", "4"])
        #expect(await back.attempts.first { $0.request.content.title.hasPrefix("3") }?.number == 1)
    }

    @Test func whatWaitsForAnotherAttemptIsToldByLaterRunsToo() async throws {
        try add(["1", "2"], to: ["a"])
        let center = center(named("a", RecordingSink([], otherwise: .failed(reason: "HTTP 500"))))
        let first = try await center.deliverDue()
        #expect(first.waiting["a"]?.count == 2 && first.later.isEmpty)
        let next = try #require(try await center.nextDelivery(after: clock.now))
        let second = try await center.deliverDue()
        #expect(second.waiting.isEmpty && second.later == ["a": .init(count: 2, until: next)])
        #expect(try await self.center(named("b", RecordingSink())).deliverDue().later.isEmpty, "it has no such sink")
    }

    @Test func whatWaitsForAMissingSinkThatWasGoneIsGivenUpLikewise() async throws {
        try add(["1"], to: ["former"])
        _ = try await center(named("former", RecordingSink([.gone(reason: "HTTP 410")]))).deliverDue()
        clock.advance(by: 31 * 86_400)
        #expect(try await center(named("former", RecordingSink())).deliverDue().dead.isEmpty, "it may be revived")
        try add(["2"], to: ["former"])
        let report = try await center(named("a", RecordingSink())).deliverDue()
        #expect(report.dead["former"]?.count == 1)
        #expect(try store.deliveryCounts() == [.dead: 1, .pending: 1])
    }

    // MARK: Doors

    @Test func aProgramsRequestHasTheRulesOfTheOutbox() async throws {
        let sink = RecordingSink([.delivered(receipt: "17")])
        let center = center(named("a", sink))
        try await center.add(NotificationRequest(identifier: "x", content: NotificationContent(title: "one")))
        _ = try await center.deliverDue()
        try await center.add(NotificationRequest(identifier: "x", content: NotificationContent(title: "two")))
        _ = try await center.deliverDue()
        #expect(await sink.attempts.map(\.revision) == [1, 2])
        #expect(await sink.attempts.map(\.receipt) == [nil, "17"])
        #expect(Set(await sink.attempts.map(\.idempotencyKey)).count == 2)
    }
}
