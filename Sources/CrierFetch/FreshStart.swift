import CrierStore

import struct Foundation.Date

extension Store {
    /// Lets what is remembered of addresses that are to be followed again be no reason not to visit them.
    ///
    /// - Parameters:
    ///   - names: The sources that the configuration has already: they stay as they are.
    ///   - forgetting: Whether what they have had since they were left is known as well, as at the first visit of one that begins so
    ///     (``BaselinePolicy/none``).
    public func startAfresh(
        _ addresses: [String], beside names: Set<String>, forgetting: Bool = false, at now: Date
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
            if forgetting { fresh.awaitBaseline() }
            if fresh != state { commits.append(FetchCommit(state: fresh, date: now)) }
        }
        if !commits.isEmpty { try commit(commits) }
    }

    /// The same of sources that come back to the configuration and had been stopped for good.
    public func startAfresh(returned names: [String], at now: Date) throws(StoreError) {
        if names.isEmpty { return }
        let states = try states()
        let commits = names.compactMap { states[$0] }.filter { $0.goneSince != nil }.map { state in
            var fresh = state
            fresh.startAfresh(at: now)
            return FetchCommit(state: fresh, date: now)
        }
        if !commits.isEmpty { try commit(commits) }
    }
}

extension SourceState {
    /// Lets the next document tell what there is before anything is new.
    fileprivate mutating func awaitBaseline() {
        (lastSucceeded, emptySince, knownUntil, knownSince) = (nil, nil, nil, nil)
        forgetDocument()
    }

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
