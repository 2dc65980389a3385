import CrierNotifications
import CrierProcess
import CrierStore
import Foundation

/// What is due of some sources at a moment.
public struct DueSources: Sendable {
    fileprivate let agenda: FetchAgenda
    fileprivate let date: Date

    /// Longest waiting first.
    public var due: [Source] { agenda.due(at: date) }
    /// Those that are neither stopped nor gone: what is, is visited at its date if it has one, else only when the user names it.
    public var going: [Source] { agenda.going(at: date) }
    /// When the next of those that are not due is.
    public var next: Date? { agenda.next(after: date) }
}

/// The first queue: takes the sources that are due and fetches them, at the pace of their hosts.
public struct FetchScheduler: Sendable {
    /// Fetches under way at once; whoever waits for a gap between two requests does not count.
    public static let parallelFetches = 32
    /// As many of them as there are descriptors for: each takes up to four, and an agent has some 32 others.
    static var slots: Int {
        let files = Int(clamping: ResourceLimit.openFiles.value?.rlim_cur ?? .max)
        return min(parallelFetches, max(1, (files - 32) / 4))
    }
    /// For so many seconds a single run begins visits to paced hosts; what is left is for the next one.
    public static let longestRun: TimeInterval = 600
    /// The same for a round of the loop: a slow host does not keep the sources of others waiting for long.
    static let longestRound: TimeInterval = 60
    /// The loop looks again after so many seconds at the latest: the clock may have been set.
    static let longestSleep: TimeInterval = 3600
    /// So many of the due sources are one round; the loop pauses before the next, so that what is overdue after a night, or
    /// an outage, is not asked all at once.
    static let roundSize = 64
    static let roundPause: TimeInterval = 2
    /// A network that stays down is looked at after so many seconds at the latest.
    static let longestDown: TimeInterval = 900
    /// What waits for other power or another connection is looked at again after so many seconds, where nothing tells earlier.
    static let conditionPause: TimeInterval = 900

    let fetcher: ContentFetcher
    let store: Store
    let clock: any WallClock
    let network: NetworkPath
    private let conditions: MachineConditions
    let observer: FetchObserver
    private let desk: DigestDesk?

    /// - Parameter desk: Where the loop has digests issued between its rounds.
    public init(
        fetcher: ContentFetcher, store: Store, clock: any WallClock, network: NetworkPath = .system,
        conditions: MachineConditions = .unknown, observer: FetchObserver = FetchObserver(), desk: DigestDesk? = nil
    ) {
        self.observer = observer
        self.conditions = conditions
        self.desk = desk
        self.fetcher = fetcher
        self.store = store
        self.clock = clock
        self.network = network
    }

    /// Those of the sources that are due now.
    ///
    /// - Throws: ``StoreError``, of the kind ``StoreError/Kind/invalidRequest`` where two of them have one name, by which their
    ///   state is known.
    public func due(among sources: [Source]) throws(StoreError) -> DueSources {
        let now = clock.now
        return DueSources(agenda: try agenda(of: sources, now: now), date: now)
    }

    private func agenda(of sources: [Source], now: Date) throws(StoreError) -> FetchAgenda {
        let floor = fetcher.hosts.minimumInterval
        return try store.schedules(into: FetchAgenda(sources, floor: floor)) { agenda, name, schedule in
            agenda.note(schedule, of: name, now: now)
        }
    }

    /// Those of the sources that may be fetched on this machine as it is now, and what the others wait for.
    public func allowed(among sources: [Source]) async -> (sources: [Source], unmet: Set<FetchCondition>) {
        let unmet = await conditions.unmet(of: sources)
        return (unmet.isEmpty ? sources : sources.filter { $0.onlyOn.isDisjoint(with: unmet) }, unmet)
    }

