import CrierContent
import CrierHashing
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

    @Test func theVisitThatTellsOfAnItemForTheLastTimeSaysSo() async throws {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        for change in 0...26 {
            await bench.origin.script("/feed", [feed("text \(change)")])
            let report = try await bench.fetch()
            #expect(report.composition.requests.isEmpty == (change > 24))
            let body = report.composition.requests.first?.content.body
            #expect(
                (body?.contains("It has changed 24 times: no more changes are told of it.") ?? false) == (change == 24))
            #expect(report.remarks == (change == 24 ? ["no more changes are told of T, which changed 24 times"] : []))
            let trial = try await bench.fetcher.fetch(bench.source, purpose: .trial).verdicts(for: bench.source)
            let reason = change < 24 ? "it is known" : "it has changed 24 times, and is told of no more"
            #expect(trial.map(\.reason) == [reason])
        }
        await bench.origin.stop()
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

    /// Everything reads otherwise then, and nothing has changed.
    @Test func anotherWayOfReadingUpdatesNothing() async throws {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        bench.source.mapping = ContentMapping(format: .json, items: ".[]", fields: [.id: ".n", .title: ".t"])
        await bench.origin.script(
            "/feed", ["T", "U"].map { ScriptedAnswer(body: #"[{"n": "1", "t": "\#($0)", "s": "In short"}]"#) })
        _ = try await bench.fetch()
        bench.source.mapping.fields[.title] = ".s + .t"
        #expect(try await bench.fetch().requests.isEmpty)
        bench.source.mapping.fields[.title] = ".t"
        #expect(try await bench.fetch().requests.isEmpty)
        await bench.origin.stop()
    }

    @Test func whatIsUpdatedTogetherIsToldAlsoWhereTheSameWasNewTogether() async throws {
        var bench = try await FetchBench()
        (bench.source.first, bench.source.updates) = (.all, .notify)
        let feed = bench.atom((1...11).map { ("\($0)", 1) })
        await bench.origin.script(
            "/feed", [feed, feed.replacing("Title", with: "Changed")].map { ScriptedAnswer(body: $0) })
        for _ in 0..<2 { _ = try await bench.fetch() }
        let told = try bench.store.deliveries(in: [.pending]).map(\.request.content.title).sorted()
        #expect(told == ["11 new in The feed", "11 updated in The feed"])
        await bench.origin.stop()
    }

    @Test func anAddressThatLeadsWhereItLedIsNoUpdate() async throws {
        let links = [
            "http://e.example/1", "https://e.example/1", "https://www.e.example/1/?utm_source=b", "https://e.example/2",
        ]
        #expect(try await updates(links.map { feed("c", link: $0) }) == [false, false, true])
    }

    /// The titles of the updates that each document after the first tells of, all with items of the same identifiers.
    private func updatedTitles(_ documents: [(host: String, titles: [String])]) async throws -> [[String]] {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        let feeds = documents.map { host, titles in
            let items = titles.enumerated().map { number, title in
                "<item><guid>\(number)</guid><title>\(title)</title><link>https://\(host)/\(number)</link></item>"
            }
            return ScriptedAnswer(body: "<rss version='2.0'><channel>\(items.joined())</channel></rss>")
        }
        await bench.origin.script("/feed", feeds)
        var told: [[String]] = []
        for _ in documents { told.append(try await bench.fetch().composition.requests.map(\.content.title)) }
        await bench.origin.stop()
        return Array(told.dropFirst())
    }

    @Test func aSiteThatMovesToAnotherHostUpdatesNothing() async throws {
        let (e, f, g) = ("e.example", "f.example", "g.example")
        #expect(
            try await updatedTitles([
                (e, ["A", "B", "C"]), (f, ["A", "B", "C"]), (f, ["A", "B", "D"]), (g, ["A", "B", "E"]),
                (e, ["A", "B", "E"]),
            ]) == [[], ["D"], ["E"], []])
        #expect(
            try await updatedTitles([(e, ["A", "B"]), (f, ["A", "B", "C", "D", "E"])]).map(Set.init) == [
                ["C", "D", "E"]
            ],
            "what is new has not moved")
        #expect(try await updatedTitles([(e, ["A"]), (f, ["A"])]) == [["A"]], "one alone leads elsewhere")
        #expect(
            try await updatedTitles([(e, ["A", "B"]), ("\(e)/n", ["A", "B"])]) == [["A", "B"]],
            "on the same host it is another page")
    }

    @Test func aSiteThatCallsAllItsPagesOtherwiseUpdatesNothing() async throws {
        let (titles, changed) = (["A", "B", "C", "D", "E"], ["A", "B", "C", "D", "F"])
        #expect(
            try await updatedTitles([
                ("e.example", titles), ("e.example/2023", titles), ("feeds.example/~r/e/3/x", titles),
                ("e.example", changed),
            ]) == [[], [], ["F"]])
    }

    /// As where all links have a token that is new at each visit.
    @Test func addressesThatAllChangeCountForNothing() async throws {
        var documents = (0...30).map { (host: "e.example/\($0)", titles: ["A", "B", "C", "D", "E", "F"]) }
        documents.append(("e.example/31", ["A", "B", "C", "D", "E", "G"]))
        let told = try await updatedTitles(documents)
        #expect(told.dropLast().allSatisfy(\.isEmpty) && told.last == ["G"])
    }

    @Test func theSummaryOfChangesSaysOfWhichItIsTheLast() async throws {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        for change in 0...25 {
            await bench.origin.script(
                "/feed",
                [
                    ScriptedAnswer(
                        body: RSSEntry.feed(1...12) { RSSEntry(number: $0, guid: "\($0)", text: "\(change)") })
                ])
            let body = try await bench.fetch().composition.requests.first?.content.body
            let words = "\n12 of them changed 24 times: no more changes are told of them."
            #expect((body?.hasSuffix(words) ?? false) == (change == 24), "\(body ?? "")")
        }
        await bench.origin.stop()
    }

    /// Of each of its builds an API may say nothing else than where tonight's is.
    @Test func whatAnAPIListsElsewhereIsUpdated() async throws {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        bench.source.mapping = ContentMapping(format: .json, items: ".[]", fields: [.id: ".i", .url: ".u"])
        let builds = ["1129", "1130"].map { night in
            "[" + (1...6).map { "{\"i\": \($0), \"u\": \"https://e.example/\(night)/\($0)\"}" }.joined(separator: ",")
                + "]"
        }
        await bench.origin.script("/feed", builds.map { ScriptedAnswer(body: $0) })
        _ = try await bench.fetch()
        #expect(try await bench.fetch().composition.requests.count == 6)
        await bench.origin.stop()
    }

    /// As identifiers that are no addresses any more.
    @Test func norDoesOneThatLosesItsAddresses() async throws {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        let feeds = ["true", "false", "true"].map { isAddress in
            let items = (1...3).map { number in
                "<item><guid isPermaLink='\(isAddress)'>https://e.example/\(number)</guid><title>\(number)</title></item>"
            }
            return ScriptedAnswer(body: "<rss version='2.0'><channel>\(items.joined())</channel></rss>")
        }
        await bench.origin.script("/feed", feeds)
        _ = try await bench.fetch()
        for _ in 1...2 { #expect(try await bench.fetch().composition.requests.isEmpty) }
        await bench.origin.stop()
    }

    @Test func whatGoesToSeveralHostsIsUpdated() async throws {
        var bench = try await FetchBench()
        bench.source.updates = .notify
        func nodes(_ hosts: [String]) -> ScriptedAnswer {
            let items = hosts.enumerated().map { number, host in
                "<item><guid>\(number)</guid><title>T\(number)</title><link>https://\(host)/\(number)</link></item>"
            }
            return ScriptedAnswer(body: "<rss version='2.0'><channel>\(items.joined())</channel></rss>")
        }
        await bench.origin.script("/feed", [nodes(["a.example", "b.example"]), nodes(["c.example", "d.example"])])
        _ = try await bench.fetch()
        #expect(try await bench.fetch().composition.requests.map(\.content.title) == ["T0", "T1"])
        await bench.origin.stop()
    }

    /// The identifiers that a document raises whose source was read before its updates were followed, each in a visit.
    private func updates(since first: ScriptedAnswer, _ documents: [ScriptedAnswer]) async throws -> [[String]] {
        var bench = try await FetchBench()
        await bench.origin.script("/feed", [first] + documents)
        _ = try await bench.fetch()
        bench.source.updates = .notify
        var told: [[String]] = []
        for _ in documents { told.append(try await bench.fetch().composition.requests.map(\.identifier)) }
        #expect(Set(told.joined()).count == told.joined().count)
        await bench.origin.stop()
        return told
    }

    @Test func theFirstChangeCountsAfterUpdatesAreFollowed() async throws {
        let first = feed("It happened at five.")
        let (second, third) = (feed("It happened at six."), feed("It happened at seven."))
        #expect(
            try await updates(since: first, [first, second, third]) == [[], ["news/1/update-1"], ["news/1/update-2"]])
        #expect(try await updates(since: first, [feed("It happened at five.", link: "https://e.example/2")])[0] != [])
        #expect(try await updates(since: first, [feed("It happened at five.", summary: "Else")])[0] != [])
    }

    @Test func whereNothingElseHasChangedItIsNoUpdateThatTheyAreFollowed() async throws {
        let long = String(repeating: "It happened at five. ", count: 1000)
        func session(_ letter: Character) -> String {
            "https://e.example/1?PHPSESSID=\(String(repeating: letter, count: 32))"
        }
        let pairs = [
            (feed("<p>It happened.</p>"), feed("<div>It  happened.</div>", day: 11)),
            (feed(long), feed("<p>\(long)</p>")),
            (feed("c", link: session("a")), feed("c", link: session("b"))), (feed(""), feed("More than was known")),
        ]
        for (before, now) in pairs { #expect(try await updates(since: before, [now, now]) == [[], []]) }
    }

    @Test func whatHasChangedBeforeIsToldUnderAnIdentifierOfItsOwnWhenUpdatesAreFollowedAgain() async throws {
        var bench = try await FetchBench()
        await bench.origin.script("/feed", ["one", "two", "three", "four"].map { feed($0) })
        for updates in [UpdatePolicy.notify, .notify, .ignore, .notify] {
            bench.source.updates = updates
            _ = try await bench.fetch()
        }
        #expect(try bench.outbox() == ["news/1", "news/1/update-1", "news/1/update-2"])
        await bench.origin.stop()
    }

    /// Before the content counted, and before addresses were compared by where they lead.
    @Test(arguments: [(["T", "s", "http://u/"], 16), (["T", "http://u/", "s", "c"], 32)])
    func whatWasStoredOtherwiseIsNoUpdate(parts: [String], length: Int) throws {
        let item = ContentItem(identifier: "1", title: "T", url: "http://u/", summary: "s", content: "c")
        let hash = Array(SHA256.hash(parts.joined(separator: "\u{0}")).prefix(length))
        let store = try Store.inMemory()
        var commit = FetchCommit(state: SourceState(name: "news"), items: [item], date: .now)
        commit.contentHashes = ["1": hash]
        try store.commit(commit)
        let known = try store.known([item], of: "news", at: .now).contents
        func isUpdate(_ item: ContentItem) -> Bool {
            !ItemUpdates.among([item], ItemUpdates.hashes(of: [item]), known: known, isFeed: true).told.isEmpty
        }
        #expect(!isUpdate(item))
        var changed = item
        changed.title = "Other"
        #expect(isUpdate(changed))
    }
}
