import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

private let old = "http://news.example/feed"
private let new = "http://fresh.example/atom"

@Suite("Gone sources") struct GoneTests {
    @Test func aProgramIsToldWithoutCommandsThatItDoesNotHaveOrNotAtAll() async throws {
        for (own, body) in [
            (.conditions, "Its origin says that it is gone for good (status 410). It is asked once more in a week."),
            ([], nil),
        ] as [(OwnNotices, String?)] {
            let bench = try await ProxiedBench(own: own)
            await bench.play(old, ScriptedAnswer(status: 410))
            try await bench.fetch()
            #expect(try bench.notices().map(\.body) == [body].compactMap(\.self))
            await bench.origin.stop()
        }
    }

    @Test func aSourceThatIsGoneIsToldOnceAskedOnceMoreAndThenOnRequest() async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, bench.feed("a"))
        try await bench.fetchDaily(1)
        await bench.play(old, ScriptedAnswer(status: 410))
        let since = bench.clock.now
        let report = try await bench.fetch()
        #expect(report.failure == FetchFailure(.fetch, "HTTP status 410, gone"))
        #expect(report.nextFetch == since.addingTimeInterval(7 * 86_400))
        #expect(try bench.noticeIdentifiers() == ["news/gone-since-2023-11-15T22:13:20Z"])
        #expect(try bench.notices().first?.body.contains("`crier fetch news --force`") == true)

        bench.clock.advance(by: 7 * 86_400 - 1)
        let early = try bench.scheduler.due(among: [bench.source])
        #expect(early.due.isEmpty && early.going.isEmpty)
        bench.clock.advance(by: 1)
        let dueOnce = try bench.scheduler.due(among: [bench.source])
        #expect(dueOnce.due.count == 1 && dueOnce.going.count == 1)
        try await bench.fetch()
        bench.clock.advance(by: 400 * 86_400)
        let due = try bench.scheduler.due(among: [bench.source])
        #expect(due.due.isEmpty)
        #expect(due.next == nil)
        #expect(due.going.isEmpty)
        #expect(try bench.notices().count == 1)

        await bench.play(old, bench.feed("b", "a"))
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title b"])
        #expect(try bench.base.state().goneSince == nil)
        #expect(
            try bench.notices().last?.body == "It had failed since 2023-11-15, 2 times in a row.",
            "whoever was told that it is gone is told that it is back")
        await bench.origin.stop()
    }

    /// One answer of a server that is overloaded just then would be the end of a source that is there.
    @Test func oneThatFailsWhenItIsAskedOnceMoreIsAskedForWeeks() async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, ScriptedAnswer(status: 410), ScriptedAnswer(status: 503), bench.feed("a"))
        let week = 7 * 86_400.0
        try await bench.fetch()
        bench.clock.advance(by: week)
        try await bench.fetch()
        #expect(try bench.base.state().nextFetch == bench.clock.now.addingTimeInterval(week))
        bench.clock.advance(by: week)
        #expect(try await bench.fetch().result == .newData)
        #expect(try bench.noticeIdentifiers().map { $0.prefix(10) } == ["news/gone-", "news/recov"])
        await bench.origin.stop()
    }

    /// A server that is taken away says so first, and then nothing.
    @Test func oneThatFailsForWeeksIsToldOfOnceMoreAndNotAskedAgain() async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, ScriptedAnswer(status: 410), ScriptedAnswer(status: 503))
        var visits: [Date] = []
        while try !bench.base.state().schedule.isStopped(for: bench.source) {
            try await bench.fetch()
            visits.append(bench.clock.now)
            if let next = try bench.base.state().nextFetch { bench.clock.advance(to: next) }
        }
        #expect(visits.map { $0.timeIntervalSince(visits[0]) / 86_400 } == [0, 7, 14, 21, 28])
        try await bench.fetch()
        #expect(try bench.notices().map(\.title) == ["news is gone", "news keeps failing"])
        #expect(try bench.base.state().schedule.isStopped(for: bench.source))
        await bench.origin.stop()
    }

    /// A server that is taken away says so first, and then nothing that makes sense.
    @Test(arguments: [404, 410])
    func whateverItSaysWhenItIsAskedOnceMoreItIsNotAskedAgain(status: Int) async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, ScriptedAnswer(status: 410))
        try await bench.fetch()
        await bench.play(old, ScriptedAnswer(status: status))
        bench.clock.advance(by: 86_400)
        try await bench.fetch()
        let recheck = bench.clock.now.addingTimeInterval(6 * 86_400)
        #expect(try bench.base.state().nextFetch == recheck, "on request meanwhile")
        bench.clock.advance(to: recheck)
        try await bench.fetch()
        #expect(try bench.base.state().schedule.isStopped(for: bench.source))
        #expect(try bench.noticeIdentifiers().count == 1)
        await bench.origin.stop()
    }

    @Test func oneThatIsToBeFollowedAnewStartsAfresh() async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, ScriptedAnswer(status: 410))
        try await bench.fetch()
        bench.clock.advance(by: 8 * 86_400)
        try await bench.fetch()
        let store = bench.base.store
        try store.startAfresh([old], beside: ["news"], at: bench.clock.now)
        try store.startAfresh(["http://other.example/"], beside: [], at: bench.clock.now)
        #expect(try bench.base.state().schedule.isStopped(for: bench.source), "as it is followed, or another is meant")
        try store.startAfresh([old.uppercased().replacing("HTTP", with: "http")], beside: [], at: bench.clock.now)
        try store.startAfresh([old], beside: [], at: bench.clock.now)
        let state = try bench.base.state()
        #expect(state.goneSince == nil && state.failures == 0)
        #expect(state.nextFetch == bench.clock.now.addingTimeInterval(600), "who was asked just now has its rest")
        await bench.origin.stop()
    }

    /// Nothing is known of it but that nobody was reached.
    @Test func oneThatHasNeverAnsweredStartsAfreshToo() async throws {
        var bench = try await FetchBench()
        bench.source.address = .url("http://127.0.0.1:9/feed")
        await bench.origin.stop()
        for _ in 1...3 { _ = try await bench.scheduler.fetch([bench.source]) { _ in } }
        #expect(try bench.state().failures == 3)
        bench.clock.advance(by: 3600)
        try bench.store.startAfresh(["http://127.0.0.1:9/other"], beside: [], at: bench.clock.now)
        #expect(try bench.scheduler.due(among: [bench.source]).due.isEmpty, "another is meant")
        try bench.store.startAfresh(["http://127.0.0.1:9/feed"], beside: [], at: bench.clock.now)
        #expect(try bench.state().failures == 0)
        #expect(try bench.scheduler.due(among: [bench.source]).due.map(\.name) == ["news"])
    }

    @Test func anotherAddressOrAnEndThatIsElsewhereIsNotGone() async throws {
        var bench = try await ProxiedBench()
        await bench.play(old, bench.redirect(302, to: new))
        await bench.play(new, ScriptedAnswer(status: 410))
        try await bench.fetch()
        #expect(try bench.base.state().goneSince == nil, "it is the address of the day that is gone")
        await bench.play(old, ScriptedAnswer(status: 410))
        try await bench.fetch()
        bench.clock.advance(by: 8 * 86_400)
        try await bench.fetch()
        #expect(try bench.base.state().schedule.isStopped(for: bench.source))
        bench.source.address = .url(new)
        #expect(try bench.scheduler.due(among: [bench.source]).due.count == 1)
        await bench.origin.stop()
    }
}
