import CrierNotifications
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What waits for a sink that the configuration does not have, or no longer.
@Suite(.timeLimit(.minutes(1))) struct MissingSinkTests: DeliverySuite {
    let folder: TemporaryFolder
    let store: Store
    let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: clock.now)
    }

    private let reason = "the configuration has no sink former"

    /// So many that have failed, at a sink that was failing.
    private func fail(_ count: Int) async throws {
        let now = clock.now
        try commit("news", (1...count).map(String.init), to: "former")
        try await store.writer.write { db in
            try db.execute(sql: "UPDATE delivery SET attempts = 3, lastError = 'HTTP 500'")
        }
        for _ in 1...9 { _ = try store.countFailure(of: "former", reason: "HTTP 500", at: now) { _ in SinkVerdict() } }
    }

    private func deliver() async throws -> DeliveryReport { try await center(named("a", RecordingSink())).deliverDue() }

    @Test func thousandsArePutOffAndGivenUpAtOnce() async throws {
        try await fail(2500)
        let changes = Mutex(0)
        try await store.writer.writeWithoutTransaction { db in
            db.trace { event in
                if "\(event)".hasPrefix("UPDATE delivery") { changes.withLock { $0 += 1 } }
            }
        }
        #expect(try await deliver().waiting == ["former": .init(count: 2500, reason: reason)])
        #expect(changes.withLock { $0 } == 1)
        let waiting = try store.deliveries(in: [.pending], limit: 3000)
        #expect(waiting.count == 2500)
        #expect(
            waiting.allSatisfy {
                $0.nextAttempt == clock.now.addingTimeInterval(86_400) && $0.attempts == 3 && $0.lastError == reason
            })
        #expect(try await deliver() == DeliveryReport())
        clock.advance(by: 86_400)
        try add(["new"], to: ["former"])
        #expect(
            try await deliver().waiting == ["former": .init(count: 1, reason: reason)], "of the others that is known")
        clock.advance(by: 29.5 * 86_400)
        #expect(try await deliver().dead.isEmpty, "the clock may be ahead")
        clock.advance(by: 86_400)
        changes.withLock { $0 = 0 }
        let last = try await deliver()
        #expect(last.dead == ["former": .init(count: 2500, reason: reason)] && last.waiting.isEmpty)
        #expect(changes.withLock { $0 } == 2)
        #expect(try store.deliveryCounts() == [.dead: 2500, .pending: 1])
        let one = try #require(try store.deliveries(in: [.dead], limit: 1).first)
        #expect(one.lastError == reason && one.ended == clock.now)
        #expect(try store.failedAttempts(of: one.id).isEmpty, "none was made")
    }

    @Test func aClockThatIsAheadForARunGivesNothingUp() async throws {
        try await fail(3)
        _ = try await deliver()
        _ = try store.prune(at: clock.now)
        let now = clock.now
        clock.advance(by: 31 * 86_400)
        #expect(try await deliver().dead.isEmpty)
        clock.advance(to: now)
        #expect(try await deliver().dead.isEmpty)
        #expect(try store.deliveryCounts() == [.pending: 3])
    }

    /// It has not waited for its sink before.
    @Test(arguments: [true, false]) func whatOtherThingsKeptForLongHasItsMonthToo(isMuted: Bool) async throws {
        let month: TimeInterval = 30 * 86_400
        if isMuted {
            try store.mute(until: clock.now.addingTimeInterval(2 * month))
        } else {
            try store.setNotificationSettings(NotificationSettings(authorizationStatus: .notDetermined), at: clock.now)
        }
        try add(["1"], to: ["former"])
        for _ in 1...2 {
            #expect(try await deliver().waiting.isEmpty)
            clock.advance(by: month)
        }
        try store.setNotificationSettings(.authorized, at: clock.now)
        #expect(try await deliver().waiting == ["former": .init(count: 1, reason: reason)])
        clock.advance(by: month - 60)
        #expect(try await deliver().dead.isEmpty)
        for step in [120.0, 86_400, 86_400] {
            clock.advance(by: step)
            _ = try await deliver()
        }
        #expect(try store.deliveryCounts() == [.dead: 1])
    }

    /// Those of what has waited for its sink before.
    @Test func quietHoursMakeNoMonthLonger() async throws {
        try add(["1"], to: ["former"])
        _ = try await deliver()
        for _ in 1...32 {
            clock.advance(by: 86_400)
            try store.mute(until: clock.now.addingTimeInterval(3600), since: clock.now)
            _ = try await deliver()
            clock.advance(by: 3600)
            _ = try await deliver()
        }
        #expect(try store.deliveryCounts() == [.dead: 1])
    }

    /// One after the other: no sink might have had it between.
    @Test func whatTwoThingsKeptForLongHasItsMonthToo() async throws {
        let month: TimeInterval = 30 * 86_400
        try store.setNotificationSettings(NotificationSettings(authorizationStatus: .notDetermined), at: clock.now)
        try add(["1"], to: ["former"])
        #expect(try await deliver().waiting.isEmpty)
        clock.advance(by: 86_400)
        try store.mute(until: clock.now.addingTimeInterval(2 * month), since: clock.now)
        _ = try await deliver()
        clock.advance(by: 60)
        try store.setNotificationSettings(.authorized, at: clock.now)
        for _ in 1...60 {
            let report = try await deliver()
            #expect(report.waiting.isEmpty && report.dead.isEmpty)
            clock.advance(by: month / 30)
        }
        #expect(try await deliver().waiting == ["former": .init(count: 1, reason: reason)])
        for _ in 1...3 {
            clock.advance(by: 86_400)
            #expect(try await deliver().dead.isEmpty)
        }
    }

    @Test func whatIsKeptIsNotGivenUpWithWhatIsUrgent() async throws {
        try store.mute(until: clock.now.addingTimeInterval(60 * 86_400), since: clock.now)
        try add(["1"], to: ["former"])
        try add(["urgent"], .critical, to: ["former"])
        for _ in 1...40 {
            _ = try await deliver()
            clock.advance(by: 86_400)
        }
        #expect(try store.deliveries(in: [.dead], limit: 2).map(\.request.identifier) == ["urgent"])
    }

    /// It came in a summary, and is due by itself when that is made anew.
    @Test func whatIsUrgentOfASummaryHasItsMonthToo() async throws {
        try store.mute(until: clock.now.addingTimeInterval(40 * 86_400))
        try add(["1", "2"], to: ["former"])
        try add(["urgent"], .timeSensitive, to: ["former"])
        _ = try await deliver()
        clock.advance(by: 40 * 86_400)
        #expect(try await deliver().waiting["former"]?.count == 1, "a summary")
        try add(["2"], to: ["former"])
        clock.advance(by: 86_400)
        #expect(try await deliver().dead.isEmpty)
        #expect(try store.deliveryCounts()[.dead] == nil && store.waitingCounts().pending > 1)
    }

    @Test func theyComeOnceThereIsTheSinkAgain() async throws {
        try await fail(3)
        #expect(try await deliver().waiting["former"]?.count == 3)
        let back = RecordingSink()
        #expect(try await center(named("former", back)).deliverDue().delivered == ["former": 3])
        #expect(await back.attempts.map(\.number) == [4, 4, 4])
    }

    @Test func whatIsToBeTriedAgainLaterIsNotTriedEarlierForThat() async throws {
        let sink = RecordingSink([.failed(reason: "HTTP 500")])
        let former = named("former", sink, RetryPolicy(delays: [.seconds(3600)]))
        try add(["1"], to: ["former"])
        _ = try await center(former).deliverDue()
        try add(["2"], to: ["former"])
        _ = try await deliver()
        #expect(try await center(former).deliverDue().delivered == ["former": 1])
        #expect(await sink.identifiers == ["1", "2"])
    }

    @Test func othersAreLeftAsTheyAre() async throws {
        try await fail(3)
        try add(["other"], to: ["a", "paused", "gone"])
        _ = try store.countFailure(of: "paused", reason: "no", at: clock.now) { [clock] _ in
            SinkVerdict(pausedUntil: clock.now.addingTimeInterval(600))
        }
        try store.markGone("gone", reason: "HTTP 410", at: clock.now)
        let report = try await deliver()
        #expect(report.delivered == ["a": 1] && report.waiting.keys.sorted() == ["former"])
        for sink in ["paused", "gone"] {
            #expect(try store.deliveries(in: [.pending], sink: sink).map(\.lastError) == [nil], "\(sink)")
        }
    }

    /// The configuration may have lost it while the run went on.
    @Test func aRunHearsOfItsOwn() async throws {
        try await fail(3)
        let center = center(named("a", RecordingSink()))
        let run = Task { try await center.run() }
        clock.advance(by: 1)
        let own = await center.follow()
        try add(["own", "other"], to: ["former", "a"])
        _ = await center.close(own)
        let report = try await center.outcome(of: own)
        #expect(report.waiting == ["former": .init(count: 2, reason: reason)] && report.delivered == ["a": 2])
        run.cancel()
        _ = await run.result
    }
}
