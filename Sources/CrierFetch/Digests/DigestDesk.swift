import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// What became of one digest, for whoever asked for it.
public struct DigestReport: Sendable, Hashable {
    /// Its name.
    public let digest: String
    /// What was put into the outbox; nil where there was nothing to tell.
    public var request: NotificationRequest?
    /// How many items it is about.
    public var count = 0
    /// Why it could not be issued, in words; it is tried again.
    public var failure: String?
    /// Why some of its items could not be judged by the digest's condition, in words: they are told all the same.
    public var remark: String?

    public init(digest: String) {
        self.digest = digest
    }
}

/// Issues digests when they are due.
///
/// A slot that went by while nothing ran is issued at the next run, and of several such slots the last one only. What a new
/// schedule would have been due at before it was seen was never missed.
public struct DigestDesk: Sendable {
    private let digests: [Digest]
    private let sources: [Source]
    private let store: Store
    private let clock: any WallClock
    /// A slot that is accounted for further ahead than this, in seconds, was so by a clock that was ahead.
    private static let longestLead = 86_400.0

    /// - Parameter sources: All of the configuration, in its order.
    public init(digests: [Digest], sources: [Source], store: Store, clock: any WallClock) {
        self.digests = digests
        self.sources = sources
        self.store = store
        self.clock = clock
    }

    /// The one way in which digests are issued in time: by a single run after its visits, and by the loop.
    ///
    /// A digest that was never seen before, or has another schedule, begins to wait for its first slot.
    ///
    /// - Throws: ``StoreError``, of the kind ``StoreError/Kind/invalidRequest`` where two digests have one name, or one that holds a
    ///   NUL.
    public func issueDue() async throws(StoreError) -> [DigestReport] { try await issueDue(awaiting: []).reports }

    /// A digest that is due waits this long for its sources, in seconds: a machine that has slept through the slot finds no network
    /// at first, or takes several rounds to ask all.
    private static let longestHold = 3600.0

    /// - Parameter sources: Those that are due and were not visited yet, which the issue would miss.
    /// - Returns: Besides, until when those wait for them at most that are held.
    package func issueDue(
        awaiting sources: [Source]
    ) async throws(StoreError) -> (reports: [DigestReport], held: [String: Date]) {
        if digests.isEmpty { return ([], [:]) }
        try checkNames()
        let awaited = Set(sources.flatMap(\.digests))
        var reports: [DigestReport] = []
        var held: [String: Date] = [:]
        for digest in digests {
            let previous = try accounted(digest)
            guard let slot = Self.lastSlot(of: digest, after: previous, upTo: clock.now) else { continue }
            if awaited.contains(digest.name) {
                // Of several that went by.
                let first = digest.at.next(after: previous, in: digest.timeZone) ?? slot
                let since = max(first, min(try store.digestsHeldSince ?? clock.now, clock.now))
                let end = since.addingTimeInterval(Self.longestHold)
                if clock.now < end {
                    try store.noteHeldDigests(true, at: clock.now)
                    held[digest.name] = end
                    continue
                }
            }
            if let report = try await issue(digest, after: previous, for: slot) { reports.append(report) }
        }
        if held.isEmpty { try store.noteHeldDigests(false, at: clock.now) }
        return (reports, held)
    }

    /// Issues a digest now, whether or not it is due. Its next slot comes as usual.
    ///
    /// - Throws: ``StoreError``, as ``issueDue()`` does.
    public func issue(_ digest: Digest) async throws(StoreError) -> DigestReport {
        try Self.checkNames(of: digest)
        let previous = try accounted(digest)
        let slot = max(previous, Self.lastSlot(of: digest, after: previous, upTo: clock.now) ?? previous)
        return try await issue(digest, after: previous, for: slot) ?? DigestReport(digest: digest.name)
    }

    /// When the earliest of the digests is due; nil where none ever is.
    public func next() throws(StoreError) -> Date? { try next(held: [:]) }

    /// - Parameter held: Until when those wait that are due and held.
    func next(held: [String: Date]) throws(StoreError) -> Date? {
        var dates: [Date] = []
        for digest in digests {
            let date = if let end = held[digest.name] { end as Date? } else { try next(of: digest) }
            if let date { dates.append(date) }
        }
        return dates.min()
    }

