import CrierDelivery
import CrierFetch
import CrierStore
import Foundation

/// A single run from a terminal, cron or a timer: fetches what is due, delivers what is due, ends.
public struct OneShot: Sendable {
    /// What one run did.
    public struct Report: Sendable {
        public var fetches: [FetchReport] = []
        /// Those that were not asked because their host or origin wants to be left alone.
        public var refused: [FetchReport] = []
        /// How many are left for the next run, since their hosts are asked one by one.
        public var left = 0
        public var delivery = DeliveryReport()
        /// Those that were due after the visits.
        public var digests: [DigestReport] = []
        /// When the earliest of the sources that were not due is.
        public var next: Date?
        /// Why a scheduled run has fetched nothing.
        public var rest: BackgroundRest?
        /// Whether a scheduled run has found before that the network is down, and none has reached a host since.
        public var outageIsKnown = false
        /// How many sources that are due wait for other power or another connection, and why.
        public var waiting = 0
        public var unmet: Set<FetchCondition> = []
    }

    /// Which sources a run takes.
    public enum Selection: Sendable {
        case due
        /// Those that are due, in spite of what the machine runs on and is connected by.
        case dueAmongNamed
        /// In spite of their schedule; not those that are gone for good.
        case all
        /// In spite of everything.
        case named
    }

    /// Who raises what a run makes, and when.
    public enum Deliveries: Sendable {
        /// The run, side by side with its visits: a notification is raised while other sources are still under way.
        case meanwhile
        /// The run, when its visits are made: the user may have to be asked on the terminal, and nothing is printed into the question.
        case afterwards
        /// An agent, to whose state it leads: the run ends with its visits.
        case byAgent
    }

    private let wiring: Wiring
    private let isScheduled: Bool

    /// - Parameter isScheduled: Whether cron or a timer runs it rather than a person: then it fetches only what the agent
    ///   would fetch by itself, and delivers all the same.
    public init(_ wiring: Wiring, isScheduled: Bool = false) {
        self.wiring = wiring
        self.isScheduled = isScheduled
    }

    /// Fetches the sources and delivers.
    ///
    /// - Parameters:
    ///   - isDryRun: Whether to only say what would be raised; nothing is delivered, nor written but that an origin wants
    ///     to be left alone.
    ///   - report: Called for each fetch as it ends.
    public func run(
        _ sources: [Source], selection: Selection = .due, isDryRun: Bool = false,
        deliveries: Deliveries = .meanwhile, report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws -> Report {
        var result = Report()
        let outage = Outage(store: wiring.store, clock: wiring.clock)
        let told = report
        let report: @Sendable (FetchReport) async -> Void = { fetch in
            // For whoever asks when nothing runs.
            if !isDryRun { _ = outage.words(after: fetch) }
            await told(fetch)
        }
        let unfinished = !isDryRun && wiring.hasUnfinished ? try await settleUnfinished(report) : []
        if isScheduled { result.rest = try BackgroundRest(wiring.configuration, in: wiring.store) }
        let due = try wiring.scheduler.due(among: result.rest == nil ? sources : [])
        result.next = due.next
        let chosen =
            switch selection {
            case .due: await allowed(among: due.due, &result)
            case .dueAmongNamed: due.due
            case .all: due.going
            case .named: sources
            }
        let isForced = selection == .all || selection == .named
        if isDryRun {
            result.fetches = try await wiring.scheduler.fetch(
                chosen, purpose: .dryRun, isForced: isForced, report: report)
            result.fetches.tellOnce(chosen)
        } else if case .meanwhile = deliveries {
            (result.fetches, result.digests, result.delivery) = try await runBoth(
                chosen, isForced: isForced, report: report)
        } else {
            result.fetches = try await wiring.scheduler.fetch(chosen, isForced: isForced, report: report)
            result.digests = try await issueDigests(of: chosen, after: result.fetches)
            if case .afterwards = deliveries { result.delivery = try await wiring.center.deliverDue() }
        }
        if !isDryRun {
            result.outageIsKnown = knowsOutage(result.fetches)
            try wiring.store.prune(at: wiring.clock.now)
        }
        result.left = chosen.count - result.fetches.count
        result.refused = result.fetches.filter { $0.refusal != nil }
        result.fetches.removeAll { $0.refusal != nil }
        let visited = Set(result.fetches.map(\.source))
        // Those of others were told, and say nothing of this run.
        let own = Set(sources.map(\.name)).subtracting(visited)
        result.fetches += unfinished.filter { own.contains($0.source) }
        return result
    }

    /// Apart, as hardly any run has some, and none needs a place for all this.
    @inline(never)
    private func settleUnfinished(
        _ report: @Sendable (FetchReport) async -> Void
    ) async throws(StoreError) -> [FetchReport] {
        let unfinished = try await wiring.settleUnfinished()
        for fetch in unfinished { await report(fetch) }
        return unfinished
    }

    /// Also takes note of it. Sources that could not be reached stay due: as long as a run has some, no other host ends it.
    private func knowsOutage(_ fetches: [FetchReport]) -> Bool {
        let isDown = fetches.contains(where: \.networkIsDown)
        guard isDown ? isScheduled : fetches.contains(where: \.hasLeftMachine) else { return false }
        // Where no note can be taken it is told again.
        return (try? wiring.store.noteOutage(isDown, at: wiring.clock.now)) == true && isDown
    }

    private func allowed(among due: [Source], _ result: inout Report) async -> [Source] {
        let (sources, unmet) = await wiring.scheduler.allowed(among: due)
        result.waiting = due.count - sources.count
        result.unmet = unmet
        return sources
    }

    /// Those that wait for what could not be asked, is asked again, or is left for the next run, wait for that.
    private func issueDigests(
        of sources: [Source], after fetches: [FetchReport]
    ) async throws(StoreError) -> [DigestReport] {
        var visited = Set(fetches.filter { !$0.networkIsDown }.map(\.source))
        let failed = Set(fetches.filter { $0.failure != nil }.map(\.source))
        if !failed.isEmpty {
            let again = try wiring.scheduler.due(among: sources.filter { failed.contains($0.name) })
            visited.subtract(again.due.map(\.name))
        }
        return try await wiring.desk.issueDue(awaiting: sources.filter { !visited.contains($0.name) }).reports
    }

    /// The fetch half wakes the delivery half by a stream; they know nothing else of each other.
    private func runBoth(
        _ sources: [Source], isForced: Bool,
        report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws -> ([FetchReport], [DigestReport], DeliveryReport) {
        let wasCutOff = try wiring.store.isCutOff(at: wiring.clock.now)
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        async let delivery = wiring.center.run(wakeUps: wakeUps)
        let fetches: [FetchReport]
        let digests: [DigestReport]
        do {
            fetches = try await wiring.scheduler.fetch(sources, isForced: isForced) { fetch in
                await report(fetch)
                if !fetch.requests.isEmpty { wake.yield() }
            }
            digests = try await issueDigests(of: sources, after: fetches)
            // What was put off may be due since a host was reached.
            if !digests.isEmpty || wasCutOff { wake.yield() }
        } catch {
            wake.finish()
            _ = try? await delivery
            throw error
        }
        wake.finish()
        return (fetches, digests, try await delivery)
    }
}
