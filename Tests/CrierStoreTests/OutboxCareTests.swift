import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

@Suite struct OutboxCareTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: noon)
    }

    private func due(_ sink: String? = nil, isOrdered: Bool = false, at date: Date = noon) throws -> [String] {
        try store.dueDeliveries(at: date, sink: sink, isOrdered: isOrdered).map(\.request.identifier)
    }

    private func delivery(_ identifier: String, to sink: String = "stdout") throws -> Delivery {
        let all = try store.deliveries(in: Set(Delivery.State.allCases), limit: 1000)
        return try #require(all.first { $0.request.identifier == identifier && $0.sink == sink })
    }

    private func fail(_ identifier: String, at date: Date = noon, next: Double = 300) throws {
        let begun = try #require(try store.begin(try delivery(identifier)))
        try store.finish(
            begun, with: .retry(at: date.addingTimeInterval(next), reason: "no \(begun.attempts)"), at: date)
    }

    // MARK: Breaker

    @Test func failuresInARowAreCountedAcrossRunsUntilOneIsAccepted() throws {
        for number in 1...3 {
            let isPaused = try store.countFailure(of: "stdout", reason: "no \(number)", at: noon) { failures in
                #expect(failures == number)
                return SinkVerdict(pausedUntil: failures == 3 ? noon.addingTimeInterval(900) : nil)
            }
            #expect(isPaused == (number == 3))
        }
        let again = try Store(path: store.path)
        let paused = PausedSink(name: "stdout", until: noon.addingTimeInterval(900), failures: 3, reason: "no 3")
        #expect(try again.pausedSinks(at: noon) == [paused])
        #expect(try again.pausedSinks(at: noon.addingTimeInterval(900)).isEmpty)
        try again.commit(commit(requests: ["a"]))
        #expect(try due().isEmpty)
        #expect(try again.nextDelivery() == noon.addingTimeInterval(900))
        #expect(try delivery("a").nextAttempt == noon.addingTimeInterval(900))
        #expect(try due(at: noon.addingTimeInterval(900)) == ["a"])
        try again.finish(try delivery("a"), with: .delivered(receipt: nil), at: noon)
        _ = try again.countFailure(of: "stdout", reason: "no", at: noon) { failures in
            #expect(failures == 1)
            return SinkVerdict()
        }
    }

    @Test func aPauseOfAClockThatWasSetBackIsNotBelieved() throws {
        _ = try store.countFailure(of: "stdout", reason: "no", at: noon) { _ in
            SinkVerdict(pausedUntil: noon.addingTimeInterval(900))
        }
        try store.commit(commit(requests: ["a"]))
        #expect(try due(at: noon.addingTimeInterval(-365 * 86_400)) == ["a"])
    }

    @Test func aPauseThatBeganWhileTheClockWasAheadLastsAsLongOnceItIsRight() throws {
        let ahead = noon.addingTimeInterval(5 * 3600)
        _ = try store.countFailure(of: "stdout", reason: "no", at: ahead) { _ in
            SinkVerdict(pausedUntil: ahead.addingTimeInterval(900))
        }
        try store.commit(commit(requests: ["a"], at: ahead))
        try store.moveWaits(begunAfter: ahead)
        #expect(try store.pausedSinks(at: ahead).map(\.until) == [ahead.addingTimeInterval(900)])
        let end = noon.addingTimeInterval(900)
        #expect(try store.pausedSinks(at: noon).map(\.until) == [end])
        for _ in 0..<2 {
            try store.moveWaits(begunAfter: noon)
            #expect(try due().isEmpty && store.pausedSinks(at: noon).map(\.until) == [end])
        }
        #expect(try due(at: end) == ["a"])
        #expect(try store.failures(of: "stdout") == 1, "that it failed is known")
    }

    @Test(
        arguments: [
            DeliveryChange.retry(at: noon.addingTimeInterval(6 * 3600), reason: "no"),
            .deferred(at: noon.addingTimeInterval(6 * 3600), reason: "nobody is there"),
            .postponed(at: noon.addingTimeInterval(6 * 3600), reason: "quiet"),
        ])
    func aWaitThatBeganWhileTheClockWasAheadLastsAsLongOnceItIsRight(change: DeliveryChange) throws {
        let ahead = noon.addingTimeInterval(5 * 3600)
        try store.commit(commit(requests: ["a", "b"]))
        try store.commit(commit(requests: ["made then"], at: ahead))
        try store.finish(try delivery("a"), with: change, at: ahead)
        // The latest attempt says nothing of another delivery's wait.
        try fail("b", next: 7200)
        #expect(try due().isEmpty)
        try store.moveWaits(begunAfter: ahead)
        #expect(try delivery("a").nextAttempt == noon.addingTimeInterval(6 * 3600), "at that time it waits rightly")
        for _ in 0..<2 { try store.moveWaits(begunAfter: noon) }
        #expect(try due() == ["made then"])
        #expect(try due(at: noon.addingTimeInterval(3600)) == ["a", "made then"])
        #expect(try delivery("b").nextAttempt == noon.addingTimeInterval(7200))
        // A receiver that says when to come back is not called before, however often the clock is set back a little.
        try store.moveWaits(begunAfter: noon.addingTimeInterval(-30))
        #expect(try due(at: noon.addingTimeInterval(3600 - 31)) == ["made then"])
    }

    @Test func whenASourceWasLastNotifiedIsSaidByTheClockThatIsRightAgain() throws {
        for date in [noon.addingTimeInterval(40 * 86_400), noon] {
            try store.commit(commit(requests: ["\(date)"], at: date))
            try store.finish(try delivery("\(date)"), with: .delivered(receipt: nil), at: date)
            #expect(try store.state(of: "news").lastNotified == date)
        }
    }

    /// One that is refused would be tried for ever.
    @Test func theEndOfAnOutageGivesNoAttemptsBackToWhatHasHadItsTime() throws {
        try store.commit(commit(requests: ["old"], at: noon.addingTimeInterval(-Store.longestAbsence - 1)))
        try store.commit(commit(requests: ["new", "good"]))
        for identifier in ["old", "new"] { for _ in 1...3 { try fail(identifier, next: 0) } }
        _ = try store.countFailure(of: "stdout", reason: "no", at: noon) { _ in
            SinkVerdict(pausedUntil: noon.addingTimeInterval(900))
        }
        try store.finish(try delivery("good"), with: .delivered(receipt: nil), at: noon)
        #expect(try ["old", "new"].map { try delivery($0).attempts } == [3, 1])
    }

    @Test func aTestOrARetryByTheUserEndsAPause() throws {
        for end in [{ try store.revive("stdout", at: noon) }, { _ = try store.retryDeliveries(nil, at: noon) }] {
            try store.commit(commit(requests: ["a"]))
            _ = try store.countFailure(of: "stdout", reason: "no", at: noon) { _ in
                SinkVerdict(pausedUntil: noon.addingTimeInterval(900))
            }
            #expect(try due().isEmpty)
            try end()
            #expect(try due() == ["a"])
        }
    }

    @Test func aRetrySaysNothingOfTheSinksOfOtherDeliveries() throws {
        try store.commit(commit(requests: ["a"], to: ["stdout", "team", "gone"]))
        for sink in ["stdout", "team"] {
            _ = try store.countFailure(of: sink, reason: "no", at: noon) { _ in
                SinkVerdict(pausedUntil: noon.addingTimeInterval(900))
            }
        }
        try store.markGone("gone", reason: "HTTP 410", at: noon)
        #expect(try store.retryDeliveries([try delivery("a").id], at: noon) == 1)
        #expect(try store.pausedSinks(at: noon).map(\.name) == ["team"])
        #expect(try store.goneSinks().map(\.name) == ["gone"])
    }

    // MARK: Attempts

    @Test func failedAttemptsAreRememberedTheLastTwentyOfThem() throws {
        try store.commit(commit(requests: ["a"]))
        for number in 1...23 { try fail("a", at: noon.addingTimeInterval(Double(number)), next: 0) }
        let attempts = try store.failedAttempts(of: try delivery("a").id)
        #expect(attempts.map(\.number) == Array(4...23))
        #expect(attempts.last == FailedAttempt(number: 23, ended: noon.addingTimeInterval(23), reason: "no 23"))
    }

    @Test func whereOrderIsAskedForALaterOneOfTheSourceWaits() throws {
        try store.commit(commit("one", requests: ["a", "b"]))
        try store.commit(commit("two", requests: ["c"]))
        try fail("a")
        #expect(try due("stdout") == ["b", "c"])
        #expect(try due("stdout", isOrdered: true) == ["c"], "other sources do not wait")
        #expect(try due("stdout", isOrdered: true, at: noon.addingTimeInterval(300)) == ["a", "b", "c"])
        try store.finish(try delivery("a"), with: .dead(reason: "no"), at: noon)
        #expect(try due("stdout", isOrdered: true) == ["b", "c"], "the dead are waited for no longer")
    }

    @Test func whereOrderIsAskedForASummaryWaitsForAnEarlierOneOfASourceThatItTellsOf() throws {
        try store.commit(commit("one", requests: ["a"]))
        try fail("a")
        for (source, told) in [("one", "first"), ("two", "second")] {
            let earlier = try Set(store.dueDeliveries(at: noon).map(\.id))
            try store.commit(commit(source, requests: [told]))
            let count = try store.quietDeliveries(passing: [], since: .distantPast, at: noon, without: earlier)
            #expect(count == 1)
            try store.release(.quiet, at: noon) { _ in .named(Store.summaryPrefix + told) }
        }
        let summaries = ["first", "second"].map { Store.summaryPrefix + $0 }
        #expect(try due("stdout") == summaries)
        #expect(try due("stdout", isOrdered: true) == [summaries[1]])
        #expect(try due("stdout", isOrdered: true, at: noon.addingTimeInterval(300)) == ["a"] + summaries)
    }

    // MARK: Waiting together

    @Test func whatIsLessUrgentThanThePassingLevelsIsQuieted() throws {
        try store.commit(commit(requests: ["a"]))
        let urgent = NotificationContent(title: "Fire", interruptionLevel: .critical)
        try store.add(NotificationRequest(identifier: "b", content: urgent), to: ["stdout"], at: noon)
        #expect(try store.quietDeliveries(passing: [.critical], since: .distantPast, at: noon) == 1)
        #expect(try due() == ["b"])
        #expect(try store.quietedCount() == 1)
        try store.release(.quiet, at: noon) { _ in nil }
        #expect(try due() == ["a", "b"])
    }

    @Test func aSummaryThatWaitsForASinkTakesInWhatBecomesLate() throws {
        try store.commit(commit(requests: ["a", "b"]))
        let later = noon.addingTimeInterval(10)
        try store.release(.absence(since: later), at: later) { waiting in
            #expect(waiting.count == 2)
            #expect(waiting.newest.map(\.identifier) == ["b", "a"])
            return .named(Store.summaryPrefix + "1")
        }
        try store.commit(commit(requests: ["c"], at: later))
        let muchLater = noon.addingTimeInterval(20)
        try store.release(.absence(since: muchLater), at: muchLater) { waiting in
            #expect(waiting.count == 3)
            #expect(waiting.newest.map(\.identifier) == ["c", "b", "a"])
            return .named(Store.summaryPrefix + "2")
        }
        #expect(try due(at: muchLater) == [Store.summaryPrefix + "1"])
        #expect(try delivery("a").lastError == "told in \(Store.summaryPrefix)1")
        #expect(try delivery("c").lastError == "told in \(Store.summaryPrefix)1")
        let summary = try delivery(Store.summaryPrefix + "1")
        let told = try ["a", "b", "c"].map { try delivery($0) }
        #expect(try store.tellers(of: told + [summary]) == Dictionary(told.map { ($0.id, summary) }) { one, _ in one })
        try store.finish(
            try delivery(Store.summaryPrefix + "1"), with: .delivered(receipt: nil), at: muchLater)
        #expect(try store.state(of: "news").lastNotified == muchLater)
    }

    @Test func thousandsOfHeldOnesBecomeASummaryOfTheMostUrgentAndTheNewest() throws {
        for level in [InterruptionLevel.critical, .timeSensitive] {
            let content = NotificationContent(title: "Fire", interruptionLevel: level)
            try store.add(NotificationRequest(identifier: level.rawValue, content: content), to: ["stdout"], at: noon)
        }
        let requests = (0..<2000).map(String.init)
        try store.commit(commit(requests: requests))
        try store.holdPending()
        try store.release(.authorization, at: noon) { waiting in
            #expect(waiting.count == 2002)
            #expect(waiting.newest.count == WaitingNotifications.limit)
            #expect(waiting.newest.prefix(3).map(\.identifier) == ["critical", "time-sensitive", "1999"])
            return .named("sum")
        }
        #expect(try due() == ["sum"])
    }

    @Test func mutingIsStoredAndEnds() throws {
        try store.mute(until: noon.addingTimeInterval(60))
        let again = try Store(path: store.path)
        #expect(try again.mutedUntil(at: noon) == noon.addingTimeInterval(60))
        #expect(try again.mutedUntil(at: noon.addingTimeInterval(60)) == nil)
        try again.mute(until: nil)
        #expect(try store.mutedUntil(at: noon) == nil)
    }

    /// What was said while the clock was ahead would else hold for as long as it was.
    @Test func mutingThatBeginsFarAheadIsOver() throws {
        let year = 365 * 86_400.0
        try store.mute(until: noon + year + 3600, since: noon + year)
        #expect(try store.mutedUntil(at: noon + year) == noon + year + 3600)
        #expect(try store.mutedUntil(at: noon) == nil)
        // Until a far date by the user's choice, also where the clock is set back by little.
        try store.mute(until: noon + year, since: noon)
        #expect(try store.mutedUntil(at: noon - 240) == noon + year)
        // As versions before this one wrote it.
        try store.mute(until: noon + year)
        #expect(try store.mutedUntil(at: noon - year) == noon + year)
        try store.mute(until: nil, since: noon)
        #expect(try store.mutedUntil(at: noon) == nil)
    }

    // MARK: Updates, routes and addresses

    @Test func aReplacementIsRaisedAgainUnderTheSameIdentifierAsTheNextRevision() throws {
        try store.commit(commit(requests: ["a"]))
        try store.finish(try delivery("a"), with: .delivered(receipt: "17"), at: noon)
        var update = commit(requests: ["a", "b"], at: noon.addingTimeInterval(5))
        update.requests[0].replacedItem = "1"
        try store.commit(update)
        let again = try delivery("a")
        #expect(again.state == .pending && again.requestRevision == 2 && again.receipt == "17" && again.attempts == 0)
        #expect(again.created == noon.addingTimeInterval(5))
        #expect(try delivery("b").requestRevision == 1)
    }

    @Test func changesOfAnItemAreCounted() throws {
        func save(_ hash: [UInt8]?) throws -> KnownContent? {
            var commit = commit(items: [ContentItem(identifier: "x")])
            commit.contentHashes["x"] = hash
            try store.commit(commit)
            return try store.known(commit.items, of: "news", at: noon).contents["x"]
        }
        #expect(try save([1]) == KnownContent(hash: [1], updates: 0, url: nil))
        #expect(try save([1]) == KnownContent(hash: [1], updates: 0, url: nil))
        #expect(try save([2]) == KnownContent(hash: [2], updates: 1, url: nil))
        #expect(try save(nil) == nil, "not followed for a while")
        #expect(try save([3]) == KnownContent(hash: [3], updates: 1, url: nil), "what changed meanwhile is no update")
    }

    @Test func aRequestGoesWhereItsRouteSays() throws {
        var routed = commit(requests: ["a", "b", "c"], to: ["stdout"])
        routed.requests[1].sinks = ["team", "desktop"]
        routed.requests[2].sinks = []
        try store.commit(routed)
        let told = try store.dueDeliveries(at: noon).map { "\($0.request.identifier) \($0.sink)" }
        #expect(told == ["a stdout", "b team", "b desktop"])
    }

    @Test func anAddressIsToldOnceAtEachSinkByTheSourceThatHasItFirst() throws {
        func commitOne(_ source: String, _ identifier: String, to sinks: [String]) throws {
            var one = commit(source, requests: [identifier], to: sinks)
            one.requests[0].addresses = ["https://e.example/a"]
            try store.commit(one)
        }
        try commitOne("one", "one/a", to: ["stdout"])
        try commitOne("two", "two/a", to: ["stdout", "team"])
        #expect(
            try store.dueDeliveries(at: noon).map { "\($0.request.identifier) \($0.sink)" } == [
                "one/a stdout", "two/a team",
            ])
        let other = try delivery("two/a", to: "stdout")
        #expect(other.state == .suppressed && other.lastError == "told in one/a" && other.source == "two")
        try store.finish(try delivery("one/a"), with: .delivered(receipt: nil), at: noon)
        #expect(try store.state(of: "two").lastNotified == noon)
    }

    @Test(arguments: [true, false])
    func whatWasRaisedNowhereHasToldOfNothingNorHasWhatItSuppressed(isDenied: Bool) throws {
        func commitOne(_ source: String) throws {
            var one = commit(source, requests: ["\(source)/a"])
            one.requests[0].addresses = ["https://e.example/a"]
            try store.commit(one)
        }
        try commitOne("one")
        try commitOne("two")
        #expect(try delivery("two/a").lastError == "told in one/a")
        if isDenied {
            #expect(try store.suppressWaiting(reason: "denied", at: noon) == 1)
        } else {
            try store.finish(try delivery("one/a"), with: .dead(reason: "x"), at: noon)
        }
        try commitOne("three")
        #expect(try delivery("three/a").state == .pending)
    }

    @Test(arguments: [true, false])
    func anUpdateIsNotSuppressedByWhatItsOwnItemSuppressed(isReplaced: Bool) throws {
        func commitOne(_ source: String, _ identifier: String, replaces: Bool = false) throws {
            var one = commit(source, requests: [identifier])
            one.requests[0].addresses = ["https://e.example/a"]
            one.requests[0].replacedItem = replaces ? "1" : nil
            try store.commit(one)
        }
        try commitOne("one", "one/a")
        try commitOne("two", "two/a")
        try store.finish(try delivery("one/a"), with: .delivered(receipt: nil), at: noon)
        try commitOne("one", isReplaced ? "one/a" : "one/a-2", replaces: isReplaced)
        #expect(try due() == [isReplaced ? "one/a" : "one/a-2"])
        try commitOne("three", "three/a")
        #expect(try delivery("three/a").state == .suppressed, "the first has told it")
    }

    @Test func aSummaryOfWhatOthersHaveToldIsNotRaised() throws {
        func commitSome(_ source: String, _ identifier: String, _ addresses: [String]) throws {
            var one = commit(source, requests: [identifier])
            one.requests[0].addresses = addresses
            try store.commit(one)
        }
        try commitSome("one", "one/a", ["a"])
        try commitSome("two", "two/b", ["b"])
        try commitSome("three", "three/some", ["a", "b", "c"])
        #expect(try due() == ["one/a", "two/b", "three/some"], "c is new")
        try commitSome("four", "four/all", ["a", "b", "a"])
        #expect(try delivery("four/all").state == .suppressed)
    }

    @Test func whatWasGivenUpHasToldOfNothing() throws {
        func commitOne(_ source: String, _ identifier: String) throws {
            var one = commit(source, requests: [identifier])
            one.requests[0].addresses = ["https://e.example/a"]
            try store.commit(one)
        }
        try commitOne("one", "one/a")
        try store.finish(try delivery("one/a"), with: .dead(reason: "no such receiver"), at: noon)
        try commitOne("two", "two/a")
        #expect(try due() == ["two/a"])
    }

    @Test func aSourceTellsItsOwnAddressAgain() throws {
        for identifier in ["one/a", "one/b"] {
            var one = commit("one", requests: [identifier])
            one.requests[0].addresses = ["https://e.example/a"]
            try store.commit(one)
        }
        #expect(try due() == ["one/a", "one/b"])
    }
}
