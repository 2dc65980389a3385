import CrierNotifications
import CrierStore
import Foundation

/// One lane of a run: sources that are visited one after another, each when its host may be asked.
struct HostVisit: Sendable {
    let fetcher: ContentFetcher
    let sources: [Source]
    /// Those that are visited, of each source.
    let hosts: [HostKey]
    /// What was remembered of the sources before the run.
    let states: [String: SourceState]
    let clock: any WallClock
    let observer: FetchObserver
    let pacer: HostPacer
    let slots: FetchSlots
    let purpose: FetchPurpose
    let isForced: Bool
    let deadline: Date
    let journal: VisitJournal

    func run(_ lane: FetchLane) async throws {
        while let index = lane.next() {
            let (source, host) = (sources[index], hosts[index])
            // Task.checkCancellation() here makes the optimizer of Swift 6.3.1 crash while it splits this coroutine.
            if Task.isCancelled { throw CancellationError() }
            guard let visit = try await visit(source, at: host) else { break }
            try await journal.note(visit)
        }
    }

    /// Nil when the run's time is over. What it calls is not inlined: the optimizer of Swift 6.3.1 crashes on the whole.
    private func visit(_ source: Source, at host: HostKey) async throws -> FinishedVisit? {
        let state = states[source.name] ?? SourceState(name: source.name)
        while true {
            if let refusal = refusal(of: source, state, at: host) { return try await refuse(source, state, refusal) }
            guard let start = start(at: host) else { return nil }
            if start > clock.now {
                try await clock.sleep(until: start)
            } else if let visit = try await attempt(source, state, at: host).get() {
                return visit
            }
        }
    }

    /// When the host may be asked; nil where that is after the run's end.
    @inline(never)
    private func start(at host: HostKey) -> Date? {
        let start = pacer.earliestStart(at: host, now: clock.now)
        let isPaced = fetcher.hosts.pace(of: host) != nil
        return isPaced && max(start, clock.now) > deadline ? nil : start
    }

    /// Nil when the host's turn, or its patience, went to another meanwhile.
    @inline(never)
    private func attempt(
        _ source: Source, _ state: SourceState, at host: HostKey
    ) async -> Result<FinishedVisit?, any Error> {
        await slots.acquire()
        let turn: HostTurn?
        do { turn = try await begin(at: host) } catch {
            slots.release()
            return .failure(error)
        }
        guard let turn else {
            slots.release()
            return .success(nil)
        }
        do { return .success(try await fetch(source, state, turn)) } catch { return .failure(error) }
    }

    /// With a slot in hand.
    @inline(never)
    private func begin(at host: HostKey) async throws -> HostTurn? {
        if Task.isCancelled { throw CancellationError() }
        if pacer.pause(of: host, now: clock.now) != nil { return nil }
        guard try await pacer.start(at: host, now: clock.now) else { return nil }
        return HostTurn(pacer, at: host, slots: slots, clock: clock)
    }

    @inline(never)
    private func fetch(
        _ source: Source, _ state: SourceState, _ turn: HostTurn
    ) async throws(StoreError) -> FinishedVisit {
        observer.began(source.name)
        defer { observer.ended(source.name) }
        do throws(StoreError) {
            let (report, entry) = try await fetcher.fetch(
                source, from: state, purpose: purpose, trigger: isForced ? .request : .schedule, turn: turn)
            return FinishedVisit(report, entry, turn)
        } catch {
            turn.end()
            throw error
        }
    }

    @inline(never)
    private func refusal(of source: Source, _ state: SourceState, at host: HostKey) -> FetchRefusal? {
        let now = clock.now
        if let refusal = pacer.refusal(of: [host] + state.answeringHost(of: source), now: now) { return refusal }
        guard isForced, state.visited == Fingerprint.of(source) else { return nil }
        if let until = state.wishes.refusal(now: now) { return FetchRefusal(reason: .retryAfter, until: until) }
        guard fetcher.hosts.pace(of: host) != nil, let last = state.lastFetched, last <= now else { return nil }
        let until = last.addingTimeInterval(FetchRefusal.floor.timeInterval)
        return until > now ? FetchRefusal(reason: .floor, until: until) : nil
    }

    /// Only a host's pause moves a date: what else refuses a forced visit leaves the schedule as it is.
    @inline(never)
    private func refuse(
        _ source: Source, _ before: SourceState, _ refusal: FetchRefusal
    ) async throws(StoreError) -> FinishedVisit {
        var entry: CommitEntry?
        if case .host = refusal.reason, purpose == .commit {
            var state = before
            state.becomeCurrent(for: source)
            let isLater = before.visited == Fingerprint.of(source) && (state.nextFetch ?? .distantPast) >= refusal.until
            if !isLater, !state.wishes.hints.isExpired {
                state.nextFetch = refusal.until
                state.nextFetchReason = refusal.words
                state.visited = Fingerprint.of(source)
                entry = CommitEntry(FetchCommit(state: state, date: clock.now))
            }
        }
        var report = FetchReport(source: source.name, result: .noData)
        report.refusal = refusal
        return FinishedVisit(report, entry)
    }
}
