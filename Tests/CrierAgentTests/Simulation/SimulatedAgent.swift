import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import ServiceLifecycle
import Testing

@testable import CrierAgent

/// The two queues of an agent in simulated time, with a real state file: `crier.sqlite` in the folder of `crier.yaml`.
struct SimulatedAgent {
    let desk: AgentDesk
    private let group: ServiceGroup

    init(in folder: TemporaryFolder, time: SimulatedTime, transport: any HTTPTransport) throws {
        let store = try Store(path: folder.file("crier.sqlite"), integrityCheck: .ifLogIsLeft)
        let file = ConfigurationFile(path: folder.file("crier.yaml"))
        let bytes = try file.read()
        let configuration = try #require(Configuration.load(bytes: bytes, file: file.path).configuration)
        desk = AgentDesk(
            file: file, text: AgentDesk.Text(bytes: bytes, hasMistakes: false), configuration: configuration,
            store: store,
            surroundings: Surroundings(clock: time, transport: transport, environment: [:], logger: Agent.quiet))
        group = ServiceGroup(
            services: [DeliveryService(desk: desk), FetchService(desk: desk)],
            logger: Agent.quiet)
    }

    /// Works while `body` does, and then ends as at SIGTERM.
    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        async let running: Void = group.run()
        let result = try await body()
        await group.triggerGracefulShutdown()
        try await running
        return result
    }

    /// Lets the user allow notifications, in a state file that is made for it.
    static func authorize(in folder: TemporaryFolder, at date: Date) throws {
        try Store(path: folder.file("crier.sqlite"))
            .setNotificationSettings(.authorized, at: date)
    }
}
