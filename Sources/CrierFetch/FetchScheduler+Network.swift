import CrierStore
import Foundation

extension Store {
    /// The outage of the network beyond this machine's own; nil where a host there was reached, or none was asked. What a clock that was
    /// wrong has noted is none: a date ahead, or before a visit that has reached such a host.
    public func outage(at now: Date) throws(StoreError) -> NetworkOutage? {
        guard let since = try outageSince, since <= now else { return nil }
        let isOver = try hostContacts(before: now).contains { contact in
            contact.lastReached.map { $0 > since } == true && HostKey(url: "http://\(contact.host)").liesBeyond
        }
        return isOver ? nil : NetworkOutage(since: since, cause: try outageCause)
    }
}

/// What is the network's failure, and what a source's.
extension FetchScheduler {
    /// Hosts that answer so for longer, in seconds, do it themselves: nobody is let wait for a login for days.
    private static let longestLogin = 86_400.0

    /// When two hosts could not be reached since one was, it is the network that failed, not the sources.
    ///
    /// - Parameter known: The source of a name, and the host that is visited for it.
    func settle(
        _ reports: [FetchReport], report: @Sendable (FetchReport) async -> Void,
        known: (String) -> (source: Source, host: HostKey)?
    ) async throws(StoreError) -> [FetchReport] {
        let suspects = reports.filter(\.suspectsNetwork)
        guard !suspects.isEmpty else { return reports }
        let evidence = try evidence(of: reports, known: known)
        let isLong = try store.outageSince.map { clock.now.timeIntervalSince($0) >= Self.longestLogin } ?? false
        /// Who is reached at home says nothing about what lies beyond.
        func isCutOff(_ host: HostKey, _ suspect: FetchReport) -> Bool {
            let isAtHome = host.isPrivate
            let isAlone = evidence.suspected.count { $0.isPrivate == isAtHome } < 2
            let isDown = !isAlone || suspect.meetsNetwork || !network.isSatisfied()
            // They are asked at every run.
            if isLong, suspect.meetsSomebody { return false }
            return isDown && evidence.reached.allSatisfy { $0.isPrivate && !isAtHome }
        }
        var settled = reports.filter { !$0.suspectsNetwork }
        for var suspect in suspects {
            guard let (source, host) = known(suspect.source) else { continue }
            let isDown = isCutOff(host, suspect)
            // It may have been asked before the network was quite there; not where others were reached before.
            let isEarly = evidence.firstReached.map { (suspect.visit?.end ?? $0) < $0 } ?? true
            let isFirst = isEarly && evidence.first.contains(suspect.source) && host.liesBeyond
            if !isDown, isFirst, suspect.purpose == .commit {
                try store.noteUnreached(because: suspect.failure?.cause, at: clock.now)
            }
            try await fetcher.settle(&suspect, of: source, networkIsDown: isDown)
            await report(suspect)
            settled.append(suspect)
        }
        return settled
    }

    /// What could not be reached since no host was is due once one is, and was no failure of its own: its host may have been the only one
    /// that was asked while the network was down, or before it was quite there.
    ///
    /// - Returns: Whether anything is.
    func makeUnreachedDue(after reports: [FetchReport]) throws(StoreError) -> Bool {
        guard reports.contains(where: \.hasLeftNetwork) else { return false }
        guard let count = try store.makeUnreachedDue(at: clock.now) else { return false }
        observer.reaches()
        return count > 0
    }

    /// What says something of the network.
    private struct Evidence {
        /// Hosts of others that were reached.
        var reached: Set<HostKey> = []
        /// When the first of them was that lies beyond this machine's own network; nil where none was.
        var firstReached: Date?
        /// Those whose failures do, in this run or since one of their kind, at home or beyond, was reached last.
        var suspected: Set<HostKey> = []
        /// The sources whose hosts were there at their last visits.
        var first: Set<String> = []
    }

    /// Not inlined: there would be place for a source and a state in the task of each run.
    @inline(never)
    private func evidence(
        of reports: [FetchReport], known: (String) -> (source: Source, host: HostKey)?
    ) throws(StoreError) -> Evidence {
        var evidence = Evidence()
        let contacts = try store.hostContacts(before: clock.now).map { (host: HostKey(url: "http://\($0.host)"), $0) }
        func lastReached(_ isPrivate: Bool) -> Date {
            contacts.lazy.filter { $0.host.isPrivate == isPrivate }.compactMap(\.1.lastReached).max() ?? .distantPast
        }
        let last = (atHome: lastReached(true), beyond: lastReached(false))
        for (host, contact) in contacts {
            let reached = host.isPrivate ? last.atHome : last.beyond
            if let since = contact.unreachedSince, since > reached { evidence.suspected.insert(host) }
        }
        for report in reports {
            guard let (source, host) = known(report.source), !host.isLocal else { continue }
            // Only who was reached tells: others may have failed before they were asked.
            if report.hasReachedHost {
                evidence.reached.insert(host)
                let end = host.liesBeyond ? report.visit?.end : nil
                evidence.firstReached = [evidence.firstReached, end].compactMap(\.self).min()
            }
            guard report.suspectsNetwork else { continue }
            var state = try store.state(of: source.name)
            state.becomeCurrent(for: source)
            if state.wishes.unreachedSince == nil { evidence.first.insert(source.name) }
            // One that failed already when others were reached still proves nothing of the network; one that answered does.
            let failingSince = state.lastStatus == nil ? state.failingSince : nil
            let since = state.wishes.unreachedSince ?? failingSince ?? .distantFuture
            if since > (host.isPrivate ? last.atHome : last.beyond) { evidence.suspected.insert(host) }
        }
        return evidence
    }
}
