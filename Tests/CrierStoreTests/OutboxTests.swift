import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

@Suite struct OutboxTests {
    let store: Store

    init() throws {
        store = try Store.inMemory()
    }

    private func delivery(_ identifier: String) throws -> Delivery {
        let all = try store.deliveries(in: Set(Delivery.State.allCases))
        return try #require(all.first { $0.request.identifier == identifier })
    }

    /// An attempt as a sink's answer ends it.
    private func attempt(_ identifier: String, _ change: DeliveryChange) throws {
        try store.setNotificationSettings(.authorized, at: noon)
        let begun = try #require(try store.begin(try delivery(identifier)))
        try store.finish(begun, with: change, at: noon)
    }

    @Test func anAttemptIsCountedBeforeItIsMade() throws {
        try store.commit(commit(requests: ["a"]))
        #expect(try store.begin(try delivery("a")) == nil, "nothing is raised without authorization")
        try store.setNotificationSettings(.authorized, at: noon)
        let read = try delivery("a")
        #expect(try store.begin(read)?.attempts == 1)
        #expect(try delivery("a").attempts == 1)
        #expect(try store.begin(read) == nil, "it has been taken since it was read")
    }

    /// Until it is quiet no longer, or its sink is there.
    @Test(arguments: [true, false]) func whatWaitsForSomethingElseHasNoDate(isQuiet: Bool) throws {
        try store.commit(commit(requests: ["a"]))
        #expect(try store.nextDelivery() == noon)
        if isQuiet {
            try store.quietDeliveries(passing: [], since: noon, at: noon)
        } else {
            try store.markGone("stdout", reason: "gone", destination: nil, at: noon, verdict: SinkVerdict())
        }
        #expect(try store.nextDelivery() == nil)
    }

    @Test func whatIsHeldMayBeDropped() throws {
        try store.commit(commit(requests: ["a"]))
        try store.holdPending()
        #expect(try store.dropDeliveries([try delivery("a").id], at: noon) == 1)
        #expect(try delivery("a").state == .suppressed)
    }

    @Test func theNextIsTakenByTheTransactionThatRecordsASuccess() throws {
        try store.commit(commit(requests: ["a", "b", "c"]))
        try store.setNotificationSettings(.authorized, at: noon)
        let (next, dropped) = (try delivery("b"), try delivery("c"))
        let first = try #require(try store.begin(try delivery("a")))
        let second = try #require(try store.finish(first, with: .delivered(receipt: nil), at: noon, beginning: next))
        #expect(second.attempts == 1)
        #expect(try delivery("a").state == .delivered && delivery("b").attempts == 1)
        #expect(try store.dropDeliveries([dropped.id], at: noon) == 1)
        let third = try store.finish(second, with: .delivered(receipt: nil), at: noon, beginning: dropped)
        #expect(third == nil, "it has changed since it was read")
        #expect(try delivery("b").state == .delivered)
    }

