import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

@Suite("The log of fetches and attempts")
struct LogTests {
    let store: Store

    init() throws { store = try Store.inMemory() }

    private func visit(
        _ source: String, at date: Date, _ result: BackgroundFetchResult = .noData, requests: [String] = []
    ) throws {
        var commit = commit(source, requests: requests, at: date)
        commit.state.lastResult = result
        commit.state.lastStatus = 304
        if result == .failed { commit.state.failure = FetchFailure(.fetch, "no answer") }
        var visit = FetchVisit(trigger: result == .failed ? .request : .schedule, begun: date)
        visit.end(at: date.addingTimeInterval(1.25))
        visit.bytes = 17
        visit.newItems = 2
        commit.visit = visit
        try store.commit(commit)
    }

    @Test func eachFetchIsALineWithItsCauseAndResult() throws {
        try visit("news", at: noon)
        try visit("blog", at: noon.addingTimeInterval(60), .failed)
        let entries = try store.log()
        #expect(entries.map(\.source) == ["news", "blog"])
        guard case .fetch(let visit, .noData, 304, nil) = entries[0].event else {
            Issue.record("\(entries[0])")
            return
        }
        #expect(visit.trigger == .schedule && visit.begun == noon)
        #expect(visit.duration == 1.25 && visit.bytes == 17 && visit.newItems == 2)
        guard case .fetch(let other, .failed, _, let failure) = entries[1].event else {
            Issue.record("\(entries[1])")
            return
        }
        #expect(other.trigger == .request)
        #expect(failure?.hasSuffix("no answer") == true)
        #expect(try store.log(of: "blog").count == 1)
        #expect(try store.log(of: "nobody").isEmpty)
        #expect(try store.log(limit: 1).map(\.source) == ["blog"], "the latest")
    }

    @Test func aWakeUpIsWrittenDownWithWhatItLedTo() throws {
        store.note(WakeUp(.schedule, at: noon))
        store.note(WakeUp(.command, at: noon.addingTimeInterval(5)))
        #expect(try store.log().isEmpty, "it costs no write of its own")
        try visit("news", at: noon.addingTimeInterval(1))
        #expect(try store.log().map(\.event.isWake) == [true, false, true])
        #expect(try store.log(of: "news").map(\.event.isWake) == [false])
        // A write that fails loses none.
        store.note(WakeUp(.resume, at: noon.addingTimeInterval(9)))
        struct Refusal: Error {}
        #expect(throws: StoreError.self) {
            try store.write { [store] _ in
                store.note(WakeUp(.network, at: noon.addingTimeInterval(10)))
                throw Refusal()
            }
        }
        try store.writeNotes()
        #expect(try store.log().suffix(2).map(\.event) == [.wake(.resume), .wake(.network)], "in their order")
    }

    @Test func wakeUpsEndAfterAMonthAndBeyondTheirNumber() throws {
        for number in 0..<5 { store.note(WakeUp(.network, at: noon.addingTimeInterval(Double(number) * 86_400))) }
        try store.writeNotes()
        var retention = Retention()
        retention.mostWakes = 3
        try store.prune(retention, isForced: true, at: noon.addingTimeInterval(5 * 86_400))
        #expect(try store.log().count == 3)
        try store.prune(isForced: true, at: noon.addingTimeInterval(33.5 * 86_400))
        #expect(try store.log().map(\.date) == [noon.addingTimeInterval(4 * 86_400)])
    }

    @Test func attemptsAreToldAmongThem() throws {
        try store.setNotificationSettings(.authorized, at: noon)
        try visit("news", at: noon, .newData, requests: ["a"])
        let delivery = try #require(try store.deliveries(in: [.pending]).first.flatMap { try store.begin($0) })
        try store.finish(
            delivery, with: .retry(at: noon.addingTimeInterval(300), reason: "HTTP 500"), at: noon.addingTimeInterval(1)
        )
        let again = try #require(try store.deliveries(in: [.pending]).first.flatMap { try store.begin($0) })
        try store.finish(again, with: .delivered(receipt: nil), at: noon.addingTimeInterval(301))
        try visit("news", at: noon.addingTimeInterval(100))
        let entries = try store.log(of: "news")
        #expect(entries.count == 4)
        guard case .attempt(_, let sink, 1, "HTTP 500") = entries[1].event,
            case .delivery(_, sink, .delivered, _) = entries[3].event
        else {
            Issue.record("\(entries)")
            return
        }
        #expect(try store.log().map(\.date) == entries.map(\.date))
    }

    @Test func whatAClockThatWasAheadHasWrittenHidesNothing() throws {
        try store.setNotificationSettings(.authorized, at: noon)
        func deliver(_ request: String, at date: Date) throws {
            try visit("news", at: date, .newData, requests: [request])
            let delivery = try #require(try store.deliveries(in: [.pending]).first.flatMap { try store.begin($0) })
            try store.finish(delivery, with: .delivered(receipt: nil), at: date)
        }
        try deliver("ahead", at: noon.addingTimeInterval(90 * 86_400))
        try deliver("now", at: noon)
        let log = try store.log(limit: 2, now: noon)
        #expect(log.map(\.date) == [noon, noon])
        let listed = try store.deliveries(in: [.delivered], now: noon)
        #expect(listed.map(\.request.identifier) == ["now", "ahead"])
    }

    @Test func theEndOfADeliveryFollowsItsLastAttempt() throws {
        try store.setNotificationSettings(.authorized, at: noon)
        try visit("news", at: noon, .newData, requests: ["one"])
        let delivery = try #require(try store.deliveries(in: [.pending]).first.flatMap { try store.begin($0) })
        try store.finish(delivery, with: .dead(reason: "HTTP 400"), at: noon)
        let entries = try store.log()
        #expect(entries.count == 3, "\(entries)")
        guard case .attempt = entries[1].event, case .delivery(_, _, .dead, _) = entries[2].event else {
            Issue.record("\(entries)")
            return
        }
    }

    @Test func onlyTheNewestAreKept() throws {
        for day in 0..<40 { try visit("news", at: noon.addingTimeInterval(Double(day) * 86_400)) }
        try store.prune(isForced: true, at: noon.addingTimeInterval(40 * 86_400))
        #expect(try store.log().count == 30)
        var few = Retention()
        few.mostVisits = 5
        try store.prune(few, isForced: true, at: noon.addingTimeInterval(40 * 86_400))
        #expect(try store.log().count == 5)
        #expect(try store.log().last?.date == noon.addingTimeInterval(39 * 86_400))
    }
}

extension LogEntry.Event {
    fileprivate var isWake: Bool { if case .wake = self { true } else { false } }
}
