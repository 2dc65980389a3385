import CrierFetch
import CrierNotifications
import CrierProcess
import CrierStore
import Foundation
import Logging
import ServiceLifecycle

/// The long-running process of one user: keeps both queues moving until it is asked to end.
public struct Agent: Sendable {
    /// Why the agent cannot begin.
    public struct Failure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
        public let description: String
        public var errorDescription: String? { description }
    }

    private typealias Member = ServiceGroupConfiguration.ServiceConfiguration

    /// Deliveries that are under way at SIGTERM may take so long.
    private static let patience = Duration.milliseconds(1200)

    private let desk: AgentDesk
    private let environment: [String: String]
    private let signals: AgentSignals

    /// From here on SIGTERM, SIGINT and SIGHUP wait for ``run()``.
    ///
    /// - Parameters:
    ///   - bytes: What the file held when `configuration` was read from it.
    ///   - hasMistakes: Whether mistakes were found there, and told.
    ///   - store: Under the caller's ``RunLock``.
    ///   - signals: Those that were taken over before.
    public init(
        file: ConfigurationFile, bytes: [UInt8], hasMistakes: Bool = false, configuration: Configuration, store: Store,
        surroundings: Surroundings, signals: AgentSignals? = nil
    ) async {
        desk = AgentDesk(
            file: file, text: AgentDesk.Text(bytes: bytes, hasMistakes: hasMistakes), configuration: configuration,
            store: store, surroundings: surroundings)
        environment = surroundings.environment
        if let signals { self.signals = signals } else { self.signals = await AgentSignals() }
    }

    /// Works until SIGTERM or SIGINT: then it ends within 2 s, with nothing half done. SIGHUP reads the configuration again,
    /// unless it comes as the terminal is gone in whose foreground the agent was started: that ends it, too.
    ///
    /// - Throws: ``Failure`` where another agent has the socket, ``StoreError`` where the state cannot be used.
    public func run() async throws {
        let logger = desk.logger
        // Each with its name: the library's own would print all that a service holds, for a fifth of the cost of the start.
        var services = [
            Member(
                service: EndService(end: signals.end), successTerminationBehavior: .gracefullyShutdownGroup,
                serviceName: "end"),
            Member(service: DeliveryService(desk: desk), serviceName: "deliveries"),
            Member(service: FetchService(desk: desk), serviceName: "fetches"),
        ]
        if let path = ConfigurationPaths.socket(environment: environment) {
            services.append(Member(service: try await control(socket: path), serviceName: "control"))
        } else {
            let session = ConfigurationPaths.sessionFolder
            logger.warning("there is no XDG_RUNTIME_DIR, nor \(session): other commands cannot reach the agent")
            desk.manager?.send(.ready)
        }
        let world = WorldStreams.system(environment: environment)
        services.append(
            Member(
                service: WorldService(
                    desk: desk, hangup: signals.hangup, terminal: signals.terminal, events: world),
                serviceName: "world"))
        services.append(Member(service: MetricsService(desk: desk), serviceName: "metrics"))
        if let manager = desk.manager {
            let timeout = NotifySocket.watchdogTimeout(environment: environment)
            let service = ManagerService(desk: desk, manager: manager, timeout: timeout)
            services.append(Member(service: service, serviceName: "manager"))
        }
        var settings = ServiceGroupConfiguration(services: services, logger: Self.quiet)
        settings.maximumGracefulShutdownDuration = Self.patience
        let sources = await desk.configuration.sources.count
        logger.info("agent started", metadata: ["process": "\(getpid())", "sources": "\(sources)"])
        do {
            try await ServiceGroup(configuration: settings).run()
        } catch is CancellationError {
            // The patience was over.
        }
        try? desk.store.writeNotes()
        logger.info("agent ended")
    }

    private func control(socket path: String) async throws -> any Service {
        if let other = await AgentClient.description(socket: path) {
            throw Failure(description: "another agent has the socket \(path) (process \(other.process))")
        }
        return ControlService(
            path: path, control: AgentControl(desk: desk, state: SymbolicLinks.resolved(desk.store.path)))
    }

    /// What the libraries say of their own work is not for the user.
    package static let quiet = Logger(label: "crier") { _ in SwiftLogNoOpLogHandler() }
}

/// Returns when the agent is asked to end, which it may have been before it works. The library hears of signals only from then on.
private struct EndService: Service {
    let end: Bell

    func run() async throws {
        await cancelWhenGracefulShutdown { await end.wait() }
    }
}
