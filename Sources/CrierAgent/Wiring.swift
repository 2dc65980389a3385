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
    public var conditions: MachineConditions
    public var logger: Logger
    /// Overrides the format of every stdout sink.
    public var stdoutFormat: StdoutSink.Format?
    /// Whether standard output is a terminal.
    public var stdoutIsTerminal: Bool
    /// How digests are printed there.
    public var digestPrint = DigestPrint()
    /// What stdout sinks write to.
    public var output: DescriptorWriter
    /// How to ask for authorization; nil where no terminal is attached.
    public var question: AuthorizationQuestion?
    /// Those who listen to the agent; nil in other processes.
    var audience: Audience?
    /// What counts the agent's work; nil in other processes.
    var meter: AgentMeter?
    /// Where it is written down which documents are being read: that of the ``RunLock``; nil: nowhere.
    public var readings: ReadingMarks?
    /// Who looks on while the agent fetches.
    var observer = FetchObserver()

    public init(
        clock: any WallClock = SystemClock(), transport: (any HTTPTransport)? = nil,
        mail: (any MailTransport)? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment, logger: Logger = Logger(label: "crier"),
        conditions: MachineConditions? = nil, stdoutFormat: StdoutSink.Format? = nil, stdoutIsTerminal: Bool = false,
        digestPrint: DigestPrint = DigestPrint(), output: DescriptorWriter = .standardOutput,
        question: AuthorizationQuestion? = nil
    ) {
        self.clock = clock
        self.transport = transport ?? CurlTransport(environment: environment)
        self.mail = mail ?? CurlMailTransport(environment: environment)
        self.environment = environment
        self.conditions = conditions ?? .system(environment: environment)
        self.logger = logger
        self.stdoutFormat = stdoutFormat
        self.stdoutIsTerminal = stdoutIsTerminal
        self.digestPrint = digestPrint
        self.output = output
        self.question = question
    }
}

extension Surroundings {
    fileprivate var fetchTransport: any HTTPTransport {
        meter.map { CountingTransport(base: transport, meter: $0) } ?? transport
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

    /// - Parameters:
    ///   - configuration: No two of its sinks have one name, as in one that was read from a file.
    ///   - background: What the user says about the time between two visits.
    ///   - budget: For one fetch; nil: the limits of each request alone.
    ///   - center: That is at work already, and goes on with this configuration; nil makes one.
    public init(
        configuration: Configuration, store: Store, surroundings: Surroundings,
        background: BackgroundSettings = BackgroundSettings(), budget: Duration? = nil,
        center: UserNotificationCenter? = nil
    ) {
        self.configuration = configuration
        self.store = store
        clock = surroundings.clock
        fetcher = ContentFetcher(
            store: store, transport: surroundings.fetchTransport, clock: surroundings.clock,
            userAgent: CrierVersion.userAgent, environment: surroundings.environment,
            hosts: HostPaces(named: configuration.hosts, minimumInterval: background.minimumInterval), budget: budget,
            own: .all, readings: surroundings.readings)
        desk = DigestDesk(
            digests: configuration.digests, sources: configuration.sources, store: store, clock: surroundings.clock)
        scheduler = FetchScheduler(
            fetcher: fetcher, store: store, clock: surroundings.clock, conditions: surroundings.conditions,
            observer: surroundings.observer, desk: desk)
        self.center =
            center
            ?? UserNotificationCenter(
                store: store, sinks: configuration.namedSinks(surroundings), quietHours: configuration.quietHours,
                clock: surroundings.clock, own: .all, question: surroundings.question)
    }
}

extension Wiring {
    /// Whether an earlier process was ended while it read a document.
    var hasUnfinished: Bool { fetcher.readings?.unfinished.isEmpty == false }

    /// Counts that as failed.
    func settleUnfinished() async throws(StoreError) -> [FetchReport] {
        try await fetcher.settleUnfinished(among: configuration.sources)
    }
}

extension Configuration {
    /// Its sinks, ready to be used.
    func namedSinks(_ surroundings: Surroundings) -> [NamedSink] {
        sinks.map { sink in
            let named = sink.makeSink(surroundings, looks: digestLooks).ordered(sink.isOrdered)
            guard let audience = surroundings.audience else { return named }
            return named.replacing(
                AttendedSink(name: sink.name, kind: sink.settings.kind, base: named.sink, audience: audience))
        }
    }
}

/// The version of this program.
public enum CrierVersion {
    public static let number = "0.1.0"
    /// Who visits, in the words of RFC 9110 §10.1.5, with a page that explains.
    public static let userAgent = "crier/\(number) (+https://github.com/crier/crier)"
}
