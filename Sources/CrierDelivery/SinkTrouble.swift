import CrierNotifications
import CrierStore
import Foundation

/// Sinks that do not work: counted, paused, and told of through another.
extension UserNotificationCenter {
    /// Counts a failed attempt. Returns whether the sink is paused now.
    ///
    /// - Parameter retryAfter: How long the receiver wants to be left alone, with whatever waits for it.
    nonisolated func countFailure(
        of named: NamedSink, _ reason: String, retryAfter: Duration?, _ now: Date
    ) async throws(StoreError) -> Bool {
        guard let breaker = named.retries.breaker else { return false }
        let others = try await workingSinks(without: named.name, now)
        let wish = min(retryAfter ?? .zero, named.retries.retryAfterLimit)
        return try store.countFailure(of: named.name, reason: reason, at: now) { failures in
            let pause = max(breaker.pause(after: failures) ?? .zero, wish)
            guard pause > .zero else { return SinkVerdict() }
            var verdict = SinkVerdict(pausedUntil: now.addingTimeInterval(pause / .seconds(1)))
            // Once for each time that it stops to work.
            if failures == breaker.threshold {
                verdict.notice = SinkNotice.request(
                    of: named.name, title: "The sink \(named.name) does not work", reason: reason, at: now)
                verdict.noticeSinks = others
            }
            return verdict
        }
    }

    nonisolated func goneVerdict(
        _ named: NamedSink, _ reason: String, _ now: Date
    ) async throws(StoreError) -> SinkVerdict {
        let notice = SinkNotice.request(
            of: named.name, title: "The sink \(named.name) is gone", reason: reason, at: now)
        return SinkVerdict(notice: notice, noticeSinks: try await workingSinks(without: named.name, now))
    }

    /// The first other sink that is neither gone nor paused.
    private nonisolated func workingSinks(without sink: String, _ now: Date) async throws(StoreError) -> [String] {
        let troubled = Set(try store.goneSinks().map(\.name) + store.pausedSinks(at: now).map(\.name) + [sink])
        return Array(await sinkNames.filter { !troubled.contains($0) }.prefix(1))
    }
}
