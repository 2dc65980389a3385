import CrierNotifications
import CrierStore
import Foundation

/// A run whose requests ``UserNotificationCenter/run(report:)`` raises, and which is told what became of them.
struct FollowedRun: Sendable {
    /// When its first request was made at the earliest, as that is stored.
    let begun: Date
    /// When its last was made.
    var ended = Date.distantFuture
    var report = DeliveryReport()
    /// What it waits for, by sink: the numbers of deliveries that had their turn yet to come when it was asked for.
    var due: [String: Set<Int64>] = [:]
    /// Deliveries up to this one may have begun to look before that.
    var lastPass = Int.max
    /// Whether a later one has put to work all sinks that it could.
    var isLookedAt = false
    /// Why something that it waits for could not be attempted.
    var failure: StoreError?
    /// Rung when there is nothing to wait for any more.
    let bell = Bell()

    var isOver: Bool { failure != nil || isLookedAt && due.isEmpty }

    /// Of a sink that does not work it is told at another, as it may have found that out, and a summary is its own where it tells of
    /// something that is.
    func hasMade(_ delivery: Delivery, asIn store: Store) -> Bool {
        if HeldSummary.isOne(delivery) {
            return (try? store.isTelling(delivery.id, ofRequestsMade: begun...max(begun, ended))) ?? false
        }
        return delivery.created >= begun && (delivery.created <= ended || SinkNotice.isOne(delivery.request))
    }
}

extension UserNotificationCenter {
    /// Counts what becomes of requests that are made from now on, until ``outcome(of:)`` or ``unfollow(_:)``.
    ///
    /// - Returns: The number of what makes them.
    package func follow() -> Int {
        let number = (followed.keys.max() ?? 0) + 1
        followed[number] = FollowedRun(begun: clock.now.asStored)
        return number
    }

    /// What is made later is not counted.
    ///
    /// - Returns: The date of the last.
    package func close(_ number: Int) -> Date {
        let now = clock.now
        followed[number]?.ended = now
        return now
    }

    package func unfollow(_ number: Int) { followed[number] = nil }

    /// What became of the requests that a run has made, which ``run(report:)`` raises, as soon as each has been attempted that
    /// could be. It is no longer followed then.
    ///
    /// - Throws: ``StoreError`` where the state could not be used, `CancellationError`.
    package func outcome(of number: Int) async throws -> DeliveryReport {
        defer { unfollow(number) }
        guard let run = followed[number] else { return DeliveryReport() }
        let made = run.begun...max(run.begun, min(run.ended, clock.now))
        try await settle(number, try store.dueDeliveries(at: clock.now, ofRequestsMade: made))
        let since = run.begun...max(run.begun, clock.now)
        let notices = try store.dueDeliveries(at: clock.now, ofRequestsMade: since, identifiedBy: SinkNotice.prefix)
        try await settle(number, notices)
        var report = try recounted(followed[number]?.report ?? DeliveryReport(), since: run.begun)
        report.newlyHeld = try store.heldCount(ofRequestsMade: made)
        report.held = try store.waitingCounts().held
        report.quieted = try quietedCount()
        report.paused = try pauses(without: report)
        report.later = try laterAttempts(without: report)
        report.gone = try waitingForGone(without: report)
        return report
    }

    /// Returns when a sink has nothing of it to do any more.
    private func settle(_ number: Int, _ due: [String: Set<Int64>]) async throws {
        if due.isEmpty { return }
        followed[number]?.due = due
        followed[number]?.lastPass = passes
        followed[number]?.isLookedAt = false
        wake()
        while let run = followed[number], !run.isOver {
            await run.bell.wait()
            _ = run.bell.take()
            try Task.checkCancellation()
        }
        if let failure = followed[number]?.failure { throw failure }
    }

    /// Tells that all is at its sinks, or has had its attempt, which was due when a pass began. What is at none then waits for
    /// something else.
    func tellFollowed(lookedIn pass: Int, failure: StoreError? = nil) {
        for (number, run) in followed where pass > run.lastPass && !run.isLookedAt {
            followed[number]?.isLookedAt = true
            followed[number]?.failure = run.failure ?? failure
            followed[number]?.due = run.due.filter { busy.contains($0.key) }
            ringIfOver(number)
        }
    }

    func tellFollowed(released sink: String, failure: StoreError?) {
        for (number, run) in followed where run.isLookedAt && run.due[sink] != nil {
            followed[number]?.failure = run.failure ?? failure
            followed[number]?.due[sink] = nil
            ringIfOver(number)
        }
    }

    func tellFollowed(of ended: [EndedDelivery], at sink: String, isRepeated: Bool) {
        for (number, run) in followed {
            for (delivery, change) in ended where run.hasMade(delivery, asIn: store) {
                followed[number]?.report.count(change, at: sink, isRepeated: isRepeated)
            }
        }
        tellFollowed(settled: ended.filter(\.change.isDelivered), at: sink)
    }

    /// What did not work is settled when it is written down what it says of its sink: what is told of that at another is awaited, too.
    func tellFollowed(settled ended: [EndedDelivery], at sink: String) {
        for (number, run) in followed where run.due[sink] != nil {
            followed[number]?.due[sink]?.subtract(ended.map(\.delivery.id))
            if followed[number]?.due[sink]?.isEmpty == true {
                followed[number]?.due[sink] = nil
                ringIfOver(number)
            }
        }
    }

    private func ringIfOver(_ number: Int) {
        if let run = followed[number], run.isOver { run.bell.ring() }
    }
}
