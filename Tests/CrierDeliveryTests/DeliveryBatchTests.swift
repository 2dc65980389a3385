import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// Sinks that take several notifications at once.
extension UserNotificationCenterTests {
    @Test func aSinkGetsAsManyAtOnceAsItTakes() async throws {
        let sink = BatchSink(limit: 4)
        try authorize(.authorized)
        try enqueue((1...10).map { "\($0)" })
        #expect(try await center(["a": sink]).deliverDue().delivered == ["a": 10])
        #expect(await sink.batches == [["1", "2", "3", "4"], ["5", "6", "7", "8"], ["9", "10"]])
        #expect(try states() == [.delivered: 10])
    }

    @Test func aBatchThatFailsIsTriedAgainAsAWhole() async throws {
        let sink = BatchSink(limit: 3, [.delivered(), .failed(reason: "x")])
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue((1...7).map { "\($0)" })
        let report = try await center.deliverDue()
        #expect(report.delivered == ["a": 4] && report.waiting["a"]?.count == 3)
        #expect(await sink.batches == [["1", "2", "3"], ["4", "5", "6"], ["7"]])
        clock.advance(by: 3600)
        #expect(try await center.deliverDue().delivered == ["a": 3])
        #expect(await Set(sink.batches.dropFirst(3).joined()) == ["4", "5", "6"])
        #expect(await sink.numbers.suffix(3) == [2, 2, 2])
    }

    @Test func anAbsentSinkPostponesItsBatchAndAllThatWaitBehindIt() async throws {
        let sink = BatchSink(limit: 2, [.delivered(), .deferred(reason: "no disk")])
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue((1...6).map { "\($0)" })
        let report = try await center.deliverDue()
        #expect(report.delivered == ["a": 2] && report.waiting["a"]?.count == 4)
        #expect(await sink.batches.count == 2)
        clock.advance(by: 60)
        #expect(try await center.deliverDue().delivered == ["a": 4])
        #expect(await sink.numbers == [1, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test func aNoDuringABatchEndsItsSuccessors() async throws {
        let sink = BatchSink(limit: 2)
        let store = store
        let now = clock.now
        await sink.before {
            try? store.setNotificationSettings(NotificationSettings(authorizationStatus: .denied), at: now)
        }
        try authorize(.authorized)
        try enqueue("1", "2", "3", "4")
        #expect(try await center(["a": sink]).deliverDue().delivered == ["a": 2])
        #expect(await sink.batches == [["1", "2"]])
        #expect(try states() == [.delivered: 2, .pending: 2])
    }

    @Test func aSinkThatTakesFewerFromNowOnGetsFewer() async throws {
        let (first, second) = (BatchSink(limit: 3), RecordingSink([.delivered(), .failed(reason: "x")]))
        let center = center(["a": first])
        await first.before {
            await center.use(sinks: [NamedSink(name: "a", sink: second, retries: .webhook)], quietHours: QuietHours())
        }
        try authorize(.authorized)
        try enqueue((1...8).map { "\($0)" })
        let report = try await center.deliverDue()
        #expect(await first.batches == [["1", "2", "3"]])
        #expect(await second.identifiers == ["4", "5", "7", "8"])
        #expect(report.delivered == ["a": 6] && report.waiting["a"]?.count == 2)
        clock.advance(by: 3600)
        #expect(try await center.deliverDue().delivered == ["a": 2])
        #expect(await Set(second.identifiers.suffix(2)) == ["5", "6"])
        #expect(await second.attempts.first { $0.request.identifier == "6" }?.number == 1, "it was taken and not made")
    }

    @Test func aSinkThatIsRemovedMeanwhileKeepsWhatWasTakenForIt() async throws {
        let sink = BatchSink(limit: 2)
        let center = center(["a": sink])
        await sink.before { await center.use(sinks: [], quietHours: QuietHours()) }
        try authorize(.authorized)
        try enqueue("1", "2", "3", "4", "5")
        let report = try await center.deliverDue()
        #expect(report.delivered == ["a": 2] && report.waiting["a"]?.reason == "the configuration has no sink a")
        #expect(try states() == [.delivered: 2, .pending: 3])
        let after = RecordingSink()
        await center.use(sinks: [NamedSink(name: "a", sink: after, retries: .webhook)], quietHours: QuietHours())
        #expect(try await center.deliverDue().delivered == ["a": 3], "at once")
        #expect(await after.attempts.map(\.number) == [1, 1, 1])
    }

    @Test func whatMayHaveBeenRaisedIsSaidToBe() async throws {
        let sink = BatchSink(limit: 2)
        let (store, now) = (store, clock.now)
        await sink.before { try? store.refuseWrites() }
        try authorize(.authorized)
        try enqueue("1", "2")
        await #expect(throws: StoreError.self) { try await center(["a": sink]).deliverDue() }
        try store.acceptWrites()
        #expect(try store.retryDeliveries(nil, at: now) == 2)
        let again = RecordingSink()
        try enqueue("3")
        _ = try await center(["a": again]).deliverDue()
        #expect(await again.attempts.map(\.number) == [1, 1, 1])
        #expect(await again.attempts.map(\.mayBeRaised) == [true, true, false])
    }

    @Test func whatIsOrderedWaitsForItsBatch() async throws {
        let sink = BatchSink(limit: 2, [.failed(reason: "x")])
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: sink, retries: .webhook, isOrdered: true)], clock: clock)
        try authorize(.authorized)
        for (source, identifiers) in [("s", ["1", "2", "3"]), ("t", ["4"])] {
            let requests = identifiers.map {
                NotificationRequest(identifier: $0, content: NotificationContent(title: $0))
            }
            try store.commit(
                FetchCommit(state: SourceState(name: source), requests: requests, sinks: ["a"], date: clock.now))
        }
        #expect(try await center.deliverDue().delivered == ["a": 1])
        #expect(await sink.batches == [["1", "2"], ["4"]], "3 does not overtake those of its source")
    }
}

/// Takes several at once and remembers which.
private actor BatchSink: BatchNotificationSink {
    nonisolated let batchLimit: Int
    private(set) var batches: [[String]] = []
    private(set) var numbers: [Int] = []
    private var script: [DeliveryOutcome]
    private var action: @Sendable () async -> Void = {}

    init(limit: Int, _ script: [DeliveryOutcome] = []) {
        batchLimit = limit
        self.script = script
    }

    func before(_ action: @escaping @Sendable () async -> Void) { self.action = action }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await deliver([attempt]) }

    func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        await action()
        batches.append(attempts.map(\.request.identifier))
        numbers += attempts.map(\.number)
        return script.isEmpty ? .delivered() : script.removeFirst()
    }
}
