import CrierStore

import struct Foundation.Date

/// A source that is to be visited more often in the configuration than it was when its next visit was set: the next one counts from
/// the last, too.
public struct EditedInterval: Sendable, Hashable {
    public let source: String
    public let next: NextFetch

    /// Those whose next visit comes too late. What was not set by the interval is left as it is: failures, and what origins ask for.
    public static func among(
        _ sources: [Source], hosts: HostPaces, in store: Store
    ) throws(StoreError) -> [EditedInterval] {
        let found = try store.states(of: sources.map(\.name)) { index, state in
            state?.nextFetch(of: sources[index], hosts: hosts).map {
                EditedInterval(source: sources[index].name, next: $0)
            }
        }
        return found.compactMap(\.self)
    }

    /// Has the state follow.
    public static func adopt(_ edits: [EditedInterval], in store: Store) throws(StoreError) {
        if edits.isEmpty { return }
        try store.reschedule(edits.map { (source: $0.source, date: $0.next.date, reason: $0.next.reason) })
    }
}

extension SourceState {
    /// When it is due after an answer at a moment, by its interval and what its origin wishes.
    ///
    /// - Parameters:
    ///   - url: Of ``HostPaces/leastInterval(of:answeredBy:)``.
    ///   - random: 0..<1, fresh.
    func nextFetch(
        after moment: Date, of source: Source, answeredBy url: String?, _ hosts: HostPaces,
        random: @autoclosure () -> Double
    ) -> NextFetch {
        NextFetch.afterSuccess(
            every: source.every, wishes: wishes.postponing(source),
            floor: hosts.leastInterval(of: source, answeredBy: url), hints: wishes.hints,
            phase: Fingerprint.phase(of: source.name), random: random(), now: moment)
    }

    /// When it is due by the interval that it has now, where that is earlier than the one that was set by another.
    fileprivate func nextFetch(of source: Source, hosts: HostPaces) -> NextFetch? {
        guard visited == source.fingerprint, let lastFetched, let nextFetch,
            NextFetch.isByInterval(nextFetchReason ?? "")
        else { return nil }
        // The latest that it may have been set to: nothing is set anew for another chance.
        let next = self.nextFetch(after: lastFetched, of: source, answeredBy: lastURL, hosts, random: 1)
        return next.date < nextFetch ? next : nil
    }
}
