import CrierStore
import Foundation

/// When each host may be asked next. What it learns is written down at once, so that a run from cron obeys the one before.
actor HostPacer {
    private let store: Store
    private let paces: HostPaces
    private let remembers: Bool
    private var states: [String: HostState]
    /// The hosts of which all that is remembered is in ``states``.
    private var known: Set<String>
    /// Requests to paced hosts that are on their way.
    private var inFlight: [String: Int] = [:]

    /// - Parameters:
    ///   - remembers: Whether to write anything.
    ///   - hosts: Those that will be asked, or may be found to be paused. What is remembered of one to which a redirect leads
    ///     is read at its first turn.
    init(store: Store, paces: HostPaces, remembers: Bool, hosts: [HostKey]) throws(StoreError) {
        self.store = store
        self.paces = paces
        self.remembers = remembers
        known = Set(hosts.map(\.name))
        states = try store.hosts(known)
    }

    /// Nil where the host is not paused.
    func pause(of host: HostKey, now: Date) -> Date? { states[host.name]?.pause(now: now) }

    /// The first pause among hosts.
    func refusal(of hosts: [HostKey], now: Date) -> FetchRefusal? { FetchRefusal(of: hosts, in: states, now: now) }

    /// The gap's end; `now` or earlier where there is none to wait for. While as many are asking as may, a second from now.
    func earliestStart(at host: HostKey, now: Date) -> Date {
        guard let pace = paces.pace(of: host) else { return now }
        // A date ahead is from a clock that was set back. It counts as now, from now on: else the gap would never end.
        if let last = states[host.name]?.lastStarted, last > now.addingTimeInterval(1) {
            states[host.name]?.lastStarted = now
        }
        let gapEnd = states[host.name]?.lastStarted?.addingTimeInterval(pace.gap.timeInterval) ?? now
        return inFlight[host.name, default: 0] < pace.parallel ? gapEnd : max(gapEnd, now.addingTimeInterval(1))
    }

    /// Takes the turn, until ``leave(_:)``; false where somebody else has taken it meanwhile.
    func start(at host: HostKey, now: Date) throws(StoreError) -> Bool {
        guard paces.pace(of: host) != nil else { return true }
        if known.insert(host.name).inserted { states[host.name] = try store.hosts([host.name])[host.name] }
        guard earliestStart(at: host, now: now) <= now else { return false }
        var state = states[host.name] ?? HostState(name: host.name)
        // The store keeps milliseconds: rounded up, a gap is never cut short.
        let started = Date(timeIntervalSince1970: (now.timeIntervalSince1970 * 1000).rounded(.up) / 1000)
        state.lastStarted = started
        states[host.name] = state
        if remembers { try store.noteStart(at: host.name, started) }
        inFlight[host.name, default: 0] += 1
        return true
    }

    /// The turn is over: the host has answered.
    func leave(_ host: HostKey) {
        guard paces.pace(of: host) != nil else { return }
        inFlight[host.name, default: 0] -= 1
    }

    /// Takes note of an answer: a 429 pauses the host that gave it, except one whose answers say nothing about its neighbours;
    /// another answer ends the doubling. What has changed is to be written with the visit; nil is nothing.
    func note(_ report: FetchReport, now: Date) -> HostState? {
        guard let status = report.status, let host = report.url.map(HostKey.init(url:)), !host.isLocal, !host.isPrivate
        else { return nil }
        var state = states[host.name] ?? HostState(name: host.name)
        if status == 429 {
            let isPaused = pause(of: host, now: now) != nil
            // Requests that were under way together are one complaint.
            if report.retryAfter ?? .zero <= .zero, !isPaused { state.pauses += 1 }
            let wait = NextFetch.hostPause(number: state.pauses, retryAfter: report.retryAfter)
            let until = now.addingTimeInterval(wait).nextWholeSecond
            state.pausedUntil = isPaused ? max(until, state.pausedUntil ?? until) : until
        } else if status < 400, state.pauses > 0 {
            state.pauses = 0
        } else {
            return nil
        }
        states[host.name] = state
        return state
    }
}

extension HostState {
    /// Until when it is to be left alone, if it is. A date beyond every rule was set by a clock that was ahead.
    func pause(now: Date) -> Date? {
        guard let pausedUntil, pausedUntil > now,
            pausedUntil <= now.addingTimeInterval(NextFetch.longestPostponement + 1)
        else { return nil }
        return pausedUntil
    }
}

/// So many fetches at once; whoever comes later waits in line.
actor FetchSlots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func acquire() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
