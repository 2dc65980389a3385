import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

@Suite struct RetentionTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
    }

    private func days(_ days: Double) -> Date { noon.addingTimeInterval(days * 86_400) }

    private func delivery(_ identifier: String) throws -> Delivery? {
        try store.deliveries(in: Set(Delivery.State.allCases), limit: 1000).first {
            $0.request.identifier == identifier
        }
    }

    private func finish(_ identifier: String, _ change: DeliveryChange) throws {
        try store.finish(try #require(try delivery(identifier)), with: change, at: noon)
    }

    @Test(arguments: [Store.forgetTexts, Store.forgetNames, Store.forgetItems])
    func whatWaitsForDigestsIsLookedUpOnce(statement: String) throws {
        let plan = try Store.inMemory().read { db in
            try Row.fetchAll(db.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement)"), arguments: arguments(statement))
                .map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("digest_item") } && !plan.contains { $0.contains("CORRELATED") }, "\(plan)")
    }

    /// As many as it asks for.
    private func arguments(_ statement: String) -> StatementArguments {
        StatementArguments(Array(repeating: 1, count: statement.contains("?3") ? 3 : 2))
    }

    @Test func whatIsOverGoesAfterAMonthAndTheDeadAfterThree() throws {
        try store.commit(commit(requests: ["silent"]))
        #expect(try store.suppressWaiting(reason: "denied", at: noon) == 1)
        try store.commit(commit(requests: ["told", "dead", "waiting"]))
        try finish("told", .delivered(receipt: nil))
        try finish("dead", .dead(reason: "HTTP 500"))
        try store.prune(at: days(29))
        #expect(try store.deliveryCounts().values.reduce(0, +) == 4)
        try store.prune(at: days(31))
        #expect(try store.deliveryCounts() == [.dead: 1, .pending: 1])
        try store.prune(at: days(91))
        #expect(try store.deliveryCounts() == [.pending: 1], "what waits is never pruned")
    }

    @Test func aSourceThatHasGoneIsForgottenUnlessSomethingOfItWaits() throws {
        for source in ["kept", "gone", "back", "waits"] {
            var one = commit(source, requests: source == "waits" ? ["waits/a"] : [])
            one.items = [ContentItem(identifier: "\(source)-1", title: "T")]
            try store.commit(one)
        }
        try store.noteSources(["kept"], at: days(1))
        // Those that stay away do so since then.
        try store.noteSources(["kept", "back"], at: days(100))
        for day in [390.0, 400, 402, 403] { try store.prune(at: days(day)) }
        #expect(try store.states().keys.sorted() == ["back", "kept", "waits"])
        let left = try store.read { db in
            try String.fetchSet(db, sql: "SELECT identifier FROM item") as Set<String>
        }
        #expect(left == ["kept-1", "back-1", "waits-1"])
    }

    /// As by a program of its own beside a configuration that has no such source.
    @Test func aSourceThatIsVisitedHasNotGone() throws {
        try store.commit(commit("news", requests: []))
        try store.noteSources([], at: noon)
        var later = commit("news", requests: [])
        later.state.lastFetched = days(300)
        try store.commit(later)
        for day in [390.0, 402, 410] { try store.prune(at: days(day)) }
        #expect(try store.states().keys.sorted() == ["news"])
    }

    @Test func aHostThatIsAskedNoMoreIsForgotten() throws {
        try store.noteStart(at: "old.example", noon)
        try store.noteStart(at: "used.example", days(100))
        var paused = HostState(name: "paused.example")
        paused.pausedUntil = days(100)
        try store.notePause(of: paused)
        try store.prune(at: days(399))
        #expect(try store.hosts().count == 3)
        // Nor by a run whose clock is ahead.
        try store.prune(at: days(420))
        #expect(try store.hosts().count == 3)
        try store.prune(at: days(430))
        #expect(try store.hosts().keys.sorted() == ["paused.example", "used.example"])
    }

    @Test func whatWasToldIsNotToldAgainWhenItsDeliveryIsForgotten() throws {
        try store.commit(commit(requests: ["a"]))
        try finish("a", .delivered(receipt: nil))
        try store.prune(at: days(100))
        try store.commit(commit(requests: ["a"], at: days(100)))
        #expect(try store.dueDeliveries(at: days(100)).isEmpty)
        // Nor by a run whose clock is ahead.
        try store.prune(at: days(450))
        try store.commit(commit(requests: ["a"], at: days(101)))
        #expect(try store.dueDeliveries(at: days(101)).isEmpty)
        try store.prune(at: days(399))
        try store.commit(commit(requests: ["a"], at: days(399)))
        #expect(try store.dueDeliveries(at: days(399)).isEmpty)
        try store.prune(at: days(401))
        try store.prune(at: days(802))
        try store.commit(commit(requests: ["a"], at: days(802)))
        #expect(try store.dueDeliveries(at: days(802)).map(\.request.identifier) == ["a"])
    }

    @Test func itemsGoFourHundredDaysAfterTheirLastSightingButTheLastDocumentsStay() throws {
        let old = (0..<1200).map { ContentItem(identifier: "old-\($0)", title: "T") }
        try store.commit(commit(items: old))
        try store.prune(isForced: true, at: days(500))
        #expect(try store.itemCount(of: "news") == 1200, "an origin that says 304 for a year sights nothing")
        try store.commit(commit(items: [ContentItem(identifier: "new", title: "T")], at: days(1)))
        try store.prune(isForced: true, at: days(400.5))
        #expect(try store.itemCount(of: "news") == 1000, "a thousand are kept however old they are")
        #expect(try store.knownIdentifiers(of: "news", among: ["new"]) == ["new"])
    }

    @Test func whatTheLastDocumentHeldStaysHoweverLongAgoItCame() throws {
        try store.commit(commit(items: (0..<3).map { ContentItem(identifier: "\($0)", title: "T") }))
        var retention = Retention()
        retention.leastItems = 1
        for date in [days(500), days(950)] { try store.prune(retention, isForced: true, at: date) }
        #expect(try store.itemCount(of: "news") == 3)
    }

    @Test func textsOfItemsGoAfterThreeMonthsAndTheirIdentifiersStay() throws {
        let items = ["a", "b"].map { ContentItem(identifier: $0, title: "T", published: noon, summary: "S") }
        try store.commit(commit(items: items))
        try store.commit(commit(items: [items[1]], at: days(1)))
        try store.prune(isForced: true, at: days(95))
        let stored = try store.items(of: ["news"], seenSince: noon)
        #expect(stored.map(\.item.summary) == [nil, "S"])
        #expect(try store.knownIdentifiers(of: "news", among: ["a", "b"]) == ["a", "b"])
    }

    /// By them an item is known again whose site calls it otherwise one day, and shows its archive.
    @Test func titlesAndAddressesOfItemsStayAsLongAsTheirIdentifiers() throws {
        let old = ContentItem(
            identifier: "a", title: "T", url: "https://example.org/a", published: noon, summary: "S")
        try store.commit(commit(items: [old]))
        try store.commit(commit(items: [ContentItem(identifier: "b", title: "U")], at: days(1)))
        try store.prune(isForced: true, at: days(395))
        let known = try store.namesakes(of: [ContentItem(identifier: "urn:a", title: "T")], in: "news")
        #expect(known.map(\.identifier) == ["a"])
        #expect(known.map(\.url) == ["https://example.org/a"])
        #expect(known.map(\.date) == [noon])
    }

    @Test func aSourceThatNamesItsItemsAnewEachTimeKeepsTheLatestOnly() throws {
        for day in 0..<8 {
            let items = (0..<3).map { ContentItem(identifier: "\(day)-\($0)", title: "T", summary: "S") }
            try store.commit(commit(items: items, at: days(Double(day))))
        }
        var retention = Retention()
        (retention.leastItems, retention.mostTexts, retention.mostItems) = (1, 6, 11)
        try store.prune(retention, isForced: true, at: days(8))
        let stored = try store.items(of: ["news"], seenSince: noon).map(\.item)
        // Those that were seen together go together.
        func seen(in items: [ContentItem]) -> Set<Substring> { Set(items.map { $0.identifier.prefix(1) }) }
        #expect(seen(in: stored) == ["4", "5", "6", "7"])
        #expect(seen(in: stored.filter { $0.title != nil }) == ["6", "7"])
        #expect(seen(in: stored.filter { $0.summary != nil }) == ["6", "7"])
    }

    @Test func whatWaitsForADigestKeepsItsTextHoweverLongItWaits() throws {
        let items = ["a", "b"].map { ContentItem(identifier: $0, title: "T", summary: "S") }
        var fetch = commit(items: items)
        (fetch.digests, fetch.waiting) = (["quarterly"], ["a"])
        try store.commit(fetch)
        try store.commit(commit(items: [ContentItem(identifier: "c", title: "T", summary: "S")], at: days(1)))
        try store.prune(isForced: true, at: days(120))
        #expect(try store.waitingItems(of: "quarterly").map(\.item.title) == ["T"])
        let summaries = try store.items(of: ["news"], seenSince: noon).map(\.item.summary)
        #expect(summaries == ["S", nil, "S"])
    }

    @Test func anIssueWhoseTextIsKeptNoLongerIsNotShownAgain() throws {
        try store.account("morning", upTo: noon)
        _ = try store.issue(
            DigestIssue(
                digest: "morning", previous: noon, slot: noon, items: [], leftOut: [],
                content: NotificationContent(title: "Digest"), identifier: "digest/morning/1", sinks: ["stdout"]),
            at: noon)
        try finish("digest/morning/1", .delivered(receipt: nil))
        try store.prune(isForced: true, at: days(89))
        #expect(try store.lastIssue(of: "morning")?.request.content.title == "Digest")
        try store.prune(isForced: true, at: days(91))
        #expect(try store.lastIssue(of: "morning") == nil)
    }

    /// An agent looks for what is old before the digests are issued that were due while the machine was off.
    @Test func whatWaitsForADigestGoesWhenItIsFoundToBeOldTwice() throws {
        var fetch = commit(items: [ContentItem(identifier: "a")])
        (fetch.digests, fetch.waiting) = (["morning"], ["a"])
        try store.commit(fetch)
        for date in [noon, days(500)] {
            try store.prune(at: date)
            #expect(try store.waitingItems(of: "morning").count == 1)
        }
        try store.prune(at: days(501))
        #expect(try store.waitingItems(of: "morning").isEmpty)
    }

    @Test func aDigestThatNothingIsKeptOfIsForgotten() throws {
        var fetch = commit(items: [ContentItem(identifier: "a")], at: days(399))
        (fetch.digests, fetch.waiting) = (["waiting"], ["a"])
        try store.commit(fetch)
        for name in ["former", "waiting"] { try store.account(name, upTo: noon) }
        try store.account("present", upTo: days(399))
        try store.prune(isForced: true, at: days(399))
        #expect(try store.seenDigests() == ["former", "waiting", "present"])
        for date in [days(401), days(801)] { try store.prune(isForced: true, at: date) }
        #expect(try store.seenDigests() == ["waiting", "present"], "found to be old twice")
    }

    @Test func whereAnAddressWasToldIsKeptAsLongAsItIsNotToBeToldAgain() throws {
        func tell(_ source: String, _ identifier: String, at date: Date) throws {
            var one = commit(source, requests: [identifier], at: date)
            one.requests[0].addresses = ["https://e.example/a"]
            try store.commit(one)
        }
        try tell("one", "one/a", at: noon)
        try finish("one/a", .delivered(receipt: nil))
        try store.prune(isForced: true, at: days(100))
        try tell("two", "two/a", at: days(100))
        #expect(try delivery("two/a")?.state == .suppressed)
        for date in [days(401), days(402)] {
            #expect(try delivery("one/a") != nil)
            try store.prune(isForced: true, at: date)
        }
        #expect(try delivery("one/a") == nil)
    }

    @Test func whereASummaryToldAnAddressIsKeptAsLong() throws {
        func tell(_ source: String, _ identifiers: String..., at date: Date) throws {
            var one = commit(source, requests: identifiers, at: date)
            for index in one.requests.indices { one.requests[index].addresses = ["https://e.example/\(index)"] }
            try store.commit(one)
        }
        try tell("one", "one/a", "one/b", at: noon)
        try fold(2, as: "1", at: days(1))
        try store.finish(
            try #require(try delivery(Store.summaryPrefix + "1")), with: .delivered(receipt: nil), at: days(1))
        try store.prune(isForced: true, at: days(100))
        try tell("two", "two/a", "two/b", at: days(100))
        #expect(try ["two/a", "two/b"].map { try delivery($0)?.state } == [.suppressed, .suppressed])
        for date in [days(402), days(403)] { try store.prune(isForced: true, at: date) }
        #expect(try delivery("one/a") == nil && delivery(Store.summaryPrefix + "1") == nil)
    }

    /// Tells all that waits in one summary, which has to stand for so many.
    private func fold(_ count: Int, as name: String, at date: Date) throws {
        try store.release(.absence(since: date), at: date) { waiting in
            #expect(waiting.count == count)
            return .named(Store.summaryPrefix + name)
        }
    }

    @Test func whatASummaryStandsForIsKeptAsLongAsThat() throws {
        try store.commit(commit(requests: ["a", "b"]))
        try fold(2, as: "1", at: days(1))
        try store.prune(isForced: true, at: days(410))
        try store.commit(commit(requests: ["c"], at: days(410)))
        try fold(3, as: "2", at: days(411))
        let summary = try #require(try delivery(Store.summaryPrefix + "1"))
        try store.finish(summary, with: .delivered(receipt: nil), at: days(412))
        #expect(try store.state(of: "news").lastNotified == days(412))
        try store.prune(isForced: true, at: days(441.5))
        #expect(try store.deliveryCounts() == [.suppressed: 3, .delivered: 1])
        try store.prune(isForced: true, at: days(443))
        #expect(try store.deliveryCounts().isEmpty)
    }

    @Test func aSummaryThatWasGivenUpMayBeTriedAgainWithAllThatItStandsFor() throws {
        try store.commit(commit(requests: ["a", "b"]))
        try fold(2, as: "1", at: days(1))
        try store.finish(
            try #require(try delivery(Store.summaryPrefix + "1")), with: .dead(reason: "no sink"), at: days(2))
        try store.prune(isForced: true, at: days(60))
        #expect(try store.retryDeliveries(nil, at: days(60)) == 1)
        try store.commit(commit(requests: ["c"], at: days(60)))
        try fold(3, as: "2", at: days(61))
    }

    @Test func whatIsToldAtOneSinkIsNotKeptForWhatWaitsAtAnother() throws {
        try store.commit(commit(requests: ["a", "b"], to: ["stdout", "team"]))
        for sink in ["stdout", "team"] {
            try store.release(.absence(since: days(1)), of: sink, at: days(1)) { .named($0.sink) }
        }
        try finish("stdout", .delivered(receipt: nil))
        try store.prune(isForced: true, at: days(40))
        let left = try store.deliveries(in: Set(Delivery.State.allCases)).map { "\($0.request.identifier) \($0.sink)" }
        #expect(left.sorted() == ["a team", "b team", "team team"])
    }

    @Test func pruningIsDoneOnceADay() throws {
        #expect(try store.prune(at: noon))
        #expect(try !store.prune(at: days(0.9)))
        #expect(try store.prune(at: days(1.1)))
        #expect(try store.prune(at: days(-300)), "a clock that was set back does not put it off")
    }
}

@Suite struct UncleanEndTests {
    @Test func aLockThatWasNotGivenBackTellsOfAnUncleanEnd() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        var isUnclean: [Bool] = []
        for _ in 0..<2 {
            let lock = try RunLock(statePath: path)
            isUnclean.append(lock.isAfterUncleanEnd)
        }
        try folder.write("4711\n", to: "crier.sqlite.lock")
        for _ in 0..<2 {
            let lock = try RunLock(statePath: path)
            isUnclean.append(lock.isAfterUncleanEnd)
        }
        #expect(isUnclean == [false, false, true, false])
    }
}
