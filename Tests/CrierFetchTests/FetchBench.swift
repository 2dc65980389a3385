import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation

@testable import CrierFetch

/// A fetcher with a real origin, a real store and a manual clock.
struct FetchBench {
    let origin: ScriptedOrigin
    let store: Store
    let clock = ManualClock()
    let fetcher: ContentFetcher
    let scheduler: FetchScheduler
    var source: Source

    init(
        _ notify: NotifyPolicy = .each, hasNetwork: Bool = true, transport: any HTTPTransport = CurlTransport(),
        environment: [String: String] = [:]
    ) async throws {
        origin = try await ScriptedOrigin()
        store = try Store.inMemory()
        fetcher = ContentFetcher(
            store: store, transport: transport, clock: clock, userAgent: "crier-test/1", environment: environment
        ) { 0.5 }
        scheduler = FetchScheduler(
            fetcher: fetcher, store: store, clock: clock, network: NetworkPath { hasNetwork })
        source = Source(name: "news", address: .url(origin.url("/feed")), notify: notify, sinks: ["stdout"])
    }

    /// Plays an Atom feed of items that came out so many hours before the clock's start.
    func publish(_ items: [(id: String, hoursAgo: Double)], fields: HTTPFields = [:]) async {
        await origin.script("/feed", [ScriptedAnswer(fields: fields, body: atom(items))])
    }

    func atom(_ items: [(id: String, hoursAgo: Double)]) -> String {
        let entries = items.map { item in
            let date = Date(timeIntervalSince1970: 1_700_000_000 - item.hoursAgo * 3600).formatted(.iso8601)
            return """
                <entry><id>urn:\(item.id)</id><title>Title \(item.id)</title><updated>\(date)</updated>
                <link href="/\(item.id)"/></entry>
                """
        }
        return """
            <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>The feed</title><id>urn:f</id>
            <updated>2023-11-14T00:00:00Z</updated>\(entries.joined())</feed>
            """
    }

    func fetch() async throws -> FetchReport { try await fetcher.fetch(source) }

    /// The identifiers in the outbox, oldest first.
    func outbox() throws -> [String] {
        try store.deliveries(in: Set(Delivery.State.allCases), limit: 1000).reversed().map(\.request.identifier)
    }

    func state() throws -> SourceState { try store.state(of: source.name) }
}
