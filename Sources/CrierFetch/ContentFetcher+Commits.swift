import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation

/// The state afterwards.
extension ContentFetcher {
    func commit(
        after answer: OriginAnswer, _ reading: Reading, _ findings: Findings, _ composition: Composition,
        of source: Source, _ state: consuming SourceState
    ) -> FetchCommit {
        let now = findings.now
        let announced = state.announcedURL(of: source)
        state.settleKnown(after: reading, findings, of: source)
        var notices = state.settle(after: answer, reading, findings, of: source)
        state.wishes = wishes(after: answer, reading, state, of: source)
        let next = state.nextFetch(after: now, of: source, answeredBy: answer.url, hosts, random: random())
        state.fingerprint = state.fingerprint ?? source.fingerprint
        (state.visited, state.possibleCauses) = (state.fingerprint, nil)
        state.lastURL = answer.url
        state.host = state.visitedHost(of: source)
        if let url = state.announcedURL(of: source), url != announced { notices.append(.announced(at: url)) }
        let isWhole = reading.content.map { !$0.isCut } ?? !state.breaksOff
        let isToBeAsked = isWhole && state.wishes.refusesConditions == nil
        state.etag = isToBeAsked ? answer.validators.etag : nil
        state.lastModified = isToBeAsked ? answer.validators.lastModified : nil
        state.bodyHash = reading.hash
        if let content = reading.content, !content.isCut { state.lastRead = findings.now }
        state.lastFetched = now
        let missesBaseline = state.missesBaseline(after: reading, findings, at: answer.url, of: source)
        state.lastSucceeded = missesBaseline ? nil : now
        // A login that says the same again is none either.
        if missesBaseline, isWhole { state.forgetDocument() }
        state.lastResult = composition.result(of: findings)
        state.lastStatus = answer.status
        state.failure = nil
        state.failures = 0
        state.failingSince = nil
        (state.nextFetch, state.nextFetchReason) = (next.date, next.reason)
        let former = state.announced(composition.dayIfToldByOthers, at: now)
        (state.announcedDay, state.announcedOn) = state.announced(composition.announcedDay, at: now)
        if reading.content != nil { state.timeZone = source.mapping.timeZone.identifier }
        state.upcoming = upcoming(findings, composition, of: source)
        let telling = state.upcoming.map { max($0, next.date) }
        if !state.wishes.hints.isExpired {
            state.goneSince = nil
        } else if let since = state.end(setBy: OriginWishes.expired, telling: telling, at: now) {
            notices.append(.ended(since: since))
        }
        var commit = FetchCommit(
            state: consume state, items: reading.content?.items ?? [], sinks: source.sinks, date: now)
        commit.requests = composition.requests(of: source)
        commit.requests += requests(notices, of: source).map(FetchCommit.Request.init)
        commit.unchanged = findings.unchanged
        commit.contentHashes = findings.contentHashes
        commit.formerHashes = findings.formerHashes
        commit.moved = findings.moved
        commit.leftOut = findings.leftOut
        commit.conditions = findings.leftOut.isEmpty ? nil : Fingerprint.ofConditions(in: source)
        commit.held = composition.held.map(\.identifier)
        commit.released = findings.held.due.map(\.identifier)
        commit.startsAnew = findings.startsAnew
        if source.notify == .daily, source.isUnique { commit.dayIfToldByOthers = former }
        commit.digests = source.digests
        if !source.digests.isEmpty { commit.waiting = NotificationComposer(source: source).waiting(findings) }
        return commit
    }

