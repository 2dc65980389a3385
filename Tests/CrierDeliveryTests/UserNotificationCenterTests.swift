import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

@Suite(.timeLimit(.minutes(5))) struct UserNotificationCenterTests {
    let store: Store
    let clock = ManualClock()

    init() throws {
        store = try Store.inMemory()
    }

    func center(
        _ sinks: [String: any NotificationSink], retries: RetryPolicy = .webhook, question: AuthorizationQuestion? = nil
    ) -> UserNotificationCenter {
        UserNotificationCenter(
            store: store, sinks: sinks.map { NamedSink(name: $0.key, sink: $0.value, retries: retries) }, clock: clock,
            question: question)
    }

    func authorize(_ status: AuthorizationStatus) throws {
        try store.setNotificationSettings(
            NotificationSettings(authorizationStatus: status, options: .alert), at: clock.now)
    }

    func enqueue(_ identifiers: String..., to sinks: [String] = ["a"]) throws {
        try enqueue(identifiers, to: sinks)
    }

    func enqueue(_ identifiers: [String], to sinks: [String] = ["a"]) throws {
        for identifier in identifiers {
            let request = NotificationRequest(
                identifier: identifier, content: NotificationContent(title: "T \(identifier)"))
            try store.add(request, to: sinks, at: clock.now)
        }
    }

    func states() throws -> [Delivery.State: Int] { try store.deliveryCounts() }

    // MARK: The authorization table

    @Test func authorizedIsDeliveredInOrder() async throws {
        let sink = RecordingSink()
        try authorize(.authorized)
        try enqueue("1", "2", "3")
        let report = try await center(["a": sink]).deliverDue()
        #expect(await sink.identifiers == ["1", "2", "3"])
        #expect(report.delivered == ["a": 3])
        #expect(try states() == [.delivered: 3])
    }

    @Test(arguments: [[], .sound, .badge, [.sound, .badge]] as [AuthorizationOptions])
    func whatIsNotAllowedIsLeftOut(options: AuthorizationOptions) async throws {
        let sink = RecordingSink()
        let center = center(["a": sink])
        try await center.setAuthorization(.authorized, options: options)
        let content = NotificationContent(title: "T", sound: .default, badge: 3)
        try await center.add(NotificationRequest(identifier: "1", content: content))
        _ = try await center.deliverDue()
        let shown = try #require(await sink.attempts.first).request.content
        #expect((shown.sound != nil) == options.contains(.sound) && (shown.badge != nil) == options.contains(.badge))
        #expect(shown.title == "T")
    }

    @Test func notDeterminedAndUnattendedHoldsAndNeverGrants() async throws {
        let sink = RecordingSink()
        try enqueue("1", "2")
        let report = try await center(["a": sink]).deliverDue()
        #expect(await sink.attempts.isEmpty)
        #expect(report.held == 2)
        #expect(try states() == [.held: 2])
        #expect(try store.notificationSettings().authorizationStatus == .notDetermined)
    }

    @Test func notDeterminedWithATerminalAsksOnceInContext() async throws {
        let sink = RecordingSink()
        let asked = RecordingQuestion(answers: [true])
        let center = center(["a": sink], question: asked.ask)
        _ = try await center.deliverDue()
        #expect(await asked.count == 0, "nothing to show yet")
        try enqueue("1", "2")
        let report = try await center.deliverDue()
        #expect(await asked.first == "T 1 of 2")
        #expect(report.delivered == ["a": 2])
        #expect(try store.notificationSettings().authorizationStatus == .authorized)
    }

    /// A forgotten question holds the run, and with it the state.
    @Test(arguments: [AuthorizationStatus.authorized, .denied])
    func aQuestionEndsWhenTheUserDecidesElsewhere(status: AuthorizationStatus) async throws {
        let isAsked = AsyncStream.makeStream(of: Void.self)
        let center = center(["a": RecordingSink()]) { _, _ in
            isAsked.continuation.finish()
            for await _ in AsyncStream<Void>(bufferingPolicy: .unbounded, { _ in }) {}
            return status == .denied  // too late
        }
        try enqueue("1")
        let delivery = Task { try await center.deliverDue() }
        for await _ in isAsked.stream {}
        await clock.waitForSleepers()
        try authorize(status)
        clock.advance(by: 1)
        let report = try await delivery.value
        #expect(report.delivered == (status == .authorized ? ["a": 1] : [:]))
        #expect(try store.notificationSettings().authorizationStatus == status)
    }

    @Test func moreThanTenThatWaitForTheAnswerBecomeOneSummary() async throws {
        let sink = RecordingSink()
        let asked = RecordingQuestion(answers: [true])
        let center = center(["a": sink, "b": RecordingSink()], question: asked.ask)
        try enqueue((1...1_200).map(String.init), to: ["a", "b"])
        let report = try await center.deliverDue()
        #expect(await asked.first == "T 1 of 1200")
        #expect(report.delivered == ["a": 1, "b": 1] && report.newlyHeld == 0)
        #expect(await sink.attempts.map(\.request.content.title) == ["1200 notifications waited for you"])
    }

    @Test func aRefusalIsStickyAndSuppresses() async throws {
        let sink = RecordingSink()
        let asked = RecordingQuestion(answers: [false, true])
        let center = center(["a": sink], question: asked.ask)
        try enqueue("1")
        #expect(try await center.deliverDue().suppressed == 1)
        try enqueue("2")
        #expect(try await center.deliverDue().suppressed == 1)
        #expect(await asked.count == 1)
        #expect(await sink.attempts.isEmpty)
        #expect(try states() == [.suppressed: 2])
    }

    @Test func noAnswerHoldsAndIsNotRepeatedInTheSameRun() async throws {
        let asked = RecordingQuestion(answers: [nil])
        let center = center(["a": RecordingSink()], question: asked.ask)
        try enqueue("1")
        #expect(try await center.deliverDue().held == 1)
        #expect(try await center.deliverDue().held == 1)
        #expect(await asked.count == 1)
        #expect(try store.notificationSettings().authorizationStatus == .notDetermined)
    }

    @Test func theHeldAreReleasedWhenAuthorized() async throws {
        let sink = RecordingSink()
        let center = center(["a": sink])
        try enqueue((1...10).map(String.init))
        _ = try await center.deliverDue()
        try await center.setAuthorization(.authorized)
        #expect(try await center.deliverDue().delivered == ["a": 10])
        #expect(await sink.identifiers == (1...10).map(String.init))
    }

    @Test func moreThanTenHeldBecomeOneSummaryAtEachSink() async throws {
        let one = RecordingSink()
        let two = RecordingSink()
        let center = center(["one": one, "two": two])
        try enqueue((1...11).map(String.init), to: ["one"])
        try enqueue("1", to: ["two"])
        _ = try await center.deliverDue()
        try await center.setAuthorization(.authorized)
        _ = try await center.deliverDue()
        #expect(await one.attempts.map(\.request.content.title) == ["11 notifications waited for you"])
        #expect(await two.identifiers == ["1"])
        _ = try await center.deliverDue()
        #expect(await one.attempts.count == 1)
    }

    @Test func whatWasHeldIsSuppressedByALaterNo() async throws {
        let center = center(["a": RecordingSink()])
        try enqueue("1")
        _ = try await center.deliverDue()
        try await center.setAuthorization(.denied)
        #expect(try await center.deliverDue().suppressed == 1)
        try await center.setAuthorization(.authorized)
        #expect(try await center.deliverDue().delivered.isEmpty)
    }

    @Test func aNoReachesEverythingThatWaits() async throws {
        let center = center(["a": RecordingSink()])
        try enqueue((1...1200).map(String.init))
        #expect(try await center.deliverDue().held == 1200)
        try await center.setAuthorization(.denied)
        #expect(try await center.deliverDue().suppressed == 1200)
        #expect(try states() == [.suppressed: 1200])
    }

    @Test func aNoDuringARunEndsIt() async throws {
        let sink = AskedSink()
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1", "2")
        async let run = center.deliverDue()
        #expect(await sink.next() == "1")
        try await center.setAuthorization(.denied)
        await sink.answer(.delivered())
        #expect(try await run.delivered == ["a": 1])
    }

    @Test func theSameOnesHeldAnotherTimeAreToldAnotherTime() async throws {
        let sink = RecordingSink()
        let center = center(["a": sink])
        try enqueue((1...11).map(String.init))
        _ = try await center.deliverDue()
        try await center.setAuthorization(.authorized)
        _ = try await center.deliverDue()
        try await center.setAuthorization(.notDetermined)
        let ids = try store.deliveries(in: [.suppressed], limit: 100).map(\.id)
        #expect(try store.retryDeliveries(ids, at: clock.now) == 11)
        _ = try await center.deliverDue()
        clock.advance(by: 60)
        try await center.setAuthorization(.authorized)
        #expect(try await center.deliverDue().delivered == ["a": 1])
        #expect(await sink.attempts.count == 2)
    }

    @Test func aStateThatCannotBeWrittenRaisesNothing() async throws {
        let sink = RecordingSink()
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1")
        try store.refuseWrites()
        await #expect(throws: StoreError.self) { try await center.deliverDue() }
        #expect(await sink.attempts.isEmpty)
    }

    // MARK: Attempts

    @Test func aFailureIsTriedAgainByTheSinksScheduleUntilItIsDead() async throws {
        let sink = RecordingSink([], otherwise: .failed(reason: "HTTP 500"))
        let retries = RetryPolicy(delays: [.seconds(5), .seconds(60)])
        let center = center(["a": sink], retries: retries)
        try authorize(.authorized)
        try enqueue("1")
        #expect(try await center.deliverDue().waiting["a"]?.reason == "HTTP 500")
        _ = try await center.deliverDue()
        #expect(await sink.attempts.count == 1, "not due yet")
        clock.advance(by: 5)
        _ = try await center.deliverDue()
        clock.advance(by: 60)
        #expect(try await center.deliverDue().dead["a"]?.count == 1)
        #expect(await sink.attempts.map(\.number) == [1, 2, 3])
        #expect(Set(await sink.attempts.map(\.created)).count == 1)
        #expect(try states() == [.dead: 1])
    }

    @Test func anAbsentSinkDefersAllItsDeliveriesWithoutCountingAttempts() async throws {
        let sink = RecordingSink([.deferred(reason: "no bus")])
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1", "2")
        #expect(try await center.deliverDue().waiting["a"]?.count == 2)
        #expect(await sink.identifiers == ["1"], "the second need not be tried")
        clock.advance(by: 60)
        #expect(try await center.deliverDue().delivered == ["a": 2])
        #expect(await sink.attempts.map(\.number) == [1, 1, 1])
    }

    @Test func aRejectedNotificationIsGivenUpAtOnce() async throws {
        let center = center(["a": RecordingSink([.rejected(reason: "too large")])])
        try authorize(.authorized)
        try enqueue("1")
        #expect(try await center.deliverDue().dead["a"]?.reason == "too large")
    }

    @Test func aSinkThatIsGoneGetsNothingMoreAndNothingIsLost() async throws {
        let sink = RecordingSink([.gone(reason: "HTTP 410")])
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1", "2")
        _ = try await center.deliverDue()
        clock.advance(by: 86_400)
        _ = try await center.deliverDue()
        #expect(await sink.attempts.count == 1)
        #expect(try states() == [.pending: 2])
        #expect(try store.deliveries(in: [.pending]).map(\.attempts).sorted() == [0, 1], "one was tried")
        let reasons = try store.log().map(\.event).compactMap { event in
            if case .attempt(_, "a", number: 1, let reason) = event { reason } else { nil }
        }
        #expect(reasons == ["HTTP 410"])
        try store.revive("a", at: clock.now)
        #expect(try await center.deliverDue().delivered == ["a": 2])
    }

    @Test func callsSideBySideAttemptADeliveryOnce() async throws {
        let sink = AskedSink()
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1")
        async let first = center.deliverDue()
        #expect(await sink.next() == "1")
        #expect(try await center.deliverDue().delivered.isEmpty)
        await sink.answer(.delivered())
        #expect(try await first.delivered == ["a": 1])
    }

    @Test func everyWakeUpDelivers() async throws {
        let sink = RecordingSink()
        let center = center(["a": sink])
        try authorize(.authorized)
        try enqueue("1")
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
        wake.yield()
        wake.finish()
        #expect(try await center.run(wakeUps: wakeUps).delivered == ["a": 1])
    }
}

/// Answers a question by a script and remembers what was asked.
private actor RecordingQuestion {
    private var answers: [Bool?]
    private(set) var count = 0
    private(set) var first: String?

    init(answers: [Bool?]) {
        self.answers = answers
    }

    nonisolated var ask: AuthorizationQuestion {
        { request, count in await self.answer(request, count) }
    }

    private func answer(_ request: NotificationRequest, _ total: Int) -> Bool? {
        count += 1
        first = "\(request.content.title) of \(total)"
        return answers.removeFirst()
    }
}

extension Store {
    /// As a full disk does.
    func refuseWrites() throws {
        try writer.write { db in
            try db.execute(sql: "CREATE TRIGGER full BEFORE UPDATE ON delivery BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
    }

    func acceptWrites() throws {
        try writer.write { db in try db.execute(sql: "DROP TRIGGER full") }
    }
}
