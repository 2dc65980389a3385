import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A podcast that goes to another host, whose former one goes on with the old feed.
@Suite struct AnnouncedAddressTests {
    private let old = "http://news.example/feed"
    private let new = "http://fresh.example/pod"

    private func feed(_ address: String?, _ guid: String) -> ScriptedAnswer {
        let element = address.map { "<itunes:new-feed-url>\($0)</itunes:new-feed-url>" } ?? ""
        return ScriptedAnswer(
            body: """
                <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>F</title>\(element)
                <item><guid>\(guid)</guid><title>\(guid)</title></item></channel></rss>
                """)
    }

    @Test func itIsToldOnceAndNotFollowed() async throws {
        var bench = try await ProxiedBench()
        await bench.play(old, feed(nil, "1"), feed(new, "2"), feed(new, "3"), feed(nil, "4"), feed(new, "5"))
        try await bench.fetchDaily(5)
        #expect(try bench.notices().map(\.title) == ["news wants to be read elsewhere"])
        #expect(try bench.notices().map(\.url) == [new])
        #expect(await bench.takeTargets() == Array(repeating: old, count: 5))
        #expect(try bench.base.state().announcedURL(of: bench.source) == new)
        bench.source.address = .url(new)
        await bench.play(new, feed(new, "6"))
        try await bench.fetch()
        #expect(try bench.base.state().announcedURL(of: bench.source) == nil)
        #expect(try bench.notices().count == 1)
        await bench.origin.stop()
    }

    @Test func aTokenInItThatIsNewAtEachVisitIsNoNews() async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, feed("\(new)?t=1", "1"), feed("\(new)?t=2", "2"), feed("\(new)?t=3", "3"))
        try await bench.fetchDaily(3)
        #expect(try bench.notices().count == 1)
        await bench.origin.stop()
    }

    @Test(arguments: ["https://www.news.example/feed/", "feed", "javascript:x"])
    func itsOwnAddressOrNoneIsNoNews(address: String) async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, feed(address, "1"))
        try await bench.fetch()
        #expect(try bench.notices().isEmpty)
        await bench.origin.stop()
    }
}
