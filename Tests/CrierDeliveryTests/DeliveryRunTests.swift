import CrierNotifications
import CrierTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What programs do with a centre: they add, ask for the next date, and let it run.
@Suite(.timeLimit(.minutes(5))) struct DeliveryRunTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws {
        store = try Store.inMemory()
    }

    // MARK: The next date

    @Test func whatIsHeldIsDueOnceItMayBeRaised() async throws {
        let center = try await center(["a": RecordingSink()])
        try await center.setAuthorization(.notDetermined)
        try await center.add(request("1"))
        #expect(try await center.nextDelivery() == clock.now)
        #expect(try await center.deliverDue().held == 1)
        #expect(try await center.nextDelivery() == nil)
        try await center.setAuthorization(.authorized)
        #expect(try await center.nextDelivery() == clock.now)
        #expect(try await center.deliverDue().delivered == ["a": 1])
        #expect(try await center.nextDelivery() == nil)
    }

    @Test func whatIsUnderWayIsNotDue() async throws {
        let sink = HeldUpSink()
        let center = try await center(["slow": sink, "fast": RecordingSink()])
        try await center.add(request("1"), to: ["slow"])
        async let run = center.deliverDue()
        await sink.isCalled(1)
        #expect(try await center.nextDelivery() == nil)
        try await center.add(request("2"), to: ["slow"])
        #expect(try await center.nextDelivery() == nil, "the work at that sink takes it")
        try await center.add(request("3"), to: ["fast"])
        #expect(try await center.nextDelivery() == clock.now)
        await sink.goOn()
        #expect(try await run.delivered["slow"] == 2)
    }

    @Test func whatWaitsForAnotherOfItsSourceIsNotDue() async throws {
        let sink = RecordingSink([.failed(reason: "x")])
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: sink, retries: .webhook, isOrdered: true)], clock: clock)
        try await center.setAuthorization(.authorized)
        try commit("s", ["1", "2"], to: "a")
        _ = try await center.deliverDue()
        #expect(await sink.identifiers == ["1"])
        let next = try #require(try await center.nextDelivery())
        #expect(next > clock.now)
        clock.advance(to: next)
        #expect(try await center.deliverDue().delivered == ["a": 2])
    }

    @Test func aSummaryOvertakesNoneOfASourceThatItTellsOf() async throws {
        let sink = RecordingSink([.failed(reason: "x"), .failed(reason: "x")])
        let center = center(named("a", sink, isOrdered: true))
        try await center.setAuthorization(.authorized)
        try commit("s", ["1"], to: "a")
        _ = try await center.deliverDue()
        try store.mute(until: clock.now.addingTimeInterval(2))
        try commit("s", ["2", "3"], to: "a")
        #expect(try await center.deliverDue().quieted == 2)
        let next = try #require(try store.nextDelivery(after: clock.now))
        for time in [next.addingTimeInterval(-1), next] {
            clock.advance(to: time)
            _ = try await center.deliverDue()
            #expect(await Set(sink.identifiers) == ["1"])
        }
        clock.advance(by: 3600)
        #expect(try await center.deliverDue().delivered == ["a": 2])
        #expect(await sink.attempts.last?.request.content.title == "2 notifications waited for you")
    }

    @Test func aSummaryDoesNotWaitForASourceThatItDoesNotTellOf() async throws {
        let sink = RecordingSink([.failed(reason: "x")])
        let center = center(named("a", sink, isOrdered: true))
        try await center.setAuthorization(.authorized)
        try commit("t", ["3"], to: "a")
        let earlier = try Set(store.dueDeliveries(at: clock.now).map(\.id))
        try commit("s", ["1", "2"], to: "a")
        let count = try store.quietDeliveries(passing: [], since: .distantPast, at: clock.now, without: earlier)
        #expect(count == 2)
        let summary = request(Store.summaryPrefix + "s")
        try store.release(.quiet, at: clock.now) { _ in summary }
        #expect(try await center.deliverDue().delivered == ["a": 1])
        #expect(await sink.identifiers == ["3", summary.identifier])
    }

    @Test func whatIsDueAgainWhileItsSinkIsAtWorkIsTriedByThatWork() async throws {
        let sink = HeldUpSink([.failed(reason: "x")], from: 2)
        let center = try await center(["a": sink], RetryPolicy(delays: [.seconds(5)], breaker: nil))
        for identifier in ["1", "2"] { try await center.add(request(identifier)) }
        async let run = center.deliverDue()
        await sink.isCalled(2)
        clock.advance(by: 5)
        #expect(try await center.deliverDue().delivered.isEmpty)
        await sink.goOn()
        #expect(try await run.delivered == ["a": 2])
        #expect(try store.deliveryCounts() == [.delivered: 2])
    }

    // MARK: Running by itself

    @Test func aRunDeliversWhatIsAddedAndTriesAgainWhenThatIsDue() async throws {
        let (slow, fast) = (HeldUpSink(), RecordingSink([.failed(reason: "x")]))
        let center = try await center(["slow": slow, "fast": fast], RetryPolicy(delays: [.seconds(5)]))
        let (reports, tell) = AsyncStream.makeStream(of: DeliveryReport.self)
        let run = Task { try await center.run { report in tell.yield(report) } }
        var heard = reports.makeAsyncIterator()
        try await center.add(request("1"), to: ["slow"])
        await slow.isCalled(1)
        // The slow sink keeps no other waiting, nor what has to be tried again.
        try await center.add(request("2"), to: ["fast"])
        while let report = await heard.next(), report.waiting["fast"] == nil {}
        await clock.waitForSleepers(until: clock.now.addingTimeInterval(5))
        clock.advance(by: 5)
        while let report = await heard.next(), report.delivered != ["fast": 1] {}
        #expect(await slow.count == 1)
        await slow.goOn()
        while let report = await heard.next(), report.delivered != ["slow": 1] {}
        // By another door.
        try store.add(request("3"), to: ["fast"], at: clock.now)
        center.wake()
        while let report = await heard.next(), report.delivered != ["fast": 1] {}
        run.cancel()
        try await run.value
        #expect(try store.deliveryCounts() == [.delivered: 3])
    }

    @Test(arguments: [0, -3600.0])
    func aRetryIsMadeInItsTimeAlsoAtOnceOrWhereTheClockIsSetBack(by step: Double) async throws {
        let sink = HeldUpSink([.failed(reason: "x")])
        let delay = step == 0 ? 0.0 : 5
        let center = try await center(["a": sink], RetryPolicy(delays: [.seconds(delay)]))
        let (reports, tell) = AsyncStream.makeStream(of: DeliveryReport.self)
        let run = Task { try await center.run { report in tell.yield(report) } }
        var heard = reports.makeAsyncIterator()
        try await center.add(request("1"))
        await sink.isCalled(1)
        clock.advance(by: step)
        await sink.goOn()
        while let report = await heard.next(), report.waiting["a"] == nil {}
        let latest = clock.now.addingTimeInterval(delay + 0.01)
        await clock.waitForSleepers(until: latest)
        clock.advance(to: latest)
        while let report = await heard.next(), report.delivered != ["a": 1] {}
        run.cancel()
        try await run.value
        #expect(await sink.count == 2)
    }

    /// Its sink is at work when the run looks: that has no date to wait for, and nobody else would tell of one.
    @Test func whatAnotherDeliveryHasAttemptedIsTriedAgainByTheRun() async throws {
        let sink = HeldUpSink([.failed(reason: "x")])
        let center = try await center(["a": sink], RetryPolicy(delays: [.seconds(5)]))
        let run = Task { try await center.run() }
        await clock.waitForSleepers()
        try store.add(request("1"), to: ["a"], at: clock.now)
        let delivery = Task { try await center.deliverDue() }
        await sink.isCalled(1)
        center.wake()
        await clock.waitForSleepers()
        await sink.goOn()
        #expect(try await delivery.value.waiting["a"]?.count == 1)
        let retry = clock.now.addingTimeInterval(5)
        await clock.waitForSleepers(until: retry)
        clock.advance(to: retry)
        await sink.isCalled(2)
        await sink.goOn()
        run.cancel()
        try await run.value
    }

    @Test func aReportThatDeliversMakesNoRoundOfRounds() async throws {
        let center = try await center(["a": RecordingSink()])
        let count = Mutex(0)
        let run = Task {
            try await center.run { _ in
                count.withLock { $0 += 1 }
                _ = try? await center.deliverDue()
            }
        }
        try await center.add(request("1"))
        while try store.deliveryCounts() != [.delivered: 1] { await Task.yield() }
        for _ in 0..<10_000 { await Task.yield() }
        #expect(count.withLock(\.self) < 20)
        run.cancel()
        try await run.value
    }

    @Test func aRunEnduresAStateThatIsLockedForLong() async throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try Store(path: folder.file("state")), try Store(path: folder.file("state")))
        try await store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        let sink = RecordingSink()
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: sink, retries: .webhook)], clock: clock)
        try await center.setAuthorization(.authorized)
        try await center.add(request("1"))
        let (isFree, isLocked) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        other.writer.asyncWriteWithoutTransaction { db in
            try? db.inTransaction(.immediate) {
                isLocked.continuation.finish()
                isFree.wait()
                return .commit
            }
        }
        for await _ in isLocked.stream {}
        let (reports, tell) = AsyncStream.makeStream(of: DeliveryReport.self)
        let run = Task { try await center.run { report in tell.yield(report) } }
        await clock.waitForSleepers(until: clock.now.addingTimeInterval(60))
        #expect(await sink.identifiers.isEmpty)
        isFree.signal()
        try await other.writer.writeWithoutTransaction { _ in }
        // More than once, as the delivery may have begun its rest after the loop that waits for it.
        let minutes = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(until: clock.now.addingTimeInterval(60))
                clock.advance(by: 60)
            }
        }
        for await report in reports where report.delivered == ["a": 1] { break }
        minutes.cancel()
        #expect(await sink.identifiers == ["1"])
        run.cancel()
        try await run.value
    }

    @Test func whatASinkHasTakenIsToldBeforeAnotherHasAnswered() async throws {
        let slow = HeldUpSink()
        let center = try await center(["slow": slow, "fast": RecordingSink()])
        for identifier in ["1", "2"] { try await center.add(request(identifier)) }
        let (reports, tell) = AsyncStream.makeStream(of: DeliveryReport.self)
        let run = Task { try await center.run { report in tell.yield(report) } }
        var told: [[String: Int]] = []
        for await report in reports where !report.delivered.isEmpty {
            told.append(report.delivered)
            if told.count == 2 { break }
            await slow.goOn()
        }
        run.cancel()
        try await run.value
        tell.finish()
        for await report in reports { #expect(report.delivered.isEmpty, "it is told once") }
        #expect(told == [["fast": 2], ["slow": 2]])
    }

    @Test func aRunEndsWithAStateThatCannotBeUsed() async throws {
        let center = try await center(["a": RecordingSink()])
        try await center.add(request("1"))
        try store.refuseWrites()
        await #expect(throws: StoreError.self) { try await center.run() }
    }

    // MARK: Attempts

    @Test func twoSinksOfOneNameAreAMistake() async {
        await #expect(processExitsWith: .failure) {
            let sinks = [1, 2].map { _ in NamedSink(name: "a", sink: RecordingSink(), retries: .webhook) }
            _ = UserNotificationCenter(store: try Store.inMemory(), sinks: sinks, clock: ManualClock())
        }
    }

    @Test func aSinkThatSaysNotHowToTakeSeveralGetsOneAfterTheOther() async throws {
        struct Several: NotificationSink {
            let base = RecordingSink()
            let batchLimit = 5
            func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await base.deliver(attempt) }
        }
        let sink = Several()
        let center = try await center(["a": sink])
        for identifier in ["1", "2", "3"] { try await center.add(request(identifier)) }
        #expect(try await center.deliverDue().delivered == ["a": 3])
        #expect(await sink.base.identifiers == ["1", "2", "3"])
    }

    @Test func aClockThatIsSetForwardEndsNoAttempt() async throws {
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: MomentSink(), retries: .webhook)], clock: SetForwardClock()
        )
        try await center.setAuthorization(.authorized)
        try await center.add(request("1"))
        #expect(try await center.deliverDue().delivered == ["a": 1])
    }

    @Test(.timeLimit(.minutes(1))) func whoSleepsByAClockThatIsSetBackIsWokenInTheTimeItWouldHaveTaken() async throws {
        let now = Date()
        let looks = Mutex(0)
        try await SystemClock.sleep(until: now.addingTimeInterval(0.01), slack: 0) {
            looks.withLock { $0 += 1 }
            return looks.withLock { $0 } == 1 ? now : now.addingTimeInterval(-3600)
        }
        #expect(looks.withLock { $0 } > 1)
    }

    @Test func aTimerMayBeSetForAges() async {
        for ages in [Duration.seconds(Int64.max), .seconds(1e19) * 2] {
            let timer = Task { await QuietTimer.wait(for: ages) }
            timer.cancel()
            await timer.value
        }
        await #expect(throws: CancellationError.self) {
            let sleep = Task { try await SystemClock().sleep(for: .seconds(Int64.max)) }
            sleep.cancel()
            try await sleep.value
        }
    }
}

/// Every date has come when somebody waits for it.
private struct SetForwardClock: WallClock {
    let now = Date()
    func sleep(until deadline: Date) async throws {}
    func sleep(for duration: Duration) async throws { await QuietTimer.wait(for: duration) }
}

/// Takes a moment, and fails where that is too long.
private struct MomentSink: NotificationSink {
    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        await QuietTimer.wait(for: .milliseconds(50))
        return Task.isCancelled ? .failed(reason: "cancelled") : .delivered()
    }
}

/// Answers by script, and from one attempt on when it is told to go on.
private actor HeldUpSink: NotificationSink {
    private(set) var count = 0
    private var script: [DeliveryOutcome]
    private let first: Int
    private let isFree = Bell()
    private let called = Bell()

    init(_ script: [DeliveryOutcome] = [], from first: Int = 1) {
        self.script = script
        self.first = first
    }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        count += 1
        let outcome = script.isEmpty ? .delivered() : script.removeFirst()
        called.ring()
        if count >= first { await isFree.wait() }
        return outcome
    }

    func isCalled(_ times: Int) async {
        while count < times {
            await called.wait()
            _ = called.take()
        }
    }

    func goOn() { isFree.ring() }
}
