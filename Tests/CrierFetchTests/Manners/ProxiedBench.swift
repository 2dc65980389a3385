import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation

@testable import CrierFetch

/// A fetcher whose requests to any http host come to one scripted origin, as to a proxy: hosts have names, and the target of
/// each request is its absolute URL.
struct ProxiedBench {
    var base: FetchBench
    let fetcher: ContentFetcher
    let scheduler: FetchScheduler

    init(own: OwnNotices = .all) async throws {
        base = try await FetchBench()
        base.source.address = .url("http://news.example/feed")
        let transport = CurlTransport(environment: ["http_proxy": base.origin.url()])
        fetcher = ContentFetcher(
            store: base.store, transport: transport, clock: base.clock, userAgent: "crier-test/1", own: own
        ) { 0.5 }
        scheduler = FetchScheduler(
            fetcher: fetcher, store: base.store, clock: base.clock, network: NetworkPath { true })
    }

    var origin: ScriptedOrigin { base.origin }
    var clock: ManualClock { base.clock }
    var source: Source {
        get { base.source }
        set { base.source = newValue }
    }

    /// Answers for an address, in order; the last one stays.
    func play(_ url: String, _ answers: ScriptedAnswer...) async { await origin.script(url, answers) }

    func feed(_ ids: String...) -> ScriptedAnswer { ScriptedAnswer(body: base.atom(ids.map { ($0, 1) })) }

    func redirect(_ status: Int, to url: String) -> ScriptedAnswer {
        ScriptedAnswer(status: status, fields: ["Location": url])
    }

    @discardableResult
    func fetch() async throws -> FetchReport { try await fetcher.fetch(source) }

    /// Fetches so many times, a day apart.
    func fetchDaily(_ count: Int) async throws {
        for _ in 0..<count {
            try await fetch()
            clock.advance(by: 86_400)
        }
    }

    /// The addresses asked for so far, and no more.
    func takeTargets() async -> [String] { await origin.requests.map(\.target) }

    /// What Crier itself has told of the source, oldest first.
    func notices() throws -> [NotificationContent] {
        try base.store.deliveries(in: Set(Delivery.State.allCases), limit: 1000).reversed().map(\.request.content)
            .filter { $0.userInfo["notice"] != nil }
    }

    func noticeIdentifiers() throws -> [String] {
        try base.outbox().filter { $0.contains(/-(since|to)-/) }
    }
}
