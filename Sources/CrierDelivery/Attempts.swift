import CrierNotifications
import CrierStore
import Foundation

/// The attempts themselves: sinks side by side, so that a slow one delays no other; within a sink in order.
extension UserNotificationCenter {
    /// One attempt at each delivery that is due now; what has to be tried again is left to a later call.
    ///
    /// - Parameter tell: Called with what it came to at a sink, as soon as that has nothing more to do.
    func attemptDue(
        in pass: Int, telling tell: DeliveryRounds.Report?
    ) async throws(StoreError) -> DeliveryReport {
        var report = try giveUpWithoutSink()
        if let tell, !report.isEmpty { await tell(report) }
        var sinks = try store.dueSinks(at: clock.now).filter { takes($0) }
        tellFollowed(lookedIn: pass)
        while !sinks.isEmpty {
            let round = try await attempt(sinks, telling: tell)
            report.add(round)
            if round.isEmpty || Task.isCancelled { break }
            // A sink that did not work may have been told of at another meanwhile; it is not itself tried again.
            sinks = try store.dueSinks(at: clock.now).filter { report.isWithoutTrouble(at: $0) && takes($0) }
        }
        return report
    }

    private nonisolated func attempt(
        _ sinks: [String], telling tell: DeliveryRounds.Report?
    ) async throws(StoreError) -> DeliveryReport {
        let results = await withTaskGroup(of: Result<DeliveryReport, StoreError>.self) { group in
            for sink in sinks {
                group.addTask { await self.attemptAll(at: sink) }
            }
            var results: [Result<DeliveryReport, StoreError>] = []
            for await result in group {
                results.append(result)
                if let tell, case .success(let report) = result { await tell(report) }
            }
            return results
        }
        var report = DeliveryReport()
        for result in results { report.add(try result.get()) }
        return report
    }

    private nonisolated func attemptAll(at sink: String) async -> Result<DeliveryReport, StoreError> {
        var report = DeliveryReport()
        do throws(StoreError) {
            try await tellTogether(at: sink)
            var attempted: Set<Int64> = []
            while let due = try await nextBatch(at: sink, without: attempted) {
                attempted.formUnion(due.map(\.id))
                if try await !attempt(due, at: sink, &attempted, &report) {
                    await release(sink)
                    // What is left is due, and another run may wait for a date.
                    if Task.isCancelled { wake() }
                    break
                }
            }
            return .success(report)
        } catch {
            await release(sink, after: error)
            return .failure(error)
        }
    }

    /// What is older than a sink wants it comes as one summary.
    private func tellTogether(at sink: String) throws(StoreError) {
        guard let expiration = sinks[sink]?.retries.expiration else { return }
        let now = clock.now
        let late = WaitingReason.absence(since: now.addingTimeInterval(-(expiration / .seconds(1))))
        try store.release(late, of: sink, at: now) { summary(of: $0, beyond: 1, at: now) }
    }

    /// Attempts some deliveries, as many at once as the sink takes. False where it is to be left alone now.
    ///
    /// - Parameter attempted: Loses the summaries that were left out, lest they overtake one that has failed just now: whoever looks
    ///   again knows whether they would.
    private nonisolated func attempt(
        _ deliveries: [Delivery], at sink: String, _ attempted: inout Set<Int64>, _ report: inout DeliveryReport
    ) async throws(StoreError) -> Bool {
        var failures = 0
        var delayed: Set<String> = []
        var rest = deliveries[...]
        // Taken by the transaction that recorded the attempt before.
        var begun: ArraySlice<Delivery> = []
        while !rest.isEmpty || !begun.isEmpty {
            // Cancelled between two attempts, never within the recording of one.
            if begun.isEmpty, Task.isCancelled { return false }
            // Each time, as another configuration holds from the next attempt on.
            guard let named = await sinks[sink] else {
                let absence = DeliveryChange.deferred(at: nextLook, reason: Store.absence(of: sink))
                try await finish(begun.map { ($0, absence) }, at: sink, &report)
                report.add(try await putOff(withoutSink: sink))
                return true
            }
            let limit = named.sink.mostAtOnce
            CrashPoint.reached(.beginBefore)
            if begun.isEmpty {
                let batch = rest.prefix(limit).filter { !named.isOrdered || !mayOvertake(delayed, $0) }
                if named.isOrdered, !delayed.isEmpty {
                    attempted.subtract(rest.prefix(limit).filter(HeldSummary.isOne).map(\.id))
                }
                rest = rest.dropFirst(limit)
                if !batch.isEmpty { begun = try await begin(batch, at: sink)[...] }
                if begun.isEmpty { continue }
            }
            CrashPoint.reached(.beginAfter)
            let batch = Array(begun.prefix(limit))
            begun = begun.dropFirst(limit)
            let next = begun.isEmpty && delayed.isEmpty ? Array(rest.prefix(limit)) : []
            let attempt = try await attempt(batch, at: named, before: next)
            if let taken = attempt.taken {
                begun += taken
                rest = rest.dropFirst(next.count)
            }
            for (delivery, change) in attempt.ended {
                report.count(change, at: sink, isRepeated: attempt.isRepeated)
                // What some have keeps nobody waiting.
                if change.comesAgain, !change.isDeliveredToSome, let source = delivery.source { delayed.insert(source) }
            }
            if attempt.ended.contains(where: \.change.isDelivered) {
                failures = 0
                continue
            }
            guard try await leave(begun, rest, after: attempt, at: sink, &report) else {
                // What has come meanwhile is to wait for the sink as well.
                return attempt.isAbsent
            }
            begun = []
            if !attempt.isPutOff, attempt.ended.contains(where: \.change.comesAgain) { failures += 1 }
            // Also where no breaker remembers it: nobody waits for a hundred attempts that fail, or are put off.
            if failures >= Self.straightFailures { return false }
        }
        return true
    }