    /// Fetches what is due, sleeps until something is, and so on, until the bell rings or the task is cancelled. Visits that are
    /// under way when it rings are brought to their end, and no other begins. In a task without an executor of its own choice it keeps to
    /// a thread of Crier's, with `report` and what else it calls: it waits for the disk.
    ///
    /// A state has one call of this or of ``fetch(_:purpose:isForced:until:report:)`` at a time: of two side by side each would
    /// keep the pace of hosts by itself, and both could visit one source. Whoever wants a fetch meanwhile rings the bell, fetches
    /// when this has returned, takes the bell's ring (``Bell/take()``) and runs it again. It fetches by schedule whatever the user says
    /// about the background, which is for the program to look up (``BackgroundSettings``).
    ///
    /// - Throws: ``StoreError`` where the state cannot be used, two sources have one name or a name holds a NUL; `CancellationError`.
    ///
    /// - Parameters:
    ///   - purpose: Where nothing is written, a source is visited as if it were always found as it is remembered now.
    ///   - issued: Called with the digests that were due after a round.
    ///   - report: As that of a fetch.
    public func run(
        _ sources: [Source], purpose: FetchPurpose = .commit, until bell: Bell = Bell(),
        issued: @Sendable ([DigestReport]) async -> Void = { _ in },
        report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws {
        try await QuietLane.whereNoneIsChosen {
            try await loop(sources, purpose: purpose, until: bell, issued: issued, report: report)
        }
    }

    private func loop(
        _ sources: [Source], purpose: FetchPurpose, until bell: Bell,
        issued: @Sendable ([DigestReport]) async -> Void, report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws {
        var last = clock.now
        var roundsDown = 0
        var agenda = try agenda(of: sources, now: last)
        let remembered = purpose == .commit ? nil : try Remembered(in: store)
        while !bell.isRung {
            if Task.isCancelled { throw CancellationError() }
            try store.checkPlace()
            let now = clock.now
            if now < last { agenda = try self.agenda(of: sources, now: now) }
            last = now
            let (due, unmet) = await allowed(among: agenda.due(at: now))
            let round = round(of: due)
            var isDown = false
            var awaitedSince = now
            if !round.isEmpty {
                let visits = try await visit(
                    round, from: remembered, purpose: purpose, isForced: false,
                    until: now.addingTimeInterval(Self.longestRound), orRingOf: bell, report: report)
                isDown = visits.reports.contains(where: \.networkIsDown)
                if visits.haveMadeOthersDue {
                    awaitedSince = clock.now
                    agenda = try self.agenda(of: sources, now: awaitedSince)
                }
                agenda.note(visits.haveMadeOthersDue ? visits.reports.filter { $0.refusal != nil } : visits.reports)
                agenda.postpone(visits.left)
            }
            let awaited = agenda.awaited(since: awaitedSince).filter { $0.onlyOn.isDisjoint(with: unmet) }
            let (digests, held) = try await desk?.issueDue(awaiting: awaited) ?? ([], [:])
            if !digests.isEmpty { await issued(digests) }
            if bell.isRung { return }
            let end = clock.now
            var wakeUp = end
            roundsDown = isDown ? roundsDown + 1 : 0
            // Without a network nothing is written down: what is due stays so, and is looked at ever more rarely.
            if isDown {
                let pause = Self.longestRound * pow(2, Double(min(roundsDown - 1, 4)))
                wakeUp = end.addingTimeInterval(min(pause, Self.longestDown))
            } else if due.count > round.count {
                wakeUp = end.addingTimeInterval(Self.roundPause)
            } else if due.isEmpty {
                let latest = end.addingTimeInterval(Self.longestSleep)
                wakeUp = min(agenda.wakeUp(after: end) ?? latest, latest)
            }
            // One that could not be issued is tried again, but not at once.
            if let slot = try desk?.next(held: held) {
                wakeUp = min(wakeUp, slot > end ? slot : end.addingTimeInterval(Self.longestRound))
            }
            if !unmet.isEmpty { wakeUp = min(wakeUp, end.addingTimeInterval(Self.conditionPause)) }
            guard wakeUp > end else { continue }
            observer.sleeps(agenda.next(after: end))
            try await sleep(until: wakeUp, orRingOf: bell, orChangeOf: unmet)
            if !bell.isRung { observer.wakes() }
        }
    }

    /// The longest waiting of those that are due; of each host as many as a round has time for, so that it keeps no other waiting.
    private func round(of due: [Source]) -> [Source] {
        var counts: [HostKey: Int] = [:]
        var round: [Source] = []
        for source in due where round.count < Self.roundSize {
            if let pace = fetcher.hosts.pace(of: source.host) {
                let count = counts[source.host, default: 0]
                if count == pace.visits(in: Self.longestRound) { continue }
                counts[source.host] = count + 1
            }
            round.append(source)
        }
        return round
    }

    private func sleep(until date: Date, orRingOf bell: Bell, orChangeOf unmet: Set<FetchCondition>) async throws {
        if unmet.isEmpty { return try await clock.sleep(until: date, orRingOf: bell) }
        let changed = Bell()
        let changes = conditions.changes(unmet)
        async let _: Void = {
            for await _ in changes { return changed.ring() }
        }()
        try await clock.sleep(until: date, orRingOf: bell, changed)
    }

    /// Fetches the sources, each once, unless its host or origin wants to be left alone: then its report says so.
    ///
    /// - Parameters:
    ///   - isForced: Whether the user asks for it in spite of their schedule: then the least time between two visits is obeyed, too.
    ///     Whoever does not say so asks for those that are due (``due(among:)``).
    ///   - deadline: No visit to a paced host begins after it; those left are in no report. Nil: ``longestRun`` from now.
    ///   - report: Called for each that was visited when it is written down; where the whole network is down, at the end. Of those
    ///     that are to be left alone the result tells.
    /// - Returns: One for each of the sources that was visited or is to be left alone. Of what is written down, documents and items
    ///   are with `report` only.
    /// - Throws: ``StoreError`` where the state cannot be used, or its file was removed or replaced, two sources have one name or a
    ///   name holds a NUL; `CancellationError`: what was under way then leaves nothing behind.
    public func fetch(
        _ sources: [Source], purpose: FetchPurpose = .commit, isForced: Bool = false, until deadline: Date? = nil,
        report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws -> [FetchReport] {
        try await QuietLane.whereNoneIsChosen {
            try store.checkPlace()
            return try await visit(
                sources, from: nil, purpose: purpose, isForced: isForced,
                until: deadline ?? clock.now.addingTimeInterval(Self.longestRun), report: report
            ).reports
        }
    }

    /// What is remembered, where nothing is written.
    private struct Remembered {
        let states: [String: SourceState]
        let refused: [SourceState]

        init(in store: Store) throws(StoreError) {
            (states, refused) = (try store.states(), try store.refusedStates())
        }
    }

    /// What a run came to.
    private struct Visits {
        var reports: [FetchReport] = []
        /// Those to which no visit has begun, and when their hosts may be asked.
        var left: [String: Date] = [:]
        /// Whether a host was reached, so that sources are due which could not be before.
        var haveMadeOthersDue = false
    }

    /// - Parameter remembered: Where nothing is written; nil: what is stored.
    private func visit(
        _ sources: [Source], from remembered: Remembered?, purpose: FetchPurpose, isForced: Bool,
        until deadline: Date, orRingOf bell: Bell? = nil, report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws -> Visits {
        let indices = try FetchAgenda.indices(of: sources)
        // Not even the thread of the transport is started for nothing.
        if sources.isEmpty { return Visits() }
        if purpose == .commit { try store.checkRoomForVisits() }
        let (visit, hosts) = try plan(
            sources, from: remembered, purpose: purpose, isForced, until: deadline, bell, report)
        let lanes = FetchLane.lanes(on: hosts, at: fetcher.hosts, free: Self.parallelFetches)
        try await run(visit, in: lanes)
        let reports = visit.journal.reports
        var left = reports.count == sources.count ? [:] : indices
        for report in reports { left[report.source] = nil }
        let now = clock.now
        let settled = try await settle(reports, report: report) { name in
            indices[name].map { (sources[$0], hosts[$0]) }
        }
        return Visits(
            reports: settled, left: left.mapValues { visit.pacer.earliestStart(at: hosts[$0], now: now) },
            haveMadeOthersDue: purpose == .commit ? try makeUnreachedDue(after: settled) : false)
    }

    /// What each lane of a run does, and the host of each source.
    private func plan(
        _ sources: [Source], from remembered: Remembered?, purpose: FetchPurpose, _ isForced: Bool,
        until deadline: Date, _ bell: Bell?, _ report: @escaping @Sendable (FetchReport) async -> Void
    ) throws(StoreError) -> (visit: HostVisit, hosts: [HostKey]) {
        // At once, as each reading by itself would wait for what others write.
        let plan =
            if let remembered {
                sources.map { PlannedVisit($0, remembered.states[$0.name]) }
            } else {
                try store.states(of: sources.map(\.name)) { PlannedVisit(sources[$0], $1) }
            }
        let pacer = try HostPacer(
            store: store, aside: fetcher.aside, paces: fetcher.hosts, remembers: purpose == .commit,
            hosts: plan.lazy.flatMap(\.hosts), random: fetcher.random)
        // A visit by itself shares its thread with nobody: to go to another and back would take longer than it does.
        let executor = sources.count > 1 ? fetcher.lane : nil
        let journal = VisitJournal(
            store, aside: fetcher.aside, purpose: purpose, gathers: executor != nil, count: sources.count,
            report: report)
        let visit = HostVisit(
            fetcher: fetcher, plan: VisitPlan(plan, refusals: try refusals(of: plan, remembered?.refused)),
            clock: clock, observer: observer,
            pacer: pacer, slots: FetchSlots(Self.slots), purpose: purpose, isForced: isForced,
            deadline: deadline, bell: bell, executor: executor, journal: journal)
        return (visit, plan.map(\.host))
    }

    /// Who is known to want to be left alone, where a source may have the address of another; nil where nobody does.
    private func refusals(
        of plan: [PlannedVisit], _ refused: [SourceState]?
    ) throws(StoreError) -> KnownRefusals? {
        let strangers = plan.filter { !$0.isCurrent }
        // Nearly always.
        if strangers.isEmpty { return nil }
        let refused = if let refused { refused } else { try store.refusedStates() }
        if refused.isEmpty { return nil }
        let known = try KnownRefusals(of: strangers.map(\.source), refused: refused, in: store, now: clock.now)
        return known.isEmpty ? nil : known
    }

    private func run(_ visit: HostVisit, in lanes: [FetchLane]) async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                if visit.journal.gathers { group.addTask(at: visit.executor) { try await visit.journal.keepTime() } }
                for lane in lanes { group.addTask(at: visit.executor) { try await visit.run(lane) } }
                for _ in lanes { try await group.next() }
                group.cancelAll()
                try await group.waitForAll()
            }
        } catch {
            try? await visit.journal.write()
            throw error
        }
        try await visit.journal.write()
    }
}

extension ThrowingTaskGroup {
    /// - Parameter executor: Nil: where the tasks of the group's owner run. As the optimizer of Swift 6.3.1 takes a nil preference,
    ///   such a task would run on the threads that all tasks share, and the agent would leave its lane.
    fileprivate mutating func addTask(
        at executor: (any TaskExecutor)?,
        _ operation: sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) {
        guard let executor else { return addTask(operation: operation) }
        addTask(executorPreference: executor, operation: operation)
    }
}
