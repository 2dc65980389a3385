import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierAgent
@testable import CrierStore

/// Runs that the agent is asked for and cannot make.
@Suite(.timeLimit(.minutes(5))) struct FetchServiceTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store.inMemory()
        let items = (1...500).map { "<item><guid>\($0)</guid><title>Item \($0)</title></item>" }
        try folder.write("<rss><channel><title>T</title>\(items.joined())</channel></rss>", to: "feed.xml")
    }

    private func desk() throws -> AgentDesk {
        let config = "sources:\n  news: {url: 'file://\(folder.file("feed.xml"))'}\n"
        let path = try folder.write(config, to: "crier.yaml")
        return AgentDesk(
            file: ConfigurationFile(path: path), text: AgentDesk.Text(bytes: Array(config.utf8), hasMistakes: false),
            configuration: try #require(Configuration.load(text: config, file: path).configuration), store: store,
            surroundings: Surroundings(clock: clock, environment: [:], logger: Agent.quiet, conditions: .unknown))
    }

    /// What the agent answers in the end.
    private func answer(_ order: FetchOrder) async throws -> AgentEvent {
        let desk = try desk()
        let (number, messages) = await desk.audience.join(.run)
        await desk.take(AgentDesk.Request(order: order, listener: number))
        let service = Task { [clock] in try await FetchService(desk: desk, clock: clock).run() }
        var answer: AgentEvent?
        for await message in messages {
            answer = message.event
            if answer?.ended != nil || answer?.refused != nil { break }
        }
        service.cancel()
        try await service.value
        return try #require(answer)
    }

    @Test func anUnknownSourceIsWrongUsage() async throws {
        let event = try await answer(FetchOrder(sources: ["nwes"], force: true))
        #expect(event.refused == "no source is called \"nwes\"; did you mean \"news\"?")
        #expect(event.status == 64)
    }

    @Test func aFullDiskIsWhatItIsToARunOfItsOwn() async throws {
        try await store.writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let event = try await answer(FetchOrder(sources: [], force: true))
        #expect(event.refused?.hasPrefix("no space left on the disk of the state file") == true)
        #expect(event.status == 74)
    }

    /// What could not be written down is asked for anew at each trial.
    @Test func aDiskThatStaysFullIsTriedMoreAndMoreSeldom() async throws {
        try store.setNotificationSettings(.authorized, at: clock.now)
        try await store.writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let desk = try desk()
        let service = Task { [clock] in try await FetchService(desk: desk, clock: clock).run() }
        var pauses: [TimeInterval] = []
        while pauses.count < 8, !Task.isCancelled {
            await clock.waitForSleepers()
            guard let next = clock.deadlines.first else { continue }
            // Half a minute is the longest that a fetch takes.
            if next > clock.now + 30 { pauses.append(next.timeIntervalSince(clock.now)) }
            clock.advance(to: next)
        }
        #expect(pauses == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
        service.cancel()
        _ = await service.result
    }
}
