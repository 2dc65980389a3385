import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

/// What is new is never taken for what was told, nor what was told for what waits.
@Suite struct TakenForAnotherTests {
    let store: Store

    init() throws {
        store = try Store.inMemory()
        try store.setNotificationSettings(.authorized, at: noon)
    }

    private func delivery(_ identifier: String, to sink: String = "stdout") throws -> Delivery {
        let all = try store.deliveries(in: Set(Delivery.State.allCases), sink: sink)
        return try #require(all.first { $0.request.identifier == identifier })
    }

    private func due() throws -> [String] { try store.dueDeliveries(at: noon).map(\.request.identifier) }

    enum Meanwhile: CaseIterable { case muted, reset, denied, retried, dropped }

    @Test(arguments: Meanwhile.allCases)
    func whatASinkAcceptedIsNotRaisedAgainWhateverWasDoneToItMeanwhile(_ meanwhile: Meanwhile) throws {
        try store.commit(commit(requests: ["a"]))
        let begun = try #require(try store.begin(try delivery("a")))
        switch meanwhile {
        case .muted: try store.quietDeliveries(passing: [], since: .distantPast, at: noon)
        case .reset: try store.holdPending()
        case .denied: _ = try store.suppressWaiting(reason: "denied", at: noon)
        case .retried: _ = try store.retryDeliveries([begun.id], at: noon)
        case .dropped: _ = try store.dropDeliveries([begun.id], at: noon)
        }
        try store.finish(begun, with: .delivered(receipt: "7"), at: noon)
        let ended = try delivery("a")
        #expect(ended.state == .delivered && ended.receipt == "7" && !ended.isQuieted)
        #expect(try store.state(of: "news").lastNotified == noon)
        #expect(try due().isEmpty)
    }

    @Test func whatIsAcceptedTwiceWasRaisedWhenItWasAcceptedFirst() throws {
        try store.commit(commit(requests: ["a"]))
        let begun = try #require(try store.begin(try delivery("a")))
        for date in [noon, noon + 60] { try store.finish(begun, with: .delivered(receipt: nil), at: date) }
        #expect(try delivery("a").ended == noon)
        #expect(try store.state(of: "news").lastNotified == noon)
    }

    @Test func whatDidNotWorkChangesNothingThatWasDoneMeanwhile() throws {
        try store.commit(commit(requests: ["a"]))
        let begun = try #require(try store.begin(try delivery("a")))
        try store.holdPending()
        try store.finish(begun, with: .dead(reason: "HTTP 410"), at: noon)
        #expect(try delivery("a").state == .held)
    }

    @Test func aSourceThatTakesTheNameOfAnotherTellsItsOwn() throws {
        try store.commit(commit("news", requests: ["news/1"]))
        try store.renameSources(["news": "old"], at: noon)
        for _ in 1...2 { try store.commit(commit("news", requests: ["news/1"])) }
        #expect(try due() == ["news/1", "news/1~2"])
        var replacing = commit("news", requests: ["news/1"])
        replacing.requests[0].replacedItem = "1"
        try store.commit(replacing)
        #expect(try due() == ["news/1", "news/1~2"])
        #expect(try ["news/1~2", "news/1"].map { try delivery($0).requestRevision } == [2, 1])
    }

    @Test func aSourceThatStartsAnewLeavesWhatWasRememberedUnderAnotherName() throws {
        let items = [ContentItem(identifier: "1", title: "Old")]
        try store.commit(commit(items: items, requests: ["news/1"]))
        var anew = commit(items: [ContentItem(identifier: "1", title: "New")], requests: ["news/1"])
        anew.startsAnew = true
        try store.commit(anew)
        #expect(try due() == ["news/1", "news/1~2"])
        let names = try store.states().keys
        #expect(names.count == 2 && names.contains("news"))
        let retired = try #require(names.first { $0 != "news" })
        #expect(retired.hasPrefix("news (until "))
        #expect(try [retired, "news"].map { try store.itemCount(of: $0) } == [1, 1])
    }

    @Test func anItemIsNoSummaryHoweverItIsCalled() throws {
        let item = "\(Store.summaryPrefix)too-long"
        try store.commit(commit("crier", requests: [item, "crier/b"]))
        try store.quietDeliveries(passing: [], since: .distantPast, at: noon)
        try store.release(.quiet, at: noon) { waiting in
            #expect(waiting.newest.map(\.identifier) == ["crier/b", item])
            return .named("\(Store.summaryPrefix)1")
        }
        #expect(try delivery(item).lastError == "told in \(Store.summaryPrefix)1")
    }

    @Test(arguments: [
        ("job\u{0} 1", "stdout", "identifier of the notification job 1"),
        ("job", "std\u{0}out", "name of the sink stdout"),
    ])
    func whatWouldBeCutOffIsRefused(identifier: String, sink: String, fault: String) throws {
        let error = #expect(throws: StoreError.self) {
            try store.add(.named(identifier), to: ["desktop", sink], at: noon)
        }
        #expect(error == StoreError(.invalidRequest, "the \(fault) holds a NUL"))
        #expect(try due().isEmpty)
    }

    @Test func anIssueOfADigestIsNoLineOfASummary() throws {
        try store.account("m", upTo: noon)
        _ = try store.issue(
            DigestIssue(
                digest: "m", previous: noon, slot: noon, items: [], leftOut: [],
                content: NotificationContent(title: "Digest"), identifier: "digest/m/1", sinks: ["stdout"]), at: noon)
        try store.commit(commit(requests: ["a", "b"]))
        try store.quietDeliveries(passing: [], since: .distantPast, at: noon)
        #expect(try store.quietedCount() == 3)
        try store.release(.quiet, at: noon) { waiting in
            waiting.count == 2 ? .named("\(Store.summaryPrefix)1") : nil
        }
        #expect(try due() == ["digest/m/1", "\(Store.summaryPrefix)1"])
        #expect(try store.quietedCount() == 0)
    }
}
