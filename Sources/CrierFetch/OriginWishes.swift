import CrierContent
import CrierHTTP
import CrierStore
import Foundation

extension OriginWishes {
    static let expired =
        "the feed itself, which says that it has expired: it is asked once more after a week, then on request only"

    mutating func refuse(for wait: Duration?, now: Date) {
        let seconds = wait.map { min($0.timeInterval, NextFetch.longestPostponement) } ?? 0
        refusedUntil = seconds > 0 ? now.addingTimeInterval(seconds).nextWholeSecond : nil
    }

    /// Until when it wants to be left alone still, if it does.
    func refusal(now: Date) -> Date? { NextFetch.postponement(until: refusedUntil, now: now) }

    /// Whether a refusal was waited for to its end.
    func wereHeeded(now: Date) -> Bool { refusedUntil != nil && refusal(now: now) == nil }

    /// What they ask for before the next visit, in words, and for how long.
    func postponing(_ source: Source) -> [(reason: String, wait: Duration)] {
        var wishes: [(reason: String, wait: Duration)] = []
        if let lifetime { wishes.append(("the origin's \(lifetime.field)", .seconds(lifetime.seconds))) }
        if let interval = hints.interval { wishes.append(("the feed's own interval", interval)) }
        if unchangedBodies >= NextFetch.unchangedBodies, !source.isEveryChosen {
            wishes.append(
                ("equal answers from an origin that cannot say whether something has changed", .seconds(86_400)))
        }
        return wishes
    }
}

extension SourceState {
    /// Lets the next visit come no earlier than a refusal's end; what is visited on request only stays so.
    ///
    /// - Returns: Whether that changes anything.
    @discardableResult
    mutating func postpone(_ source: Source, after refusal: FetchRefusal) -> Bool {
        let fingerprint = source.fingerprint
        becomeCurrent(for: source)
        let isLater = visited == fingerprint && (nextFetch ?? .distantPast) >= refusal.until
        if schedule.isStopped(for: source) || isLater { return false }
        nextFetch = refusal.until
        nextFetchReason = refusal.words
        visited = fingerprint
        return true
    }
}

extension HostPaces {
    /// A second for what is this machine's own, unless it is named, and leads nowhere else: none would be a loop without rest.
    ///
    /// - Parameter url: The address that was visited in the end; nil for a program.
    func leastInterval(of source: Source, answeredBy url: String?) -> Duration {
        let answering = url.map(source.host(of:)) ?? source.host
        let isPaced = pace(of: source.host) != nil || pace(of: answering) != nil
        return max(isPaced ? NextFetch.leastInterval : .seconds(1), minimumInterval)
    }
}

extension SourceState {
    /// What a program answers that fails at a condition, or has no document where nothing has changed; a server that is overloaded or away
    /// says something else.
    private static let suspiciousStatuses: Set = [200, 403, 406, 500, 501]

    /// An origin that does not get on with conditions (RFC 9110 §15.5.13) is asked without from then on, rather than never read. To be called
    /// when the failure is counted.
    mutating func settleConditions(after failure: SourceFailure) {
        guard etag != nil || lastModified != nil, let status = failure.status else { return }
        // The second failure in a row raises the suspicion. Those behind a visit without conditions, which was a success, confirm it.
        if Self.suspiciousStatuses.contains(status), failures == (wishes.failsAtConditions == nil ? 2 : 1) {
            wishes.failsAtConditions = (wishes.failsAtConditions ?? 0) + 1
        }
        let isSure = wishes.failsAtConditions ?? 0 >= 3
        guard status == 412 || status == 400 && failures > 1 || isSure else { return }
        (etag, lastModified) = (nil, nil)
        wishes.refusesConditions = true
    }
}

extension ContentFetcher {
    /// What holds after an answer: a document that is not read leaves the hints of the one before.
    func wishes(
        after answer: OriginAnswer, _ reading: Reading, _ state: SourceState, of source: Source
    ) -> OriginWishes {
        var wishes = state.wishes
        wishes.refusedUntil = nil
        wishes.unreachedSince = nil
        // Behind a failure it was not asked so.
        if state.failures == 0, wishes.refusesConditions == nil { wishes.failsAtConditions = nil }
        if isOutdated(answer, reading, clock.now) { wishes.refusesConditions = true }
        if let content = reading.content { wishes.hints = content.hints }
        if !answer.keepsLifetime { wishes.lifetime = answer.lifetime }
        // Validators are for the address that gave them.
        let isAsked =
            source.request.isConditional && wishes.refusesConditions == nil
            && (state.lastURL == nil || state.lastURL == answer.url)
        let isEqual = answer.document != nil && reading.content == nil
        // With the next document it may know its tag again; whoever does not is asked in the other way.
        if isEqual, answer.isOfCondition, let etag = state.etag, answer.validators.etag == etag,
            answer.validators.unmarked != nil
        {
            wishes.wantsUnmarkedTag = !(wishes.wantsUnmarkedTag ?? false)
        }
        let isConditional = isAsked && !answer.validators.isEmpty || answer.lifetime != nil
        let isFree = hosts.isUnpaced(answer)
        // It is not known beyond doubt that it cannot be asked, nor is it asked less often.
        let isSure = wishes.failsAtConditions == nil
        wishes.unchangedBodies = isEqual && !isConditional && !isFree && isSure ? wishes.unchangedBodies + 1 : 0
        return wishes
    }

    /// So much older than an item the date of a document cannot be, in seconds; events may be announced some weeks before.
    private static let longestLag = 60 * 86_400.0

    /// Whether the date that the document is said to be of is long before the newest item of it, and there is nothing else to ask by: a
    /// server that says so of every version answers for ever that nothing has changed.
    private func isOutdated(_ answer: OriginAnswer, _ reading: Reading, _ now: Date) -> Bool {
        guard answer.validators.etag == nil, let text = answer.validators.lastModified, let content = reading.content,
            let said = HTTPDate.parse(String(decoding: text, as: UTF8.self), now: now)
        else { return false }
        return content.items.contains { item in
            item.date.map { $0 <= now && $0.timeIntervalSince(said) > Self.longestLag } ?? false
        }
    }
}

extension HostPaces {
    /// Files, programs and this machine's own hosts may be asked as often as the user likes.
    fileprivate func isUnpaced(_ answer: OriginAnswer) -> Bool {
        guard let url = answer.document?.url, !url.isEmpty else { return true }
        return pace(of: HostKey(url: url)) == nil
    }
}
