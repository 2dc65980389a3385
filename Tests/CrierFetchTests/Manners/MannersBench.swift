import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Synchronization

@testable import CrierFetch

/// A clock on which sleeping moves the time at once; beyond its end it cancels whoever sleeps.
final class LeapingClock: WallClock {
    private let time: Mutex<Date>
    private let end: Date

    init(now: Date = Date(timeIntervalSince1970: 1_700_000_000), end: Date = .distantFuture) {
        time = Mutex(now)
        self.end = end
    }

    var now: Date { time.withLock { $0 } }

    func leap(by seconds: TimeInterval) { time.withLock { $0 += seconds } }

    func sleep(until deadline: Date) async throws {
        guard deadline < end, !Task.isCancelled else { throw CancellationError() }
        time.withLock { $0 = max($0, deadline) }
        await Task.yield()
    }
}

/// A real origin whose loopback name is paced, or hosts that exist in memory only.
struct MannersBench {
    let origin: ScriptedOrigin
    let transport = ScriptedTransport()
    let store: Store
    let clock = LeapingClock()
    /// Over the socket; the origin is named, so that it is paced like any other host.
    let scheduler: FetchScheduler
    /// Over ``transport``.
    let elsewhere: FetchScheduler

    /// - Parameter chance: 0..<1, whenever one decides: 0 is what may come first; nil: another each time.
    init(_ pace: HostPace? = HostPace(), chance: Double? = 0) async throws {
        origin = try await ScriptedOrigin()
        store = try Store.inMemory()
        let named = pace.map { HostPaces(named: ["127.0.0.1": $0]) } ?? HostPaces()
        let fetchers = [CurlTransport(), transport].map { [store, clock] (transport: any HTTPTransport) in
            ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "t", hosts: named) {
                chance ?? .random(in: 0..<1)
            }
        }
        scheduler = FetchScheduler(fetcher: fetchers[0], store: store, clock: clock)
        elsewhere = FetchScheduler(fetcher: fetchers[1], store: store, clock: clock)
    }

    func source(_ name: String) -> Source { Source(name: name, address: .url(origin.url("/\(name)"))) }

    func source(_ name: String, on host: String) -> Source {
        Source(name: name, address: .url("https://\(host)/\(name)"))
    }

    func state(_ name: String) throws -> SourceState { try store.state(of: name) }

    static func rss(_ elements: String) -> String {
        "<rss version=\"2.0\"><channel><title>T</title>\(elements)<item><guid>1</guid><title>x</title></item></channel></rss>"
    }
}
