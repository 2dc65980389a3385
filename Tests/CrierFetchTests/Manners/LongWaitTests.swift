import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch

/// Waits that are longer than a round, than the usual interval, or than the time that the clock is right.
@Suite struct LongWaitTests {
    private let store: Store
    private let transport = ScriptedTransport()

    init() throws {
        store = try Store.inMemory()
    }

    private func scheduler(_ clock: any WallClock, _ hosts: HostPaces) -> FetchScheduler {
        let fetcher = ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "t", hosts: hosts)
        return FetchScheduler(fetcher: fetcher, store: store, clock: clock, network: NetworkPath { true })
    }

    private func source(_ name: String, on host: String = "h.example") -> Source {
        let url = "https://\(host)/\(name)"
        transport.script(url, body: MannersBench.rss(""))
        return Source(name: name, address: .url(url))
    }

    @Test(.timeLimit(.minutes(1))) func aGapLongerThanARoundIsSleptThrough() async throws {
        let clock = ManualClock()
        let scheduler = scheduler(clock, HostPaces(named: ["h.example": HostPace(gap: .seconds(120))]))
        let sources = [source("a"), source("b")]
        let loop = Task { try await scheduler.run(sources) { _ in } }
        await clock.waitForSleepers()
        #expect(transport.requests.map(\.url) == ["https://h.example/a"])
        // With the slack of an hourly source.
        #expect(clock.deadlines == [clock.now.addingTimeInterval(120 + 36)])
        clock.advance(by: 120 + 36)
        await clock.waitForSleepers()
        #expect(transport.requests.map(\.url) == ["https://h.example/a", "https://h.example/b"])
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
    }

    @Test func whatARoundLeavesLetsOthersGoBeforeIt() throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let sources = ["slow", "other", "left"].map { source($0) }
        var agenda = try FetchAgenda(sources)
        agenda.note(
            zip(sources, [10.0, 5, 20]).map { source, ago in
                var report = FetchReport(source: source.name, result: .noData)
                report.nextFetch = now.addingTimeInterval(-ago)
                return report
            })
        #expect(agenda.due(at: now).map(\.name) == ["left", "slow", "other"])
        agenda.postpone(["left": now, "slow": now.addingTimeInterval(120)])
        #expect(agenda.due(at: now).map(\.name) == ["other", "left"])
        #expect(agenda.next(after: now) == now.addingTimeInterval(120))
        agenda.postpone(["slow": now])
        #expect(agenda.next(after: now) == now.addingTimeInterval(120), "no date comes nearer")
    }

    @Test func theUsersLeastIntervalOfADayIsNoClockThatWasAhead() async throws {
        let clock = ManualClock()
        let scheduler = scheduler(clock, HostPaces(minimumInterval: .seconds(86_400)))
        let sources = (0..<8).map { source("s\($0)", on: "h\($0).example") }
        _ = try await scheduler.fetch(sources) { _ in }
        clock.advance(by: 600)
        #expect(try scheduler.due(among: sources).due.isEmpty)
        clock.advance(by: 86_400 * 1.1)
        #expect(try scheduler.due(among: sources).due.count == 8)
    }

    @Test func aClockThatIsSetBackDuringAGapLengthensNoWait() async throws {
        let clock = SetBackClock()
        let scheduler = scheduler(clock, HostPaces())
        let reports = try await scheduler.fetch([source("a"), source("b")]) { _ in }
        #expect(reports.map(\.result) == [.newData, .newData])
        #expect(clock.hasBeenSetBack)
    }

    @Test func aSourceThatWasGoneWhileTheClockWasAheadRestsForAWeek() async throws {
        let clock = LeapingClock()
        let scheduler = scheduler(clock, HostPaces())
        let gone = source("a")
        transport.script("https://h.example/a", status: 410)
        clock.leap(by: 30 * 86_400)
        _ = try await scheduler.fetch([gone]) { _ in }
        clock.leap(by: -30 * 86_400)
        _ = try await scheduler.fetch([gone]) { _ in }
        #expect(try store.state(of: "a").goneSince == clock.now)
        #expect(try store.state(of: "a").nextFetch == clock.now.addingTimeInterval(7 * 86_400))
        #expect(try scheduler.due(among: [gone]).due.isEmpty)
    }
}

/// Is set back by hours as soon as somebody waits; who waits for a date then waits for hours.
private final class SetBackClock: WallClock {
    private let time = Mutex((now: Date(timeIntervalSince1970: 1_700_000_000), isRight: false))

    var now: Date { time.withLock { $0.now } }
    var hasBeenSetBack: Bool { time.withLock { $0.isRight } }

    func sleep(until deadline: Date) async throws { throw CancellationError() }

    func sleep(for duration: Duration) async throws {
        time.withLock { time in
            if !time.isRight { time.now -= 8 * 3600 }
            time.isRight = true
            time.now += duration / .seconds(1)
        }
    }
}
