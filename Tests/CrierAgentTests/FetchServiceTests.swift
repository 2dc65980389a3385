import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierAgent
@testable import CrierStore

/// Runs that the agent is asked for.
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

    private func desk(_ more: String = "") throws -> AgentDesk {
        let config = "sources:\n  news: {url: 'file://\(folder.file("feed.xml"))'}\n\(more)"
        let path = try folder.write(config, to: "crier.yaml")
        return AgentDesk(
            file: ConfigurationFile(path: path), text: AgentDesk.Text(bytes: Array(config.utf8), hasMistakes: false),
            configuration: try #require(Configuration.load(text: config, file: path).configuration), store: store,
            surroundings: Surroundings(clock: clock, environment: [:], logger: Agent.quiet, conditions: .unknown))
    }

    private func ask(_ desk: AgentDesk, _ order: FetchOrder) async -> AsyncStream<Audience.Message> {
        let (number, messages) = await desk.audience.join(.run)
        await desk.take(AgentDesk.Request(order: order, listener: number))
        return messages
    }

    /// What the agent says in the end to one who has asked.
    private func answer(in messages: AsyncStream<Audience.Message>) async -> AgentEvent? {
        for await message in messages where message.event.ended != nil || message.event.refused != nil {
            return message.event
        }
        return nil
    }

    private func answer(_ order: FetchOrder) async throws -> AgentEvent {
        let desk = try desk()
        let messages = await ask(desk, order)
        let service = Task { try await FetchService(desk: desk).run() }
        let answer = await answer(in: messages)
        service.cancel()
        try await service.value
        return try #require(answer)
    }

    @Test func aDigestThatCannotBeIssuedIsToldOnce() {
        let told = ToldDigests()
        func isNews(_ name: String, _ failure: String?) -> Bool {
            var report = DigestReport(digest: name)
            report.failure = failure
            return told.isNews(report)
        }
        #expect([isNews("a", "x"), isNews("a", "x"), isNews("b", "x"), isNews("a", "y")] == [true, false, true, true])
        #expect(
            [isNews("a", nil), isNews("a", nil), isNews("a", "y")] == [true, true, true],
            "each issue, and what comes later")
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

    @Test func whatIsAskedForBehindARunThatFailsIsAnsweredAtOnce() async throws {
        try await store.writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let desk = try desk()
        let order = FetchOrder(sources: [], force: true)
        let (first, second) = (await ask(desk, order), await ask(desk, order))
        let service = Task { try await FetchService(desk: desk).run() }
        for messages in [first, second] { #expect(await answer(in: messages)?.status == 74) }
        service.cancel()
        _ = await service.result
    }

    @Test func aRunThatWaitsForItsSinksKeepsNeitherTheScheduleNorAnotherRunWaiting() async throws {
        try store.setNotificationSettings(.authorized, at: clock.now)
        let (origin, receiver) = (try await ScriptedOrigin(), try await ScriptedOrigin())
        await origin.script("/feed", [ScriptedAnswer(body: "<rss><channel><title>T</title></channel></rss>")])
        await receiver.script(
            "/in",
            [
                ScriptedAnswer(steps: [
                    .gate("answer"), .bytes(Array("HTTP/1.1 503 -\r\nContent-Length: 0\r\n\r\n".utf8)),
                ])
            ])
        let desk = try desk(
            """
              more: {url: '\(origin.url("/feed"))'}
            sinks: {team: {kind: webhook, url: '\(receiver.url("/in"))'}}

            """)
        let first = await ask(desk, FetchOrder(sources: ["news"], force: false))
        let services = Task {
            async let fetches: Void = FetchService(desk: desk).run()
            async let deliveries: Void = DeliveryService(desk: desk).run()
            _ = try await (fetches, deliveries)
        }
        await receiver.received(1)
        await origin.received(1)
        clock.advance(by: 1)
        let second = await ask(desk, FetchOrder(sources: ["news"], force: true))
        let ended = await answer(in: second)?.ended
        #expect(ended?.visits.map(\.source) == ["news"])
        #expect(ended?.delivery == DeliveryReport(), "the first has made what waits")
        await receiver.open("answer")
        #expect(await answer(in: first)?.ended?.delivery.waiting["team"]?.count == 1)
        services.cancel()
        _ = await services.result
        #expect(desk.meter.values.deliveries.values.reduce(0, +) == 1, "counted when it has been told")
        await origin.stop()
        await receiver.stop()
    }

    /// What could not be written down is asked for anew at each trial.
    @Test func aDiskThatStaysFullIsTriedMoreAndMoreSeldom() async throws {
        try store.setNotificationSettings(.authorized, at: clock.now)
        try await store.writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let desk = try desk()
        let service = Task { try await FetchService(desk: desk).run() }
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
