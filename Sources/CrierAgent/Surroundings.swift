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
