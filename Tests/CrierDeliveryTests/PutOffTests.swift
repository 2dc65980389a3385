import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// Sinks that want some notifications later than others.
extension UserNotificationCenterTests {
    @Test func whatIsWantedLaterKeepsNoOthersWaiting() async throws {
        let sink = PickySink(["1"])
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1", "2", "3")
        let report = try await center.deliverDue()
        #expect(report.delivered == ["a": 2] && report.waiting["a"] == .init(count: 1, reason: "later"))
        #expect(await sink.identifiers == ["1", "2", "3"])
        #expect(try await center.deliverDue().delivered == [:], "it is not due")
        clock.advance(by: 60)
        await sink.putOff([])
        #expect(try await center.deliverDue().delivered == ["a": 1])
        #expect(await sink.numbers == [1, 1, 1, 1])
    }

    @Test func aSinkThatPutsOffOneAfterTheOtherIsLeftAloneAndBeginsWithAnotherNextTime() async throws {
        let sink = PickySink(["1", "2", "3", "4", "5", "6"])
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue((1...8).map { "\($0)" })
        #expect(try await center.deliverDue().delivered == [:])
        #expect(await sink.identifiers == ["1", "2", "3", "4", "5"])
        clock.advance(by: 60)
        #expect(try await center.deliverDue().delivered == ["a": 2])
        #expect(await sink.identifiers.dropFirst(5) == ["6", "1", "7", "2", "8", "3", "4", "5"])
    }

    /// It has not waited for its sink before.
    @Test func whatTheUserKeptForLongIsWantedSoonAllTheSame() async throws {
        let center = center(["a": PickySink(["1"])])
        try enqueue("1")
        _ = try await center.deliverDue()
        clock.advance(by: 86_400)
        try authorize(.authorized)
        _ = try await center.deliverDue()
        let delivery = try #require(try store.deliveries(in: [.pending], limit: 1).first)
        #expect(delivery.lastError == "later" && delivery.nextAttempt == clock.now.addingTimeInterval(60))
    }

    @Test func whatSomeHaveIsTriedOnForTheOthersWithTheirNames() async throws {
        let sink = RecordingSink([.putOff(reason: "450", receipt: "b"), .failed(reason: "no connection")])
        let retries = RetryPolicy(delays: [.seconds(60), .seconds(60)])
        try authorize(.authorized)
        try enqueue("1")
        for _ in 1...3 {
            _ = try await center(["a": sink], retries: retries).deliverDue()
            clock.advance(by: 60)
        }
        #expect(await sink.attempts.map(\.receipt) == [nil, "b", "b"])
        #expect(try states() == [.delivered: 1])
    }

    @Test func whatSomeHaveIsDeliveredWhenTheOthersAreGivenUp() async throws {
        let sink = RecordingSink([], otherwise: .putOff(reason: "450", receipt: "b"))
        let retries = RetryPolicy(delays: [.seconds(60)])
        try authorize(.authorized)
        try enqueue("1")
        #expect(try await center(["a": sink], retries: retries).deliverDue().waiting["a"]?.reason == "450")
        clock.advance(by: 60)
        let report = try await center(["a": sink], retries: retries).deliverDue()
        #expect(report.delivered == ["a": 1] && report.remarks["a"]?.reason == "450")
        #expect(try states() == [.delivered: 1])
    }

    @Test func whatSomeHaveIsInNoSummary() async throws {
        let sink = RecordingSink([.putOff(reason: "450", receipt: "b")])
        let retries = RetryPolicy(delays: [.seconds(60)], further: .seconds(60), expiration: .seconds(30))
        try authorize(.authorized)
        try enqueue("1", "2")
        _ = try await center(["a": sink], retries: retries).deliverDue()
        try enqueue("3", "4")
        clock.advance(by: 60)
        _ = try await center(["a": sink], retries: retries).deliverDue()
        #expect(await sink.identifiers.filter { $0 == "1" }.count == 2)
    }

    @Test func whatSomeHaveWhenItsTimeIsOverIsTriedOnForTheOthers() async throws {
        // Some have it by the time that its task is cancelled.
        let sink = CancelledSink(.putOff(reason: "450", receipt: "b"))
        let named = NamedSink(name: "a", sink: sink, retries: .webhook, deadline: .seconds(30))
        try authorize(.authorized)
        try enqueue("1")
        let center = UserNotificationCenter(store: store, sinks: [named], clock: clock)
        async let run = center.deliverDue()
        await clock.waitForSleepers()
        clock.advance(by: 30)
        #expect(try await run.waiting["a"]?.reason == "450")
        #expect(try store.deliveries(in: [.pending]).map(\.receipt) == ["b"])
    }

