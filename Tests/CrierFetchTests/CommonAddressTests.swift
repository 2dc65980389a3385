import CrierContent
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Two sources with `unique: url`, of which each has something new.
@Suite struct CommonAddressTests {
    private let page = "https://show.example/"

    /// The titles that are raised of two sources, of each of which the last item is the new one.
    private func raised(
        _ documents: [(home: String, items: [(title: String, url: String)])]
    ) async throws -> [String] {
        let bench = try await FetchBench()
        for (number, document) in documents.enumerated() {
            let items = document.items.map { title, url in
                "<item><guid isPermaLink='false'>\(title) \(url)</guid><title>\(title)</title><link>\(url)</link></item>"
            }
            let feeds = [items.dropLast(), items[...]].map { items in
                "<rss version='2.0'><channel><title>F</title><link>\(document.home)</link>\(items.joined())</channel></rss>"
            }
            await bench.origin.script("/\(number)", feeds.map { ScriptedAnswer(body: $0) })
        }
        for _ in 1...2 {
            for number in documents.indices {
                var source = Source(
                    name: "\(number)", address: .url(bench.origin.url("/\(number)")), sinks: ["stdout"])
                (source.first, source.isUnique) = (.none, true)
                _ = try await bench.fetcher.fetch(source)
            }
        }
        await bench.origin.stop()
        return try bench.store.dueDeliveries(at: bench.clock.now).map(\.request.content.title).sorted()
    }

    @Test func whatLinksToOnePageTellsNothingOfAnother() async throws {
        let podcasts = ["A", "B"].map { show in
            (home: "https://\(show).example/", items: (1...3).map { (title: "\(show)\($0)", url: page) })
        }
        #expect(try await raised(podcasts) == ["A3", "B3"])
    }

    @Test func norDoesTheHomePage() async throws {
        let pages = ["A", "B"].map {
            (home: page, items: [(title: "\($0)1", url: "https://show.example/#\($0)"), (title: "\($0)2", url: page)])
        }
        #expect(try await raised(pages) == ["A2", "B2"])
    }

    @Test func anArticleThatStandsTwiceInOneOfThemIsStillToldOnce() async throws {
        let (article, other) = ("https://e.example/1", "https://e.example/2")
        let one = (home: page, items: [(title: "A", url: other), (title: "N", url: article)])
        let both = (
            home: page,
            items: [(title: "A", url: other), (title: "N", url: article + "?utm_source=x"), (title: "N", url: article)]
        )
        #expect(try await raised([one, both]) == ["N"])
    }
}
