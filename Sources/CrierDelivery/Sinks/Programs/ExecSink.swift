import CrierHTTP
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

/// What the end of a program means for a delivery.
enum ProgramOutcome {
    private static let temporaryFailure: Int32 = 75

    /// - Parameter limit: How long the program may run until it is asked to end.
    static func attemptLimit(of limit: Duration) -> Duration { limit + limit / 8 + .seconds(30) }

    static func outcome(of ending: BoundedProgram.Ending, name: String, limit: Duration) -> DeliveryOutcome {
        // Whoever says so when it is asked to end has done its work.
        if ending.exitCode == 0 { return .delivered() }
        if ending.isOverdue { return .unanswered(reason: "\(name) did not end within \(limit.inWords)") }
        if ending.isUnknown { return .delivered(remark: unknown(name)) }
        let lines = ending.errorText.split(whereSeparator: \.isNewline)
        let said = HarmlessText.cut(HarmlessText.line(lines.last.map(String.init) ?? ""), to: 200)
        let reason = said.isEmpty ? "" : ": \(said)"
        switch ending.exitCode {
        case temporaryFailure: return .deferred(reason: "\(name) wants to be called again later\(reason)")
        case let code?: return .failed(reason: "\(name) ended with exit status \(code)\(reason)")
        case nil: return .unanswered(reason: "\(name) was ended by a signal\(reason)")
        }
    }

    /// What is amiss where it is not known how a program ended.
    static func unknown(_ name: String) -> String {
        "nobody can say how \(name) ended: another part of this process has waited for it"
    }

    static func outcome(of failure: ProgramFailure) -> DeliveryOutcome {
        if failure.exitCode == 0 { return .delivered() }
        if Task.isCancelled { return .deferred(reason: "the run was stopped") }
        return .failed(reason: HarmlessText.line(failure.description))
    }
}
