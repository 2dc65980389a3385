import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A list of so many items shows an older one when another is deleted.
@Suite struct OldItemsTests {
    private typealias Items = [(id: String, hoursAgo: Double)]

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
        let documents: [Items] = [
            [("d", 1), ("c", 2), ("b", 30)], [("d", 1), ("b", 30), ("a", 50)], [("e", -1), ("b", 30), ("a", 50)],
            [("e", -1), ("b", 30), ("a", 50)],
        ]
        let bench = try await bench(documents.map { isOldestFirst ? $0.reversed() : $0 })
        let report = try await bench.fetch()
        #expect(report.newItems.isEmpty)
        #expect(report.remarks.contains { $0.hasPrefix("1 item is taken for known: others have left the list") })
        #expect(try await told(bench) == ["urn:e"])
        #expect(try await told(bench) == [])
        await bench.origin.stop()
    }

    private static let others: [Items] = [
        // The list has grown: somebody has put it there.
        [("d", 1), ("c", 2), ("b", 30), ("x", 50)],
        // Not the oldest of the list.
        [("d", 1), ("b", 30), ("x", 29)],
        // Not at the end.
        [("x", 50), ("d", 1), ("b", 30)],
        // Dated as another, in a list whose dates may say nothing.
        [("d", 1), ("b", 30), ("x", 30)],
        // The dates do not say whether the oldest stands first or last.
        [("d", 30), ("b", 30), ("x", 50)],
        // Later than the first visit, which is of hour 0: missed between two visits.
        [("c", -1.8), ("b", -1.5), ("x", -1)],
    ]

    /// Each has something that an item behind a deleted one does not have.
    @Test(arguments: others.indices) func whatIsDatedBeforeOthersIsNewElsewhere(index: Int) async throws {
        let bench = try await bench([[("d", 1), ("c", 2), ("b", 30)], Self.others[index]])
        #expect(try await told(bench) == ["urn:x"])
        await bench.origin.stop()
    }

    @Test func whoWantsAllOfASourceIsToldOfWhatShowsLater() async throws {
        let bench = try await bench([[("d", 1), ("c", 2)], [("d", 1), ("x", 50)]], first: .all)
        #expect(try await told(bench) == ["urn:x"])
        await bench.origin.stop()
    }
}