    /// Whether one of the sources that have to be tried again is a delivery's. What a summary tells of is for the store to know.
    private nonisolated func mayOvertake(_ delayed: Set<String>, _ delivery: Delivery) -> Bool {
        delivery.source.map(delayed.contains) ?? (HeldSummary.isOne(delivery) && !delayed.isEmpty)
    }

    /// What becomes of the others after an attempt that did not work. False where the sink is to be left alone now.
    ///
    /// - Parameters:
    ///   - begun: Were taken for an attempt.
    ///   - rest: Were not.
    private nonisolated func leave(
        _ begun: ArraySlice<Delivery>, _ rest: ArraySlice<Delivery>, after attempt: RecordedAttempt, at sink: String,
        _ report: inout DeliveryReport
    ) async throws(StoreError) -> Bool {
        let now = clock.now
        if attempt.isStopped {
            try await finish(begun.map { ($0, .putBack($0, at: now)) }, at: sink, &report)
            return false
        }
        if attempt.isAbsent, let (date, reason) = attempt.ended.last?.change.repetition {
            // A sink that is not there now will not be there for the next ones either.
            let later = begun.map { ($0, DeliveryChange.deferred(at: date, reason: reason)) }
            try await finish(
                later + rest.map { ($0, .postponed(at: date, reason: reason)) }, at: sink, &report,
                isRepeated: attempt.isRepeated)
            return false
        }
        // Of a sink that takes fewer since the configuration is another one.
        try await finish(begun.map { ($0, .deferred(at: now, reason: "others before it failed")) }, at: sink, &report)
        return !attempt.isPaused
    }

    /// A run gives a sink up after so many attempts in a row that failed or were put off.
    private static let straightFailures = 5

    /// What becomes of deliveries without an attempt.
    private nonisolated func finish(
        _ ended: [EndedDelivery], at sink: String, _ report: inout DeliveryReport, isRepeated: Bool = false
    ) async throws(StoreError) {
        if ended.isEmpty { return }
        _ = try await record(ended, at: sink, isRepeated: isRepeated)
        await tellFollowed(settled: ended, at: sink)
        for (_, change) in ended { report.count(change, at: sink, isRepeated: isRepeated) }
    }

