import CrierStore
import Foundation

/// When each source is due. A loop keeps it between its rounds, so that a wake-up reads nothing anew.
struct FetchAgenda {
    private let sources: [Source]
    /// The user's least interval of all.
    private let floor: Duration
    /// Of each source: long ago where it was never set, never where it is stopped.
    private var dates: [Date]
    /// When hosts that a round had no time for may be asked.
    private var starts: [HostKey: Date] = [:]
    /// The places of those that were gone when they were taken note of.
    private var gone: Set<Int> = []
    private let indices: [String: Int]
    /// Where the source that is taken note of next probably is: they are remembered in about the order of the configuration.
    private var likelyIndex = 0

    /// - Throws: ``StoreError`` as ``indices(of:)`` does.
    init(_ sources: [Source], floor: Duration = .zero) throws(StoreError) {
        self.sources = sources
        self.floor = floor
        dates = Array(repeating: .distantPast, count: sources.count)
        indices = try Self.indices(of: sources)
    }

    /// The sources by name.
    ///
    /// - Throws: ``StoreError``, of the kind ``StoreError/Kind/invalidRequest`` where two of them have one name, by which their
    ///   state is known, or as ``Source/checkNames()`` does.
    static func indices(of sources: [Source]) throws(StoreError) -> [String: Int] {
        var indices = [String: Int](minimumCapacity: sources.count)
        // By index, here and below, as a source is much to copy.
        for index in sources.indices {
            try sources[index].checkNames()
            guard indices.updateValue(index, forKey: sources[index].name) == nil else {
                throw StoreError(.invalidRequest, "two sources are called \(sources[index].name)")
            }
        }
        return indices
    }

    /// Longest waiting first.
    func due(at now: Date) -> [Source] {
        dates.indices.filter { start(of: $0) <= now }.sorted { dates[$0] < dates[$1] }.map { sources[$0] }
    }

    /// Those whose date had come by a moment, as long as no visit has set another.
    func awaited(since date: Date) -> [Source] { dates.indices.filter { dates[$0] <= date }.map { sources[$0] } }

    /// When a source may be visited.
    private func start(of index: Int) -> Date {
        starts.isEmpty ? dates[index] : max(dates[index], starts[sources[index].host] ?? .distantPast)
    }

    /// Those that are not stopped, in their order, nor gone and to be asked once more later.
    func going(at now: Date) -> [Source] {
        dates.indices.filter { dates[$0] < .distantFuture && (dates[$0] <= now || !gone.contains($0)) }
            .map { sources[$0] }
    }

    /// The earliest date ahead.
    func next(after now: Date) -> Date? {
        dates.indices.lazy.map(start).filter { $0 > now && $0 < .distantFuture }.min()
    }

    /// What a source can wait for at most, in seconds.
    private static let longestSlack: TimeInterval = 300

    /// When to look again. Each source can wait for a hundredth of its interval, so that those of about the same date share one
    /// wake-up of the machine.
    func wakeUp(after now: Date) -> Date? {
        dates.indices.lazy.filter { start(of: $0) > now && dates[$0] < .distantFuture }.map { index in
            // One that waits for its host has waited long enough.
            guard dates[index] > now else { return start(of: index) }
            let slack = min(sources[index].every.timeInterval / 100, Self.longestSlack)
            return max(dates[index].addingTimeInterval(slack), start(of: index))
        }.min()
    }

    /// Takes over what is remembered of a source, if it is one of these.
    mutating func note(_ schedule: SourceSchedule, of name: String, now: Date) {
        let isLikely = likelyIndex < sources.count && sources[likelyIndex].name == name
        guard let index = isLikely ? likelyIndex : indices[name] else { return }
        likelyIndex = index + 1
        dates[index] = schedule.dueDate(of: sources[index], every: max(sources[index].every, floor), now: now)
        if schedule.goneSince != nil, schedule.visited == sources[index].fingerprint { gone.insert(index) }
    }

    /// Takes over the dates that fetches have set; without a network nothing was set, and what is due stays so.
    mutating func note(_ reports: [FetchReport]) {
        for report in reports where !report.networkIsDown {
            guard let index = indices[report.source] else { continue }
            dates[index] = report.refusal?.until ?? report.nextFetch ?? .distantFuture
        }
    }

