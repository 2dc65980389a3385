import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch
@testable import CrierStore

@Suite struct DigestDeskTests {
    private func bench(_ at: String = "08:30") async throws -> DigestBench {
        let bench = try DigestBench(at, from: "2026-11-20T12:00:00Z")
        #expect(try await bench.desk.issueDue().isEmpty, "a digest that is new waits for its first slot")
        return bench
    }

    @Test func anItemIsInOneIssue() async throws {
        let bench = try await bench()
        try bench.see("a", "b")
        try bench.set("2026-11-21T07:29:59Z")
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [2])
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.see("a", "c")
        try bench.set("2026-11-22T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request?.titles) == [["Title c"]])
        #expect(try bench.outbox() == ["digest/morning/2026-11-21", "digest/morning/2026-11-22"])
        #expect(try bench.requests().map(\.content.url) == [nil, "https://e.example/c"], "one alone is led to")
    }

    @Test func whatANameCannotTellIsAMistakeThatIsSaid() async throws {
        let bench = try await bench()
        func desk(_ names: String..., sinks: [String] = ["stdout"]) -> DigestDesk {
            var digest = bench.digest
            digest.sinks = sinks
            let digests = names.map { name in
                digest.name = name
                return digest
            }
            return DigestDesk(digests: digests, sources: [], store: bench.store, clock: bench.clock)
        }
        let odd = [
            (desk("a", "b", "a"), "two digests are called a"),
            (desk("a\u{0}b"), "the name of the digest ab holds a NUL"),
            (desk("a", sinks: ["\u{0}s"]), "the name of the sink s holds a NUL"),
        ]
        for (desk, words) in odd {
            let error = await #expect(throws: StoreError.self) { _ = try await desk.issueDue() }
            #expect(error?.kind == .invalidRequest && error?.description == words)
        }
    }

    @Test func severalMissedSlotsAreOneIssue() async throws {
        var bench = try await bench()
        try bench.see("a")
        try bench.set("2026-12-24T06:00:00Z")
        try bench.restart()
        #expect(try await bench.desk.issueDue().count == 1)
        #expect(try await bench.desk.issueDue().isEmpty)
        #expect(try bench.outbox() == ["digest/morning/2026-12-24"])
        #expect(try bench.desk.next() == Date("2026-12-24T07:30:00Z", strategy: .iso8601))
    }

    @Test func aSlotOfEachSecondOfAYearIsFoundAtOnce() async throws {
        let bench = try await bench("*:*:*")
        let previous = bench.clock.now
        try bench.set("2027-11-20T12:00:00Z")
        let slot = DigestDesk.lastSlot(of: bench.digest, after: previous, upTo: bench.clock.now)
        #expect(slot == bench.clock.now)
    }

    /// Muted, not allowed, or without a session: what became of the deliveries of an issue when the next one is due.
    @Test func whatNobodyHasGotYetIsToldInTheNextIssue() async throws {
        let fates: [(name: String, sql: String, isJoined: Bool)] = [
            ("held", "state = 'held'", true), ("quieted", "quieted = 1", true), ("put off", "lastError = 'away'", true),
            ("due", "state = 'pending'", false), ("begun", "attempts = 1, quieted = 1", false),
            ("half", "state = iif(sink = 'stdout', 'delivered', 'held')", false),
            ("given up", "state = 'dead'", false),
        ]
        for fate in fates {
            var bench = try await bench()
            bench.digest.sinks = ["desktop", "stdout"]
            let (store, now) = (bench.store, bench.clock.now)
            for day in 21...23 {
                try bench.see("\(day)")
                try bench.set("2026-11-\(day)T07:30:00Z")
                let planned = try bench.desk.preview(bench.digest).page.count
                let report = try #require(try await bench.desk.issueDue().first)
                #expect(report.count == planned)
                let titles = fate.isJoined ? (21...day).reversed().map { "Title \($0)" } : ["Title \(day)"]
                #expect(report.request?.titles == titles, "\(fate.name)")
                try await store.writer.write { db in
                    try db.execute(
                        sql: "UPDATE delivery SET \(fate.sql) WHERE state IN ('pending', 'held') AND lastError IS NULL")
                }
            }
            let former = try store.deliveries(in: [.suppressed], now: now)
            #expect(former.count == (fate.isJoined ? 4 : 0))
            #expect(former.allSatisfy { $0.lastError?.hasPrefix("told in digest/morning/2026-11-2") == true })
            try bench.set("2026-11-24T07:30:00Z")
            #expect(try await bench.desk.issueDue().map(\.request) == [nil], "nothing is new")
            #expect(try store.deliveries(in: [.suppressed]).count == former.count)
        }
    }

