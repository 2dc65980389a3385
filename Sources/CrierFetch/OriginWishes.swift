import CrierContent
import CrierStore
import Foundation

extension OriginWishes {
    static let expired = "the feed itself, which says that it has expired"

    mutating func refuse(for wait: Duration?, now: Date) {
        let seconds = wait.map { min($0.timeInterval, NextFetch.longestPostponement) } ?? 0
        refusedUntil = seconds > 0 ? now.addingTimeInterval(seconds.rounded(.up)) : nil
    }

    /// A date beyond every rule was set by a clock that was ahead.
    func refusal(now: Date) -> Date? {
        guard let refusedUntil, refusedUntil > now,
            refusedUntil <= now.addingTimeInterval(NextFetch.longestPostponement + 1)
        else { return nil }
        return refusedUntil
    }

    /// What they ask for before the next visit, in words, and for how long.
    func postponing(_ source: Source) -> [(reason: String, wait: Duration)] {
        var wishes: [(reason: String, wait: Duration)] = []
        if let interval = hints.interval { wishes.append(("the feed's own interval", interval)) }
        if unchangedBodies >= NextFetch.unchangedBodies, !source.isEveryChosen {
            wishes.append(
                ("equal answers from an origin that cannot say whether something has changed", .seconds(86_400)))
        }
        return wishes
    }
}

extension HostPaces {
    /// None for what is this machine's own, unless it is named.
    func leastInterval(of source: Source) -> Duration {
        max(pace(of: HostKey(source.address)) == nil ? .zero : NextFetch.leastInterval, minimumInterval)
    }
}

extension ContentFetcher {
    /// What holds after an answer: a document that is not read leaves the hints of the one before.
    func wishes(after answer: OriginAnswer, _ reading: Reading, _ state: SourceState) -> OriginWishes {
        var wishes = state.wishes
        wishes.refusedUntil = nil
        if let content = reading.content { wishes.hints = content.hints }
        let isConditional = !answer.validators.isEmpty || !answer.wishes.isEmpty
        let isFree = hosts.isUnpaced(answer)
        let isEqual = answer.status == 200 && reading.content == nil
        wishes.unchangedBodies = isEqual && !isConditional && !isFree ? wishes.unchangedBodies + 1 : 0
        return wishes
    }
}

extension HostPaces {
    /// Files, programs and this machine's own hosts may be asked as often as the user likes.
    fileprivate func isUnpaced(_ answer: OriginAnswer) -> Bool {
        guard let url = answer.document?.url, !url.isEmpty else { return true }
        return pace(of: HostKey(url: url)) == nil
    }
}