    /// One attempt and the record of what became of it.
    ///
    /// - Parameters:
    ///   - begun: Deliveries that were taken for it.
    ///   - next: The deliveries to take by the transaction that records a success.
    private nonisolated func attempt(
        _ begun: [Delivery], at named: NamedSink, before next: [Delivery]
    ) async throws(StoreError) -> RecordedAttempt {
        let outcome = try await outcome(of: begun, at: named).inOneLine.judged(by: store, at: clock.now)
        CrashPoint.reached(.sinkAccepted)
        let now = clock.now
        let waitsLong = outcome.saysThatNothingWasRaised && !named.isOrdered
        let isBroken = waitsLong ? try isBroken(named) : false
        let isStopped = if case .deferred = outcome { Task.isCancelled } else { false }
        let ended: [EndedDelivery] = begun.map { delivery in
            if isStopped { return (delivery, .putBack(delivery, at: now)) }
            return (delivery, change(after: outcome, of: delivery, named.retries, isSinkBroken: isBroken, now: now))
        }
        let mayGoOn = outcome.isDelivered && !Task.isCancelled
        let verdict = try await deadVerdict(named, ended, now, as: outcome.isRefusal ? .refusing : .exhausted)
        let isRepeated = try repeatsAbsence(outcome, at: named)
        let taken = try await record(
            ended, at: named.name, isUnanswered: outcome.isUnanswered, beginning: mayGoOn ? next : [],
            outcome.isDelivered && !named.sink.outlivesPowerCut ? .process : .powerCut, verdict: verdict,
            isRepeated: isRepeated)
        CrashPoint.reached(.finishAfter)
        var recorded = RecordedAttempt(ended: ended, isStopped: isStopped)
        switch outcome {
        case .delivered:
            recorded.taken = mayGoOn ? taken : nil
            return recorded
        case .gone(let reason):
            let verdict = try await goneVerdict(named, reason, now)
            let destination = await named.shortDestination
            try store.markGone(named.name, reason: reason, destination: destination, at: now, verdict: verdict)
            recorded.isAbsent = true
        case .unreached(let reason):
            recorded.isPaused = try await countFailure(of: named, reason, retryAfter: nil, waitsLong: waitsLong, now)
            CrashPoint.reached(.failureAfter)
        case .failed(let reason, let retryAfter), .unanswered(let reason, let retryAfter):
            recorded.isPaused = try await countFailure(
                of: named, reason, retryAfter: retryAfter, waitsLong: waitsLong, now)
            CrashPoint.reached(.failureAfter)
        case .deferred:
            recorded.isAbsent = !isStopped && !named.sink.defersSingly
            recorded.isRepeated = isRepeated
        case .putOff: recorded.isPutOff = true
        case .rejected: break
        }
        if recorded.isAbsent { await noteAbsence(of: named.name, at: now) }
        await tellFollowed(settled: ended, at: named.name)
        return recorded
    }

    /// What became of one attempt, and what it says of the sink.
    private struct RecordedAttempt {
        let ended: [EndedDelivery]
        var isPaused = false
        /// Whether the sink is not there for others either.
        var isAbsent = false
        /// Whether the run was stopped meanwhile.
        var isStopped = false
        /// Whether another waits for the same reason, which was told then.
        var isRepeated = false
        /// Whether it says nothing of others.
        var isPutOff = false
        /// Of the next ones those that could be taken; nil where it was no success, or the task is cancelled.
        var taken: [Delivery]?
    }

    /// The sink's answer, or that it gave none in time.
    private nonisolated func outcome(of deliveries: [Delivery], at named: NamedSink) async -> DeliveryOutcome {
        // Few have a sound or a badge.
        let hasExtras = deliveries.contains { $0.request.content.sound != nil || $0.request.content.badge != nil }
        let allowed = hasExtras ? (try? store.notificationSettings().options) ?? [] : []
        let attempts = deliveries.map { delivery in
            DeliveryAttempt(
                request: delivery.request.restricted(to: allowed), revision: delivery.requestRevision,
                number: delivery.attempts,
                created: delivery.created, receipt: delivery.receipt, mayBeRaised: delivery.mayBeRaised)
        }
        if named.sink.isMereWrite { return await named.sink.deliver(together: attempts) }
        return await withTaskGroup(of: DeliveryOutcome?.self) { group in
            group.addTask { await named.sink.deliver(together: attempts) }
            group.addTask { [clock] in
                // Ends early with the task: then it is no answer either, but not for lack of time.
                try? await clock.sleep(for: named.deadline)
                return nil
            }
            var isOverdue = false
            for await outcome in group {
                group.cancelAll()
                guard let outcome else {
                    isOverdue = !Task.isCancelled
                    continue
                }
                if outcome.isDelivered || outcome.isDeliveredToSome { return outcome }
                if isOverdue { return .unanswered(reason: "no answer within \(named.deadlineWords)") }
                // It says nothing about the sink.
                if outcome.isFailure, Task.isCancelled { return .deferred(reason: "the run was stopped") }
                return outcome
            }
            return .unanswered(reason: "no answer")
        }
    }

    /// For so many seconds it is put off where its sink is not there: a minute at first, a quarter of an hour when it has waited
    /// for hours.
    private static func deferral(of delivery: Delivery, at now: Date) -> TimeInterval {
        min(max(60, now.timeIntervalSince(delivery.readySince) / 10), 900)
    }