    /// When a digest is due; in the past for one that was missed.
    public func next(of digest: Digest) throws(StoreError) -> Date? {
        let slot = try store.accountedSlot(of: digest.name)
        return digest.at.next(after: accounted(slot, of: digest) ?? clock.now, in: digest.timeZone)
    }

    /// What an issue would say now, and the ``DigestReport/remark`` that would come with it.
    public func preview(_ digest: Digest) throws -> (page: DigestPage, remark: String?) {
        let kept = try kept(try store.waitingItems(of: digest.name), by: digest)
        let items = try told(try untold(kept.items, of: digest), by: digest)
        return (page(of: items, digest), kept.remark)
    }

    /// What its sources have had since the beginning of a day, whatever was told of it.
    public func preview(_ digest: Digest, since day: CalendarDay) throws -> (page: DigestPage, remark: String?) {
        let own = sources.filter { $0.digests.contains(digest.name) }.map(\.name)
        let kept = try kept(try store.items(of: own, seenSince: day.moment(0, in: digest.timeZone)), by: digest)
        return (page(of: try untold(kept.items, of: digest), digest), kept.remark)
    }

    private func page(of items: [DigestItem], _ digest: Digest) -> DigestPage {
        DigestComposer(digest: digest, sources: sources).page(
            of: items, on: CalendarDay(clock.now, in: digest.timeZone))
    }

    /// With what issues tell that nobody has got yet: who was away gets one, and not one of each day. An issue that is skipped has none.
    private func told(_ items: [DigestItem], by digest: Digest) throws(StoreError) -> [DigestItem] {
        if items.isEmpty && digest.emptiness == .skip { return [] }
        return try store.unraisedItems(of: digest.name) + items
    }

    /// What the digest's condition leaves, and why there is no verdict on some of it.
    private typealias Kept = (items: [DigestItem], remark: String?)

    /// So many sources may have items on which the program takes too long; then the others' are not judged either.
    private static let mostOverruns = 5

    /// What cannot be judged is not left out. Where the program takes too long on all, each source is judged by itself: what one has
    /// must not keep the others' waiting.
    private func kept(_ items: [DigestItem], by digest: Digest) throws(ContentError) -> Kept {
        guard let only = digest.only else { return (items, nil) }
        let filter = try JQFilter(only)
        var leftOut: Set<Int> = []
        var faults: [Int: String] = [:]
        func overrun(on own: [Int]) throws(ContentError) -> String? {
            do throws(ContentError) {
                let verdicts = try filter.verdicts(on: own.map { items[$0].item })
                for (index, verdict) in zip(own, verdicts) {
                    switch verdict {
                    case .met: break
                    case .unmet: leftOut.insert(index)
                    case .failed(let reason): faults[index] = reason
                    }
                }
                return nil
            } catch {
                if error.kind == .unavailable || Task.isCancelled { throw error }
                return "of \(items[own[0]].source): \(error.description)"
            }
        }
        var overruns: [String] = []
        if try overrun(on: Array(items.indices)) != nil {
            let bySource = Dictionary(grouping: items.indices) { items[$0].source }.values.sorted { $0[0] < $1[0] }
            for own in bySource where overruns.count < Self.mostOverruns {
                if let overrun = try overrun(on: own) { overruns.append(overrun) }
            }
        }
        let first = faults.min { $0.key < $1.key }.map { index, reason in
            let more = faults.count == 1 ? "" : " and \(faults.count - 1) more"
            return "\(items[index].item.title ?? items[index].item.identifier)\(more): \(reason)"
        }
        return (items.indices.filter { !leftOut.contains($0) }.map { items[$0] }, overruns.first ?? first)
    }

    /// Where an address is to be told for one source only, without those that another source has told in the digest before, or
    /// comes first with now.
    private func untold(_ items: [DigestItem], of digest: Digest) throws(StoreError) -> [DigestItem] {
        guard !items.isEmpty, sources.contains(where: \.isUnique) else { return items }
        let told = try store.toldAddresses(of: digest.name)
        var tellers = Dictionary(told.map { (CanonicalURL.of($0.url), $0.source) }) { first, _ in first }
        return items.filter { item in
            guard let address = item.item.url.map(CanonicalURL.of) else { return true }
            let teller = tellers[address, default: item.source]
            tellers[address] = teller
            return teller == item.source
        }
    }