    @Test func whatSomeHaveKeepsNothingThatIsOrderedWaiting() async throws {
        let sink = RecordingSink([.putOff(reason: "450", receipt: "b")])
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: sink, retries: .webhook, isOrdered: true)], clock: clock)
        try authorize(.authorized)
        for (number, identifiers) in [["1", "2"], ["3"]].enumerated() {
            let requests = identifiers.map {
                NotificationRequest(identifier: $0, content: NotificationContent(title: $0))
            }
            let state = number == 0 ? SourceState(name: "s") : try store.state(of: "s")
            try store.commit(FetchCommit(state: state, requests: requests, sinks: ["a"], date: clock.now))
            _ = try await center.deliverDue()
            #expect(await sink.identifiers.last == identifiers.last, "in the same run")
        }
        #expect(await sink.identifiers == ["1", "2", "3"])
    }

    @Test func aSinkThatSomeGotSomethingByWorks() async throws {
        let failures = Array(repeating: DeliveryOutcome.failed(reason: "no connection"), count: 3)
        let sink = RecordingSink(failures + [.putOff(reason: "450", receipt: "b")], otherwise: failures[0])
        try authorize(.authorized)
        for identifier in ["1", "2", "3"] {
            try enqueue(identifier)
            _ = try await center(["a": sink]).deliverDue()
        }
        #expect(try store.failures(of: "a") == 3)
        try enqueue("4")
        _ = try await center(["a": sink]).deliverDue()
        #expect(try store.failures(of: "a") == 0)
    }

    @Test func whatIsNewComesBeforeWhatWasPutOff() async throws {
        let sink = PickySink(Set((1...60).map { "\($0)" }))
        try authorize(.authorized)
        try enqueue((1...60).map { "\($0)" })
        for _ in 1...20 {
            _ = try await center(["a": sink]).deliverDue()
            clock.advance(by: 60)
        }
        try enqueue("new")
        #expect(try await center(["a": sink]).deliverDue().delivered == ["a": 1])
        // The others are not forgotten for what is new each time.
        for number in 1...12 {
            clock.advance(by: 60)
            try enqueue((1...5).map { "new \(number) \($0)" })
            await sink.putOff(Set((1...5).map { "new \(number) \($0)" }))
            _ = try await center(["a": sink]).deliverDue()
        }
        #expect(try states()[.delivered, default: 0] > 60)
    }

    @Test func whatIsOrderedWaitsForWhatIsWantedLater() async throws {
        let sink = PickySink(["1"])
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: sink, retries: .program, isOrdered: true)], clock: clock)
        try authorize(.authorized)
        for (source, identifiers) in [("s", ["1", "2"]), ("t", ["3"])] {
            let requests = identifiers.map {
                NotificationRequest(identifier: $0, content: NotificationContent(title: $0))
            }
            try store.commit(
                FetchCommit(state: SourceState(name: source), requests: requests, sinks: ["a"], date: clock.now))
        }
        #expect(try await center.deliverDue().delivered == ["a": 1])
        clock.advance(by: 30)
        #expect(try await center.deliverDue().delivered == [:])
        clock.advance(by: 30)
        await sink.putOff([])
        #expect(try await center.deliverDue().delivered == ["a": 2])
        #expect(await sink.identifiers == ["1", "3", "1", "2"])
    }
}

/// Wants some notifications later.
private actor PickySink: NotificationSink {
    nonisolated let defersSingly = true
    private(set) var identifiers: [String] = []
    private(set) var numbers: [Int] = []
    private var unwanted: Set<String>

    init(_ unwanted: Set<String>) { self.unwanted = unwanted }

    func putOff(_ unwanted: Set<String>) { self.unwanted = unwanted }

    func deliver(_ attempt: DeliveryAttempt) -> DeliveryOutcome {
        identifiers.append(attempt.request.identifier)
        numbers.append(attempt.number)
        return unwanted.contains(attempt.request.identifier) ? .deferred(reason: "later") : .delivered()
    }
}
