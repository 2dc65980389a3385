import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What shows no item at first, and is not yet taken for all that there was.
@Suite struct PageBaselineTests {
    private let transport = ScriptedTransport()

    private func benchOfPage() async throws -> FetchBench {
        var bench = try await FetchBench(transport: transport)
        bench.source.address = .url("https://www.a.example/list")
        bench.source.first = .none
        bench.source.mapping = ContentMapping(format: .html, items: "//li", fields: [.title: "a", .url: "a/@href"])
        return bench
    }

    private func play(_ pages: [(url: String, titles: [String])], at address: String = "https://www.a.example/list") {
        play(
            pages.map { page in
                let items = page.titles.map { "<li><a href=/\($0)>\($0)</a></li>" }.joined()
                return (page.url, "<!DOCTYPE html><html><body><p>Welcome</p>\(items)</body></html>")
            }, at: address)
    }

    private func play(_ documents: [(url: String, text: String)], at address: String) {
        transport.script(
            address,
            documents.map { url, text in
                .success(HTTPResponse(status: 200, fields: ["ETag": "\"1\""], body: Array(text.utf8), url: url))
            })
    }

    /// That of another host is likely the login of a network, which says the same each time, and is not asked for what has changed;
    /// that of its own is an empty list, of which each next item is news.
    @Test(arguments: [("https://login.example/", []), ("https://a.example/list/", ["A", "B"])])
    func thePageOfAnotherHostWithoutItemsIsNoBaseline(url: String, told: [String]) async throws {
        let bench = try await benchOfPage()
        play([(url, []), (url, []), ("https://www.a.example/list", ["A", "B"])])
        for _ in 0..<2 { #expect(try await bench.fetch().result == .noData) }
        #expect(try bench.state().lastSucceeded == (told.isEmpty ? nil : bench.clock.now))
        #expect(transport.requests.allSatisfy { $0.fields["If-None-Match"] == nil } == told.isEmpty)
        #expect(try await bench.fetch().requests.map(\.content.title).sorted() == told)
        await bench.origin.stop()
    }

    /// No network has its login there.
    @Test func aPageOfThisMachineWithoutItemsIsABaselineWhereverItIs() async throws {
        var bench = try await benchOfPage()
        let address = "http://127.0.0.1:8080/list"
        bench.source.address = .url(address)
        play([("http://localhost:8080/", []), (address, ["A"])], at: address)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().requests.map(\.content.title) == ["A"])
        await bench.origin.stop()
    }

    @Test func aFeedOfAnotherHostWithoutItemsIsABaseline() async throws {
        var bench = try await FetchBench(transport: transport)
        let address = "https://www.a.example/feed"
        (bench.source.address, bench.source.first) = (.url(address), .none)
        play([("https://b.example/feed", bench.atom([])), (address, bench.atom([("a", 1)]))], at: address)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().requests.map(\.content.title) == ["Title a"])
        await bench.origin.stop()
    }

    @Test func whatComesToAPageThatIsAtAnotherHostIsNew() async throws {
        let bench = try await benchOfPage()
        play([("https://b.example/", []), ("https://b.example/", ["A"]), ("https://b.example/", ["B", "A"])])
        _ = try await bench.fetch()
        #expect(try await bench.fetch().requests.map(\.content.title) == ["A"])
        #expect(try await bench.fetch().requests.map(\.content.title) == ["B"])
        await bench.origin.stop()
    }

    @Test func aPageThatShowsNothingAtAnotherHostIsEmptyAfterDaysAndTold() async throws {
        let bench = try await benchOfPage()
        play([("https://b.example/", [])])
        for hours in [0.0, 20, 25, 30, 50] {
            bench.clock.advance(
                by: Date(timeIntervalSince1970: 1_700_000_000).addingTimeInterval(hours * 3600).timeIntervalSince(
                    bench.clock.now))
            let report = try await bench.fetch()
            #expect(report.requests.map { $0.content.title.contains("shows no items") } == (hours == 25 ? [true] : []))
            #expect(try (bench.state().lastSucceeded == nil) == (hours < 48))
        }
        play([("https://www.a.example/list", ["A", "B"])])
        #expect(try await bench.fetch().requests.map(\.content.title).sorted() == ["A", "B"])
        await bench.origin.stop()
    }

    @Test func expressionsThatAreMendedAtAnotherHostMakeNothingNew() async throws {
        var bench = try await benchOfPage()
        let items = bench.source.mapping.items
        bench.source.mapping.items = "//article"
        play([("https://b.example/", ["A", "B"])])
        _ = try await bench.fetch()
        bench.source.mapping.items = items
        #expect(try await bench.fetch().requests.isEmpty)
        await bench.origin.stop()
    }

    /// Another page in the place of one that is known takes nothing from it.
    @Test func thePageOfAnotherHostMakesNothingForgotten() async throws {
        let bench = try await benchOfPage()
        let own = "https://www.a.example/list"
        play([(own, ["A"]), ("https://login.example/", []), (own, ["B", "A"])])
        for _ in 0..<2 { _ = try await bench.fetch() }
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["B"])
        await bench.origin.stop()
    }

    @Test func aPageThatBreaksOffBeforeItsFirstItemIsNoBaseline() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .html, items: "//article", fields: [.id: "@id", .title: "h2"])
        let whole = "<!DOCTYPE html><html><body><div><article id=a><h2>A</h2></article></div></body></html>"
        await bench.origin.script(
            "/feed", ["<!DOCTYPE html><html><body><div>", whole].map { ScriptedAnswer(body: $0) })
        for _ in 0..<2 { _ = try await bench.fetch() }
        #expect(try bench.outbox().count == 1, "the newest of the baseline")
        await bench.origin.stop()
    }

    @Test func aFeedThatBreaksOffBeforeItsFirstItemIsNoBaseline() async throws {
        let bench = try await FetchBench()
        let whole = bench.atom([("b", 1), ("a", 2)])
        let title = try #require(whole.range(of: "The feed"))
        let cut = ScriptedAnswer(body: String(whole.prefix(upTo: title.upperBound)))
        await bench.origin.script("/feed", [cut, cut, ScriptedAnswer(body: whole)])
        for _ in 0..<2 {
            #expect(try await bench.fetch().result == .noData)
            #expect(try bench.state().lastSucceeded == nil)
        }
        #expect(try await bench.fetch().requests.map(\.content.title) == ["Title b"])
        await bench.origin.stop()
    }
}
