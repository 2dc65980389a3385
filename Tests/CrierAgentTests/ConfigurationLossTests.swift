import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierDelivery

/// A configuration file that was taken away, and comes back, while an agent is at work.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationLossTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let desk: AgentDesk

    init() throws {
        folder = try TemporaryFolder()
        desk = AgentDesk(
            file: ConfigurationFile(path: folder.file("crier.yaml")),
            text: AgentDesk.Text(bytes: [], hasMistakes: false), configuration: try configuration(""),
            store: try Store(path: folder.file("crier.sqlite")),
            surroundings: Surroundings(clock: clock, environment: [:], logger: Agent.quiet))
    }

    private var sources: [String] { get async { await desk.configuration.sources.map(\.name) } }

    /// What the kernel's telling leads to, over some seconds.
    private func look(for seconds: Int, _ during: (Int) async throws -> Void = { _ in }) async throws {
        async let looked: Void = desk.lookForFile()
        for second in 0..<seconds {
            await clock.waitForSleepers()
            try await during(second)
            clock.advance(by: 1)
        }
        await looked
    }

    @Test func aFileThatIsBeingMadeIsReadAtItsEnd() async throws {
        try await look(for: 1)
        try folder.write("sources: {half: {url: 'https://e.example/'}}\n", to: "crier.yaml")
        try await look(for: 16) { second in
            #expect(await sources == [])
            // It was the same for five seconds by then.
            if second == 5 { try folder.write("sources: {whole: {url: 'https://e.example/'}}\n", to: "crier.yaml") }
        }
        #expect(await sources == ["whole"])
    }

    @Test func whatTellsOfItsEndIsNotWaitedFor() async throws {
        try await look(for: 1)
        try folder.write("sources: {whole: {url: 'https://e.example/'}}\n", to: "crier.yaml")
        try await look(for: 1) { _ in await desk.reload() }
        #expect(await sources == ["whole"])
    }

    /// What a visit finds that is under way goes where its source had it.
    @Test func sinksThatAreTakenOutStayForTheVisitsThatAreUnderWay() async throws {
        func sinks(_ name: String) throws {
            try folder.write("sinks: {\(name): {kind: file, path: \(folder.file(name))}}\n", to: "crier.yaml")
        }
        try desk.store.setNotificationSettings(.authorized, at: clock.now)
        try sinks("one")
        await desk.reload()
        _ = try await desk.wiringForVisits()
        #expect(await desk.center.sinkNames == ["one"])
        try sinks("two")
        await desk.reload()
        _ = try await desk.metrics()
        await desk.dropFormerSinks()
        #expect(await desk.center.sinkNames == ["two", "one"])
        let request = NotificationRequest(identifier: "1", content: NotificationContent(title: "Found"))
        try desk.store.add(request, to: ["one"], at: clock.now)
        _ = try await desk.wiringForVisits()
        #expect(await desk.center.sinkNames == ["two", "one"], "it is there, and not delivered yet")
        _ = try await desk.center.deliverDue()
        #expect(folder.read("one")?.contains("Found") == true)
        await desk.dropFormerSinks()
        #expect(await desk.center.sinkNames == ["two"])
    }

    @Test(arguments: [true, false]) func aLinkThatIsPutThereIsRead(isSymbolic: Bool) async throws {
        try await look(for: 1)
        let (path, file) = (folder.file("crier.yaml"), FileManager.default)
        let kept = try folder.write("sources: {kept: {url: 'https://e.example/'}}\n", to: "kept.yaml")
        if isSymbolic {
            try file.createSymbolicLink(atPath: path, withDestinationPath: kept)
        } else {
            try file.linkItem(atPath: kept, toPath: path)
        }
        try await look(for: 10)
        #expect(await sources == ["kept"])
    }
}
