import CrierNotifications
import CrierStore
import Foundation

/// What all lanes of a run do, and share: in each, sources are visited one after another, each when its host may be asked.
struct HostVisit: Sendable {
    let fetcher: ContentFetcher
    let plan: VisitPlan
    let clock: any WallClock
    let observer: FetchObserver
    let pacer: HostPacer
    let slots: FetchSlots
    let purpose: FetchPurpose
    let isForced: Bool
    let deadline: Date
    /// No visit begins once it has rung; nil: it never does.
    let bell: Bell?
    /// Where it is made; nil: where its run is.
    let executor: (any TaskExecutor)?
    let journal: VisitJournal

    func run(_ lane: FetchLane) async throws {
        while let index = lane.next(), let planned = plan.take(index) {
            // Task.checkCancellation() here makes the optimizer of Swift 6.3.1 crash while it splits this coroutine.
            if Task.isCancelled { throw CancellationError() }
            guard let visit = try await visit(planned) else { break }
            try await journal.note(visit)
        }
    }

    /// Nil when the run's time is over. What it calls is not inlined: the optimizer of Swift 6.3.1 crashes on the whole.
    private func visit(_ planned: PlannedVisit) async throws -> FinishedVisit? {
        while true {
            let now = clock.now
            if let refusal = refusal(of: planned, now: now) { return refuse(planned, refusal) }
            guard let start = start(at: planned.host, now: now) else { return nil }
            if start > now {
                try await wait(for: start.timeIntervalSince(now))
            } else if let visit = try await attempt(planned).get() {
                return visit
            }
        }
    }

    /// Not by the time of day, which may be set back meanwhile.
    ///
    /// - Parameter pause: In seconds.
    @inline(never)
    private func wait(for pause: TimeInterval) async throws {
        guard let bell else { return try await clock.sleep(for: .seconds(pause)) }
        try await clock.sleep(for: .seconds(pause), orRingOf: bell)
    }

    /// When the host may be asked; nil where that is after the run's end.
    @inline(never)
    private func start(at host: HostKey, now: Date) -> Date? {
        if bell?.isRung == true { return nil }
        let start = pacer.earliestStart(at: host, now: now)
        let isPaced = fetcher.hosts.pace(of: host) != nil
        return isPaced && max(start, now) > deadline ? nil : start
    }

    /// Nil when the host's turn, or its patience, went to another meanwhile, or no visit is to begin any more.
    @inline(never)
    private func attempt(_ planned: PlannedVisit) async -> Result<FinishedVisit?, any Error> {
        await slots.acquire()
        let turn: HostTurn?
        do { turn = try await begin(at: planned.host) } catch {
            slots.release()
            return .failure(error)
        }
        guard let turn else {
            slots.release()
            return .success(nil)
        }
        do { return .success(try await fetch(planned, turn)) } catch { return .failure(error) }
    }

    /// With a slot in hand.
    @inline(never)
    private func begin(at host: HostKey) async throws -> HostTurn? {
        if Task.isCancelled { throw CancellationError() }
        if bell?.isRung == true { return nil }
        guard try await pacer.start(at: host, now: clock.now) else { return nil }
        return HostTurn(pacer, at: host, slots: slots, clock: clock, until: deadline)
    }

    @inline(never)
    private func fetch(_ planned: PlannedVisit, _ turn: HostTurn) async throws(StoreError) -> FinishedVisit {
        observer.began(planned.source.name)
        defer { observer.ended(planned.source.name) }
        do throws(StoreError) {
            let visit = try await fetcher.fetch(
                planned, purpose: purpose, trigger: isForced ? .request : .schedule, turn: turn)
            return turn.refusal.map { refuse(planned, $0, isVisited: true) } ?? visit
        } catch {
            turn.end()
            throw error
        }
    }

    @inline(never)
    private func refusal(of planned: PlannedVisit, now: Date) -> FetchRefusal? {
        if let refusal = pacer.refusal(of: planned.hosts, now: now) { return refusal }
        // Where it is known to lead to a host whose turn comes too late, its own would be asked for nothing.
        for host in planned.hosts.dropFirst() {
            if let place = pacer.latePlace(at: host, after: deadline, now: now) {
                return FetchRefusal(reason: .pace(host.name), until: place)
            }
        }
        // One that is visited at its date has waited; one that was edited since has none.
        guard isForced || !planned.isCurrent || planned.isAhead(at: now) else { return nil }
        if let refusal = FetchRefusal(by: planned.wishes, now: now) { return refusal }
        if !planned.isCurrent, let refusal = plan.refusals?.refusal(of: planned.source), refusal.until > now {
            return refusal
        }
        guard isForced && planned.isCurrent || planned.isEditOfSameAddress,
            fetcher.hosts.pace(of: planned.host) != nil
        else { return nil }
        return FetchRefusal(after: planned.lastFetched, now: now)
    }

    /// Only a host's pause moves a date: what else refuses a forced visit leaves the schedule as it is.
    ///
    /// - Parameter isVisited: Whether its own host was asked, and led to the one that is not.
    @inline(never)
    private func refuse(
        _ planned: PlannedVisit, _ refusal: FetchRefusal, isVisited: Bool = false
    ) -> FinishedVisit {
        var entry: CommitEntry?
        if case .host = refusal.reason, purpose == .commit {
            var state = planned.start
            // So that it is not asked again and again for that.
            if isVisited { state.lastFetched = clock.now }
            if state.postpone(planned.source, after: refusal) {
                var commit = FetchCommit(state: state, date: clock.now)
                commit.compare(with: planned.before)
                entry = CommitEntry(commit)
            }
        }
        var report = FetchReport(source: planned.source.name, result: .noData)
        report.refusal = refusal
        return FinishedVisit(report, entry)
    }
}
