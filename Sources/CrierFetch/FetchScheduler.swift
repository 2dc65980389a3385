import CrierNotifications
import CrierStore
import Foundation
import Logging

/// The first queue: takes the sources that are due and fetches them, one at a time per host.
public struct FetchScheduler: Sendable {
    /// Fetches under way at once.
    public static let parallelFetches = 8

    private let fetcher: ContentFetcher
    private let store: Store
    private let clock: any WallClock
    private let network: NetworkPath

    public init(fetcher: ContentFetcher, store: Store, clock: any WallClock, network: NetworkPath = .system) {
        self.fetcher = fetcher
        self.store = store
        self.clock = clock
        self.network = network
    }

    /// Those of the sources that are due, and when the next of the others is.
    public func due(among sources: [Source]) throws(StoreError) -> (due: [Source], next: Date?) {
        let states = try store.states()
        let now = clock.now
        var due: [Source] = []
        var next: Date?
        for source in sources {
            let state = states[source.name]
            if state?.isStopped(for: source) == true { continue }
            let furthest =
                state?.goneSince == nil ? NextFetch.furthest(every: source.every) : SourceState.goneRecheck + 1
            guard let date = state?.nextFetch, date > now, state?.visited == Fingerprint.of(source),
                date <= now.addingTimeInterval(furthest)
            else {
                due.append(source)
                continue
            }
            next = min(next ?? date, date)
        }
        return (due, next)
    }

    /// Without those that are gone, which are visited only when the user names them.
    public func withoutStopped(_ sources: [Source]) throws(StoreError) -> [Source] {
        let states = try store.states()
        return sources.filter { states[$0.name]?.isStopped(for: $0) != true }
    }

    /// Fetches the sources, each once.
    ///
    /// - Parameter report: Called for each as it ends; where the whole network is down, at the end.
    /// - Throws: ``StoreError`` where the state cannot be used; fetches under way are cancelled.
    public func fetch(
        _ sources: [Source], purpose: FetchPurpose = .commit, report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws -> [FetchReport] {
        var lanes = Self.lanes(of: sources)[...]
        let reports = try await withThrowingTaskGroup(of: [FetchReport].self) { group in
            var reports: [FetchReport] = []
            for _ in 0..<Self.parallelFetches {
                if let lane = lanes.popFirst() {
                    group.addTask { try await run(lane, purpose: purpose, report: report) }
                }
            }
            while let finished = try await group.next() {
                reports += finished
                if let lane = lanes.popFirst() {
                    group.addTask { try await run(lane, purpose: purpose, report: report) }
                }
            }
            return reports
        }
        return try await settle(reports, of: sources, purpose: purpose, report: report)
    }

    /// Sources of one host follow one another; files, programs and this machine's own hosts need not.
    private static func lanes(of sources: [Source]) -> [[Source]] {
        var lanes: [[Source]] = []
        var laneOfHost: [HostKey: Int] = [:]
        for source in sources {
            let host = HostKey(source.address)
            if !host.isLocal, let lane = laneOfHost[host] {
                lanes[lane].append(source)
            } else {
                if !host.isLocal { laneOfHost[host] = lanes.count }
                lanes.append([source])
            }
        }
        return lanes
    }

    private func run(
        _ lane: [Source], purpose: FetchPurpose, report: @Sendable (FetchReport) async -> Void
    ) async throws -> [FetchReport] {
        var reports: [FetchReport] = []
        for source in lane {
            // Task.checkCancellation() here makes the optimizer of Swift 6.3.1 crash while it splits this coroutine.
            if Task.isCancelled { throw CancellationError() }
            let result = try await fetcher.fetch(source, purpose: purpose)
            if Task.isCancelled { throw CancellationError() }
            if !result.suspectsNetwork { await report(result) }
            reports.append(result)
        }
        return reports
    }

    /// When nobody outside this machine could be reached, it is the network that failed, not the sources.
    private func settle(
        _ reports: [FetchReport], of sources: [Source], purpose: FetchPurpose,
        report: @Sendable (FetchReport) async -> Void
    ) async throws(StoreError) -> [FetchReport] {
        let suspects = reports.filter(\.suspectsNetwork)
        guard !suspects.isEmpty else { return reports }
        let byName = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
        let hosts = { (reports: [FetchReport]) in
            Set(reports.compactMap { byName[$0.source].map { HostKey($0.address) } }.filter { !$0.isLocal })
        }
        let reached = hosts(reports.filter { !$0.suspectsNetwork })
        let networkIsDown = reached.isEmpty && (hosts(suspects).count > 1 || !network.isSatisfied())
        var settled = reports.filter { !$0.suspectsNetwork }
        for var suspect in suspects {
            if let source = byName[suspect.source], purpose == .commit {
                try fetcher.settle(&suspect, of: source, networkIsDown: networkIsDown)
            }
            suspect.suspectsNetwork = false
            suspect.networkIsDown = networkIsDown
            await report(suspect)
            settled.append(suspect)
        }
        return settled
    }
}
