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

    private nonisolated func attempt(_ deliveries: [Delivery], at sink: String) async -> Result<
        DeliveryReport, StoreError
    > {
        var report = DeliveryReport()
        do throws(StoreError) {
            for delivery in deliveries {
                // Cancelled between two attempts, never within the recording of one.
                if Task.isCancelled { break }
                let change = try await attempt(delivery)
                try store.finish(delivery, with: change, at: clock.now)
                report.count(change, at: sink)
                guard case .retry = change else { continue }
                // A sink that is not there now will not be there for the next one either.
                if try postpone(deliveries.drop { $0.id != delivery.id }.dropFirst(), like: change, in: &report) {
                    break
                }
            }
            return .success(report)
        } catch {
            return .failure(error)
        }
    }

    /// True where the change was a deferral: the others share it, without an attempt.
    private nonisolated func postpone(
        _ others: some Sequence<Delivery>, like change: DeliveryChange, in report: inout DeliveryReport
    ) throws(StoreError) -> Bool {
        guard case .retry(_, _, countsAsAttempt: false) = change else { return false }
        for delivery in others {
            try store.finish(delivery, with: change, at: clock.now)
            report.count(change, at: delivery.sink)
        }
        return true
    }

    private nonisolated func attempt(_ delivery: Delivery) async throws(StoreError) -> DeliveryChange {
        let now = clock.now
        guard let named = sinks[delivery.sink] else {
            return .retry(
                at: now.addingTimeInterval(3600), reason: "the configuration has no sink \(delivery.sink)",
                countsAsAttempt: false)
        }
        let number = delivery.attempts + 1
        let attempt = DeliveryAttempt(
            request: delivery.request, number: number, created: delivery.created, receipt: delivery.receipt)
        switch await named.sink.deliver(attempt) {
        case .delivered(let receipt):
            return .delivered(receipt: receipt)
        case .deferred(let reason):
            return .retry(at: now.addingTimeInterval(60), reason: reason, countsAsAttempt: false)
        case .failed(let reason, let retryAfter):
            var random = SystemRandomNumberGenerator()
            let next = named.retries.nextAttempt(after: number, now: clock.now, retryAfter: retryAfter, random: &random)
            return next.map { .retry(at: $0, reason: reason, countsAsAttempt: true) } ?? .dead(reason: reason)
        case .rejected(let reason):
            return .dead(reason: reason)
        case .gone(let reason):
            try store.markGone(delivery.sink, reason: reason, at: now)
            return .retry(at: now.addingTimeInterval(1), reason: reason, countsAsAttempt: false)
        }
    }
}

extension DeliveryReport {
    fileprivate mutating func count(_ change: DeliveryChange, at sink: String) {
        switch change {
        case .delivered:
            delivered[sink, default: 0] += 1
        case .retry(_, let reason, _):
            waiting[sink] = Trouble(count: (waiting[sink]?.count ?? 0) + 1, reason: reason ?? "")
        case .dead(let reason):
            dead[sink] = Trouble(count: (dead[sink]?.count ?? 0) + 1, reason: reason)
        case .held: held += 1
        case .suppressed: suppressed += 1
        }
    }
}
