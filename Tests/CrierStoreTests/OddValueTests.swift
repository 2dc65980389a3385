import CrierContent
import CrierNotifications
import Foundation
import Testing

@testable import CrierStore

/// What a program may hand over by mistake ends no process.
@Suite struct OddValueTests {
    let store: Store

    init() throws {
        store = try Store.inMemory()
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func aDateThatIsNoneIsCutToTheYearsThatThereAre(
        seconds: Double
    ) throws {
        let odd = Date(timeIntervalSince1970: seconds)
        var item = ContentItem(identifier: "1")
        item.published = odd
        try store.commit(FetchCommit(state: SourceState(name: "news"), items: [item], date: noon))
        try store.add(.named("a"), to: ["desktop"], at: odd)
        try store.mute(until: odd)
        #expect(try store.itemCount(of: "news") == 1)
        #expect(try store.dueDeliveries(at: seconds == .infinity ? .distantFuture : noon).count == 1)
        #expect(try store.mutedUntil(at: noon) == (seconds == .infinity ? odd.cut : nil))
    }

    @Test func aBackgroundIntervalBeyondItsRangeIsTheNearest() throws {
        for (odd, stored) in [
            (Duration.seconds(Int64.max), BackgroundSettings.longestInterval), (.seconds(-5), .zero),
        ] {
            try store.setBackgroundSettings(BackgroundSettings(minimumInterval: odd))
            #expect(try store.backgroundSettings().minimumInterval == stored)
        }
    }

    @Test func aVisitThatTookNoNumberOfSecondsTookNone() throws {
        for (odd, stored) in [(Double.nan, 0), (-5, 0), (.infinity, 1e9)] {
            var commit = FetchCommit(state: SourceState(name: "news"), date: noon)
            commit.visit = FetchVisit(trigger: .request, begun: noon)
            commit.visit?.duration = odd
            try store.commit(commit)
            let event = try #require(try store.log(limit: 1).first?.event)
            guard case .fetch(let visit, _, _, _) = event else { continue }
            #expect(visit.duration == stored)
        }
        #expect(try store.log(limit: -1).isEmpty)
        #expect(try store.log(limit: .min).isEmpty)
    }
}

extension Date {
    /// As the file holds it.
    fileprivate var cut: Date { Date(milliseconds: milliseconds) }
}