    private nonisolated func change(
        after outcome: DeliveryOutcome, of delivery: Delivery, _ retries: RetryPolicy, isSinkBroken: Bool, now: Date
    ) -> DeliveryChange {
        func again(_ reason: String, after retryAfter: Duration? = nil, receipt: String? = nil) -> DeliveryChange {
            var random = SystemRandomNumberGenerator()
            // Where the state cannot be read, nothing is written down either.
            let mayWait = (try? longestPatience()).map { delivery.readySince >= $0 } ?? true
            let next = retries.nextAttempt(
                after: delivery.attempts, now: now, retryAfter: retryAfter, isSinkBroken: isSinkBroken && mayWait,
                random: &random)
            if let next { return .retry(at: next, reason: reason, receipt: receipt) }
            // Dead, it could be tried again by the user, and come twice to those who have it.
            return receipt == nil ? .dead(reason: reason) : .delivered(receipt: nil, remark: reason)
        }
        switch outcome {
        case .delivered(let receipt, let remark): return .delivered(receipt: receipt, remark: remark)
        case .deferred(let reason):
            return .deferred(at: now.addingTimeInterval(Self.deferral(of: delivery, at: now)), reason: reason)
        case .rejected(let reason): return .dead(reason: reason)
        // It waits for the sink to be revived, and is due then.
        case .gone(let reason): return .retry(at: now.addingTimeInterval(1), reason: reason)
        case .putOff(let reason, let receipt): return again(reason, receipt: receipt)
        case .unreached(let reason): return again(reason)
        case .failed(let reason, let retryAfter), .unanswered(let reason, let retryAfter):
            return again(reason, after: retryAfter)
        }
    }
}

extension NotificationRequest {
    /// Without the sound and the number that are not allowed.
    fileprivate func restricted(to options: AuthorizationOptions) -> NotificationRequest {
        if content.sound == nil && content.badge == nil { return self }
        var content = content
        if !options.contains(.sound) { content.sound = nil }
        if !options.contains(.badge) { content.badge = nil }
        return NotificationRequest(identifier: identifier, content: content)
    }
}

extension NamedSink {
    fileprivate var deadlineWords: String {
        let seconds = min(max(0, deadline / .seconds(1)), 1e9)
        return seconds < 1 ? "\((seconds * 1000).rounded() / 1000) s" : "\(Int(seconds)) s"
    }
}

extension DeliveryOutcome {
    /// As it is kept and told elsewhere: what a sink hands on of a receiver's answer can be a page.
    fileprivate var inOneLine: DeliveryOutcome { saying { HarmlessText.cut(HarmlessText.line($0), to: 500) } }

    /// An attempt that reached nobody says nothing of the sink while no source reaches a host either.
    fileprivate func judged(by store: Store, at date: Date) throws(StoreError) -> DeliveryOutcome {
        guard case .unreached(let reason) = self, try store.isCutOff(at: date) else { return self }
        return .deferred(reason: Store.outageReason + reason)
    }

    fileprivate var isDelivered: Bool { if case .delivered = self { true } else { false } }
    fileprivate var isDeliveredToSome: Bool { if case .putOff(_, _?) = self { true } else { false } }
    /// Whether it may have been raised all the same, or was for some: of one that was stopped nobody knows.
    fileprivate var isUnanswered: Bool {
        if case .unanswered = self { true } else { isDeliveredToSome || Task.isCancelled }
    }
    fileprivate var isRefusal: Bool { if case .rejected = self { true } else { false } }
    /// Of what may have been raised each further attempt may repeat it.
    fileprivate var saysThatNothingWasRaised: Bool {
        switch self {
        case .failed, .unreached: true
        default: false
        }
    }
    fileprivate var isFailure: Bool {
        switch self {
        case .failed, .unreached, .unanswered: true
        case .delivered, .deferred, .putOff, .rejected, .gone: false
        }
    }
}

extension DeliveryChange {
    var isDelivered: Bool { if case .delivered = self { true } else { false } }
    fileprivate var comesAgain: Bool { repetition != nil }
    fileprivate var isDeliveredToSome: Bool { if case .retry(_, _, _?) = self { true } else { false } }

    /// When the attempt is made again, and why it has to be.
    fileprivate var repetition: (date: Date, reason: String?)? {
        switch self {
        case .retry(let date, let reason, _): (date, reason)
        case .deferred(let date, let reason): (date, reason)
        case .delivered, .postponed, .dead: nil
        }
    }

    /// Of a delivery that was taken for an attempt of a run which was stopped: that says nothing of it nor of its sink, and it is
    /// due again at once, in its place among the others.
    fileprivate static func putBack(_ delivery: Delivery, at now: Date) -> DeliveryChange {
        .deferred(at: min(delivery.nextAttempt, now), reason: delivery.lastError)
    }
}
