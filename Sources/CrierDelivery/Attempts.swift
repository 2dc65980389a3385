import CrierNotifications
import CrierStore
import Foundation

/// The attempts themselves: sinks side by side, so that a slow one delays no other; within a sink in order.
extension UserNotificationCenter {
    /// One attempt at each delivery that is due now; what has to be tried again is left to a later call.
    func attemptDue() async throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        var sinks = try store.dueSinks(at: clock.now).filter { takes($0) }
        while !sinks.isEmpty {
            let round = try await attempt(sinks)
            report.add(round)
            if round.isEmpty || Task.isCancelled { break }
            // A sink that did not work may have been told of at another meanwhile; it is not itself tried again.
            sinks = try store.dueSinks(at: clock.now).filter { report.isWithoutTrouble(at: $0) && takes($0) }
        }
        return report
    }

    private nonisolated func attempt(_ sinks: [String]) async throws(StoreError) -> DeliveryReport {
        let results = await withTaskGroup(of: Result<DeliveryReport, StoreError>.self) { group in
            for sink in sinks {
                group.addTask { await self.attemptAll(at: sink) }
            }
            var results: [Result<DeliveryReport, StoreError>] = []
            for await result in group { results.append(result) }
            return results
        }
        var report = DeliveryReport()
        for result in results { report.add(try result.get()) }
        return report
    }

    private nonisolated func attemptAll(at sink: String) async -> Result<DeliveryReport, StoreError> {
        var report = DeliveryReport()
        do throws(StoreError) {
            try await tellLateOnesTogether(at: sink)
            var attempted: Set<Int64> = []
            while let due = try await nextBatch(at: sink, without: attempted) {
                attempted.formUnion(due.map(\.id))
                if try await !attempt(due, at: sink, &report) {
                    await release(sink)
                    break
                }
            }
            return .success(report)
        } catch {
            await release(sink)
            return .failure(error)
        }
    }

    /// What is older than its sink wants it comes as one summary.
    private nonisolated func tellLateOnesTogether(at sink: String) async throws(StoreError) {
        guard let expiration = await sinks[sink]?.retries.expiration else { return }
        let now = clock.now
        try store.release(.absence(since: now.addingTimeInterval(-(expiration / .seconds(1)))), of: sink, at: now) {
            waiting in waiting.count > 1 ? HeldSummary.request(for: waiting, at: now) : nil
        }
    }

    /// Attempts some deliveries, one after the other. False where the sink is to be left alone now.
    private nonisolated func attempt(
        _ deliveries: [Delivery], at sink: String, _ report: inout DeliveryReport
    ) async throws(StoreError) -> Bool {
        var failures = 0
        var delayed: Set<String> = []
        let isOrdered = await sinks[sink]?.isOrdered ?? false
        var begun: Delivery?
        for (index, delivery) in deliveries.enumerated() {
            // Cancelled between two attempts, never within the recording of one.
            if begun == nil, Task.isCancelled { return false }
            if isOrdered, let source = delivery.source, delayed.contains(source) { continue }
            let next = index + 1 < deliveries.count && delayed.isEmpty ? deliveries[index + 1] : nil
            guard let (change, isPaused, taken) = try await attempt(delivery, begun: begun, before: next) else {
                begun = nil
                continue
            }
            begun = taken
            report.count(change, at: sink)
            switch change {
            case .deferred(let date, let reason):
                // A sink that is not there now will not be there for the next one either.
                for other in deliveries.dropFirst(index + 1) {
                    let change = DeliveryChange.postponed(at: date, reason: reason)
                    try store.finish(other, with: change, at: clock.now)
                    report.count(change, at: sink)
                }
                return false
            case .retry:
                failures += 1
                if let source = delivery.source { delayed.insert(source) }
                // Also where no breaker remembers it: nobody waits for a hundred attempts that fail.
                if isPaused || failures >= Self.straightFailures { return false }
            case .delivered: failures = 0
            case .dead where isPaused: return false
            case .dead, .postponed, .suppressed: break
            }
        }
        return true
    }

    /// A run gives a sink up after so many failed attempts in a row.
    private static let straightFailures = 5

    /// One attempt, from taking the delivery to recording what became of it; nil where it is no longer to be made.
    ///
    /// - Parameters:
    ///   - begun: The delivery where it was taken before.
    ///   - next: The delivery to take by the transaction that records a success.
    private nonisolated func attempt(
        _ delivery: Delivery, begun: Delivery?, before next: Delivery?
    ) async throws(StoreError) -> (change: DeliveryChange, isPaused: Bool, next: Delivery?)? {
        guard let named = await sinks[delivery.sink] else {
            let change = changeWithoutSink(delivery)
            try store.finish(begun ?? delivery, with: change, at: clock.now)
            return (change, false, nil)
        }
        CrashPoint.reached(.beginBefore)
        var begun = begun
        if begun == nil { begun = try store.begin(delivery) }
        guard let begun else { return nil }
        CrashPoint.reached(.beginAfter)
        let outcome = await outcome(of: begun, at: named)
        CrashPoint.reached(.sinkAccepted)
        let now = clock.now
        let change = change(after: outcome, of: begun, named.retries, now: now)
        let mayGoOn = outcome.isDelivered && !Task.isCancelled
        let taken = try store.finish(
            begun, with: change, at: now, beginning: mayGoOn ? next : nil,
            outcome.isDelivered && !named.sink.outlivesPowerCut ? .process : .powerCut)
        CrashPoint.reached(.finishAfter)
        switch outcome {
        case .gone(let reason):
            let verdict = try await goneVerdict(named, reason, now)
            try store.markGone(begun.sink, reason: reason, at: now, verdict: verdict)
        case .failed(let reason, _):
            defer { CrashPoint.reached(.failureAfter) }
            return (change, try await countFailure(of: named, reason, now), nil)
        case .delivered, .deferred, .rejected: break
        }
        return (change, false, taken)
    }

    /// A sink that is missing may come back; after a month it is believed to be gone.
    private nonisolated func changeWithoutSink(_ delivery: Delivery) -> DeliveryChange {
        let reason = "the configuration has no sink \(delivery.sink)"
        let now = clock.now
        if now.timeIntervalSince(delivery.created) > 30 * 86_400 { return .dead(reason: reason) }
        return .postponed(at: now.addingTimeInterval(3600), reason: reason)
    }

    /// The sink's answer, or that it gave none in time.
    private nonisolated func outcome(of delivery: Delivery, at named: NamedSink) async -> DeliveryOutcome {
        let attempt = DeliveryAttempt(
            request: delivery.request, revision: delivery.requestRevision, number: delivery.attempts,
            created: delivery.created, receipt: delivery.receipt)
        if named.sink.isMereWrite { return await named.sink.deliver(attempt) }
        let limit = clock.now.addingTimeInterval(named.deadline / .seconds(1))
        return await withTaskGroup(of: DeliveryOutcome?.self) { group in
            group.addTask { await named.sink.deliver(attempt) }
            group.addTask { [clock] in
                // Ends early with the task: then it is no answer either, but not for lack of time.
                try? await clock.sleep(until: limit)
                return nil
            }
            var isOverdue = false
            for await outcome in group {
                group.cancelAll()
                guard let outcome else {
                    isOverdue = !Task.isCancelled
                    continue
                }
                if case .delivered = outcome { return outcome }
                return isOverdue
                    ? .failed(reason: "no answer within \(Int(named.deadline / .seconds(1))) s") : outcome
            }
            return .failed(reason: "no answer")
        }
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

extension DeliveryOutcome {
    fileprivate var isDelivered: Bool { if case .delivered = self { true } else { false } }
}

extension DeliveryReport {
    fileprivate var isEmpty: Bool { delivered.isEmpty && waiting.isEmpty && dead.isEmpty }

    fileprivate func isWithoutTrouble(at sink: String) -> Bool { waiting[sink] == nil && dead[sink] == nil }

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
