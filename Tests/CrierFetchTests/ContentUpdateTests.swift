import CrierContent
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What counts as a change of an item.
@Suite struct ContentUpdateTests {
    private func feed(
        _ content: String, summary: String = "In short", day: Int = 10, link: String = "https://e.example/1"
    ) -> ScriptedAnswer {
        ScriptedAnswer(
            body: """
                <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>F</title>
                <item><guid>1</guid><title>T</title><link>\(link)</link><description>\(summary)</description>
                <pubDate>\(day) Nov 2023 10:00:00 GMT</pubDate>
                <content:encoded><![CDATA[\(content)]]></content:encoded></item></channel></rss>
                """)
    }

    /// Whether each document after the first tells of an update.
    private func updates(_ documents: [ScriptedAnswer]) async throws -> [Bool] {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        await bench.origin.script("/feed", documents)
        var told: [Bool] = []
        for _ in documents { told.append(try await !bench.fetch().composition.requests.isEmpty) }
        await bench.origin.stop()
        return Array(told.dropFirst())
    }

    @Test func theTextOfTheContentCounts() async throws {
        let first = feed("<p>It happened at five.</p>")
        #expect(try await updates([first, feed("<p>It happened at six.</p>"), first]) == [true, true])
        #expect(try await updates([feed("In short"), feed("In short, and more"), first]) == [true, true])
    }

    @Test func neitherMarkupNorWhiteSpaceNorDatesCount() async throws {
        let documents = [
            feed("<p>It happened at five.</p>"),
            feed("<p>It happened at five.</p><img src='https://ads.example/pixel?3721' width=1>"),
            feed(
                "<div class=a>It   happened<br>at five.<script>track(7)</script></div>", summary: " In  short\n",
                day: 11),
        ]
        #expect(try await updates(documents) == [false, false])
    }

    @Test func anAddressThatLeadsWhereItLedIsNoUpdate() async throws {
        let links = [
            "http://e.example/1", "https://e.example/1", "https://www.e.example/1/?utm_source=b", "https://e.example/2",
        ]
        #expect(try await updates(links.map { feed("c", link: $0) }) == [false, false, true])
    }

    /// Before the content counted, and before addresses were compared by where they lead.
    @Test(arguments: [(["T", "s", "http://u/"], 16), (["T", "http://u/", "s", "c"], 32)])
    func whatWasStoredOtherwiseIsNoUpdate(parts: [String], length: Int) throws {
        let item = ContentItem(identifier: "1", title: "T", url: "http://u/", summary: "s", content: "c")
        let hash = Array(Fingerprint.of(Array(parts.joined(separator: "\u{0}").utf8)).prefix(length))
        let store = try Store.inMemory()
        var commit = FetchCommit(state: SourceState(name: "news"), items: [item], date: .now)
        commit.contentHashes = ["1": hash]
        try store.commit(commit)
        let known = try store.known([item], of: "news", at: .now).contents
        func isUpdate(_ item: ContentItem) -> Bool {
            !ItemUpdates.among([item], ItemUpdates.hashes(of: [item]), known: known).isEmpty
        }
        #expect(!isUpdate(item))
        var changed = item
        changed.title = "Other"
        #expect(isUpdate(changed))
    }
}