    @Test func anIssueThatIsRaisedWhileTheNextIsMadeIsNotToldAgain() async throws {
        let bench = try await bench()
        let store = bench.store
        try bench.see("a")
        #expect(try await bench.desk.issue(bench.digest).count == 1)
        try await store.writer.write { try $0.execute(sql: "UPDATE delivery SET state = 'held'") }
        try bench.see("b")
        let items = try store.unraisedItems(of: "morning") + store.waitingItems(of: "morning")
        #expect(items.map(\.item.identifier) == ["a", "b"])
        try await store.writer.write { try $0.execute(sql: "UPDATE delivery SET state = 'pending', attempts = 1") }
        let slot = try #require(try store.accountedSlot(of: "morning")).date
        let issue = DigestIssue(
            digest: "morning", previous: slot, slot: slot, items: items, leftOut: [],
            content: NotificationContent(title: "T"), identifier: "digest/morning/2026-11-21", sinks: ["stdout"])
        #expect(try store.issue(issue, at: bench.clock.now) == .overtaken)
        #expect(try store.waitingItems(of: "morning").map(\.item.identifier) == ["b"])
    }

    @Test func ofTwoRunsThatChoseTheSameItemsOneIssues() async throws {
        let bench = try await bench()
        try bench.see("a")
        let other = try Store(path: bench.folder.file("crier.sqlite"))
        let previous = try #require(try bench.store.accountedSlot(of: "morning")).date
        let issue = { (store: Store) in
            DigestIssue(
                digest: "morning", previous: previous, slot: previous.addingTimeInterval(86_400),
                items: try store.waitingItems(of: "morning"), leftOut: [],
                content: NotificationContent(title: "T"), identifier: "digest/morning/x", sinks: ["stdout"])
        }
        let (mine, theirs) = (try issue(bench.store), try issue(other))
        #expect(try other.issue(theirs, at: bench.clock.now) != .overtaken)
        #expect(try bench.store.issue(mine, at: bench.clock.now) == .overtaken)
        #expect(try bench.outbox() == ["digest/morning/x"])
        var late = mine
        late.previous = late.slot
        #expect(try bench.store.issue(late, at: bench.clock.now) == .overtaken, "its items are in the other issue")
    }

    @Test func ofTwoRunsThatFoundNothingOneSaysSo() async throws {
        let bench = try await bench()
        let previous = try #require(try bench.store.accountedSlot(of: "morning")).date
        let issue = DigestIssue(
            digest: "morning", previous: previous, slot: previous.addingTimeInterval(86_400), items: [], leftOut: [],
            content: NotificationContent(title: "Nothing new"), identifier: "digest/morning/x", sinks: ["stdout"])
        #expect(try bench.store.issue(issue, at: bench.clock.now) != .overtaken)
        #expect(try bench.store.issue(issue, at: bench.clock.now) == .overtaken)
        #expect(try bench.outbox() == ["digest/morning/x"])
    }

