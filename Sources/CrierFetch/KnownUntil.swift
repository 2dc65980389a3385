import CrierContent
import CrierHTTP
import CrierStore
import Foundation

/// What counts as known by its date, where identifiers cannot tell: after a change of the address or the mapping, and after a
/// document that would have said it, but came empty or in part.
extension SourceState {
    /// So long that counts for documents that say it no better: what is empty, or always broken off, is so for good then.
    private static let longest: TimeInterval = 2 * 86_400

    /// So long before the baseline of a feed that held nothing may be dated what was not there yet: its author wrote it then.
    private static let longestInDraft: TimeInterval = 86_400

    /// What is dated up to then is known, though its identifier is not.
    ///
    /// - Parameters:
    ///   - areOthers: Whether none of the document's identifiers is known, as the address or the mapping has changed.
    ///   - newest: The date of the newest item that is known, where what is read now is the same at another address.
    ///   - lastItems: When the source had items last, where it has come to have none before the change: nothing that came later was
    ///     told.
    func floor(
        for content: DecodedContent, areOthers: Bool, newest: Date? = nil, lastItems: Date?, at now: Date
    ) -> Date? {
        let until = knownUntil.flatMap { until in
            // A clock that was ahead has written dates that say nothing.
            until > now || content.saysLittle && isOver(at: now) ? nil : min(until, lastItems ?? until)
        }.map { hadEmptyBaseline ? $0.addingTimeInterval(-Self.longestInDraft) : $0 }
        // What came since then was told.
        if areOthers {
            let last = until.map { max($0, lastNew ?? $0) } ?? lastItems ?? lastSucceeded
            return last.map { min($0, newest ?? $0) }
        }
        // Of a page that is known to end so, all was read before.
        return content.mayEndSo && !content.isCut ? nil : until
    }

    /// The same for the first document behind an edit that has known items among others, as a longer list has: what is dated before the
    /// newest of the known ones would have been told with it. Not all that is dated before the last visit: a cache may have held that back.
    func floorOfEdit(for content: DecodedContent, besides known: Set<String>) -> Date? {
        guard fingerprint == nil, let lastSucceeded else { return nil }
        let dates = content.items.filter { known.contains($0.identifier) }.compactMap(\.date)
        return dates.filter { $0 <= lastSucceeded }.max()
    }

    /// Whether the floor is the moment of the baseline: a day stands for any hour of it then, and what came later on that day is new.
    /// After a change it was told before.
    var isKnownSinceBaseline: Bool { knownUntil == knownSince }

    /// Whether there was nothing in the document of the baseline, as in a feed that is new, or one whose origin had lost its items
    /// for the moment.
    private var hadEmptyBaseline: Bool {
        guard isKnownSinceBaseline, let emptySince, let knownSince else { return false }
        return emptySince <= knownSince
    }

    /// The identifiers of what a whole document has behind all that is known of it, where it was cut off when it was first read, or
    /// first behind an edit: that has most likely been there, though it has no date. One that is always cut off says nothing of the
    /// sort, nor does another document, or one that comes days later.
    func rest(of content: DecodedContent, behind known: Set<String>, at now: Date) -> Set<String> {
        guard knownSince != nil, !hadEmptyBaseline, !content.isCut, !isOver(at: now) else { return [] }
        let identifiers = content.items.map(\.identifier)
        return identifiers.lastIndex(where: known.contains).map { Set(identifiers[($0 + 1)...]) } ?? []
    }

    /// Whether what is remembered was learned from another address. To be called, as the next two, while the state is as it was found.
    ///
    /// - Parameter url: Where the document was found, after redirects.
    func wasLearned(elsewhereThan url: String?) -> Bool {
        fingerprint == nil && lastSucceeded != nil && url != lastURL
    }

    /// When the source was last visited, where a redirect for good leads elsewhere than then: it may have become another, of which nothing is
    /// known, as where a closed blog leads to that of its company. Not of one that has led elsewhere at the same host before: it leads
    /// to each issue.
    func lastVisit(of source: Source, beforeMoveBy answer: OriginAnswer) -> Date? {
        guard fingerprint != nil, let movedTo = answer.movedTo, movedTo == answer.url,
            movedTo.utf8.count <= ContentBounds.url, case .url(let url) = source.address
        else { return nil }
        let isKept = source.movableURL != nil
        let wasLed = isKept ? move?.target != nil : lastURL != URLCredentials.removed(from: url)
        return wasLed && HostMove(from: lastURL, to: answer.url).isNone ? nil : lastSucceeded
    }

    /// Whether what is remembered may be another's, and the document holds nothing that would tell. One that is so for long is
    /// taken for empty.
    func mayBeOthers(than content: DecodedContent, at url: String?, of source: Source, _ now: Date) -> Bool {
        wasLearned(elsewhereThan: url) && content.items.isEmpty && !(cameEmpty(from: source) && isOver(at: now))
    }

