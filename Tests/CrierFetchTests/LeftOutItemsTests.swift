import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch
@testable import CrierStore

private let isMarked = #".title | test("CVE")"#

/// What the conditions of a source leave out, and comes to meet them.
@Suite struct LeftOutItemsTests {
    /// A feed of items by their identifiers and titles.
    private func feed(_ items: KeyValuePairs<String, String>) -> ScriptedAnswer {
        let elements = items.map { "<item><guid>\($0)</guid><title>\($1)</title><description>d</description></item>" }
        return ScriptedAnswer(body: "<rss version='2.0'><channel>\(elements.joined())</channel></rss>")
    }

    private func bench(
        _ documents: [ScriptedAnswer], _ change: (inout Source) -> Void = { $0.only = isMarked }
    ) async throws -> FetchBench {
        var bench = try await FetchBench()
        change(&bench.source)
        await bench.origin.script("/feed", documents)
        return bench
    }

    /// The titles that each visit tells of, each a day after the other.
    private func told(
        _ documents: [ScriptedAnswer], _ change: (inout Source) -> Void = { $0.only = isMarked }
    ) async throws -> [[String]] {
        let bench = try await bench(documents, change)
        var told: [[String]] = []
        for _ in documents {
            told.append(try await bench.fetch().composition.requests.map(\.content.title))
            bench.clock.advance(by: 86_400)
        }
        #expect(try Set(bench.outbox()).count == told.joined().count)
        await bench.origin.stop()
        return told
    }

    private static let ways: [@Sendable (inout Source) -> Void] = [
        { $0.only = isMarked }, { $0.skip = "\(isMarked) | not" },
        { $0.rules = [ItemRule(when: isMarked, skip: false), ItemRule(skip: true)] },
        { ($0.only, $0.updates) = (isMarked, .notify) },
    ]

    @Test(arguments: ways.indices) func whatComesToMeetTheConditionsIsNewsOnce(way: Int) async throws {
        let (unmarked, marked) = (feed(["1": "Flaw", "0": "a"]), feed(["1": "CVE-1: Flaw", "0": "a"]))
        let documents = [feed(["0": "a"]), unmarked, marked, unmarked, marked]
        let expected: [[String]] = [[], [], ["CVE-1: Flaw"], [], []]
        var titles = try await told(documents, Self.ways[way])
        // It has changed then as any other has.
        if way == 3 { titles[4] = [] }
        #expect(titles == expected)
    }

    @Test func soIsWhatWasThereFromTheBeginning() async throws {
        let documents = [
            feed(["1": "Flaw", "0": "a"]), feed(["1": "Flaw", "0": "b"]), feed(["1": "CVE-1", "0": "b"]),
        ]
        #expect(try await told(documents) == [[], [], ["CVE-1"]])
    }

    @Test func whatWasToldAndMeetsThemNoLongerIsNotToldAgain() async throws {
        let documents = [feed(["0": "CVE-0"]), feed(["0": "a"]), feed(["0": "CVE-0"])]
        #expect(try await told(documents) == [["CVE-0"], [], []])
    }

    @Test func whatEditedConditionsLetInIsNoNews() async throws {
        var bench = try await bench([
            feed(["2": "b", "1": "a"]), feed(["3": "c", "2": "b", "1": "a"]), feed(["3": "c", "2": "bb", "1": "a"]),
        ])
        _ = try await bench.fetch()
        bench.source.only = #".title | test("^[ac]|bb")"#
        #expect(try await bench.fetch().newItems.map(\.title) == ["c"])
        #expect(try await bench.fetch().newItems.map(\.title) == ["bb"], "by the new ones it comes to meet them later")
        await bench.origin.stop()
    }

