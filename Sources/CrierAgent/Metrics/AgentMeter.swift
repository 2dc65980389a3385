import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation
import Synchronization

/// What the agent counts since it began, and what it does now.
final class AgentMeter: Sendable {
    /// How many deliveries, to which sink, came to what.
    struct DeliveryKey: Sendable, Hashable {
        enum Outcome: String, Sendable, CaseIterable {
            case delivered, deferred, dead
        }

        let sink: String
        let outcome: Outcome
    }

    struct Values: Sendable {
        var fetches: [BackgroundFetchResult: Int] = [:]
        /// Seconds of each fetch that has ended, sorted into ``AgentMeter/bounds``.
        var durations = [Int](repeating: 0, count: AgentMeter.bounds.count + 1)
        var seconds = 0.0
        var bytes = 0
        var requests = 0
        var deliveries: [DeliveryKey: Int] = [:]
        var wakes: [WakeReason: Int] = [:]
        /// The visits under way, and since when.
        var fetching: [String: Date] = [:]
        /// When the next source is due, as the loop has seen it last.
        var next: Date?
    }

    /// Upper bounds of durations, in seconds; one fetch may take 30.
    static let bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    let started: Date
    private let clock: any WallClock
    private let state = Mutex(Values())

    init(clock: any WallClock) {
        self.clock = clock
        started = clock.now
    }

    var values: Values { state.withLock { $0 } }

    func note(_ report: FetchReport) {
        guard !report.networkIsDown, report.refusal == nil else { return }
        state.withLock { values in
            values.fetches[report.result, default: 0] += 1
            guard let visit = report.visit else { return }
            values.durations[Self.bounds.firstIndex { visit.duration <= $0 } ?? Self.bounds.count] += 1
            values.seconds += visit.duration
            values.bytes += visit.bytes
        }
    }

    func note(_ report: DeliveryReport) {
        state.withLock { values in
            for (sink, count) in report.delivered { values.add(count, .delivered, sink) }
            for (sink, trouble) in report.waiting { values.add(trouble.count, .deferred, sink) }
            for (sink, trouble) in report.dead { values.add(trouble.count, .dead, sink) }
        }
    }

    func note(_ reason: WakeReason) { state.withLock { $0.wakes[reason, default: 0] += 1 } }

    func noteRequests(_ count: Int) { state.withLock { $0.requests += count } }

    /// For the loop that fetches.
    ///
    /// - Parameters:
    ///   - sleeps: Called when it lies down.
    ///   - wakes: Called when a date has come.
    func observer(
        sleeps: @escaping @Sendable () -> Void, wakes: @escaping @Sendable () -> Void
    ) -> FetchObserver {
        FetchObserver(
            began: { source in self.state.withLock { $0.fetching[source] = self.clock.now } },
            ended: { source in self.state.withLock { _ = $0.fetching.removeValue(forKey: source) } },
            sleeps: { next in
                self.state.withLock { $0.next = next }
                sleeps()
            },
            wakes: wakes)
    }
}

extension AgentMeter.Values {
    fileprivate mutating func add(_ count: Int, _ outcome: AgentMeter.DeliveryKey.Outcome, _ sink: String) {
        deliveries[AgentMeter.DeliveryKey(sink: sink, outcome: outcome), default: 0] += count
    }
}

/// Counts the requests that fetches make.
struct CountingTransport: HTTPTransport {
    let base: any HTTPTransport
    let meter: AgentMeter
    /// The agent has a lane of its own, which nothing may leave: see ``QuietLane``.
    var lane: (any TaskExecutor)? { nil }

    func forgetConnections() { base.forgetConnections() }

    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        if request.url.lowercased().hasPrefix("http") { meter.noteRequests(1) }
        return try await base.send(request) { url throws(HTTPError) in
            meter.noteRequests(1)
            try await beforeRedirect(url)
        }
    }
}
