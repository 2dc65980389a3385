import CrierContent
import CrierStore
import Foundation

/// What counts as known by its date, where identifiers cannot tell: after a change of the address or the mapping, and after a
/// document that would have said it, but came empty or in part.
extension SourceState {
    /// So long that counts, where no document says it better: what is empty, or always broken off, is so for good then.
    private static let longest: TimeInterval = 2 * 86_400

    /// What is dated up to then is known, though its identifier is not.
    ///
    /// - Parameter areOthers: Whether none of the document's identifiers is known, as the address or the mapping has changed.
    func floor(areOthers: Bool, at now: Date) -> Date? {
        let until = knownUntil.flatMap { until in
            // A clock that was ahead has written dates that say nothing.
            until <= now && now.timeIntervalSince(max(until, lastRead ?? until)) < Self.longest ? until : nil
        }
        guard areOthers else { return until }
        // What came since then was told.
        return until.map { max($0, lastNew ?? $0) } ?? lastSucceeded
    }

    /// ``SourceState/knownUntil`` after a visit, from the state as it was found.
    ///
    /// - Parameter reading: Nil content, which has not changed, leaves it.
    func knownUntil(after reading: Reading, _ findings: Findings, of source: Source) -> Date? {
        guard let content = reading.content else { return knownUntil }
        if findings.isBaseline {
            return content.isPart && !content.items.isEmpty && source.first != .all ? findings.now : nil
        }
        guard content.isPart || content.items.isEmpty else { return nil }
        return fingerprint == nil ? floor(areOthers: true, at: findings.now) : knownUntil
    }
}

extension DecodedContent {
    /// Whether something of it is missing. A page that only ends oddly is most likely whole.
    var isPart: Bool { isCut && !mayEndSo }
}

extension ContentItem {
    /// Whether its date says that it was there by then; nil where it has none. What is dated by its day only may be of any hour of it.
    func wasThere(by floor: Date, in timeZone: TimeZone) -> Bool? {
        guard let date, date <= floor else { return date.map { _ in false } }
        let isDay = [timeZone, .gmt].contains { CalendarDay(date, in: $0).moment(0, in: $0) == date }
        return !isDay || date.addingTimeInterval(86_400) <= floor
    }
}
