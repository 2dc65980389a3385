import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation
import Logging

/// What the parts of one process have in common, passed in so that tests and programs can choose.
public struct Surroundings: Sendable {
    public var clock: any WallClock
    public var transport: any HTTPTransport
    public var mail: any MailTransport
    public var environment: [String: String]
    public var logger: Logger
    /// Overrides the format of every stdout sink.
    public var stdoutFormat: StdoutSink.Format?
    /// Whether standard output is a terminal.
    public var stdoutIsTerminal: Bool
    /// How digests are printed there.
    public var digestPrint = DigestPrint()
    /// The descriptor that stdout sinks write to.
    public var output: Int32
    /// How to ask for authorization; nil where no terminal is attached.
    public var question: AuthorizationQuestion?

    public init(
        clock: any WallClock = SystemClock(), transport: any HTTPTransport = CurlTransport(),
        mail: any MailTransport = CurlMailTransport(),
        environment: [String: String] = ProcessInfo.processInfo.environment, logger: Logger = Logger(label: "crier"),
        stdoutFormat: StdoutSink.Format? = nil, stdoutIsTerminal: Bool = false,
        digestPrint: DigestPrint = DigestPrint(), output: Int32 = 1,
        question: AuthorizationQuestion? = nil
    ) {
        self.clock = clock
        self.transport = transport
        self.mail = mail
        self.environment = environment
        self.logger = logger
        self.stdoutFormat = stdoutFormat
        self.stdoutIsTerminal = stdoutIsTerminal
        self.digestPrint = digestPrint
        self.output = output
        self.question = question
    }
}

/// Everything of one process, put together in one place.
public struct Wiring: Sendable {
    public let configuration: Configuration
    public let store: Store
    public let fetcher: ContentFetcher
    public let scheduler: FetchScheduler
    public let desk: DigestDesk
    public let center: UserNotificationCenter
    let clock: any WallClock

    public init(configuration: Configuration, store: Store, surroundings: Surroundings) {
        self.configuration = configuration
        self.store = store
        clock = surroundings.clock
        fetcher = ContentFetcher(
            store: store, transport: surroundings.transport, clock: surroundings.clock,
            userAgent: CrierVersion.userAgent, environment: surroundings.environment,
            hosts: HostPaces(named: configuration.hosts))
        desk = DigestDesk(
            digests: configuration.digests, sources: configuration.sources, store: store, clock: surroundings.clock)
        scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: surroundings.clock, desk: desk)
        center = UserNotificationCenter(
            store: store,
            sinks: configuration.sinks.map {
                $0.makeSink(surroundings, looks: configuration.digestLooks).ordered($0.isOrdered)
            },
            quietHours: configuration.quietHours, clock: surroundings.clock, logger: surroundings.logger,
            question: surroundings.question)
    }
}

/// The version of this program.
public enum CrierVersion {
    public static let number = "0.1.0"
    /// Who visits, in the words of RFC 9110 §10.1.5, with a page that explains.
    public static let userAgent = "crier/\(number) (+https://github.com/crier/crier)"
}