    @Test func anIssueThatIsAskedForDoesNotTakeTheNextSlotsPlace() async throws {
        let bench = try await bench()
        try bench.see("a")
        #expect(try await bench.desk.issue(bench.digest).request?.identifier == "digest/morning/2026-11-20")
        try bench.see("b")
        #expect(try await bench.desk.issue(bench.digest).request?.identifier == "digest/morning/2026-11-20.2")
        try bench.see("c")
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request?.titles) == [["Title c"]])
    }

    @Test func anAddressIsToldOnceByADigestWhicheverSourcesHaveIt() async throws {
        var bench = try await bench()
        bench.source.isUnique = true
        try bench.see("a")
        try seeOther("a", "b", in: bench)
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map { $0.request?.titles.sorted() } == [["Other b", "Title a"]])
        try bench.see("b")
        try bench.set("2026-11-22T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request) == [nil])
    }

    private func seeOther(_ identifiers: String..., in bench: DigestBench) throws {
        let items = identifiers.map {
            ContentItem(identifier: $0, title: "Other \($0)", url: "https://e.example/\($0)")
        }
        var other = FetchCommit(state: try bench.store.state(of: "other"), items: items, date: bench.clock.now)
        (other.digests, other.waiting) = (["morning"], identifiers)
        try bench.store.commit(other)
    }

    @Test func anIssueThatIsRaisedNowhereTellsNoAddress() async throws {
        var bench = try await bench()
        bench.source.isUnique = true
        bench.digest.sinks = ["desktop", "stdout"]
        let store = bench.store
        let date = bench.clock.now
        func pending() throws -> [Delivery] { try store.deliveries(in: [.pending], limit: 10) }
        let fates: [(name: String, end: () throws -> Void, told: Int)] = [
            ("denied", { _ = try store.suppressWaiting(reason: "denied", at: date) }, 1),
            ("dead", { _ = try store.finish(try pending().map { ($0, .dead(reason: "gone")) }, at: date) }, 1),
            ("dropped", { _ = try store.dropDeliveries(try pending().map(\.id), at: date) }, 1),
            ("half", { _ = try store.dropDeliveries(try pending().prefix(1).map(\.id), at: date) }, 0),
            (
                "half and long ago",
                {
                    let (raised, refused) = (try #require(try pending().first), try #require(try pending().last))
                    _ = try store.finish(
                        [(raised, .delivered(receipt: nil)), (refused, .dead(reason: "gone"))], at: date)
                    #expect(try store.prune(at: date.addingTimeInterval(40 * 86_400)))
                }, 0
            ),
        ]
        for fate in fates {
            try bench.see(fate.name)
            #expect(try await bench.desk.issue(bench.digest).count == 1)
            try fate.end()
            try seeOther(fate.name, in: bench)
            #expect(try await bench.desk.issue(bench.digest).count == fate.told, "\(fate.name)")
        }
    }

    @Test func whatOnlyLeavesOutIsNeverTold() async throws {
        var bench = try await bench()
        bench.digest.only = #".title | test("[ab]$")"#
        try bench.see("a", "x", "b")
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request?.titles) == [["Title a", "Title b"]])
        bench.digest.only = nil
        try bench.set("2026-11-22T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request) == [nil])
    }

    @Test func anExpressionThatFailsLosesNothing() async throws {
        var bench = try await bench()
        bench.digest.only = ".title |"
        try bench.see("a")
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().first?.failure != nil)
        bench.digest.only = #".title | error"#
        try bench.see("b")
        #expect(try bench.desk.preview(bench.digest).remark == "Title a and 1 more: Title a")
        let report = try #require(try await bench.desk.issueDue().first)
        #expect(report.request.map { Set($0.titles) } == ["Title a", "Title b"])
        #expect(report.remark == "Title a and 1 more: Title a")
    }

    @Test func aSourceWhoseItemsTakeTooLongKeepsNoOthersWaiting() async throws {
        var bench = try await bench()
        bench.digest.only = #"if .title == "Title slow" then range(200) else .title != "Title x" end"#
        try bench.see("a", "x")
        var commit = FetchCommit(
            state: SourceState(name: "evil"), items: [ContentItem(identifier: "slow", title: "Title slow")],
            date: bench.clock.now)
        (commit.digests, commit.waiting) = (["morning"], ["slow"])
        try bench.store.commit(commit)
        try bench.set("2026-11-21T07:30:00Z")
        let report = try #require(try await bench.desk.issueDue().first)
        #expect(report.failure == nil)
        #expect(report.remark?.hasPrefix("of evil: the jq program") == true)
        #expect(report.request.map { Set($0.titles) } == ["Title a", "Title slow"])
        #expect(try bench.store.waitingItems(of: "morning").isEmpty)
    }

    /// An agent does everything on one thread: while jq is waited for, it has to answer.
    @Test func whileAnExpressionRunsTheThreadIsFreeForOthers() async throws {
        var bench = try await bench()
        bench.digest.only = ".title | length > 0"
        try bench.see("a")
        try bench.set("2026-11-21T07:30:00Z")
        let desk = bench.desk
        let order = Order()
        let issue = Task(executorPreference: QuietLane.shared) {
            let reports = try await desk.issueDue()
            order.note("issued \(reports.map(\.count))")
        }
        let other = Task(executorPreference: QuietLane.shared) { order.note("other") }
        await other.value
        try await issue.value
        #expect(order.notes == ["other", "issued [1]"])
    }

    @Test func anEmptyIssueIsSkippedOrSaid() async throws {
        var bench = try await bench()
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request) == [nil])
        bench.digest.emptiness = .say
        #expect(try await bench.desk.issueDue().isEmpty, "the slot is accounted for")
        try bench.set("2026-11-22T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.request?.content.title) == ["morning, 22 November: Nothing new"])
    }

    @Test func aClockThatWasAheadDoesNotSilenceADigest() async throws {
        let bench = try await bench()
        try bench.set("2036-11-21T07:30:00Z")
        _ = try await bench.desk.issueDue()
        try bench.set("2026-11-21T07:00:00Z")
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.see("a")
        try bench.set("2026-11-21T07:30:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
    }

    /// One slot may have been told a moment ago, by a clock that was set back since; all that come behind it have not.
    @Test func aClockThatWasHoursAheadSilencesOneSlotAtMost() async throws {
        let bench = try DigestBench("hourly", from: "2026-11-20T12:10:00Z")
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.see("a")
        try bench.set("2026-11-21T11:10:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
        try bench.set("2026-11-20T12:20:00Z")
        try bench.see("b")
        #expect(try bench.desk.next() == Date("2026-11-20T14:00:00Z", strategy: .iso8601))
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.set("2026-11-20T13:00:00Z")
        #expect(try await bench.desk.issueDue().isEmpty)
        try bench.set("2026-11-20T14:00:00Z")
        #expect(try await bench.desk.issueDue().map(\.count) == [1])
    }

    @Test func ofTheBaselineADigestTellsWhatTheSourceWouldTell() async throws {
        for (first, expected) in [(BaselinePolicy.all, ["a", "b"]), (.latest, ["a"]), (.none, [])] {
            var bench = try await FetchBench(.none)
            bench.source.first = first
            bench.source.digests = ["d"]
            await bench.publish([("a", 1), ("b", 2)])
            _ = try await bench.fetch()
            #expect(try bench.store.waitingItems(of: "d").map(\.item.identifier) == expected.map { "urn:\($0)" })
            await bench.publish([("c", 0), ("a", 1), ("b", 2)])
            _ = try await bench.fetch()
            #expect(try bench.store.waitingItems(of: "d").last?.item.identifier == "urn:c")
            #expect(try bench.outbox().isEmpty)
            await bench.origin.stop()
        }
    }

    @Test func theLoopTriesAgainAMinuteLaterWhatCouldNotBeIssued() async throws {
        var bench = try await bench()
        bench.digest.only = ".title |"
        try bench.see("a")
        let fetcher = ContentFetcher(
            store: bench.store, transport: ScriptedTransport(), clock: bench.clock, userAgent: "t")
        let scheduler = FetchScheduler(fetcher: fetcher, store: bench.store, clock: bench.clock, desk: bench.desk)
        let failures = Mutex<[Date]>([])
        let clock = bench.clock
        let loop = Task {
            try await scheduler.run(
                [],
                issued: { reports in
                    failures.withLock { $0 += reports.compactMap(\.failure).map { _ in clock.now } }
                }, report: { _ in })
        }
        await clock.waitForSleepers()
        let slot = try Date("2026-11-21T07:30:00Z", strategy: .iso8601)
        // The loop looks at the clock once an hour.
        for date in stride(from: clock.now.timeIntervalSince1970, to: slot.timeIntervalSince1970, by: 3600) {
            clock.advance(to: Date(timeIntervalSince1970: date))
            await clock.waitForSleepers()
        }
        for minute in 0..<3 {
            let now = slot.addingTimeInterval(Double(minute) * 60)
            clock.advance(to: now)
            await clock.waitForSleepers()
            #expect(failures.withLock { $0.count } == minute + 1, "once, and not again before it slept")
            #expect(clock.deadlines == [now.addingTimeInterval(60)])
        }
        loop.cancel()
        _ = try? await loop.value
        #expect(try bench.outbox().isEmpty)
        #expect(try bench.store.waitingItems(of: "morning").count == 1, "nothing is lost by it")
    }

    @Test func theLoopIssuesWhatIsDueBetweenItsRounds() async throws {
        let bench = try await bench()
        try bench.see("a")
        let fetcher = ContentFetcher(
            store: bench.store, transport: ScriptedTransport(), clock: bench.clock, userAgent: "t")
        let scheduler = FetchScheduler(fetcher: fetcher, store: bench.store, clock: bench.clock, desk: bench.desk)
        let (issued, tell) = AsyncStream.makeStream(of: [DigestReport].self)
        let loop = Task { try await scheduler.run([], issued: { tell.yield($0) }, report: { _ in }) }
        await bench.clock.waitForSleepers()
        bench.clock.advance(to: try Date("2026-11-21T07:30:00Z", strategy: .iso8601))
        var reports = issued.makeAsyncIterator()
        #expect(await reports.next()?.map(\.count) == [1])
        loop.cancel()
        _ = try? await loop.value
    }
}

/// What came first.
private final class Order: Sendable {
    private let steps = Mutex<[String]>([])

    var notes: [String] { steps.withLock { $0 } }

    func note(_ step: String) { steps.withLock { $0.append(step) } }
}
