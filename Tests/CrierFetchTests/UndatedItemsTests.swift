import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Feeds without dates: what is known of them by title and address, or by its place.
@Suite struct UndatedItemsTests {
    private struct Visit {
        /// Of November 2023, at noon.
        var day: Double
        var entries: [RSSEntry]
    }

    /// The titles of what each visit finds new, and what the last one remarks.
    private func play(_ visits: [Visit]) async throws -> (new: [[String]], remarks: [String]) {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", visits.map { ScriptedAnswer(body: RSSEntry.feed($0.entries)) })
        var (new, remarks): ([[String]], [String]) = ([], [])
        for visit in visits {
            let date = Date(timeIntervalSince1970: 1_698_840_000 + (visit.day - 1) * 86_400)
            bench.clock.advance(by: date.timeIntervalSince(bench.clock.now))
            let report = try await bench.fetch()
            new.append(report.newItems.compactMap(\.title).sorted())
            remarks = report.remarks
        }
        await bench.origin.stop()
        return (new, remarks)
    }

    private func entries(
        _ numbers: some Sequence<Int>, _ guid: String, isDated: Bool = true, text: String? = nil
    ) -> [RSSEntry] {
        numbers.map { RSSEntry(number: $0, guid: "\(guid)\($0)", isDated: isDated, text: text ?? guid) }
    }

    /// Another engine, by which what was there has dates, and other identifiers. Of a few that is not enough.
    @Test(arguments: [(3, ["T4"]), (2, ["T1", "T2", "T4"])])
    func aFeedThatComesToHaveDatesTellsNothingAgain(count: Int, told: [String]) async throws {
        let numbers = Array(1...count)
        let visits = [
            Visit(day: 3.5, entries: entries(numbers, "a", isDated: false)),
            Visit(day: 8, entries: entries(numbers + [4], "b")),
        ]
        #expect(try await play(visits).new.last == told)
    }

    @Test func daysThatAreOverAreDatesToo() async throws {
        let days = entries(1...5, "b").map { entry in
            var entry = entry
            entry.time = "00:00:00"
            return entry
        }
        let visits = [
            Visit(day: 5, entries: entries(1...5, "a", isDated: false)), Visit(day: 6, entries: days),
        ]
        #expect(try await play(visits).new.last == ["T5"], "its day was not over")
    }

    /// When an item was seen is not written down at each visit.
    @Test func whatWasSeenAgainIsKnownWhenItHasADate() async throws {
        let visits = [
            Visit(day: 7, entries: entries(1...4, "a", isDated: false)),
            Visit(day: 7.3, entries: entries(1...5, "a", isDated: false)),
            Visit(day: 7.6, entries: entries(1...5, "b")),
        ]
        #expect(try await play(visits).new.last == [])
    }

    /// What was in no document before is new.
    @Test func anEngineThatListsMoreTellsNothingAgain() async throws {
        let visits = [
            Visit(day: 1, entries: entries([1, 2], "a", isDated: false)),
            Visit(day: 20, entries: entries(2...6, "a", isDated: false)), Visit(day: 21, entries: entries(1...14, "b")),
        ]
        #expect(try await play(visits).new.last == (7...14).map { "T\($0)" }.sorted())
    }

    /// One for each of a few pages, whenever something is built of them.
    @Test func whatLeftTheFeedLongAgoMakesNothingKnown() async throws {
        let visits = [
            Visit(day: 1, entries: entries(1...3, "a", isDated: false)),
            Visit(day: 3, entries: entries(4...6, "a", isDated: false)),
            Visit(day: 10, entries: entries(1...3, "b")),
        ]
        #expect(try await play(visits).new.last == ["T1", "T2", "T3"])
    }

    @Test func noItemCountsTwice() async throws {
        let visits = [
            Visit(day: 10, entries: entries(1...6, "a", isDated: false)), Visit(day: 11, entries: entries(1...6, "b")),
            Visit(day: 12, entries: entries(1...6, "c", text: "b")),
        ]
        let played = try await play(visits)
        #expect(played.new == [(1...6).map { "T\($0)" }, [], []])
        #expect(played.remarks.contains { $0.hasPrefix("6 items are taken for known") }, "\(played.remarks)")
    }

