import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A JSON Feed that says that it has expired.
@Suite struct EndedFeedTests {
    private static let day: TimeInterval = 86_400

    private func bench(_ answers: [ScriptedAnswer]) async throws -> MannersBench {
        let bench = try await MannersBench(nil)
        await bench.origin.script("/a", answers)
        return bench
    }

    private func feed(_ items: String = "") -> ScriptedAnswer {
        ScriptedAnswer(
            body: #"{"version":"https://jsonfeed.org/version/1.1","title":"T","expired":true,"items":[\#(items)]}"#)
    }

    private func visit(
        _ source: Source, in bench: MannersBench, isForced: Bool = false
    ) async throws -> [FetchReport] {
        try await bench.scheduler.fetch([source], isForced: isForced) { _ in }
    }

    /// What the visits tell that are due until a moment.
    private func told(
        by source: Source, in bench: MannersBench, within time: TimeInterval
    ) async throws -> [String] {
        let end = bench.clock.now.addingTimeInterval(time)
        var told: [String] = []
        while true {
            told += try await visit(source, in: bench).flatMap(\.requests).map(\.identifier)
            guard let next = try bench.state("a").nextFetch, next < end else { return told }
            try await bench.clock.sleep(until: next)
        }
    }

    @Test func itIsAskedOnceMoreAndThenOnRequest() async throws {
        let bench = try await bench([feed()])
        let source = bench.source("a")
        _ = try await visit(source, in: bench)
        let recheck = bench.clock.now.addingTimeInterval(SourceState.goneRecheck)
        #expect(try bench.state("a").nextFetch == recheck && bench.state("a").nextFetchReason == OriginWishes.expired)
        try await bench.clock.sleep(until: recheck)
        #expect(try bench.scheduler.due(among: [source]).due.count == 1)
        _ = try await visit(source, in: bench)
        try await bench.clock.sleep(until: bench.clock.now.addingTimeInterval(400 * Self.day))
        #expect(try bench.scheduler.due(among: [source]).due.isEmpty)
        #expect(try bench.state("a").nextFetch == nil && bench.state("a").nextFetchReason == OriginWishes.expired)
        _ = try await visit(source, in: bench, isForced: true)
        #expect(await bench.origin.requests.count == 3)
        await bench.origin.stop()
    }

    /// Also where the one who is asked once more fails just then.
    @Test func anAnswerThatSaysSoByMistakeCostsAWeek() async throws {
        let whole = ScriptedAnswer(body: MannersBench.rss(""))
        let bench = try await bench([feed(), ScriptedAnswer(status: 503), ScriptedAnswer(status: 503), whole])
        let source = bench.source("a")
        let begin = bench.clock.now
        _ = try await told(by: source, in: bench, within: 8 * Self.day)
        let state = try bench.state("a")
        #expect(state.goneSince == nil && state.failures == 0 && state.nextFetch != nil)
        let visits = await bench.origin.requests.count
        #expect(visits > 4, "it is visited as any other again")
        #expect(bench.clock.now > begin.addingTimeInterval(7 * Self.day))
        await bench.origin.stop()
    }

    @Test func aServerThatIsTakenAwayBehindItIsLeftAlone() async throws {
        let bench = try await bench([feed(), ScriptedAnswer(status: 503)])
        let source = bench.source("a")
        let notices = try await told(by: source, in: bench, within: 60 * Self.day)
        #expect(notices.count == 1 && notices[0].contains("ended"), "\(notices)")
        #expect(try bench.state("a").nextFetch == nil)
        let begin = try #require(bench.state("a").goneSince)
        #expect(bench.clock.now <= begin.addingTimeInterval(15 * Self.day))
        await bench.origin.stop()
    }

    /// Its dates are further ahead than the one at which it is asked once more.
    @Test func oneOfALongIntervalIsAskedNoMoreThanThat() async throws {
        let bench = try await bench([feed(), ScriptedAnswer(status: 503)])
        var source = bench.source("a")
        source.every = .seconds(30 * 86_400)
        _ = try await visit(source, in: bench)
        try await bench.clock.sleep(until: try #require(bench.state("a").nextFetch))
        _ = try await visit(source, in: bench)
        #expect(try bench.state("a").nextFetch ?? bench.clock.now > bench.clock.now.addingTimeInterval(8 * Self.day))
        #expect(try bench.scheduler.due(among: [source]).due.isEmpty)
        await bench.origin.stop()
    }

    /// On its day, and not when the feed is asked once more.
    @Test func whatWaitsForItsDayIsTold() async throws {
        // It is 22:13 GMT.
        let item = #"{"id":"1","title":"x","date_published":"2023-11-15T06:00:00Z"}"#
        let bench = try await bench([feed(item), feed(item), ScriptedAnswer(status: 503)])
        var source = bench.source("a")
        source.notify = .daily
        source.first = .all
        #expect(
            try await told(by: source, in: bench, within: Self.day / 2).filter { $0.contains("day") } == [
                "a/day-2023-11-15"
            ])
        await bench.origin.stop()
    }

    @Test func itIsNotToldOfAsSilent() async throws {
        let bench = try await bench([feed()])
        var source = bench.source("a")
        source.expectEvery = .seconds(3 * 86_400)
        let notices = try await told(by: source, in: bench, within: 30 * Self.day)
        #expect(notices.count == 1 && notices[0].contains("ended"), "\(notices)")
        await bench.origin.stop()
    }

    /// As versions did that told of no end.
    @Test func oneThatWasSilencedUntoldIsVisitedAndToldOf() async throws {
        let bench = try await bench([feed()])
        let source = bench.source("a")
        _ = try await visit(source, in: bench)
        var state = try bench.state("a")
        (state.goneSince, state.nextFetch) = (nil, nil)
        try bench.store.commit(FetchCommit(state: state, date: bench.clock.now))
        bench.clock.leap(by: Self.day)
        #expect(try bench.scheduler.due(among: [source]).due.count == 1)
        #expect(try await told(by: source, in: bench, within: 60 * Self.day).count == 1)
        #expect(try bench.state("a").nextFetch == nil)
        await bench.origin.stop()
    }
}
