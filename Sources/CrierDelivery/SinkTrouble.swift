import CrierNotifications
import CrierStore
import Foundation

/// Sinks that do not work: counted, paused, and told of through another.
extension UserNotificationCenter {
    /// Counts a failed attempt. Returns whether the sink is paused now.
    ///
    /// - Parameters:
    ///   - retryAfter: How long the receiver wants to be left alone, with whatever waits for it.
    ///   - waitsLong: Whether what waits there is not given up by its schedule.
    nonisolated func countFailure(
        of named: NamedSink, _ reason: String, retryAfter: Duration?, waitsLong: Bool, _ now: Date
    ) async throws(StoreError) -> Bool {
        guard let breaker = named.retries.breaker else { return false }
        let others = try await workingSinks(without: named.name, now)
        let wish = min(retryAfter ?? .zero, named.retries.retryAfterLimit)
        return try store.countFailure(of: named.name, reason: reason, at: now) { failures in
            let pause = max(breaker.pause(after: failures) ?? .zero, wish)
            guard pause > .zero else { return SinkVerdict() }
            var verdict = SinkVerdict(
                pausedUntil: now.addingTimeInterval(pause / .seconds(1)), noticeSinks: others)
            // Once for each time that it stops to work.
            if failures == breaker.threshold {
                let notice = SinkNotice.broken(attempts: waitsLong ? nil : named.retries.attempts)
                verdict.notice = notice.request(of: named.name, reason, at: now, for: own)
            }
            return verdict
        }
    }

    /// Whether this attempt that fails is one of so many in a row that the sink is left alone.
    nonisolated func isBroken(_ named: NamedSink) throws(StoreError) -> Bool {
        guard let breaker = named.retries.breaker else { return false }
        return try store.failures(of: named.name) + 1 >= breaker.threshold
    }

    nonisolated func goneVerdict(
        _ named: NamedSink, _ reason: String, _ now: Date
    ) async throws(StoreError) -> SinkVerdict {
        let notice = SinkNotice.gone.request(of: named.name, reason, at: now, for: own)
        return SinkVerdict(notice: notice, noticeSinks: try await workingSinks(without: named.name, now))
    }

    /// What is told where one notification after the other is given up at a sink; nil where none is now.
    nonisolated func deadVerdict(
        _ named: NamedSink, _ ended: [EndedDelivery], _ now: Date, as notice: SinkNotice
    ) async throws(StoreError) -> SinkVerdict? {
        let reasons = ended.compactMap { if case .dead(let reason) = $0.change { reason } else { nil } }
        guard let reason = reasons.last else { return nil }
        let isExhausted = if case .exhausted = notice { true } else { false }
        return SinkVerdict(
            notice: notice.request(of: named.name, reason, at: now, for: own),
            noticeSinks: try await workingSinks(without: named.name, now),
            // Who has read that it does not work waits for what is given up now.
            isToldAtOnce: isExhausted ? try isBroken(named) : false)
    }

    /// What waits for sinks that are paused, those left out of which a report says so.
    func pauses(without report: DeliveryReport) throws(StoreError) -> [String: DeliveryReport.Pause] {
        let paused = try store.pausedSinks(at: clock.now).filter {
            sinks[$0.name] != nil && report.isWithoutTrouble(at: $0.name)
        }
        if paused.isEmpty { return [:] }
        let counts = try store.waitingDeliveryCounts()
        return paused.reduce(into: [:]) { pauses, sink in
            guard let count = counts[sink.name] else { return }
            pauses[sink.name] = DeliveryReport.Pause(count: count, until: sink.until)
        }
    }

    /// How many wait for sinks that are gone.
    func waitingForGone(without report: DeliveryReport) throws(StoreError) -> [String: Int] {
        let gone = try store.goneSinks().map(\.name).filter { sinks[$0] != nil && report.isWithoutTrouble(at: $0) }
        return gone.isEmpty ? [:] : try store.waitingDeliveryCounts().filter { gone.contains($0.key) }
    }

    /// What waits at others for its next attempt.
    func laterAttempts(without report: DeliveryReport) throws(StoreError) -> [String: DeliveryReport.Pause] {
        try store.laterAttempts(after: clock.now).reduce(into: [:]) { later, wait in
            guard sinks[wait.sink] != nil, report.isWithoutTrouble(at: wait.sink), report.paused[wait.sink] == nil
            else { return }
            later[wait.sink] = DeliveryReport.Pause(count: wait.count, until: wait.date)
        }
    }

    /// Whether a sink is still not there, for which others wait already.
    nonisolated func repeatsAbsence(_ outcome: DeliveryOutcome, at named: NamedSink) throws(StoreError) -> Bool {
        guard case .deferred(let reason) = outcome else { return false }
        return try store.isWaiting(for: reason, at: named.name)
    }

    /// The other sinks that are neither gone nor paused: first those that reach somebody, and of these and of the rest
    /// first those that did not fail last, as the others may be the next to be told of.
    private nonisolated func workingSinks(without sink: String, _ now: Date) async throws(StoreError) -> [String] {
        let troubled = Set(try store.goneSinks().map(\.name) + store.pausedSinks(at: now).map(\.name) + [sink])
        let failing = try store.failingSinks()
        let working = await sinkNames.filter { !troubled.contains($0) }
        let sound = working.filter { !failing.contains($0) } + working.filter(failing.contains)
        let reaching = await sinks.filter { $0.value.sink.reachesPerson }
        return sound.filter { reaching[$0] != nil } + sound.filter { reaching[$0] == nil }
    }
}
