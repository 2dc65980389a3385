import CrierStore
import Foundation
import Synchronization

/// When each host may be asked next. What it learns is written down at once, so that a run from cron obeys the one before, and
/// whoever asks at the same time, such as `crier try` beside an agent, takes turns with it: see ``start(at:now:)``.
///
/// A lock and no actor: it is asked six times for each visit and answers at once, and to go to an actor and back takes more
/// time than the answer.
final class HostPacer: Sendable {
    fileprivate struct Book {
        var states: [String: HostState]
        /// The hosts of which all that is remembered is in ``states``.
        var known: Set<String>
        /// Requests to paced hosts that are on their way.
        var inFlight: [String: Int] = [:]
        /// When the last of those may ask that wait in line at a host.
        var lines: [String: Date] = [:]
    }

    /// In seconds. A start further ahead is from a clock that was set back.
    fileprivate static let readingsApart: TimeInterval = 1

    private let store: Store
    private let aside: Aside
    private let paces: HostPaces
    private let remembers: Bool
    private let random: @Sendable () -> Double
    private let book: Mutex<Book>

    /// - Parameters:
    ///   - remembers: Whether to write anything.
    ///   - hosts: Those that will be asked, or may be found to be paused. What is remembered of one to which a redirect leads
    ///     is read at its first turn.
    ///   - random: Fresh randomness, 0..<1, for how long a pause is.
    init(
        store: Store, aside: Aside, paces: HostPaces, remembers: Bool, hosts: some Sequence<HostKey>,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(StoreError) {
        self.store = store
        self.aside = aside
        self.paces = paces
        self.remembers = remembers
        self.random = random
        let known = Set(hosts.map(\.name))
        book = Mutex(Book(states: try store.hosts(known), known: known))
    }

    /// The first pause among hosts.
    func refusal(of hosts: @autoclosure () -> [HostKey], now: Date) -> FetchRefusal? {
        book.withLock { $0.states.isEmpty ? nil : FetchRefusal(of: hosts(), in: $0.states, now: now) }
    }

    /// The gap's end; `now` or earlier where there is none to wait for.
    func gapEnd(at host: HostKey, now: Date) -> Date {
        guard let pace = paces.pace(of: host) else { return now }
        return book.withLock { $0.gapEnd(at: host, pace, now: now) }
    }

    /// The same. While as many are asking as may, a second from now.
    func earliestStart(at host: HostKey, now: Date) -> Date {
        guard let pace = paces.pace(of: host) else { return now }
        return book.withLock { $0.earliestStart(at: host, pace, now: now) }
    }

    /// The gap's end for whoever comes now, behind those that wait in line: the place is taken, and who comes next is a gap later.
    /// Nobody is asked who has it when ``start(at:now:)`` gives the turn, so that the place of one who has gone keeps nobody waiting.
    func takePlace(at host: HostKey, now: Date) -> Date { latePlace(at: host, after: .distantPast, now: now) ?? now }

    /// The same for whoever cannot wait for longer than until a deadline: nil where the place comes before it, and is not taken.
    func latePlace(at host: HostKey, after deadline: Date, now: Date) -> Date? {
        guard let pace = paces.pace(of: host) else { return nil }
        return book.withLock { book in
            let place = book.nextPlace(at: host, pace, now: now)
            guard place > deadline else { return nil }
            book.lines[host.name] = place
            return place
        }
    }

    /// Takes the turn, until ``leave(_:)``; false where somebody else, here or in another process, has taken it meanwhile, or the
    /// host is paused. What others have written is looked at by what writes the start down: it costs nothing more.
    func start(at host: HostKey, now: Date) async throws(StoreError) -> Bool {
        guard let pace = paces.pace(of: host) else { return true }
        // Read before the lock is taken, for which others wait.
        let isKnown = book.withLock { $0.known.contains(host.name) }
        let remembered =
            isKnown ? nil : try await aside { () throws(StoreError) in try store.hosts([host.name])[host.name] }
        let hasTurn = book.withLock { book in
            if book.known.insert(host.name).inserted { book.states[host.name] = remembered }
            let isPaused = book.states[host.name]?.pause(now: now) != nil
            guard !isPaused, book.earliestStart(at: host, pace, now: now) <= now else { return false }
            book.states[host.name, default: HostState(name: host.name)].lastStarted = now.nextMillisecond
            book.inFlight[host.name, default: 0] += 1
            return true
        }
        guard hasTurn else { return false }
        do throws(StoreError) {
            guard let other = try await claimStart(at: host, pace, now: now) else { return true }
            book.withLock { $0.adopt(other, now: now) }
        } catch {
            leave(host)
            throw error
        }
        leave(host)
        return false
    }

    /// - Returns: Nil where it is written down; else what another process has written.
    private func claimStart(at host: HostKey, _ pace: HostPace, now: Date) async throws(StoreError) -> HostState? {
        guard remembers else { return nil }
        let starts = now.addingTimeInterval(-pace.gap.timeInterval)...now.addingTimeInterval(Self.readingsApart)
        return try await aside { () throws(StoreError) in
            try store.claimStart(
                at: host.name, now.nextMillisecond, unlessIn: starts,
                now...now.addingTimeInterval(NextFetch.longestPostponement), pace.durability)
        }
    }

    /// The same turn's next request, which goes at once: it follows from the answer before. Whoever comes after waits from now on.
    func goOn(at host: HostKey, now: Date) async {
        guard let pace = paces.pace(of: host) else { return }
        book.withLock { $0.states[host.name]?.lastStarted = now.nextMillisecond }
        guard remembers else { return }
        // Where it cannot be written down, the visit cannot either, and tells so.
        try? await aside { () throws(StoreError) in
            try store.noteStart(at: host.name, now.nextMillisecond, pace.durability)
        }
    }

    /// The turn is over: the host has answered.
    func leave(_ host: HostKey) {
        guard paces.pace(of: host) != nil else { return }
        book.withLock { $0.inFlight[host.name, default: 0] -= 1 }
    }

    /// Takes note of an answer: one that says so (``RequestLimit``) pauses the host that gave it, except one whose answers say
    /// nothing about its neighbours; another answer ends the doubling. What has changed is to be written with the visit; nil is
    /// nothing.
    func note(_ report: FetchReport, of source: Source, now: Date) -> HostState? {
        guard let status = report.status, let host = report.url.map(source.host(of:)) else { return nil }
        return note(status, isOfLimit: report.isOfLimit, retryAfter: report.retryAfter, by: host, now: now)
    }

    func note(_ status: Int, isOfLimit: Bool, retryAfter: Duration?, by host: HostKey, now: Date) -> HostState? {
        if host.isLocal || host.isPrivate { return nil }
        return book.withLock { book in
            var state = book.states[host.name] ?? HostState(name: host.name)
            if isOfLimit {
                let isPaused = state.pause(now: now) != nil
                // Requests that were under way together are one complaint.
                if retryAfter ?? .zero <= .zero, !isPaused { state.pauses += 1 }
                let wait = NextFetch.hostPause(number: state.pauses, retryAfter: retryAfter, random: random())
                let until = now.addingTimeInterval(wait).nextWholeSecond
                state.pausedUntil = isPaused ? max(until, state.pausedUntil ?? until) : until
            } else if status < 400, state.pauses > 0 {
                state.pauses = 0
            } else {
                return nil
            }
            book.states[host.name] = state
            return state
        }
    }

    /// Writes down what an answer has changed that leaves nothing else behind.
    func remember(_ host: HostState?) async {
        guard let host, remembers else { return }
        try? await aside { () throws(StoreError) in try store.notePause(of: host) }
    }
}

extension HostPacer.Book {
    fileprivate mutating func gapEnd(at host: HostKey, _ pace: HostPace, now: Date) -> Date {
        // A date ahead is from a clock that was set back. It counts as now, from now on: else the gap would never end. So are the
        // places in line.
        if let last = states[host.name]?.lastStarted, last > now.addingTimeInterval(HostPacer.readingsApart) {
            states[host.name]?.lastStarted = now
            lines[host.name] = nil
        }
        return states[host.name]?.lastStarted?.addingTimeInterval(pace.gap.timeInterval) ?? now
    }

