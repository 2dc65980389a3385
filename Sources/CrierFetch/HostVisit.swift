import CrierNotifications
import CrierStore
import Foundation

/// One lane of a run: sources of one host that are visited one after another, each when the host may be asked.
struct HostVisit: Sendable {
    let fetcher: ContentFetcher
    let store: Store
    /// What was remembered of the sources before the run.
    let states: [String: SourceState]
    let clock: any WallClock
    let observer: FetchObserver
    let pacer: HostPacer
    let slots: FetchSlots
    let host: HostKey
    let purpose: FetchPurpose
    let isForced: Bool
    let deadline: Date

    func run(_ lane: [Source], report: @Sendable (FetchReport) async -> Void) async throws -> [FetchReport] {
        var reports: [FetchReport] = []
        for source in lane {
            // Task.checkCancellation() here makes the optimizer of Swift 6.3.1 crash while it splits this coroutine.
            if Task.isCancelled { throw CancellationError() }
            guard var result = try await visit(source) else { break }
            if Task.isCancelled { throw CancellationError() }
            if !result.suspectsNetwork, result.refusal == nil { await report(result) }
            if purpose == .commit { result.forgetDocument() }
            reports.append(result)
        }
        return reports
    }

    /// Nil when the run's time is over. What it calls is not inlined: the optimizer of Swift 6.3.1 crashes on the whole.
    private func visit(_ source: Source) async throws -> FetchReport? {
        while true {
            if let refusal = await refusal(of: source) { return try refuse(source, refusal) }
            guard let start = await start() else { return nil }
            if start > clock.now {
                try await clock.sleep(until: start)
            } else if let report = try await attempt(source).get() {
                return report
            }
        }
    }

    /// When the host may be asked; nil where that is after the run's end.
    @inline(never)
    private func start() async -> Date? {
        let start = await pacer.earliestStart(at: host, now: clock.now)
        let isPaced = fetcher.hosts.pace(of: host) != nil
        return isPaced && max(start, clock.now) > deadline ? nil : start
    }

    @inline(never)
    private func attempt(_ source: Source) async -> Result<FetchReport?, any Error> {
        await slots.acquire()
        let result: Result<FetchReport?, any Error>
        do { result = .success(try await begin(source)) } catch { result = .failure(error) }
        await slots.release()
        return result
    }

    /// With a slot in hand; nil when the host's turn, or its patience, went to another meanwhile.
    @inline(never)
    private func begin(_ source: Source) async throws -> FetchReport? {
        if Task.isCancelled { throw CancellationError() }
        if await pacer.pause(of: host, now: clock.now) != nil { return nil }
        guard try await pacer.start(at: host, now: clock.now) else { return nil }
        let turn = HostTurn(pacer, at: host, clock: clock)
        observer.began(source.name)
        let result: Result<FetchReport, StoreError>
        do throws(StoreError) {
            result = .success(
                try await fetcher.fetch(
                    source, from: state(of: source), purpose: purpose, trigger: isForced ? .request : .schedule,
                    turn: turn))
        } catch {
            result = .failure(error)
        }
        await turn.end()
        observer.ended(source.name)
        return try result.get()
    }

    private func state(of source: Source) -> SourceState { states[source.name] ?? SourceState(name: source.name) }

    @inline(never)
    private func refusal(of source: Source) async -> FetchRefusal? {
        let now = clock.now
        let state = state(of: source)
        if let refusal = await pacer.refusal(of: [host] + state.answeringHost(of: source), now: now) { return refusal }
        guard isForced, state.visited == Fingerprint.of(source) else { return nil }
        if let until = state.wishes.refusal(now: now) { return FetchRefusal(reason: .retryAfter, until: until) }
        guard fetcher.hosts.pace(of: host) != nil, let last = state.lastFetched, last <= now else { return nil }
        let until = last.addingTimeInterval(FetchRefusal.floor.timeInterval)
        return until > now ? FetchRefusal(reason: .floor, until: until) : nil
    }

    /// Only a host's pause moves a date: what else refuses a forced visit leaves the schedule as it is.
    private func refuse(_ source: Source, _ refusal: FetchRefusal) throws(StoreError) -> FetchReport {
        if case .host = refusal.reason, purpose == .commit {
            let before = state(of: source)
            var state = before.current(for: source)
            let isLater = before.visited == Fingerprint.of(source) && (state.nextFetch ?? .distantPast) >= refusal.until
            if !isLater, !state.wishes.hints.isExpired {
                state.nextFetch = refusal.until
                state.nextFetchReason = refusal.words
                state.visited = Fingerprint.of(source)
                try store.commit(FetchCommit(state: state, date: clock.now))
            }
        }
        var report = FetchReport(source: source.name, result: .noData)
        report.refusal = refusal
        return report
    }
}