    /// On a thread of its own, where a jq program may be waited for: an agent has one for everything else.
    private func patientlyKept(_ items: [DigestItem], by digest: Digest) async -> Result<Kept, ContentError> {
        guard digest.only != nil else { return .success((items, nil)) }
        return await withTaskExecutorPreference(PatientExecutor()) { () async in
            Result { () throws(ContentError) in try kept(items, by: digest) }
        }
    }

    /// By its name a digest's schedule is known, and what waits for it.
    private func checkNames() throws(StoreError) {
        var names: Set<String> = []
        for digest in digests {
            try Self.checkNames(of: digest)
            guard names.insert(digest.name).inserted else {
                throw StoreError(.invalidRequest, "two digests are called \(digest.name)")
            }
        }
    }

    private static func checkNames(of digest: Digest) throws(StoreError) {
        try Store.checkName(digest.name, "name of the digest")
        for sink in digest.sinks { try Store.checkName(sink, "name of the sink") }
    }

    private func accounted(_ digest: Digest) throws(StoreError) -> Date {
        let now = Date(timeIntervalSince1970: clock.now.timeIntervalSince1970.rounded(.down))
        let slot = try store.accountedSlot(of: digest.name)
        let date = accounted(slot, of: digest) ?? now
        if slot?.date != date || slot?.schedule != digest.schedule {
            try store.account(digest.name, upTo: date, by: digest.schedule)
        }
        return date
    }

    /// What a slot that is remembered counts for; nil where that is for nothing: slots of a schedule that was not seen yet
    /// have not been missed.
    private func accounted(_ slot: AccountedSlot?, of digest: Digest) -> Date? {
        guard let slot, slot.date <= clock.now.addingTimeInterval(Self.longestLead) else { return nil }
        var date = slot.date
        if let former = slot.schedule, former != digest.schedule {
            guard former.expression == digest.at.text else { return nil }
            date = TimeZone(identifier: former.timeZone).map { digest.accounted(date, in: $0) } ?? date
        }
        guard date > clock.now else { return date }
        // A clock that was ahead may have accounted for several that are yet to come; the next of them may have been told by a clock
        // that is only a little behind now.
        return min(date, digest.at.next(after: clock.now, in: digest.timeZone) ?? date)
    }

    /// Nil where another run was faster.
    private func issue(
        _ digest: Digest, after previous: Date, for slot: Date
    ) async throws(StoreError) -> DigestReport? {
        var report = DigestReport(digest: digest.name)
        let waiting = try store.waitingItems(of: digest.name)
        var kept: [DigestItem]
        do throws(ContentError) { (kept, report.remark) = try await patientlyKept(waiting, by: digest).get() } catch {
            report.failure = error.description
            return report
        }
        kept = try told(try untold(kept, of: digest), by: digest)
        let chosen = Set(kept)
        // Of several slots that were missed it is the day of the run that is told.
        let day = CalendarDay(max(slot, clock.now), in: digest.timeZone)
        let composer = DigestComposer(digest: digest, sources: sources)
        let isSilent = kept.isEmpty && digest.emptiness == .skip
        let issue = DigestIssue(
            digest: digest.name, previous: previous, slot: slot, items: kept,
            leftOut: waiting.filter { !chosen.contains($0) },
            content: isSilent ? nil : composer.content(of: composer.page(of: kept, on: day), on: day),
            identifier: "digest/\(digest.name)/\(day)", sinks: digest.sinks)
        switch try store.issue(issue, at: clock.now) {
        case .issued(let request): report.request = request
        case .nothing: break
        case .overtaken: return nil
        }
        report.count = kept.count
        return report
    }

    /// The last slot of those that have come; looked for from near, lest one of each minute of a year is counted.
    static func lastSlot(of digest: Digest, after previous: Date, upTo now: Date) -> Date? {
        let next = { (date: Date) -> Date? in
            digest.at.next(after: date, in: digest.timeZone).flatMap { $0 <= now ? $0 : nil }
        }
        guard next(previous) != nil else { return nil }
        for window in [60.0, 3600, 86_400, 31 * 86_400, .infinity] {
            let start = max(previous, window.isFinite ? now.addingTimeInterval(-window) : previous)
            guard var slot = next(start) else { continue }
            while let later = next(slot) { slot = later }
            return slot
        }
        return nil
    }
}