    /// Whether that was so of the document before, which came from the same address.
    func cameEmpty(from source: Source) -> Bool {
        guard fingerprint == nil, visited == source.fingerprint, let lastSucceeded else { return false }
        // Failures since then do not undo it; before the first document of an address nothing else is known than of the former one.
        return failures == 0 || knownSince.map { $0 <= lastSucceeded && $0 != knownUntil } ?? false
    }

    /// Whether the document that tells what there was before a change of the address or the mapping has yet to come: the first one
    /// behind it was empty or broken off.
    func awaitsItems(at now: Date) -> Bool { knownUntil != nil && !isKnownSinceBaseline && !isOver(at: now) }

    /// Takes note of a visit. To be called while the state is as it was found.
    ///
    /// - Parameter reading: Nil content has not changed.
    mutating func settleKnown(after reading: Reading, _ findings: Findings, of source: Source) {
        let now = findings.now
        let isFirst = findings.isBaseline || fingerprint == nil && !cameEmpty(from: source)
        guard let content = reading.content, content.saysLittle, isFirst else {
            if isOver(at: now) || reading.content?.saysLittle == false { (knownUntil, knownSince) = (nil, nil) }
            return
        }
        if !findings.isBaseline {
            (knownUntil, knownSince) = (
                floor(for: content, areOthers: true, lastItems: findings.lastItems, at: now), now
            )
        } else if source.first != .all, !content.items.isEmpty || content.format.isFeed && !content.isCut {
            (knownUntil, knownSince) = (now, now)
        }
    }

    private func isOver(at now: Date) -> Bool { knownSince.map { now.timeIntervalSince($0) >= Self.longest } ?? false }

    /// Whether nothing tells yet what there was before. Where items come to a page that had none, read as it is now, they are news: it
    /// was no login.
    ///
    /// - Parameters:
    ///   - content: Nil where it says what it said before.
    ///   - url: Where the document was found, after redirects.
    func isBaseline(of content: DecodedContent?, at url: String?) -> Bool {
        let wasEmpty = fingerprint != nil && emptySince != nil && lastURL == url
        return lastSucceeded == nil && !(wasEmpty && content?.items.isEmpty == false)
    }

    /// Whether a visit was no baseline yet, as its document breaks off before its first item, or may be the page of a network that
    /// asks for a login first; one that always is so is empty. To be called when the visit is settled.
    ///
    /// - Parameter url: Where the document was found, after redirects.
    func missesBaseline(after reading: Reading, _ findings: Findings, at url: String?, of source: Source) -> Bool {
        guard findings.isBaseline, let content = reading.content, content.items.isEmpty,
            content.isCut || content.format == .html && source.isLed(elsewhereBy: url)
        else { return false }
        return findings.now.timeIntervalSince(lastNew ?? findings.now) < Self.longest
    }
}

extension Source {
    /// Whether the page of another host was found in the place of its own, as beyond this machine a network may have it.
    fileprivate func isLed(elsewhereBy url: String?) -> Bool {
        guard case .url(let address) = address, !host.isLocal else { return false }
        return !HostMove(from: address, to: url).isNone
    }
}

extension DecodedContent {
    /// Whether it does not say what there was before it.
    fileprivate var saysLittle: Bool { isCut || items.isEmpty }
}

extension [ContentItem] {
    /// Leaves out what was there by then.
    ///
    /// - Parameters:
    ///   - days: As of ``ContentItem/wasThere(by:days:)``.
    ///   - isOld: Whether one that has no date was there, too.
    /// - Returns: How many those are.
    mutating func removeAll(upTo floor: Date, _ days: TimeZone?, undated isOld: (ContentItem) -> Bool) -> Int {
        let before = count
        removeAll { $0.wasThere(by: floor, days: days) ?? isOld($0) }
        return before - count
    }
}

extension ContentItem {
    /// Whether its date says that it was there by then; nil where it has none.
    ///
    /// - Parameter days: The zone in which what is dated by its day only may be of any hour of it; nil takes it by its first moment.
    func wasThere(by floor: Date, days: TimeZone?) -> Bool? {
        guard let date else { return nil }
        guard date <= floor, let days else { return date <= floor }
        return !date.mayBeDay(in: days) || date.addingTimeInterval(86_400) <= floor
    }
}

extension Date {
    /// Whether it is the first moment of a day, of that zone or of GMT, for which it may stand.
    func mayBeDay(in zone: TimeZone) -> Bool {
        [zone, .gmt].contains { CalendarDay(self, in: $0).moment(0, in: $0) == self }
    }
}
