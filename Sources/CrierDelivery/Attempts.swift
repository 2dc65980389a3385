import CrierNotifications
import CrierStore
import Foundation

/// The attempts themselves: sinks side by side, so that a slow one delays no other; within a sink in order.
extension UserNotificationCenter {
    /// One attempt at each delivery that is due now; what has to be tried again is due later than that.
    func attemptDue() async throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        let start = clock.now
        var attempted: Set<Int64> = []
        while !Task.isCancelled {
            let due = try store.dueDeliveries(at: start).filter { attempted.insert($0.id).inserted && takes($0) }
            if due.isEmpty { break }
            defer { release(due) }
            report.add(try await attempt(Dictionary(grouping: due, by: \.sink)))
        }
        return report
    }

    private nonisolated func attempt(_ lanes: [String: [Delivery]]) async throws(StoreError) -> DeliveryReport {
        let results = await withTaskGroup(of: Result<DeliveryReport, StoreError>.self) { group in
            for (sink, deliveries) in lanes {
                group.addTask { await self.attempt(deliveries, at: sink) }
            }
            var results: [Result<DeliveryReport, StoreError>] = []
            for await result in group { results.append(result) }
            return results
        }
        var report = DeliveryReport()
        for result in results { report.add(try result.get()) }
        return report
    }

    private nonisolated func attempt(
        _ deliveries: [Delivery], at sink: String
    ) async -> Result<DeliveryReport, StoreError> {
        var report = DeliveryReport()
        do throws(StoreError) {
            for (index, delivery) in deliveries.enumerated() {
                // Cancelled between two attempts, never within the recording of one.
                if Task.isCancelled { break }
                guard let change = try await attempt(delivery) else { continue }
                report.count(change, at: sink)
                // A sink that is not there now will not be there for the next one either.
                guard case .deferred(let date, let reason) = change else { continue }
                for other in deliveries.dropFirst(index + 1) {
                    let change = DeliveryChange.postponed(at: date, reason: reason)
                    try store.finish(other, with: change, at: clock.now)
                    report.count(change, at: sink)
                }
                break
            }
            return .success(report)
        } catch {
            return .failure(error)
        }
    }

    /// One attempt, from taking the delivery to recording what became of it; nil where it is no longer to be made.
    private nonisolated func attempt(_ delivery: Delivery) async throws(StoreError) -> DeliveryChange? {
        guard let named = sinks[delivery.sink] else {
            let change = DeliveryChange.postponed(
                at: clock.now.addingTimeInterval(3600), reason: "the configuration has no sink \(delivery.sink)")
            try store.finish(delivery, with: change, at: clock.now)
            return change
        }
        guard let begun = try store.begin(delivery) else { return nil }
        let outcome = await named.sink.deliver(
            DeliveryAttempt(
                request: begun.request, number: begun.attempts, created: begun.created, receipt: begun.receipt))
        let now = clock.now
        let change = change(after: outcome, of: begun, named.retries, now: now)
        if case .gone(let reason) = outcome { try store.markGone(begun.sink, reason: reason, at: now) }
        try store.finish(begun, with: change, at: now)
        return change
    }

    private nonisolated func change(
        after outcome: DeliveryOutcome, of delivery: Delivery, _ retries: RetryPolicy, now: Date
    ) -> DeliveryChange {
        switch outcome {
        case .delivered(let receipt): return .delivered(receipt: receipt)
        case .deferred(let reason): return .deferred(at: now.addingTimeInterval(60), reason: reason)
        case .rejected(let reason): return .dead(reason: reason)
        // It waits for the sink to be revived, and is due then.
        case .gone(let reason): return .deferred(at: now.addingTimeInterval(1), reason: reason)
        case .failed(let reason, let retryAfter):
            var random = SystemRandomNumberGenerator()
            let next = retries.nextAttempt(
                after: delivery.attempts, now: now, retryAfter: retryAfter, random: &random)
            return next.map { .retry(at: $0, reason: reason) } ?? .dead(reason: reason)
        }
    }
}

extension DeliveryReport {
    fileprivate mutating func count(_ change: DeliveryChange, at sink: String) {
        switch change {
        case .delivered:
            delivered[sink, default: 0] += 1
        case .retry(_, let reason), .deferred(_, let reason):
            waiting[sink] = Trouble(count: (waiting[sink]?.count ?? 0) + 1, reason: reason)
        case .postponed(_, let reason):
            waiting[sink] = Trouble(count: (waiting[sink]?.count ?? 0) + 1, reason: reason ?? "")
        case .dead(let reason):
            dead[sink] = Trouble(count: (dead[sink]?.count ?? 0) + 1, reason: reason)
        case .suppressed: suppressed += 1
        }
    }
}