    @Test func severalAreTakenAndRecordedAtOnceAndEachByItself() throws {
        try store.commit(commit(requests: ["a", "b", "c", "d"]))
        try store.setNotificationSettings(.authorized, at: noon)
        let read = try ["a", "b", "c"].map(delivery)
        #expect(try store.dropDeliveries([read[1].id], at: noon) == 1)
        let begun = try store.begin(read)
        #expect(begun.map(\.request.identifier) == ["a", "c"] && begun.allSatisfy { $0.attempts == 1 })
        #expect(try store.dropDeliveries([read[2].id], at: noon) == 1)
        let next = try store.finish(
            [(begun[0], .delivered(receipt: nil)), (begun[1], .retry(at: noon, reason: "no"))], at: noon,
            beginning: [try delivery("d")])
        #expect(next.map(\.request.identifier) == ["d"] && next[0].attempts == 1)
        #expect(
            try ["a", "b", "c", "d"].map { try delivery($0).state } == [.delivered, .suppressed, .suppressed, .pending])
    }

    @Test func whatTheUserDropsDuringAnAttemptStaysDropped() throws {
        try store.commit(commit(requests: ["a"]))
        try store.setNotificationSettings(.authorized, at: noon)
        let begun = try #require(try store.begin(try delivery("a")))
        #expect(try store.dropDeliveries([begun.id], at: noon) == 1)
        try store.finish(begun, with: .retry(at: noon, reason: "HTTP 500"), at: noon)
        #expect(try delivery("a").state == .suppressed)
    }

    @Test func whatAProgramReplacesDuringAnAttemptIsRaisedAgain() throws {
        try store.setNotificationSettings(.authorized, at: noon)
        try store.add(.named("x"), to: ["desktop"], at: noon)
        let begun = try #require(try store.begin(try delivery("x")))
        let changed = NotificationRequest(identifier: "x", content: NotificationContent(title: "changed"))
        try store.add(changed, to: ["desktop"], at: noon)
        try store.finish(begun, with: .delivered(receipt: "17"), at: noon)
        let due = try store.dueDeliveries(at: noon)
        #expect(due.map(\.request) == [changed])
        #expect(due.map(\.receipt) == ["17"], "a sink can replace what it has just shown")
        #expect(due.map(\.attempts) == [0], "it has all of its attempts")
    }

    @Test func aRequestIsEnqueuedOnceForEachSink() throws {
        try store.commit(commit(requests: ["a", "b"], to: ["stdout", "team"]))
        try store.commit(commit(requests: ["b", "c"], to: ["stdout", "team"]))
        let due = try store.dueDeliveries(at: noon)
        #expect(
            due.map { "\($0.request.identifier) \($0.sink)" } == [
                "a stdout", "a team", "b stdout", "b team", "c stdout", "c team",
            ])
        #expect(due.allSatisfy { $0.source == "news" && $0.attempts == 0 && $0.created == noon })
    }

    @Test func aRetryIsDueAtItsDateAndCountsWhenItWasOne() throws {
        try store.commit(commit(requests: ["a"]))
        let later = noon.addingTimeInterval(300)
        try attempt("a", .retry(at: later, reason: "HTTP 500"))
        #expect(try store.dueDeliveries(at: later.addingTimeInterval(-1)).isEmpty)
        #expect(try store.nextDelivery() == later)
        try attempt("a", .deferred(at: later, reason: "no bus"))
        let due = try #require(try store.dueDeliveries(at: later).first)
        #expect(due.attempts == 1)
        #expect(due.lastError == "no bus")
    }

    @Test func aClockThatWasSetBackKeepsNothingWaiting() throws {
        try store.commit(commit(requests: ["a"]))
        try store.finish(
            try delivery("a"), with: .retry(at: noon.addingTimeInterval(300), reason: "x"), at: noon)
        let lastYear = noon.addingTimeInterval(-365 * 86_400)
        #expect(try store.dueDeliveries(at: lastYear).count == 1)
    }

    @Test func whatIsDeliveredIsOver() throws {
        try store.commit(commit(requests: ["a"]))
        try store.finish(try delivery("a"), with: .delivered(receipt: "42"), at: noon.addingTimeInterval(2))
        let ended = try delivery("a")
        #expect(ended.state == .delivered)
        #expect(ended.receipt == "42")
        #expect(ended.ended == noon.addingTimeInterval(2))
        #expect(try store.dueDeliveries(at: .distantFuture).isEmpty)
        #expect(try store.nextDelivery() == nil)
    }

    @Test func theLastNotifiedDateMovesOnAcceptanceOnly() throws {
        try store.commit(commit(requests: ["a", "b"]))
        try store.finish(try delivery("a"), with: .dead(reason: "no"), at: noon)
        #expect(try store.suppressWaiting(reason: "denied", at: noon) == 1)
        #expect(try store.state(of: "news").lastNotified == nil)
        try store.commit(commit(requests: ["c"]))
        try store.finish(try delivery("c"), with: .delivered(receipt: nil), at: noon.addingTimeInterval(7))
        #expect(try store.state(of: "news").lastNotified == noon.addingTimeInterval(7))
    }

    @Test func anIssueOfADigestMovesTheLastNotifiedDatesOfTheSourcesItTellsOf() throws {
        try store.account("m", upTo: noon)
        var fetch = commit(items: [ContentItem(identifier: "a")])
        (fetch.digests, fetch.waiting) = (["m"], ["a"])
        try store.commit(fetch)
        try store.commit(commit("other"))
        _ = try store.issue(
            DigestIssue(
                digest: "m", previous: noon, slot: noon, items: try store.waitingItems(of: "m"), leftOut: [],
                content: NotificationContent(title: "Digest"), identifier: "digest/m/1", sinks: ["stdout"]), at: noon)
        try store.finish(try delivery("digest/m/1"), with: .delivered(receipt: nil), at: noon.addingTimeInterval(7))
        #expect(try store.state(of: "news").lastNotified == noon.addingTimeInterval(7))
        #expect(try store.state(of: "other").lastNotified == nil)
    }

    @Test func whatWasReplacedIsAsNewAsItsReplacement() throws {
        for (second, name) in ["a", "b", "a", "c"].enumerated() {
            try store.add(.named(name), to: ["desktop"], at: noon.addingTimeInterval(Double(second)))
        }
        #expect(try store.deliveries(in: [.pending]).map(\.request.identifier) == ["c", "a", "b"])
        #expect(try store.deliveries(in: [.pending], sink: "desktop", limit: 1).map(\.request.identifier) == ["c"])
        #expect(try store.deliveries(in: [.pending], sink: "other").isEmpty)
    }

    @Test func aProgramsRequestOfTheSameIdentifierTakesTheOldOnesPlace() throws {
        try store.add(.named("x"), to: ["desktop"], at: noon)
        try store.finish(try delivery("x"), with: .delivered(receipt: "7"), at: noon)
        let changed = NotificationRequest(identifier: "x", content: NotificationContent(title: "changed"))
        try store.add(changed, to: ["desktop"], at: noon.addingTimeInterval(5))
        let due = try store.dueDeliveries(at: noon.addingTimeInterval(5))
        #expect(due.count == 1)
        #expect(due.first?.request == changed)
        #expect(due.first?.receipt == "7")
    }

    @Test func heldOnesAreReleasedAsTheyAre() throws {
        try store.commit(commit(requests: ["a", "b"]))
        try store.holdPending()
        #expect(try store.dueDeliveries(at: noon).isEmpty)
        try store.release(.authorization, at: noon) { _ in nil }
        #expect(try store.dueDeliveries(at: noon).map(\.request.identifier) == ["a", "b"])
        #expect(try store.dueDeliveries(at: noon).allSatisfy { $0.lastError == nil })
    }

    @Test func whatFailedBeforeItWasHeldIsDueWhenItIsReleased() throws {
        try store.commit(commit(requests: ["a"]))
        try attempt("a", .retry(at: noon.addingTimeInterval(300), reason: "HTTP 500"))
        try store.holdPending()
        try store.release(.authorization, at: noon) { _ in nil }
        #expect(try store.dueDeliveries(at: noon).map(\.request.identifier) == ["a"])
    }

    @Test func aSummaryStandsForWhatWasHeldAndMovesTheLastNotifiedDatesOfTheirSources() throws {
        try store.commit(commit("one", requests: ["a"]))
        try store.commit(commit("two", requests: ["b"]))
        try store.holdPending()
        try store.release(.authorization, at: noon) { _ in .named("sum") }
        #expect(try store.dueDeliveries(at: noon).map(\.request.identifier) == ["sum"])
        #expect(try delivery("a").state == .suppressed)
        #expect(try delivery("a").lastError == "told in sum")
        try store.finish(try delivery("sum"), with: .delivered(receipt: nil), at: noon.addingTimeInterval(3))
        #expect(try store.state(of: "one").lastNotified == noon.addingTimeInterval(3))
        #expect(try store.state(of: "two").lastNotified == noon.addingTimeInterval(3))
    }

    @Test func nothingGoesToASinkThatIsGoneUntilItIsRevived() throws {
        try store.commit(commit(requests: ["a"], to: ["team", "stdout"]))
        try store.markGone("team", reason: "HTTP 410", at: noon)
        #expect(try store.dueDeliveries(at: noon).map(\.sink) == ["stdout"])
        #expect(try store.goneSinks() == [GoneSink(name: "team", since: noon, reason: "HTTP 410")])
        let team = try #require(try store.deliveries(in: [.pending], sink: "team").first)
        try store.finish(team, with: .deferred(at: noon.addingTimeInterval(60), reason: "HTTP 410"), at: noon)
        try store.revive("team", at: noon)
        #expect(try store.dueDeliveries(at: noon).count == 2, "what waited is due at once")
    }

    @Test func thatASinkIsGoneIsToldOnce() throws {
        for number in 1...2 {
            let verdict = SinkVerdict(notice: .named("gone \(number)"), noticeSinks: ["stdout"])
            try store.markGone("team", reason: "HTTP 410", at: noon, verdict: verdict)
        }
        #expect(try store.dueDeliveries(at: noon).map(\.request.identifier) == ["gone 1"])
    }

    @Test func theDeadCanBeTriedAgainAndDropped() throws {
        try store.commit(commit(requests: ["a", "b", "c"]))
        try store.finish(try delivery("a"), with: .dead(reason: "x"), at: noon)
        try store.finish(try delivery("b"), with: .delivered(receipt: nil), at: noon)
        #expect(try store.retryDeliveries([try delivery("b").id], at: noon) == 0)
        #expect(try store.retryDeliveries(nil, at: noon.addingTimeInterval(50)) == 2)
        #expect(try delivery("a").state == .pending)
        #expect(try delivery("a").nextAttempt == noon.addingTimeInterval(50))
        #expect(try store.dropDeliveries([try delivery("c").id], at: noon) == 1)
        #expect(try delivery("c").state == .suppressed)
        #expect(try store.dropDeliveries(nil, at: noon) == 0)
        #expect(try store.deliveryCounts() == [.pending: 1, .delivered: 1, .suppressed: 1])
    }

    @Test func whatIsTriedAgainHasForgottenWhyItWasNot() throws {
        try store.commit(commit(requests: ["a", "b"]))
        try attempt("a", .dead(reason: "HTTP 400"))
        let both = try ["a", "b"].map { try delivery($0).id }
        #expect(try store.dropDeliveries(both, at: noon) == 2)
        #expect(try store.retryDeliveries(both, at: noon) == 2)
        #expect(try store.dueDeliveries(at: noon).map(\.lastError) == [nil, nil])
    }

    @Test func aTextThatGoesElsewhereNowIsNotToldWhereTheFormerWasGivenUp() throws {
        try store.add(.named("x"), to: ["desktop", "team"], at: noon)
        let team = try #require(try store.deliveries(in: [.pending], sink: "team").first)
        try store.finish(team, with: .dead(reason: "HTTP 400"), at: noon)
        try store.add(.named("x"), to: ["desktop"], isExclusive: true, at: noon)
        _ = try store.retryDeliveries(nil, at: noon)
        #expect(try store.dueDeliveries(at: noon).map(\.sink) == ["desktop"])
    }

    @Test func listsAreByStateSourceAndSink() throws {
        try store.commit(commit("one", requests: ["a"], to: ["x", "y"]))
        try store.commit(commit("two", requests: ["b"], to: ["x"]))
        #expect(try store.deliveries(in: [.pending], source: "one").map(\.sink) == ["y", "x"].sorted())
        #expect(try store.deliveries(in: [.pending], sink: "x").map(\.request.identifier) == ["b", "a"])
        #expect(try store.deliveries(in: [.dead]).isEmpty)
        #expect(try store.deliveries(in: [.pending], limit: 1).count == 1)
        #expect(try store.deliveries(in: [.pending], limit: -1).isEmpty)
    }

    @Test func theUsersDecisionIsStored() throws {
        #expect(try store.notificationSettings() == NotificationSettings(authorizationStatus: .notDetermined))
        let settings = NotificationSettings(authorizationStatus: .authorized, options: [.alert, .sound])
        try store.setNotificationSettings(settings, at: noon)
        #expect(try store.notificationSettings() == settings)
        for status in [AuthorizationStatus.denied, .notDetermined] {
            try store.setNotificationSettings(
                NotificationSettings(authorizationStatus: status, options: [.sound]), at: noon)
            #expect(try store.notificationSettings() == NotificationSettings(authorizationStatus: status))
            #expect(try store.notificationSettings().options.isEmpty)
        }
    }
}
