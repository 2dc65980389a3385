import CrierContent
import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// How the feeds that a page names are tried.
@Suite struct DiscoveryMannersTests {
    @Test(arguments: [(429, false), (503, false), (404, true)])
    func aHostThatWantsToBeLeftAloneIsAskedForNoOtherFeed(_ status: Int, _ isAskedAgain: Bool) async throws {
        let transport = ScriptedTransport()
        let links = ["https://a.example/1", "https://a.example/2", "https://b.example/3"]
        let tags = links.map { "<link rel='alternate' type='application/rss+xml' href='\($0)'>" }
        transport.script(
            "https://page.example/", fields: ["Content-Type": "text/html"],
            body: "<html><head>\(tags.joined())</head></html>")
        for link in links[..<2] { transport.script(link, status: status) }
        transport.script(links[2], body: MannersBench.rss(""))
        let discovery = FeedDiscovery(transport: transport, clock: ManualClock(), userAgent: "t")
        #expect(try await discovery.discover("https://page.example/", mapping: ContentMapping()).url == links[2])
        #expect(transport.requests.map(\.url).contains(links[1]) == isAskedAgain)
    }

    @Test(arguments: [
        ("https://a.example/1", "Blog » Comments Feed"), ("https://a.example/1", "KOMMENTARE zu Blog"),
        ("https://a.example/comments/feed/", "Blog"), ("https://a.example/?feed=comments-rss2", ""),
    ])
    func aFeedOfCommentsComesLast(_ url: String, _ title: String) async throws {
        let transport = ScriptedTransport()
        let links = Array(repeating: (url, title), count: 6).enumerated().map { ($1.0 + "#\($0)", $1.1) }
        let posts = "https://comments.example/feed"
        let tags = (links + [(posts, "Blog")]).map {
            "<link rel='alternate' type='application/rss+xml' href='\($0)' title='\($1)'>"
        }
        transport.script(
            "https://page.example/", fields: ["Content-Type": "text/html"],
            body: "<html><head>\(tags.joined())</head></html>")
        for link in links.map(\.0) + [posts] { transport.script(link, body: MannersBench.rss("")) }
        let discovery = FeedDiscovery(transport: transport, clock: ManualClock(), userAgent: "t")
        let found = try await discovery.discover("https://page.example/", mapping: ContentMapping())
        #expect(found.url == posts)
        #expect(found.others.map(\.url) == links.map(\.0))
    }

    /// Where both are at one address, the page names a feed, and the JSON needs a mapping.
    @Test func aPageIsPreferredToWhatAnAPIHas() async throws {
        let transport = ScriptedTransport()
        transport.script("https://a.example/", body: MannersBench.rss(""))
        let discovery = FeedDiscovery(transport: transport, clock: ManualClock(), userAgent: "t")
        _ = try await discovery.discover("https://a.example/", mapping: ContentMapping())
        let accept = try #require(transport.requests.first?.fields["Accept"])
        #expect(accept.hasPrefix("application/atom+xml, "))
        #expect(accept.contains("text/html;q=0.9, application/*;q=0.8, "))
        let mapping = ContentMapping(items: ".[]", fields: [.title: ".t"])
        _ = try? await discovery.discover("https://a.example/", mapping: mapping)
        // A mapping may be of the JSON.
        #expect(transport.requests.last?.fields["Accept"]?.contains("text/html") == false)
    }

