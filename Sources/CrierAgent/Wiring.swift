import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierProcess
import CrierStore
import Foundation
import Logging

/// What the parts of one process have in common, passed in so that tests and programs can choose.
public struct Surroundings: Sendable {
    public var clock: any WallClock
    public var transport: any HTTPTransport
    public var environment: [String: String]
    public var logger: Logger
    /// Overrides the format of every stdout sink.
    public var stdoutFormat: StdoutSink.Format?
    /// Whether standard output is a terminal.
    public var stdoutIsTerminal: Bool
    /// How to ask for authorization; nil where no terminal is attached.
    public var question: AuthorizationQuestion?

    public init(
        clock: any WallClock = SystemClock(), transport: any HTTPTransport = CurlTransport(),
        environment: [String: String] = ProcessInfo.processInfo.environment, logger: Logger = Logger(label: "crier"),
        stdoutFormat: StdoutSink.Format? = nil, stdoutIsTerminal: Bool = false, question: AuthorizationQuestion? = nil
    ) {
        self.clock = clock
        self.transport = transport
        self.environment = environment
        self.logger = logger
        self.stdoutFormat = stdoutFormat
        self.stdoutIsTerminal = stdoutIsTerminal
        self.question = question
    }
}

/// Everything of one process, put together in one place.
public struct Wiring: Sendable {
    public let configuration: Configuration
    public let store: Store
    public let fetcher: ContentFetcher
    public let scheduler: FetchScheduler
    public let center: UserNotificationCenter

    public init(configuration: Configuration, store: Store, surroundings: Surroundings) {
        self.configuration = configuration
        self.store = store
        fetcher = ContentFetcher(
            store: store, transport: surroundings.transport, clock: surroundings.clock,
            userAgent: CrierVersion.userAgent, hosts: HostPaces(named: configuration.hosts))
        scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: surroundings.clock)
        center = UserNotificationCenter(
            store: store, sinks: configuration.sinks.map { $0.makeSink(surroundings) }, clock: surroundings.clock,
            logger: surroundings.logger, question: surroundings.question)
    }
}

/// The version of this program.
public enum CrierVersion {
    public static let number = "0.1.0"
    /// Who visits, in the words of RFC 9110 §10.1.5, with a page that explains.
    public static let userAgent = "crier/\(number) (+https://github.com/crier/crier)"
}

extension SinkConfiguration {
    /// One row for each kind of sink.
    public func makeSink(_ surroundings: Surroundings) -> NamedSink {
        switch settings {
        case .stdout(let settings):
            let format = surroundings.stdoutFormat ?? (settings.format == .json ? .json : .text)
            let sink = StdoutSink(format: format, isTerminal: surroundings.stdoutIsTerminal)
            return NamedSink(name: name, sink: sink, retries: .stdout)
        case .desktop(let settings):
            let sink = DesktopSink(
                environment: DesktopEnvironment(variables: surroundings.environment, userID: getuid()),
                applicationName: settings.appName, icon: settings.icon, category: settings.category,
                expiration: settings.timeout)
            return NamedSink(name: name, sink: sink, retries: .desktop)
        case .webhook(let settings):
            let secret = settings.secret
            let sink = WebhookSink(
                url: settings.url, secret: secret.map { Self.provider(of: $0, surroundings) }, fields: settings.fields,
                userAgent: CrierVersion.userAgent, timeout: settings.timeout, transport: surroundings.transport,
                clock: surroundings.clock)
            return NamedSink(name: name, sink: sink, retries: .webhook)
        }
    }

    /// Looked up at each attempt: a secret that is exchanged needs no restart, and none is kept in memory.
    private static func provider(
        of secret: SecretReference, _ surroundings: Surroundings
    ) -> @Sendable () async throws -> String {
        { [environment = surroundings.environment] in
            try await secret.resolve(environment: environment) { command in
                try await BoundedProgram(command).output(limit: .seconds(10), outputLimit: 64 << 10)
            }
        }
    }
}

extension WebhookSinkSettings {
    fileprivate var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields[name] = value }
        return fields
    }
}
