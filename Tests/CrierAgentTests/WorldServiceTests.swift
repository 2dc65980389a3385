import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierProcess
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierAgent

/// Counts how often it is to forget its connections.
private final class ForgettingTransport: HTTPTransport {
    let forgotten = Atomic(0)
    private let base = CurlTransport()
    var lane: (any TaskExecutor)? { base.lane }

    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        try await base.send(request, beforeRedirect: beforeRedirect)
    }

    func forgetConnections() { forgotten.add(1, ordering: .relaxed) }
}

/// What happens around the agent, from streams that a test writes to.
private struct World {
    let clock = ManualClock()
    let transport = ForgettingTransport()
    let store: Store
    let desk: AgentDesk
    let clockChange = AsyncStream.makeStream(of: ClockChange.self)
    let networkChange = AsyncStream.makeStream(of: Void.self)
    let timeZoneChange = AsyncStream.makeStream(of: Void.self)
    let stateChange = AsyncStream.makeStream(of: Void.self)
    let sleepNews = AsyncStream.makeStream(of: Bool.self)
    let folder: TemporaryFolder

    /// - Parameter path: Of the file that the configuration is said to have come from; nil for one that says the same.
    init(_ config: String, from path: String? = nil) throws {
        folder = try TemporaryFolder()
        let path = try path ?? folder.write(config, to: "crier.yaml")
        store = try Store.inMemory()
        try store.setNotificationSettings(.authorized, at: clock.now)
        let configuration = try #require(Configuration.load(text: config, file: path).configuration)
        desk = AgentDesk(
            file: ConfigurationFile(path: path), text: AgentDesk.Text(bytes: Array(config.utf8), hasMistakes: false),
            configuration: configuration, store: store,
            surroundings: Surroundings(
                clock: clock, transport: transport, environment: [:], logger: Agent.quiet,
                conditions: .unknown))
    }

    /// With one source, an empty feed of that origin.
    static func visiting(_ origin: ScriptedOrigin) async throws -> World {
        await origin.script("/feed", [ScriptedAnswer(body: "<rss><channel><title>T</title></channel></rss>")])
        return try World("sources:\n  news: {url: '\(origin.url("/feed"))'}\n")
    }

    /// Runs what hears of the world, and whatever else, while `body` runs.
    ///
    /// - Parameters:
    ///   - hears: Whether the system tells of the configuration file.
    ///   - hearsState: Whether it tells of the state.
    func run(
        fetching: Bool = false, hears: Bool = true, hearsState: Bool = true, _ body: () async throws -> Void
    ) async throws {
        if !hearsState { stateChange.continuation.finish() }
        let streams = WorldStreams(
            files: { [timeZoneChange, stateChange, store] path, _ in
                switch path {
                case WorldStreams.localTime: timeZoneChange.stream
                case store.path: stateChange.stream
                default: AsyncStream { if !hears { $0.finish() } }
                }
            },
            clock: { [clockChange] in clockChange.stream }, network: { [networkChange] in networkChange.stream },
            sleep: { [sleepNews] in sleepNews.stream })
        let service = WorldService(
            desk: desk, hangup: Bell(), terminal: ControllingTerminal(), events: streams)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            if fetching { group.addTask { try await FetchService(desk: desk).run() } }
            try await body()
            group.cancelAll()
        }
    }

    /// Returns when the visit is over, whose time budget sleeps on the clock too, and the loop has lain down.
    func fetchLoopSleeps() async {
        while desk.meter.values.next == nil, !Task.isCancelled { await Task.yield() }
        await clock.waitForSleepers()
    }

    /// The reasons in the log, oldest first.
    func wakes() throws -> [WakeReason] {
        try store.writeNotes()
        return try store.log().compactMap { if case .wake(let reason) = $0.event { reason } else { nil } }
    }
}