    // MARK: - Cut off at first

    private func script(_ documents: [String], of bench: FetchBench) async {
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
    }

    private func cut(_ document: String, behind title: String) throws -> String {
        String(document.prefix(upTo: try #require(document.range(of: title)).upperBound))
    }

    /// By titles and links alone; one stands on top always.
    private func undated(_ titles: String...) -> String {
        let items = titles.map { "<item><title>\($0)</title><guid>https://e.example/\($0)</guid></item>" }
        return "<rss version='2.0'><channel><title>F</title>\(items.joined())</channel></rss>"
    }

    @Test(arguments: [(BaselinePolicy.none, ["new"]), (.latest, ["new"]), (.all, ["c", "d", "new"])])
    func theRestOfAFirstDocumentThatWasCutIsKnownByItsPlaceToo(first: BaselinePolicy, told: [String]) async throws {
        var bench = try await FetchBench()
        bench.source.first = first
        let cut = try cut(undated("top", "a", "b", "c", "d"), behind: "<title>c")
        await script([cut, undated("top", "new", "a", "b", "c", "d"), undated("top", "a", "e")], of: bench)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.compactMap(\.title).sorted() == told)
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["e"])
        await bench.origin.stop()
    }

    @Test func theRestOfAFirstDocumentBehindAnEditIsKnownByItsPlaceToo() async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        await script([undated("a", "b", "c")], of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        bench.source.address = .url(bench.origin.url("/other"))
        let documents = [
            try cut(undated("x", "y", "z", "w"), behind: "<title>y"), undated("new", "x", "y", "z", "w"),
            undated("x", "e"),
        ]
        await bench.origin.script("/other", documents.map { ScriptedAnswer(body: $0) })
        #expect(try await bench.fetch().newItems.isEmpty)
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["new"])
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["e"])
        await bench.origin.stop()
    }

    @Test(arguments: [(isOther: true, days: 0.0), (isOther: false, days: 3)])
    func nothingIsKnownByItsPlaceInAnotherDocumentOrDaysLater(isOther: Bool, days: Double) async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        let whole = isOther ? undated("x", "y") : undated("a", "b", "x", "y")
        await script([try cut(undated("a", "b", "c"), behind: "<title>c"), whole], of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: days * 86_400)
        #expect(try await bench.fetch().newItems.compactMap(\.title).sorted() == ["x", "y"])
        await bench.origin.stop()
    }

    /// A failure is no document, and takes nothing from what an empty one has said.
    @Test(arguments: [(isCut: false, isEmpty: false), (true, false), (false, true)])
    func whatAnotherAddressHasBehindAFailureIsNewOnlyWhereItWasEmptyBefore(isCut: Bool, isEmpty: Bool) async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        let first = undated("a", "b", "c")
        await script([isCut ? try cut(first, behind: "<title>c") : first], of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        bench.source.address = .url(bench.origin.url("/other"))
        let visits = (isEmpty ? [undated()] : []) + [nil, undated("x", "y")]
        await bench.origin.script(
            "/other", visits.map { $0.map { ScriptedAnswer(body: $0) } ?? ScriptedAnswer(status: 500) })
        for _ in visits.dropLast() { #expect(try await bench.fetch().newItems.isEmpty) }
        #expect(try await bench.fetch().newItems.compactMap(\.title).sorted() == (isEmpty ? ["x", "y"] : []))
        await bench.origin.stop()
    }

    @Test func whatIsAddedBehindWhatIsAlwaysCutIsNew() async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        let documents = [undated("a", "b"), undated("a", "b", "c")].map {
            $0.replacing("</channel></rss>", with: "<copyright>half of a sen")
        }
        await script(documents, of: bench)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["c"])
        await bench.origin.stop()
    }
}
