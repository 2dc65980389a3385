import CrierNotifications
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What happens while a sink works.
@Suite struct QuietMeanwhileTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws { store = try .authorized(at: clock.now) }

    /// It is 22:13.
    private func center(_ sink: MeanwhileSink, quiet: ClosedRange<Int>) -> UserNotificationCenter {
        let period = QuietHours.Period(start: quiet.lowerBound, end: quiet.upperBound, timeZone: .gmt)
        return center(named("a", sink), quietHours: QuietHours([period]))
    }

    @Test(arguments: [1, 2]) func whatIsDueWaitsWhereQuietHoursBegin(atOnce: Int) async throws {
        try add(["1", "2", "3", "4"], to: ["a"])
        try add(["5"], .timeSensitive, to: ["a"])
        let sink = MeanwhileSink(batchLimit: atOnce) { [clock] in clock.advance(by: 900) }
        let center = center(sink, quiet: 22 * 60 + 20...23 * 60)
        let report = try await center.deliverDue()
        #expect(sink.identifiers == ["1", "2", "3", "4"].prefix(atOnce) + ["5"])
        #expect(report.quieted == 4 - atOnce)
        #expect(try store.quietedCount() == 4 - atOnce)
        #expect(try await center.nextDelivery() == Date(timeIntervalSince1970: 1_700_002_800))
    }

    @Test func whatIsDueWaitsWhereTheUserMutes() async throws {
        try add(["1", "2"], to: ["a"])
        let sink = MeanwhileSink { [store, clock] in try? store.mute(until: clock.now + 60, since: clock.now) }
        let report = try await center(sink, quiet: 0...1).deliverDue()
        #expect(sink.identifiers == ["1"])
        #expect(report.quieted == 1)
    }

    /// By another process, as while a run waits for an origin.
    @Test(arguments: [true, false]) func whatWaitsIsRaisedWhereTheUserSaysSoBeforeARunEnds(isHeld: Bool) async throws {
        try add(["1"], to: ["a"])
        if isHeld {
            try store.setNotificationSettings(NotificationSettings(authorizationStatus: .notDetermined), at: clock.now)
        } else {
            try store.mute(until: clock.now + 3600, since: clock.now)
        }
        let sink = MeanwhileSink {}
        let center = center(named("a", sink))
        #expect(try await center.deliverDue().delivered.isEmpty)
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
        async let report = center.run(wakeUps: wakeUps)
        while await center.passes < 2 { await Task.yield() }
        if isHeld {
            try store.setNotificationSettings(.authorized, at: clock.now)
        } else {
            try store.mute(until: nil)
        }
        wake.finish()
        let (delivered, held, quieted) = try await (report.delivered, report.held, report.quieted)
        #expect(delivered == ["a": 1] && held == 0 && quieted == 0)
    }

    @Test func whatWaitsIsRaisedWhereQuietHoursEndedWhileASinkWorked() async throws {
        try add(["ordinary"], to: ["a"])
        try add(["urgent"], .critical, to: ["a"])
        let sink = MeanwhileSink { [clock] in
            if clock.now.timeIntervalSince1970 < 1_700_002_800 { clock.advance(by: 3600) }
        }
        let center = center(sink, quiet: 22 * 60...23 * 60)
        let told = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            try await center.run { report in
                if report.delivered["a"] != nil { told.continuation.yield() }
            }
        }
        // In one report where the sink is still at work when quiet hours have ended.
        for await _ in told.stream where sink.identifiers.count == 2 { break }
        #expect(sink.identifiers == ["urgent", "ordinary"])
        run.cancel()
        _ = await run.result
    }

    @Test(.timeLimit(.minutes(1))) func whereTheStateCannotBeWrittenNobodyIsBusy() async throws {
        try add(["ordinary"], to: ["a"])
        let center = center(MeanwhileSink {}, quiet: 22 * 60...23 * 60)
        #expect(try await center.deliverDue().quieted == 1)
        try await store.writer.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER full BEFORE UPDATE OF quieted ON delivery WHEN NOT NEW.quieted
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
        }
        clock.advance(by: 3600)
        var rounds = DeliveryRounds { _ in }
        rounds.endures = { _ in true }
        let run = Task { [rounds] in try await center.run(rounds) }
        await clock.waitForSleepers(until: clock.now + 60)
        #expect(clock.deadlines.first == clock.now + 60)
        run.cancel()
        _ = await run.result
    }
}

/// Something happens while it raises.
private final class MeanwhileSink: BatchNotificationSink {
    let batchLimit: Int
    private let meanwhile: @Sendable () -> Void
    private let taken = Mutex<[String]>([])

    init(batchLimit: Int = 1, meanwhile: @escaping @Sendable () -> Void) {
        self.batchLimit = batchLimit
        self.meanwhile = meanwhile
    }

    var identifiers: [String] { taken.withLock(\.self) }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await deliver([attempt]) }

    func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        taken.withLock { $0 += attempts.map(\.request.identifier) }
        meanwhile()
        return .delivered()
    }
}
