import CrierContent
import CrierHTTP
import CrierTesting
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
}
