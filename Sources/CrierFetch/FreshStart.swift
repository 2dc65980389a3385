import CrierStore

import struct Foundation.Date

extension Store {
    /// Lets what is remembered of addresses that are to be followed again be no reason not to visit them.
    ///
    /// - Parameter names: The sources that the configuration has already: they stay as they are.
    public func startAfresh(
        _ addresses: [String], beside names: Set<String>, at now: Date
    ) throws(StoreError) {
        let asked = Set(addresses.map(AskedAddress.init))
        let fingerprints = Set(addresses.map { Source(name: "", address: .url($0)).fingerprint })
        var commits: [FetchCommit] = []
        for (name, state) in try states() where !names.contains(name) {
            // Where it led, or was asked as a feed.
            let isAsked = state.lastURL.map { asked.contains(AskedAddress($0)) } ?? false
            guard isAsked || state.visited.map(fingerprints.contains) ?? false else { continue }
            var fresh = state
            fresh.startAfresh(at: now)
            if fresh != state { commits.append(FetchCommit(state: fresh, date: now)) }
        }
        if !commits.isEmpty { try commit(commits) }
    }
}

extension SourceState {
    /// Lets the source be visited as if nothing had gone wrong yet: the user wants it anew. Who asked last, and who wants to be left
    /// alone, is waited for all the same.
    fileprivate mutating func startAfresh(at now: Date) {
        (goneSince, failure, failingSince, failureTold, failures) = (nil, nil, nil, nil, 0)
        wishes.hints.isExpired = false
        let earliest = [now, wishes.refusal(now: now), FetchRefusal(after: lastFetched, now: now)?.until]
        let date = earliest.compactMap { $0 }.max() ?? now
        guard date < nextFetch ?? .distantFuture else { return }
        (nextFetch, nextFetchReason) = (date, "its return to the configuration")
    }
}