    /// Those that a round has left wait until their hosts may be asked, in their order: it is the one that has waited longest that
    /// is asked then.
    mutating func postpone(_ left: [String: Date]) {
        for (name, date) in left {
            guard let index = indices[name] else { continue }
            starts[sources[index].host] = date
        }
    }
}

extension Source {
    /// - Throws: ``StoreError``, of the kind ``StoreError/Kind/invalidRequest`` where its name, or one of those that it gives for its
    ///   sinks and digests, holds a NUL.
    func checkNames() throws(StoreError) {
        try Store.checkName(name, "name of the source")
        for sink in self.sinks { try Store.checkName(sink, "name of the sink") }
        for rule in self.rules {
            for sink in rule.sinks ?? [] { try Store.checkName(sink, "name of the sink") }
        }
        for digest in self.digests { try Store.checkName(digest, "name of the digest") }
    }
}

extension SourceSchedule {
    /// Whether a source that is gone, or says that nothing will follow, is visited on request only.
    public func isStopped(for source: Source) -> Bool { nextFetch == nil && goneSince != nil && !isEdited(source) }

    /// Whether the last visit was to something else, or failed at what may be mended.
    fileprivate func isEdited(_ source: Source) -> Bool {
        visited != source.fingerprint || source.mayBeMended(since: possibleCauses)
    }

    /// When its source is due: never where it is stopped. A date beyond every rule was set by a clock that was ahead, and counts
    /// as past; so is one that was set at a moment which is yet to come, unless the origin has asked for it.
    fileprivate func dueDate(of source: Source, every: Duration, now: Date) -> Date {
        guard let date = nextFetch, !isEdited(source) else {
            return isStopped(for: source) ? .distantFuture : min(nextFetch ?? .distantPast, now)
        }
        func isWithin(_ seconds: TimeInterval) -> Bool { date <= now.addingTimeInterval(seconds) }
        if goneSince != nil {
            // One that says itself that nothing will follow is visited by its interval for what waits for its day, or where it fails.
            let furthest = max(SourceState.goneRecheck + 1, NextFetch.furthest(every: every))
            return isWithin(furthest) ? date : now
        }
        if let lastFetched, lastFetched > now.addingTimeInterval(NextFetch.leastInterval.timeInterval) {
            return wishes.refusal(now: now) ?? now
        }
        let isPlausible =
            isWithin(NextFetch.furthest(every: every))
            || isWithin(NextFetch.furthest(every: every, hints: wishes.hints))
        return isPlausible ? date : now
    }
}

extension SourceState {
    /// Whether the last visit was answered by the address that the source has, in whatever spelling, and it is to be read otherwise since,
    /// or may be mended. Where it led elsewhere, nobody knows which address was asked.
    func isEditOfSameAddress(_ source: Source) -> Bool {
        if visited == source.fingerprint { return source.mayBeMended(since: possibleCauses) }
        guard visited != nil, case .url(let url) = source.address, let lastURL else { return false }
        return CanonicalURL.ofAllSpellings(url) == CanonicalURL.ofAllSpellings(lastURL)
    }

    private func refusal(of source: Source, hosts: [String: HostState], now: Date) -> FetchRefusal? {
        if let refusal = FetchRefusal(of: source, in: self, hosts: hosts, now: now) { return refusal }
        guard isEditOfSameAddress(source), !source.host.isLocal else { return nil }
        return FetchRefusal(after: lastFetched, now: now)
    }

    /// As a run finds it that begins now: it does not go by a date that was set for another address, for another way of reading it or
    /// by a clock that was ahead, and leaves alone who wants that.
    ///
    /// - Parameters:
    ///   - hosts: What is remembered of all.
    ///   - floor: The user's least interval of all.
    public func foreseen(
        for source: Source, hosts: [String: HostState], floor: Duration, now: Date
    ) -> SourceState {
        let every = max(source.every, floor)
        let due = schedule.dueDate(of: source, every: every, now: now)
        let isEdited = visited != nil && schedule.isEdited(source)
        guard due < .distantFuture else { return self }
        var state = self
        if isEdited { state.goneSince = nil }
        if let refusal = refusal(of: source, hosts: hosts, now: now), refusal.until > due || due != nextFetch {
            (state.nextFetch, state.nextFetchReason) = (refusal.until, refusal.words)
        } else if isEdited || nextFetch != nil, due != nextFetch {
            state.nextFetch = max(due, now)
            state.nextFetchReason = isEdited ? "an edit of the source" : "the clock, which was ahead"
        }
        return state
    }
}
