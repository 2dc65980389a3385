import CrierContent
import CrierHTTP
import CrierStore
import Foundation

/// What is remembered of a source beyond its items, and what the user is told of it.
extension SourceState {
    /// An origin that says 410, and a feed that says that nothing will follow, is asked once more after this, in seconds.
    static let goneRecheck = 7 * 86_400.0
    /// One that only fails then is asked so many times, as long after each other.
    private static let goneRechecks = 4.0
    /// Without the document itself for this long it is asked for without conditions, in seconds: a 304 may be wrong.
    private static let longestWithoutDocument = 8 * 86_400.0
    /// A source that fails is told of after so many failures in a row…
    private static let failuresToTell = 5
    /// …and so many seconds.
    private static let failingToTell = 86_400.0
    /// A page in which no item is found is told of after so many seconds.
    private static let emptyToTell = 86_400.0

    /// Whether the document itself is wanted: only words that nothing has changed came for long, or the origin may fail because it is
    /// asked whether something has.
    func wantsWhole(at now: Date) -> Bool {
        if failures > 0, wishes.failsAtConditions != nil { return true }
        guard let lastWhole else { return true }
        // A date ahead is from a clock that was set back.
        return !(0..<Self.longestWithoutDocument).contains(now.timeIntervalSince(lastWhole))
    }

    /// Whether the last visit ended at a redirect that asked to be waited for, and the wait is over.
    func hasWaitedForRedirect(at now: Date) -> Bool {
        lastStatus.map(HTTPRedirect.isStatus) == true && wishes.wereHeeded(now: now)
    }

    /// Takes note of a visit that was read. To be called while the failures before it are still counted.
    mutating func settle(
        after answer: OriginAnswer, _ reading: Reading, _ findings: Findings, of source: Source
    ) -> [SourceNotice] {
        let now = findings.now
        var notices: [SourceNotice] = []
        // Of what has ended the feed itself says that it goes on.
        let isTold = failureTold != nil || goneSince != nil && !wishes.hints.isExpired
        if let since = failingSince, isTold { notices.append(.recovered(since: since, times: failures)) }
        failureTold = nil
        if answer.document != nil { lastWhole = now }
        if let adopted = sight(moveTo: answer.movedTo, reading.content?.format, of: source, at: now) {
            notices.append(.moved(to: adopted))
        }
        if findings.hasNews || lastNew == nil {
            lastNew = now
            silenceTold = nil
        }
        // A date ahead is from a clock that was set back.
        lastNew = lastNew.map { min($0, now) }
        // Of one that has ended nothing is expected.
        if let expected = source.expectEvery, let since = lastNew, silenceTold == nil, goneSince == nil,
            now.timeIntervalSince(since) >= expected.timeInterval
        {
            silenceTold = now
            notices.append(.silent(since: since))
        }
        if let content = reading.content, !content.isCut {
            // Of another address or mapping than before it says nothing. A date ahead is from a clock that was set back.
            let since = fingerprint == nil ? now : min(emptySince ?? now, now)
            emptySince = content.items.isEmpty ? since : nil
        }
        if let since = emptySince, isTellablyEmpty(source, at: now) { notices.append(.empty(since: since)) }
        return notices
    }

    /// A page most likely looks otherwise now, and its expressions find nothing: told by the first visit when that has been so for a
    /// day. Feeds and lists of an API may well be empty.
    private func isTellablyEmpty(_ source: Source, at now: Date) -> Bool {
        guard source.mapping.format == .html, let emptySince, let before = lastSucceeded ?? lastRead else {
            return false
        }
        let telling = emptySince.addingTimeInterval(Self.emptyToTell)
        return before < telling && telling <= now
    }

    /// Takes note of a failure that is already counted, and whose next visit is already set.
    ///
    /// - Parameter isCommon: Whether most hosts fail together: then it is hardly this source.
    mutating func settle(after failure: SourceFailure, isCommon: Bool, at now: Date) -> [SourceNotice] {
        let isExpired = wishes.hints.isExpired
        if failure.isGone && move?.adopted == nil || goneSince != nil && !settlesNothing(failure, at: now) {
            let reason =
                isExpired && !failure.isGone
                ? OriginWishes.expired : "status 410: it is asked once more after a week, then on request only"
            if let since = end(setBy: reason, at: now) { return [.gone(since: since)] }
            // It was told that it is asked once more, and not that it went on failing.
            guard nextFetch == nil, !isExpired, !failure.saysGone, failureTold == nil else { return [] }
            return [self.failing(since: failingSince ?? now, failure, at: now)]
        }
        if let goneSince {
            let weeks = isExpired ? 1 : (now.timeIntervalSince(goneSince) / Self.goneRecheck).rounded(.down) + 1
            let recheck = goneSince.addingTimeInterval(weeks * Self.goneRecheck)
            let awaited = isExpired ? min(upcoming ?? .distantFuture, recheck) : recheck
            let reason =
                isExpired ? OriginWishes.expired : "status 410: it fails since, and is asked each week, four times"
            if let date = nextFetch, date < awaited { (nextFetch, nextFetchReason) = (awaited, reason) }
            return []
        }
        returnIfLost(after: failure.status)
        guard failureTold == nil, !isCommon, let failing = tellableFailure(at: now) else { return [] }
        return [self.failing(since: failing, failure, at: now)]
    }

    private mutating func failing(since: Date, _ failure: SourceFailure, at now: Date) -> SourceNotice {
        failureTold = now
        return .failing(since: since, times: failures, cause: failure.failure.cause)
    }

    /// Whether it may fail as any other, where it was gone or has ended: one answer of a server that is overloaded is no second word. A
    /// server that is taken away says 410 first, and then nothing for weeks.
    private func settlesNothing(_ failure: SourceFailure, at now: Date) -> Bool {
        if wishes.hints.isExpired { return now.timeIntervalSince(failingSince ?? now) < Self.goneRecheck }
        let weeks = Self.goneRechecks * Self.goneRecheck
        return !failure.saysGone && now.timeIntervalSince(goneSince ?? now) < weeks
    }

    /// Takes note that nothing more is to be expected. It is asked once more all the same: one answer may be somebody else's, or a
    /// mistake.
    ///
    /// - Parameter telling: When it is visited to tell what waits for its day.
    /// - Returns: Since when; nil where that was noted before.
    mutating func end(setBy reason: String, telling: Date? = nil, at now: Date) -> Date? {
        // A date ahead is from a clock that was set back.
        let since = min(goneSince ?? now, now)
        let isFirst = goneSince == nil
        goneSince = since
        let dates = [since.addingTimeInterval(Self.goneRecheck), telling].compactMap { $0 }
        (nextFetch, nextFetchReason) = (dates.filter { now < $0 }.min(), reason)
        return isFirst ? since : nil
    }

    /// Since when it fails, once that is worth telling.
    func tellableFailure(at now: Date) -> Date? {
        guard failures >= Self.failuresToTell, let since = failingSince,
            now.timeIntervalSince(since) >= Self.failingToTell
        else { return nil }
        return since
    }
}

extension Store {
    /// Whether more than 80 % of the hosts that were visited since a source began to fail have begun to fail with it. One host alone is no
    /// majority, and what failed long before says nothing of the others.
    func mostHostsFail(since date: Date) throws(StoreError) -> Bool {
        let hosts = try hosts(visitedSince: date)
        return hosts.visited > 1 && hosts.failing * 5 > hosts.visited * 4
    }
}