    /// Whoever opens the page finds that it works.
    @Test(arguments: [
        (1, "the feed that it names, https://a.example/1: HTTP status 404, not found"),
        (2, "the last of 2 feeds that it names, https://a.example/2: HTTP status 404, not found"),
    ])
    func aFeedThatFailsIsToldByItsOwnAddress(_ count: Int, _ reason: String) async throws {
        let transport = ScriptedTransport()
        let links = (1...count).map { "https://a.example/\($0)" }
        let tags = links.map { "<link rel='alternate' type='application/rss+xml' href='\($0)'>" }
        transport.script(
            "https://page.example/", fields: ["Content-Type": "text/html"],
            body: "<html><head>\(tags.joined())</head></html>")
        for link in links { transport.script(link, status: 404) }
        let discovery = FeedDiscovery(transport: transport, clock: ManualClock(), userAgent: "t")
        let failure = await #expect(throws: DiscoveryFailure.self) {
            try await discovery.discover("https://page.example/", mapping: ContentMapping())
        }
        #expect(failure?.description == reason)
    }

    @Test func whoeverWaitsForAnAnswerKeepsTheGapToo() async throws {
        let (transport, clock, store) = (ScriptedTransport(), LeapingClock(), try Store.inMemory())
        let feed = "https://a.example/feed"
        transport.script(
            "https://a.example/", fields: ["Content-Type": "text/html"],
            body: "<html><head><link rel='alternate' type='application/rss+xml' href='\(feed)'></head></html>")
        transport.script(feed, body: MannersBench.rss(""))
        let start = clock.now
        try store.noteStart(at: "a.example", start)
        for (number, end) in [3.0, 7].enumerated() {
            let considerate = try ConsiderateTransport(
                base: transport, refusals: nil, paces: HostPaces(), store: store, clock: clock)
            let discovery = FeedDiscovery(transport: considerate, clock: clock, userAgent: "t")
            #expect(try await discovery.discover("https://a.example/", mapping: ContentMapping()).url == feed)
            #expect(clock.now.timeIntervalSince(start) >= end, "\(number)")
            #expect(try store.hosts()["a.example"]?.lastStarted == clock.now)
        }
    }

    /// Each a process of its own, that has looked at the state before any of them asks.
    @Test func thoseWhoAskAtOnceTakeTurns() async throws {
        let (transport, clock, store) = (ScriptedTransport(), LeapingClock(), try Store.inMemory())
        let urls = (0..<3).map { "https://a.example/\($0)" }
        for url in urls { transport.script(url, body: MannersBench.rss("")) }
        let all = try urls.map { _ in
            try ConsiderateTransport(
                base: transport, refusals: nil, paces: HostPaces(), store: store, clock: clock)
        }
        // So that each remembers when the host was asked before.
        let begin = clock.now
        try store.noteStart(at: "a.example", begin)
        for (url, transport) in zip(urls, all) { _ = try await transport.send(HTTPRequest(url: url)) }
        #expect(clock.now == begin + 6)
        clock.leap(by: 10)
        let again = clock.now
        for (url, transport) in zip(urls, all) { _ = try await transport.send(HTTPRequest(url: url)) }
        #expect(clock.now == again + 4)
    }

    @Test func ofSeveralWishesOfAnAddressTheLongestHolds() throws {
        let (now, store) = (LeapingClock().now, try Store.inMemory())
        let url = "https://a.example/"
        for (name, wait) in [("short", 600.0), ("long", 7200), ("middle", 3600)] {
            var state = SourceState(name: name)
            state.visited = Source(name: name, address: .url(url)).fingerprint
            state.wishes.refusedUntil = now + wait
            try store.commit(FetchCommit(state: state, date: now))
        }
        #expect(try KnownRefusals(of: [], in: store, now: now).refusal(of: url)?.until == now + 7200)
    }

    @Test func whoAsksForFewerRequestsIsRememberedAlsoWhereNothingElseIs() async throws {
        let (transport, clock, store) = (ScriptedTransport(), LeapingClock(), try Store.inMemory())
        transport.script("https://a.example/", status: 429, fields: ["Retry-After": "5000"])
        func considerate() throws -> ConsiderateTransport {
            let refusals = try KnownRefusals(of: [], in: store, now: clock.now)
            return try ConsiderateTransport(
                base: transport, refusals: refusals, paces: HostPaces(), store: store, clock: clock)
        }
        let request = HTTPRequest(url: "https://a.example/")
        #expect(try await considerate().send(request).status == 429)
        await #expect(throws: HTTPError.self) { try await considerate().send(request) }
        #expect(transport.requests.count == 1)
        clock.leap(by: 5501)
        // Who has looked before sees what the other was told.
        let (other, last) = (try considerate(), try considerate())
        #expect(try await other.send(request).status == 429)
        clock.leap(by: 10)
        await #expect(throws: HTTPError.self) { try await last.send(request) }
        #expect(transport.requests.count == 2)
    }
}
