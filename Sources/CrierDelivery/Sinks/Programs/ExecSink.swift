import CrierNotifications
import CrierProcess

/// Raises notifications by running a program, without a shell: one line of JSON, a ``NotificationDocument``, is its
/// standard input.
///
/// Exit status 0 is delivered, also of a program that is asked to end (SIGTERM); 75 (`EX_TEMPFAIL` of sysexits.h) asks to be called again later with this notification, any
/// other has failed. What it prints is dropped, but for the last line on standard error where it fails, of the first MiB.
///
/// Where nobody can say how it ended, as another part of this process has waited for it, the notification counts as delivered
/// with a remark: the program has had it, and would have it again and again else. See ``BoundedProgram/run(input:limit:outputLimit:dropsExcess:)``.
public struct ExecSink: NotificationSink {
    private let command: [String]
    private let variables: [String: String]?
    private let limit: Duration

    public let capabilities = SinkCapabilities(
        [.subtitle, .link, .images, .sound, .badge, .urgency, .grouping, .replacement, .data])

    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - variables: its environment; nil is this process's own.
    ///   - limit: how long it may run; then it gets SIGTERM, and after an eighth of that SIGKILL.
    public init(command: [String], variables: [String: String]? = nil, limit: Duration = .seconds(30)) {
        self.command = command
        self.variables = variables
        self.limit = limit
    }

    public var defersSingly: Bool { true }

    public var attemptLimit: Duration { ProgramOutcome.attemptLimit(of: limit) }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        let program = BoundedProgram(command, variables: variables)
        do {
            let ending = try await program.run(
                input: NotificationDocument(attempt).line, limit: limit, outputLimit: 0, dropsExcess: true)
            return ProgramOutcome.outcome(of: ending, name: command.first ?? "the program", limit: limit)
        } catch {
            return ProgramOutcome.outcome(of: error)
        }
    }
}
