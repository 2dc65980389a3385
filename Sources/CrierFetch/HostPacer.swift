import CrierStore
import Foundation

/// When each host may be asked next. What it learns is written down at once, so that a run from cron obeys the one before.
actor HostPacer {
    private let store: Store
    private let paces: HostPaces
    private let remembers: Bool
    private var states: [String: HostState]

    /// - Parameter remembers: Whether to write anything.
    init(store: Store, paces: HostPaces, remembers: Bool) throws(StoreError) {
        self.store = store
        self.paces = paces
        self.remembers = remembers
        states = try store.hosts()
    }

    /// Nil where the host is not paused. A date beyond every rule was set by a clock that was ahead.
    func pause(of host: HostKey, now: Date) -> Date? {
        guard let date = states[host.name]?.pausedUntil, date > now,
            date <= now.addingTimeInterval(NextFetch.longestPostponement + 1)
        else { return nil }
        return date
    }

    /// The gap's end; `now` or earlier where there is none to wait for.
    func earliestStart(at host: HostKey, now: Date) -> Date {
        guard let gap = paces.pace(of: host)?.gap, let last = states[host.name]?.lastStarted else { return now }
        return min(last, now).addingTimeInterval(gap.timeInterval)
    }

    /// Takes the turn; false where somebody else has taken it meanwhile.
    func start(at host: HostKey, now: Date) throws(StoreError) -> Bool {
        guard paces.pace(of: host) != nil else { return true }
        guard earliestStart(at: host, now: now) <= now else { return false }
        var state = states[host.name] ?? HostState(name: host.name)
        // The store keeps milliseconds: rounded up, a gap is never cut short.
        state.lastStarted = Date(timeIntervalSince1970: (now.timeIntervalSince1970 * 1000).rounded(.up) / 1000)
        try write(state)
        return true
    }

    /// A 429 pauses the host, except one whose answers say nothing about its neighbours; an answer ends the doubling.
    func finish(at host: HostKey, status: Int?, retryAfter: Duration?, now: Date) throws(StoreError) {
        guard let status, !host.isLocal, !host.isPrivate else { return }
        var state = states[host.name] ?? HostState(name: host.name)
        if status == 429 {
            let isPaused = pause(of: host, now: now) != nil
            // Requests that were under way together are one complaint.
            if retryAfter == nil, !isPaused { state.pauses += 1 }
            let wait = NextFetch.hostPause(number: state.pauses, retryAfter: retryAfter)
            let until = now.addingTimeInterval(wait)
            state.pausedUntil = isPaused ? max(until, state.pausedUntil ?? until) : until
            try write(state)
        } else if status < 400, state.pauses > 0 {
            state.pauses = 0
            try write(state)
        }
    }

    private func write(_ state: HostState) throws(StoreError) {
        states[state.name] = state
        if remembers { try store.save(state) }
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
