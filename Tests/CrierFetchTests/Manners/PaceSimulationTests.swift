import CrierHTTP
import CrierStore
import Foundation
import Synchronization
import Testing

@testable import CrierFetch

/// Hosts that answer from memory, and note each visit that comes too early, too late or beside another.
private final class WatchedHosts: HTTPTransport {
    struct Notes {
        var visits = 0
        var faults: [String] = []
        var inFlight: [String: Int] = [:]
        var lastStart: [String: Date] = [:]
        var pausedUntil: [String: Date] = [:]
        var earliest: [String: Date] = [:]
        var latest: [String: Date] = [:]
    }
    let notes = Mutex(Notes())
    let clock: LeapingClock
    let store: Store
    let every: Double

    init(_ clock: LeapingClock, _ store: Store, every: Double) {
        self.clock = clock
        self.store = store
        self.every = every
    }

    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        let host = HostKey(url: request.url).name
        let now = clock.now
        let visit = notes.withLock { notes in
            notes.visits += 1
            if notes.inFlight[host, default: 0] > 0 { notes.faults.append("two at once on \(host)") }
            notes.inFlight[host, default: 0] += 1
            // As it is written down: the clock leaps on while a request is on its way.
            let started = try? store.hosts()[host]?.lastStarted
            if let last = notes.lastStart[host], let started, started.timeIntervalSince(last) < 1.999 {
                notes.faults.append("no gap: \(started.timeIntervalSince(last)) s on \(host)")
            }
            if let date = notes.pausedUntil[host], now < date { notes.faults.append("\(host) is paused") }
            if let date = notes.earliest[request.url], now < date { notes.faults.append("early: \(request.url)") }
            let pause = notes.pausedUntil[host] ?? .distantPast
            // A run every ten minutes, and ten more so that not all come at a pause's end.
            if let date = notes.latest[request.url], now > max(date, pause).addingTimeInterval(1200) {
                notes.faults.append("late by \(now.timeIntervalSince(date)) s: \(request.url)")
            }
            notes.lastStart[host] = started
            return notes.visits
        }
        for _ in 0..<3 { await Task.yield() }
        notes.withLock { notes in
            notes.inFlight[host, default: 0] -= 1
            // The interval is longer than what is asked for: a refusal must not cut it short.
            if visit % 50 == 0 { notes.pausedUntil[host] = now.addingTimeInterval(7200) }
            notes.earliest[request.url] = now.addingTimeInterval(every)
            notes.latest[request.url] = now.addingTimeInterval(every * 1.1 + 1)
        }
        if visit % 50 == 0 { return answer(429, ["Retry-After": "7200"], request) }
        if visit % 20 == 0 { return answer(503, ["Retry-After": "30000"], request) }
        if request.fields["If-None-Match"] != nil { return answer(304, [:], request) }
        return answer(200, ["ETag": "\"1\""], request)
    }

    private func answer(_ status: Int, _ fields: HTTPFields, _ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields, body: Array(MannersBench.rss("").utf8), url: request.url)
    }
}

@Suite struct PaceSimulationTests {
    @Test func aMonthOfAThousandSourcesKeepsEveryPromise() async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let clock = LeapingClock(now: start, end: start.addingTimeInterval(30 * 86_400))
        let every = 7 * 86_400.0
        let store = try Store.inMemory()
        let hosts = WatchedHosts(clock, store, every: every)
        let fetcher = ContentFetcher(store: store, transport: hosts, clock: clock, userAgent: "t")
        let scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock)
        let sources = (0..<1000).map { number in
            Source(
                name: "s\(number)", address: .url("https://h\(number % 50).example/\(number)"), every: .seconds(every))
        }
        await #expect(throws: CancellationError.self) { try await scheduler.run(sources) { _ in } }
        let notes = hosts.notes.withLock { $0 }
        #expect(notes.faults.isEmpty, "\(notes.faults.prefix(5))")
        #expect(notes.visits > 4000)
    }
}
