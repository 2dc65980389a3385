import CrierNotifications
import CrierStore
import Foundation
import Synchronization

/// What whoever keeps deliveries going wants to decide and to hear of.
package struct DeliveryRounds: Sendable {
    package typealias Report = @Sendable (DeliveryReport) async -> Void

    /// Looked at whenever it wakes: whether there is to be no further round. Those under way are brought to their end.
    package var isOver: @Sendable () -> Bool = { false }
    /// Whether it goes on in spite of an error, and looks again after ``pause``.
    package var endures: @Sendable (StoreError) -> Bool = { _ in false }
    /// In seconds.
    package var pause: TimeInterval = 60
    /// Called when a date has come, and nobody had to wake it.
    package var woken: @Sendable () -> Void = {}
    /// Called for each sink as it has answered, and with the rest at the end of a round.
    package var report: Report

    package init(report: @escaping Report) {
        self.report = report
    }
}

extension UserNotificationCenter {
    /// It looks again after so many seconds at the latest, and forgets what is old.
    private static let longestSleep: TimeInterval = 86_400

    /// Delivers what is due, sleeps until something is added or due, and so on, until the task is cancelled. A sink that is still at
    /// work delays no other. What is over for long is forgotten meanwhile (``Store/prune(_:isForced:at:)``).
    ///
    /// While another process keeps the state locked for longer than 10 s, it looks again every minute. What a sink has accepted and could
    /// not be written down meanwhile is raised again, under the same identifier.
    ///
    /// A centre has one such run at a time. Cancelled, it returns when the attempts under way have ended, which are cancelled too.
    ///
    /// - Parameter report: Called with what came of the deliveries at a sink, as soon as that has nothing more to do, and with what
    ///   concerns no sink at the end of each round, of which several may be under way.
    /// - Throws: ``StoreError`` where the state cannot be used, also where its file was removed or replaced.
    public nonisolated func run(
        report: @escaping @Sendable (DeliveryReport) async -> Void = { _ in }
    ) async throws(StoreError) {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in
            var rounds = DeliveryRounds(report: report)
            rounds.endures = { $0.kind == .busy }
            try await run(rounds)
        }
    }

    package nonisolated func run(_ rounds: DeliveryRounds) async throws(StoreError) {
        let trouble = RoundsTrouble()
        await expectMore()
        await withDiscardingTaskGroup { group in
            var since = Date.distantPast
            var isDue = true
            while !rounds.isOver(), !Task.isCancelled {
                if isDue {
                    since = clock.now
                    // Each in a task of its own: a sink that takes its time delays no other.
                    group.addTask {
                        defer { self.passed.ring() }
                        do throws(StoreError) {
                            if try await self.deliverPatiently(rounds) { return }
                            // What could not be done is due still.
                            trouble.rest(until: self.clock.now.addingTimeInterval(rounds.pause))
                        } catch {
                            trouble.note(error)
                        }
                    }
                }
                var next = restEnd(trouble, rounds)
                do throws(StoreError) {
                    if next <= clock.now { next = try await dateOfNext(after: since, rounds) }
                } catch {
                    trouble.note(error)
                    break
                }
                // Cancelled, or by a clock that goes no further.
                do { try await clock.sleep(until: next, orRingOf: bell, passed) } catch { break }
                if trouble.error != nil { break }
                _ = passed.take()
                let isRung = bell.take()
                isDue = isRung || max(next, restEnd(trouble, rounds)) <= clock.now
                if isDue, !isRung { rounds.woken() }
            }
            if trouble.error != nil { group.cancelAll() }
        }
        await expectNoMore()
        if let error = trouble.error { throw error }
    }

    /// False where an error was endured.
    private nonisolated func deliverPatiently(_ rounds: DeliveryRounds) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            try store.checkPlace()
            // A sink that takes its time would have the others' deliveries told late, and what waits there looked at late.
            let tell: DeliveryRounds.Report = { report in
                if !report.isEmpty { await rounds.report(report) }
                self.passed.ring()
            }
            await rounds.report(try await deliverDue(telling: tell, beginning: passed.ring).ofNoSink())
            return true
        } catch {
            if !rounds.endures(error) { throw error }
            return false
        }
    }

    /// Of a clock that was set back meanwhile it may lie far ahead.
    private nonisolated func restEnd(_ trouble: RoundsTrouble, _ rounds: DeliveryRounds) -> Date {
        min(trouble.restEnd, clock.now.addingTimeInterval(rounds.pause))
    }

    private nonisolated func dateOfNext(after since: Date, _ rounds: DeliveryRounds) async throws(StoreError) -> Date {
        let now = clock.now
        do throws(StoreError) {
            try store.checkPlace()
            let latest = now.addingTimeInterval(Self.longestSleep)
            // A clock that was set back meanwhile has dates ahead that it had passed.
            let next = min(try await dateOfNextDelivery(after: min(since, now)) ?? latest, latest)
            try store.prune(at: now)
            return next
        } catch {
            if !rounds.endures(error) { throw error }
            return now.addingTimeInterval(rounds.pause)
        }
    }
}

/// What of several deliveries went wrong first, and until when they rest after what was endured.
private final class RoundsTrouble: Sendable {
    private let first = Mutex<StoreError?>(nil)
    private let rest = Mutex(Date.distantPast)

    var error: StoreError? { first.withLock(\.self) }

    func note(_ error: StoreError) { first.withLock { $0 = $0 ?? error } }

    var restEnd: Date { rest.withLock(\.self) }

    func rest(until date: Date) { rest.withLock { $0 = date } }
}