@Suite(.timeLimit(.minutes(5))) struct WorldServiceTests {
    @Test func whateverHappensWakesBothQueuesAndIsWrittenDown() async throws {
        let world = try World("sources: {}\n")
        try await world.run {
            let happenings: [(WakeReason, () -> Void)] = [
                (.clock, { world.clockChange.continuation.yield(.set) }),
                (.resume, { world.clockChange.continuation.yield(.slept) }),
                (.network, { world.networkChange.continuation.yield() }),
                (.timeZone, { world.timeZoneChange.continuation.yield() }),
            ]
            for (_, happen) in happenings {
                happen()
                await world.desk.fetchBell.wait()
                await world.desk.deliveryBell.wait()
                _ = world.desk.fetchBell.take()
                _ = world.desk.deliveryBell.take()
            }
            let reasons = try world.wakes()
            #expect(reasons == happenings.map(\.0))
        }
        #expect(world.desk.meter.values.wakes == [.clock: 1, .resume: 1, .network: 1, .timeZone: 1])
        #expect(world.transport.forgotten.load(ordering: .relaxed) == 2, "behind a sleep and in another network")
    }

    @Test func anEditOfTheFirstMomentsIsNoticed() async throws {
        let world = try World("sources: {}\n")
        try world.folder.write("sources: {news: {url: 'https://e.example/'}}\n", to: "crier.yaml")
        try await world.run { await world.desk.fetchBell.wait() }
        #expect(await world.desk.configuration.sources.map(\.name) == ["news"])
    }

    /// As by `--config <(make-configuration)`: there is nothing to read any more.
    @Test func aConfigurationThatWasHandedOverIsNotReadAgain() async throws {
        let world = try World("sources: {news: {url: 'https://e.example/'}}\n", from: "/dev/null")
        try await world.run {}
        #expect(await world.desk.configuration.sources.map(\.name) == ["news"])
    }

    /// The command that has made it may have found no socket.
    @Test func aDecisionThatTheStateAloneTellsOfWakesTheFetches() async throws {
        let world = try World("sources: {}\n")
        let desk = world.desk
        #expect(try await desk.rest() == nil)
        try world.store.setBackgroundSettings(BackgroundSettings(isOn: false))
        try await world.run {
            // It came before anybody watched the file.
            await desk.fetchBell.wait()
            #expect(try await desk.rest() == .switchedOff)
            for settings in [BackgroundSettings(), BackgroundSettings(minimumInterval: .seconds(60))] {
                _ = (desk.fetchBell.take(), desk.deliveryBell.take())
                try world.store.setBackgroundSettings(settings)
                world.stateChange.continuation.yield()
                await desk.fetchBell.wait()
                #expect(try await desk.rest() == nil)
            }
            await desk.deliveryBell.wait()
            _ = (desk.fetchBell.take(), desk.deliveryBell.take())
            world.stateChange.continuation.yield()
            await desk.deliveryBell.wait()
            #expect(!desk.fetchBell.isRung, "nothing that they go by is another")
            let no = NotificationSettings(authorizationStatus: .denied)
            try world.store.setNotificationSettings(no, at: world.clock.now)
            world.stateChange.continuation.yield()
            await desk.fetchBell.wait()
            #expect(try await desk.rest() == .notAuthorized)
        }
    }

    /// As where there is no inotify instance left.
    @Test func aFileOfWhoseChangesNobodyTellsIsLookedAt() async throws {
        let world = try World("sources: {}\n")
        let file = world.desk.file
        try await world.run(hears: false) {
            await world.clock.waitForSleepers()
            try file.replace(with: "sources: {news: {url: 'https://a.example/'}}\n")
            world.clock.advance(by: 60)
            await world.desk.fetchBell.wait()
            #expect(await world.desk.configuration.sources.map(\.name) == ["news"])
        }
        #expect(try world.wakes() == [.configuration])
    }

    @Test func aStateOfWhoseChangesNobodyTellsIsLookedAt() async throws {
        let world = try World("sources: {}\n")
        let desk = world.desk
        #expect(try await desk.rest() == nil)
        try await world.run(hearsState: false) {
            await world.clock.waitForSleepers()
            #expect(!desk.fetchBell.isRung && !desk.deliveryBell.isRung)
            try world.store.setBackgroundSettings(BackgroundSettings(isOn: false))
            world.clock.advance(by: 60)
            await desk.fetchBell.wait()
            #expect(try await desk.rest() == .switchedOff)
            await desk.deliveryBell.wait()
        }
    }

    /// A date that was set by a clock far ahead counts for nothing once the clock is set back.
    @Test func aClockThatIsSetBackKeepsNoSourceWaiting() async throws {
        let origin = try await ScriptedOrigin()
        let world = try await World.visiting(origin)
        try await world.run(fetching: true) {
            await origin.received(1)
            await world.fetchLoopSleeps()
            world.clock.advance(by: -30 * 86_400)
            world.clockChange.continuation.yield(.set)
            await origin.received(2)
        }
        await origin.stop()
    }

    /// Nobody's timer runs while the machine sleeps: the one who waits hears of it when it is awake.
    @Test func whatWasDueDuringASleepIsFetchedAtTheWakeUp() async throws {
        let origin = try await ScriptedOrigin()
        let world = try await World.visiting(origin)
        try await world.run(fetching: true) {
            await origin.received(1)
            await world.fetchLoopSleeps()
            world.clock.sleepThrough(8 * 3600)
            #expect(await origin.requests.count == 1)
            world.clockChange.continuation.yield(.slept)
            await origin.received(2)
        }
        #expect(try world.wakes() == [.resume])
        await origin.stop()
    }

    /// The kernel and logind tell of the same sleep, one after the other; logind alone is enough.
    @Test func aSleepThatTwoTellOfIsOne() async throws {
        let world = try World("sources: {}\n")
        try await world.run {
            func wakesAgain() async {
                await world.desk.fetchBell.wait()
                _ = world.desk.fetchBell.take()
            }
            world.sleepNews.continuation.yield(true)
            world.sleepNews.continuation.yield(false)
            await wakesAgain()
            world.clockChange.continuation.yield(.slept)
            await wakesAgain()
            world.sleepNews.continuation.yield(false)
            world.sleepNews.continuation.yield(true)
            world.sleepNews.continuation.yield(false)
            await wakesAgain()
        }
        #expect(try world.wakes() == [.resume, .resume, .resume])
    }

    @Test func aSleepIsToldFromAClockThatWasSetAndBothFromOneThatIsKeptRight() {
        let reading = Mutex(ClockMeter.Reading(asleep: 0, ahead: 0))
        let meter = ClockMeter { reading.withLock { $0 } }
        func change(asleep: TimeInterval = 0, ahead: TimeInterval = 0) -> ClockChange? {
            reading.withLock { ($0.asleep, $0.ahead) = ($0.asleep + asleep, $0.ahead + ahead) }
            return meter.change()
        }
        #expect(change() == nil)
        #expect(change(ahead: -3600) == .set)
        #expect(change() == nil)
        #expect(change(asleep: 3600) == .slept)
        #expect(change(asleep: 0.001, ahead: 0.001) == nil, "the clocks are read one after the other")
        #expect([0.2, 0.2, 0.2, 0.2].map { change(ahead: $0) } == [nil, nil, .set, nil], "small steps add up")
        #expect(change(asleep: 60, ahead: 60) == .slept, "the clock is right again")
        #expect(change() == nil)
    }
}
