import CrierFetch

import struct Foundation.Date

extension Configuration {
    /// What may be said and comes to nothing, in words for the user.
    public func remarks(at date: Date) -> [String] {
        let updates = (sources + disabledSources).filter { $0.updates != .ignore && $0.notify != .each }.map { source in
            "sources.\(printable(source.name)).updates: \"\(source.updates.rawValue)\" tells of nothing beside "
                + "`notify: \(source.notify.rawValue)`; updates are told with `notify: each`"
        }
        let digests = digests.filter { $0.at.next(after: date, in: $0.timeZone) == nil }.map { digest in
            "digests.\(printable(digest.name)).at: \"\(printable(digest.at.text))\" never comes: what waits for the digest "
                + "is not told"
        }
        // A week from now it is quiet still.
        let quiet = quietHours.end(at: date).map { $0.timeIntervalSince(date) >= 7 * 86_400 } ?? false
        let hours = quiet ? ["quiet-hours: they never end: what waits for their end is not told"] : []
        return updates + digests + tagRemarks + hours
    }

    /// Not where a source is left out because of a mistake: it may have the tag.
    private var tagRemarks: [String] {
        guard brokenSources.isEmpty else { return [] }
        return unusedTags.sorted { $0.key < $1.key }.flatMap { path, tags in
            tags.sorted().map { "\(printable(path)): no source has the tag \(quoted($0))" }
        }
    }
}