    /// Everything that was learned before stays: validators, but for those that the origin does not get on with, items, the baseline.
    func commit(
        after failure: SourceFailure, of source: Source, pausing host: HostState? = nil, in report: inout FetchReport
    ) async throws(StoreError) -> FetchCommit {
        let now = clock.now
        let before = Shared(try await aside { () throws(StoreError) in try store.state(of: source.name) })
        var state = before.value
        state.becomeCurrent(for: source)
        state.lead(to: failure, of: source)
        state.visited = source.fingerprint
        state.possibleCauses = Fingerprint.ofPossibleCauses(in: source)
        state.lastFetched = now
        state.host = state.visitedHost(of: source)
        state.lastResult = .failed
        state.lastStatus = failure.status
        state.failure = failure.failure
        state.failures += 1
        state.settleConditions(after: failure)
        // A date ahead is from a clock that was set back, one before the last success from one that was far behind, as at a start.
        let begin = min(state.failingSince ?? now, now)
        state.failingSince = max(begin, state.lastSucceeded.flatMap { $0 > now ? nil : $0 } ?? begin)
        state.wishes.refuse(for: failure.retryAfter, now: now)
        state.wishes.unreachedSince = failure.suspectsNetwork ? min(state.wishes.unreachedSince ?? now, now) : nil
        let next = next(after: failure, of: source, state, now: now)
        // Both are spread, each for itself.
        state.nextFetch = host?.pausedUntil.map { max($0, next.date) } ?? next.date
        state.nextFetchReason = next.reason
        var isCommon = false
        if state.host != nil, let since = state.tellableFailure(at: now) {
            isCommon = try await aside { () throws(StoreError) in try store.mostHostsFail(since: since) }
        }
        let notices = state.settle(after: failure, isCommon: isCommon, at: now)
        report.requests = requests(notices, of: source)
        var commit = FetchCommit(state: state, requests: report.requests, sinks: source.sinks, date: now)
        commit.compare(with: before.value)
        commit.visit = report.visit
        commit.host = host
        report.nextFetch = state.nextFetch
        report.nextFetchReason = state.nextFetchReason
        return commit
    }

    /// - Parameter state: In which the failure is counted.
    func next(after failure: SourceFailure, of source: Source, _ state: SourceState, now: Date) -> NextFetch {
        NextFetch.afterFailure(
            every: source.every, failures: state.failures, status: failure.isOfLimit ? 429 : failure.status,
            retryAfter: failure.retryAfter,
            wishes: state.wishes.postponing(source), floor: hosts.leastInterval(of: source, answeredBy: failure.url),
            hints: state.wishes.hints, random: random(), now: now)
    }

    /// Counts as failed what a process was reading when it was ended, so that it is left alone for as long as after any failure:
    /// fetched anew at each start, a document that ends whoever reads it would be all that is ever done, and its origin asked each
    /// time.
    ///
    /// - Parameter sources: Those that there are, whether they are due or not.
    public func settleUnfinished(among sources: [Source]) async throws(StoreError) -> [FetchReport] {
        guard let readings else { return [] }
        let names = readings.unfinished
        for name in names where !sources.contains(where: { $0.name == name }) { readings.settle(name) }
        var reports: [FetchReport] = []
        for source in sources where names.contains(source.name) {
            var report = FetchReport(source: source.name, result: .failed)
            report.visit = FetchVisit(trigger: .schedule, begun: clock.now)
            let failed = SourceFailure(stage: .decode, cause: "an earlier run was ended while it read the document")
            report.fail(failed)
            let isWritten = try await write(CommitEntry(try await commit(after: failed, of: source, in: &report)))
            if !isWritten { report.becomeOvertaken() }
            readings.settle(source.name)
            reports.append(report)
        }
        return reports
    }

    private func requests(_ notices: [SourceNotice], of source: Source) -> [NotificationRequest] {
        guard own.contains(.conditions) else { return [] }
        return notices.map { $0.request(of: source, namesCommands: own.contains(.commands)) }
    }

    /// Of a visit that leaves nothing else behind: the origin does not care why it was asked. Such a visit needs no state that
    /// can be written: what it says is right all the same.
    ///
    /// - Parameter host: As it is after the visit, which may also have ended a pause.
    func noteRefusal(_ failure: SourceFailure, of source: Source, by host: HostState?) async {
        let now = clock.now
        var wishes = OriginWishes()
        wishes.refuse(for: failure.retryAfter, now: now)
        let refusal = wishes.refusedUntil.map { FetchRefusal(reason: .retryAfter, until: $0) }
        let pause = host.flatMap { $0.pause(now: now) == nil ? nil : $0 }
        guard pause != nil || refusal != nil else { return }
        try? await aside { () throws(StoreError) in
            try store.noteRefusal(of: source.name, by: pause) { state in
                guard let refusal else { return }
                state.postpone(source, after: refusal)
                state.wishes.refusedUntil = refusal.until
                state.host = state.visitedHost(of: source)
            }
        }
    }

    /// The moment that what is held comes to be told.
    private func upcoming(_ findings: Findings, _ composition: Composition, of source: Source) -> Date? {
        let dates = composition.held.map { $0.date ?? findings.now } + [findings.held.next].compactMap { $0 }
        // Nearly always none; the end of a day takes long to find. What today is too late for waits for tomorrow.
        return dates.min().map { max($0, source.endOfDay(at: findings.now).addingTimeInterval(0.001)) }
    }
}
