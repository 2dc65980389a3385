import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// Several sinks that do not work at once, and one that fails more than once in a run or a row.
@Suite(.timeLimit(.minutes(5))) struct SeveralSinksTroubleTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws { store = try .authorized(at: clock.now) }

    /// Each finds out by itself, and may be the one that is to tell of the other.
    @Test(arguments: [
        DeliveryOutcome.gone(reason: "HTTP 410"), .failed(reason: "HTTP 429", retryAfter: .seconds(3600)),
    ])
    func whatIsToBeToldAtASinkThatDoesNotWorkEitherIsToldAtAThird(_ outcome: DeliveryOutcome) async throws {
        let sinks = [RecordingSink([.gone(reason: "HTTP 410")]), RecordingSink([outcome]), RecordingSink()]
        try add(["1"], to: ["a", "b"])
        let center = center(named("a", sinks[0]), named("b", sinks[1]), named("c", sinks[2]))
        _ = try await center.deliverDue()
        _ = try await center.deliverDue()
        #expect(await sinks[2].attempts.map(\.request.content.title).contains("The sink a is gone"))
        #expect(try store.deliveries(in: [.pending]).allSatisfy { $0.request.identifier == "1" })
    }

    @Test func whatReachesSomebodyIsToldOfAnotherBeforeAFile() async throws {
        let folder = try TemporaryFolder()
        let kept: [any NotificationSink] = [
            FileSink(path: folder.file("news.json")), FeedSink(path: folder.file("news.xml")),
        ]
        let good = RecordingSink()
        for (number, archive) in kept.enumerated() {
            try add(["\(number)"], to: ["gone\(number)"])
            let gone = RecordingSink([.gone(reason: "HTTP 410")])
            _ = try await center(named("archive", archive), named("good", good), named("gone\(number)", gone))
                .deliverDue()
        }
        let told = ["The sink gone0 is gone", "The sink gone1 is gone"]
        #expect(await good.attempts.map(\.request.content.title) == told)
        try add(["2"], to: ["gone2"])
        let alone = RecordingSink([.gone(reason: "HTTP 410")])
        _ = try await center(named("archive", kept[0]), named("gone2", alone)).deliverDue()
        #expect(folder.read("news.json")?.contains("The sink gone2 is gone") == true, "where there is no other")
    }

    @Test func aReceiverIsLeftAloneForAsLongAsItMayAskForAndNoLonger() async throws {
        let busy = RecordingSink([.failed(reason: "HTTP 429", retryAfter: .seconds(86_400))])
        try add(["1", "2"], to: ["busy"])
        let center = center(named("busy", busy, RetryPolicy(delays: [.seconds(5)], retryAfterLimit: .seconds(60))))
        _ = try await center.deliverDue()
        clock.advance(by: 60)
        #expect(try await center.deliverDue().delivered == ["busy": 2])
    }

    /// It may have been raised there already, and would come twice.
    @Test func aNoticeThatWasCalledWithoutAnAnswerIsNotToldAtAThird() async throws {
        let silent = RecordingSink([], otherwise: .unanswered(reason: "504"))
        let good = RecordingSink()
        try add(["1"], to: ["a"])
        let center = center(
            named("a", RecordingSink([.gone(reason: "HTTP 410")])), named("b", silent), named("c", good))
        for _ in 1...6 {
            _ = try await center.deliverDue()
            clock.advance(by: 12 * 3600)
        }
        #expect(await good.attempts.map(\.request.content.title) == ["The sink b does not work"])
    }

    @Test func aSinkThatWorksAgainIsNotToldOfItself() async throws {
        let no = DeliveryOutcome.failed(reason: "HTTP 500")
        let (one, other) = (RecordingSink(Array(repeating: no, count: 5)), RecordingSink([], otherwise: no))
        try add(["1"], to: ["a"])
        for _ in 1...12 {
            _ = try await center(named("a", one), named("b", other)).deliverDue()
            clock.advance(by: 6 * 3600)
        }
        let notices = await one.attempts.map(\.request.content.title).filter { $0 != "1" }
        #expect(notices == ["The sink b does not work"])
    }

    @Test func whatFailsTwiceInARunIsCountedOnce() async throws {
        try add(["1"], to: ["a"])
        let sink = ToldSink(Array(repeating: .failed(reason: "HTTP 500"), count: 2))
        let center = center(named("a", sink))
        let (wakeUps, wake) = AsyncStream<Void>.makeStream()
        let run = Task { try await center.run(wakeUps: wakeUps) }
        #expect(await sink.next() == "1")
        while try store.deliveries(in: [.pending]).first?.lastError == nil { await Task.yield() }
        clock.advance(by: 3600)
        wake.yield()
        #expect(await sink.next() == "1")
        wake.finish()
        #expect(try await run.value.waiting["a"]?.count == 1)
    }

    @Test func whatWasRaisedWhileTheClockWasAheadHidesNoRefusals() async throws {
        let dead = RecordingSink([.delivered()], otherwise: .rejected(reason: "no"))
        let good = RecordingSink()
        let start = clock.now
        clock.advance(to: start.addingTimeInterval(90 * 86_400))
        try add(["1"], to: ["dead"])
        _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        clock.advance(to: start)
        try add(["2", "3", "4"], to: ["dead"])
        _ = try await center(named("dead", dead), named("good", good)).deliverDue()
        #expect(await good.attempts.map(\.request.content.title) == ["The sink dead refuses what it is given"])
    }
}
