import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation
import Synchronization

/// Lets the scheduler itself run through the days ahead, on a clock of its own and without a network.
public struct SchedulePlanner: Sendable {
    private let configuration: Configuration
    private let store: Store
    private let interval: DateInterval

    /// A plan is of a year at most.
    public static let mostDays = 366

    /// - Parameters:
    ///   - store: A ``Store/copy(ofFileAt:isAtRest:)``: it is changed.
    ///   - days: From `now` on, by the configuration's time zone: a day may have 23 or 25 hours. From zero to ``mostDays``; what is
    ///     beyond counts as the nearest.
    public init(_ configuration: Configuration, store: Store, now: Date, days: Int) {
        self.configuration = configuration
        self.store = store
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = configuration.timeZone
        let days = min(max(0, days), Self.mostDays)
        let end = calendar.date(byAdding: .day, value: days, to: now) ?? now.addingTimeInterval(Double(days) * 86_400)
        interval = DateInterval(start: now, end: end)
    }

    /// - Parameter progress: Called with the date that is reached, at every visit.
    /// - Throws: ``StoreError``, `CancellationError`.
    public func plan(progress: @escaping @Sendable (Date) -> Void = { _ in }) async throws -> SchedulePlan {
        var rehearsed = configuration
        let time = SimulatedTime(now: interval.start, end: interval.end)
        // As the agent's next start would find them.
        try configuration.adoptEdits(in: store, at: time.now)
        let states = try store.states()
        let rehearsal = try Rehearsal(configuration.sources, in: store, now: interval.start)
        rehearsed.sources = rehearsal.sources
        // What an issue holds is not told, so nothing is chosen for it.
        for index in rehearsed.digests.indices { rehearsed.digests[index].only = nil }
        let wiring = try wiring(of: rehearsed, on: time, rehearsal)
        let record = Record()
        do {
            try await time.run {
                try await wiring.scheduler.run(rehearsal.sources, purpose: .dryRun) { reports in
                    record.note(reports, at: time.now)
                } report: { report in
                    progress(time.now)
                    if report.refusal == nil { record.note(report, at: time.now) }
                }
            }
        } catch is CancellationError {
            // The end of the days, or of the process.
            if Task.isCancelled { throw CancellationError() }
        }
        return try summary(of: record, from: states)
    }

    private func wiring(
        of configuration: Configuration, on clock: SimulatedTime, _ transport: any HTTPTransport
    ) throws(StoreError) -> Wiring {
        Wiring(
            configuration: configuration, store: store,
            surroundings: Surroundings(clock: clock, transport: transport, logger: Agent.quiet),
            background: try store.backgroundSettings())
    }

    private func summary(of record: Record, from states: [String: SourceState]) throws(StoreError) -> SchedulePlan {
        let visits = record.visits
        let days = PlannedDays(interval, in: configuration.timeZone)
        var plan = SchedulePlan(interval: interval, days: days.days)
        plan.closedBecause = try BackgroundRest(configuration, in: store)?.words
        let quiet = PlannedQuiet(
            configuration.quietHours, mutedUntil: try store.mutedUntil(at: interval.start), in: interval)
        plan.quietTimes = quiet.times
        let zones = Dictionary(configuration.digests.map { ($0.name, $0.timeZone) }) { $1 }
        plan.issues = record.issues.map {
            SchedulePlan.Issue(digest: $0.digest, date: $0.date, timeZone: zones[$0.digest] ?? configuration.timeZone)
        }
        let publications = try store.publications(
            since: interval.start.addingTimeInterval(-PublicationHistory.length), until: interval.start)
        var requests: [String?: [Int]] = [:]
        for source in configuration.sources {
            let dates = visits[source.name] ?? []
            let host = (states[source.name] ?? SourceState(name: source.name)).visitedHost(of: source)
            for date in dates { requests[host, default: days.none][days.index(of: date)] += 1 }
            let delays = PlannedDelays(
                visits: dates, last: states[source.name]?.lastFetched.map { max($0, interval.start) }, source: source,
                quiet: quiet,
                issues: record.issues.filter { source.digests.contains($0.digest) }.map(\.date))
            let history = PublicationHistory(publications[source.name] ?? [], in: source.mapping.timeZone)
                .dates(in: interval)
            plan.sources.append(
                SchedulePlan.Visits(
                    source: source.name, host: host, count: dates.count, delay: delays.ofAnyTime,
                    history: delays.of(history), historyCount: history.count))
        }
        plan.hosts = requests.map { SchedulePlan.Host(name: $0.key, requests: $0.value) }
            .sorted { ($1.total, $0.name ?? "") < ($0.total, $1.name ?? "") }
        return plan
    }
}

/// What happened in the days.
private final class Record: Sendable {
    private struct Events {
        var visits: [String: [Date]] = [:]
        var issues: [(digest: String, date: Date)] = []
    }

    private let events = Mutex(Events())

    var visits: [String: [Date]] { events.withLock { $0.visits } }
    var issues: [(digest: String, date: Date)] { events.withLock { $0.issues } }

    func note(_ report: FetchReport, at date: Date) {
        events.withLock { $0.visits[report.source, default: []].append(date) }
    }

    func note(_ reports: [DigestReport], at date: Date) {
        events.withLock { events in
            for report in reports { events.issues.append((report.digest, date)) }
        }
    }
}
