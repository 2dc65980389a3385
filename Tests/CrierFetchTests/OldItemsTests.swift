import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A list of so many items shows an older one when another is deleted.
@Suite struct OldItemsTests {
    private typealias Items = [(id: String, hoursAgo: Double)]

    /// The latest nine, an hour after each other.
    private static let latest: Items = (1...9).map { ("\($0)", Double($0)) }

    private func bench(_ documents: [Items], first: BaselinePolicy = .latest) async throws -> FetchBench {
        var bench = try await FetchBench()
        bench.source.first = first
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: bench.atom($0)) })
        _ = try await bench.fetch()
        bench.clock.advance(by: 7200)
        return bench
    }

    private func told(_ bench: FetchBench) async throws -> [String] {
        defer { bench.clock.advance(by: 600) }
        return try await bench.fetch().newItems.map(\.identifier).sorted()
    }

    @Test(arguments: [false, true])
    func whatTakesThePlaceOfADeletedItemAtTheEndIsNoNews(isOldestFirst: Bool) async throws {
        let latest = Self.latest
        let documents: [Items] = [
            latest, latest.filter { $0.id != "3" } + [("old", 50)],
            [("new", -1)] + latest.filter { $0.id != "3" && $0.id != "5" } + [("old", 50)],
        ]
        let bench = try await bench(documents.map { isOldestFirst ? $0.reversed() : $0 })
        let report = try await bench.fetch()
        #expect(report.newItems.isEmpty)
        #expect(report.remarks.contains { $0.hasPrefix("1 item is taken for known: others have left the list") })
        #expect(try await told(bench) == ["urn:new"])
        #expect(try await told(bench) == [])
        await bench.origin.stop()
    }

    /// When an item was seen is not written down at each visit.
    @Test func whatTakesThePlaceOfADeletedItemIsNoNewsBehindADocumentWithoutAny() async throws {
        let latest = Self.latest
        let bench = try await bench([latest, latest.reversed(), latest.filter { $0.id != "3" } + [("old", 50)]])
        for _ in 1...2 { #expect(try await told(bench) == []) }
        await bench.origin.stop()
    }

    @Test func whatIsPutOnTopIsNewBesideWhatTakesThePlaceOfADeletedItem() async throws {
        let list: Items = (1...12).map { ("\($0)", Double($0)) }
        let bench = try await bench([list, [("x", 50)] + list.filter { !["3", "5"].contains($0.id) } + [("old", 51)]])
        #expect(try await told(bench) == ["urn:x"])
        await bench.origin.stop()
    }

    private static let others: [Items] = [
        // The list has grown: somebody has put it there.
        latest + [("x", 50)],
        // It has pushed off the last, which was older.
        latest.dropLast() + [("x", 8.5)],
        // It takes the place of the last, under another name.
        latest.dropLast() + [("x", 9)],
        // Not at the end.
        [("x", 50)] + latest.dropLast(),
        // A list that is not ordered by date, such as that of the most popular.
        [latest[1], latest[0]] + latest[3...] + [("x", 50)],
        [("x", 50), latest[1], latest[0]] + latest[3...],
        // Too short to tell what it is ordered by.
        latest.prefix(7) + [("x", 50)],
    ]

    /// Each has something that an item behind a deleted one does not have.
    @Test(arguments: others.indices) func whatIsDatedBeforeOthersIsNewElsewhere(index: Int) async throws {
        let bench = try await bench([Self.latest, Self.others[index]])
        #expect(try await told(bench) == ["urn:x"])
        await bench.origin.stop()
    }

    /// A window that has let its oldest go is made larger; a list that had all there was is not.
    @Test(arguments: [3, 2]) func whatALargerWindowShowsIsNoNews(dropped: Int) async throws {
        let later: Items = (1...dropped).map { ("n\($0)", -24.0 * Double(4 - $0)) } + Self.latest.dropLast(dropped)
        let old: Items = (1...15).map { ("old\($0)", 50 + Double($0)) }
        let bench = try await bench([Self.latest, later, [("new", -100)] + later + Self.latest.suffix(dropped) + old])
        bench.clock.advance(by: 3 * 86_400)
        #expect(try await told(bench).count == dropped)
        bench.clock.advance(by: 2 * 86_400)
        let shown = try await told(bench)
        #expect(dropped == 3 ? shown == ["urn:new"] : shown.count == 16)
        await bench.origin.stop()
    }

    @Test func whatWasMissedBetweenTwoVisitsIsNew() async throws {
        let later: Items = (1...9).map { ("l\($0)", -1.9 + Double($0) / 10) }
        let bench = try await bench([Self.latest, later, later.dropFirst() + [("x", -0.5)]])
        bench.clock.advance(by: 3 * 86_400)
        _ = try await bench.fetch()
        #expect(try await told(bench) == ["urn:x"])
        await bench.origin.stop()
    }

    @Test func whoWantsAllOfASourceIsToldOfWhatShowsLater() async throws {
        let bench = try await bench([Self.latest, Self.latest.dropFirst() + [("x", 50)]], first: .all)
        #expect(try await told(bench) == ["urn:x"])
        await bench.origin.stop()
    }
}
