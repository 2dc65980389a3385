import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

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

    private func lose() async {
        async let looked: Void = desk.lookForFile()
        await clock.waitForSleepers()
        clock.advance(by: 1)
        await looked
    }

    @Test func aFileThatWasJustMadeHasYetToBeWritten() async throws {
        await lose()
        try folder.write("sources: {half: {url: 'https://e.example/'}}\n", to: "crier.yaml")
        await desk.lookForFile()
        #expect(await sources == [])
        // What tells of its end.
        await desk.reload()
        #expect(await sources == ["half"])
    }

    @Test(arguments: [true, false]) func aLinkThatIsPutThereIsComplete(isSymbolic: Bool) async throws {
        await lose()
        let (path, file) = (folder.file("crier.yaml"), FileManager.default)
        let kept = try folder.write("sources: {kept: {url: 'https://e.example/'}}\n", to: "kept.yaml")
        if isSymbolic {
            try file.createSymbolicLink(atPath: path, withDestinationPath: kept)
        } else {
            try file.linkItem(atPath: kept, toPath: path)
        }
        await desk.lookForFile()
        #expect(await sources == ["kept"])
    }
}