    fileprivate mutating func earliestStart(at host: HostKey, _ pace: HostPace, now: Date) -> Date {
        let gapEnd = gapEnd(at: host, pace, now: now)
        return inFlight[host.name, default: 0] < pace.parallel ? gapEnd : max(gapEnd, now.addingTimeInterval(1))
    }

    fileprivate mutating func nextPlace(at host: HostKey, _ pace: HostPace, now: Date) -> Date {
        let gapEnd = gapEnd(at: host, pace, now: now)
        guard let last = lines[host.name] else { return gapEnd }
        return max(gapEnd, last.addingTimeInterval(pace.gap.timeInterval))
    }

    /// What another process has written. A pause that is known here may still have to be written, with its visit.
    fileprivate mutating func adopt(_ other: HostState, now: Date) {
        var state = states[other.name] ?? HostState(name: other.name)
        state.lastStarted = other.lastStarted
        if let until = other.pause(now: now), until > state.pause(now: now) ?? .distantPast {
            state.pausedUntil = until
            state.pauses = max(state.pauses, other.pauses)
        }
        states[other.name] = state
    }
}

extension HostState {
    /// Until when it is to be left alone, if it is.
    func pause(now: Date) -> Date? { NextFetch.postponement(until: pausedUntil, now: now) }
}

extension Date {
    /// The store keeps milliseconds: rounded up, a gap is never cut short.
    fileprivate var nextMillisecond: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded(.up) / 1000)
    }
}

extension HostPace {
    /// In seconds: no machine starts faster.
    private static let fastestStart = 5.0

    /// Of the word that a request begins: after a power cut a short gap is over anyway.
    fileprivate var durability: Durability { gap.timeInterval < Self.fastestStart ? .process : .powerCut }
}