    @Test func whatAnotherWayOfReadingLetsInIsNoNews() async throws {
        let documents = [#"[{"i": 1, "t": "a", "c": "x"}]"#, #"[{"i": 1, "t": "a", "c": "x"}, {"i": 2, "t": "b"}]"#]
        var bench = try await bench(documents.map { ScriptedAnswer(body: $0) }) { source in
            source.mapping = ContentMapping(format: .json, items: ".[]", fields: [.id: ".i", .title: ".t"])
            source.only = ".categories | length > 0"
        }
        _ = try await bench.fetch()
        bench.source.mapping.fields[.category] = ".c"
        #expect(try await bench.fetch().newItems.isEmpty)
        await bench.origin.stop()
    }

    /// Of one that has been silent it is news.
    @Test func whoTellsOfItIsNotSilent() async throws {
        let bench = try await bench([feed(["0": "a"]), feed(["0": "CVE-0"])]) {
            ($0.only, $0.expectEvery) = (isMarked, .seconds(86_400))
        }
        _ = try await bench.fetch()
        bench.clock.advance(by: 2 * 86_400)
        #expect(try await bench.fetch().requests.map(\.content.title) == ["CVE-0"])
        await bench.origin.stop()
    }

    @Test func onADayOfWhichNothingWasToldItIsToldByItself() async throws {
        func day(_ title: String, _ other: String) -> ScriptedAnswer {
            ScriptedAnswer(
                body: RSSEntry.feed([
                    RSSEntry(number: 14, title: title, guid: "1"), RSSEntry(number: 15, title: other, guid: "2"),
                ]))
        }
        let first = ScriptedAnswer(body: RSSEntry.feed([RSSEntry(number: 13, guid: "0")]))
        let documents = [first, day("Flaw", "CVE-2"), day("CVE-1", "CVE-2")]
        let titles = try await told(documents) { ($0.only, $0.notify) = (isMarked, .daily) }
        #expect(titles.map(\.count) == [0, 1, 1], "\(titles)")
    }

    @Test func aConditionThatFailsIsToldOnce() async throws {
        let bench = try await bench([feed(["1": "a"]), feed(["1": "a", "0": "x"])]) {
            $0.rules = [ItemRule(when: ".title | error", sinks: ["stdout"]), ItemRule(skip: true)]
        }
        var remarks: [Int] = []
        for _ in 0..<2 { remarks.append(try await bench.fetch().remarks.count { $0.contains(" fails on a") }) }
        #expect(remarks == [1, 0])
        await bench.origin.stop()
    }

    @Test func aTrialSaysWhyItIsNotTold() async throws {
        var bench = try await bench([feed(["1": "a"])])
        _ = try await bench.fetch()
        bench.source.only = nil
        let trial = try await bench.fetcher.fetch(bench.source, purpose: .trial).verdicts(for: bench.source)
        #expect(trial.map(\.reason) == ["it was left out before the conditions or the way of reading were edited"])
        await bench.origin.stop()
    }

    @Test func aDryRunTellsOfItAndTakesNoNote() async throws {
        let bench = try await bench([feed(["0": "a"]), feed(["0": "CVE-0"])])
        _ = try await bench.fetch()
        for purpose in [FetchPurpose.dryRun, .trial, .commit] {
            #expect(try await bench.fetcher.fetch(bench.source, purpose: purpose).composition.requests.count == 1)
        }
        await bench.origin.stop()
    }

    /// Nothing is written of what is left out as before, and all of it where conditions are edited.
    @Test func onlyWhatChangesIsWritten() async throws {
        var bench = try await bench([
            feed(["1": "a", "0": "b"]), feed(["2": "c", "1": "a", "0": "b"]), feed(["1": "a", "0": "b"]),
        ])
        func written() throws -> Int { try bench.store.document(of: "news", since: bench.clock.now).count }
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        _ = try await bench.fetch()
        #expect(try written() == 1)
        bench.clock.advance(by: 3600)
        bench.source.only = "false"
        _ = try await bench.fetch()
        #expect(try written() == 2)
        await bench.origin.stop()
    }
}
