import CrierNotifications
import CrierProcess

/// Hands notifications over to the program `apprise`, which knows over a hundred services.
///
/// The addresses of its targets hold passwords, so they go into its environment, which only the same user can read, and
/// never into its arguments. The body is its standard input.
public struct AppriseSink: NotificationSink {
    private let targets: SecretProvider
    private let variables: [String: String]
    private let limit: Duration

    public let capabilities = SinkCapabilities([.subtitle, .link, .urgency])

    /// - Parameters:
    ///   - targets: gives the URLs, one in each line.
    ///   - variables: the environment, in whose `PATH` the program is found.
    ///   - limit: how long the program may run; then it gets SIGTERM, and after an eighth of that SIGKILL.
    public init(targets: @escaping SecretProvider, variables: [String: String], limit: Duration = .seconds(60)) {
        self.targets = targets
        self.variables = variables
        self.limit = limit
    }

    public var attemptLimit: Duration { ProgramOutcome.attemptLimit(of: limit) }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        guard let program = DesktopEnvironment(variables: variables, userID: 0).program("apprise") else {
            return .deferred(reason: "apprise is not installed (Debian package apprise)")
        }
        let urls: String
        do { urls = try await targets() } catch {
            return SecretOutcome.outcome(of: error, secret: "the targets of apprise")
        }
        var variables = variables
        variables["APPRISE_URLS"] = urls.split(whereSeparator: \.isNewline).joined(separator: " ")
        let content = attempt.request.content
        let parts = MessageParts(content)
        let lines = [parts.text, parts.link ?? ""].filter { !$0.isEmpty }
        let body = lines.isEmpty ? parts.title : lines.joined(separator: "\n")
        // One word, so that no title is read as an option.
        let arguments = [
            "--title=\(HarmlessText.cut(parts.title, to: 250))", "--input-format=text",
            "--notification-type=\(content.interruptionLevel >= .timeSensitive ? "warning" : "info")",
        ]
        do {
            let ending = try await BoundedProgram([program] + arguments, variables: variables)
                .run(input: Array((body + "\n").utf8), limit: limit, outputLimit: 0, dropsExcess: true)
            if ending.exitCode == 0 { return .delivered() }
            // What it prints may hold an address with its password.
            let silent = BoundedProgram.Ending(
                exitCode: ending.exitCode, isOverdue: ending.isOverdue, isUnknown: ending.isUnknown)
            return ProgramOutcome.outcome(of: silent, name: "apprise", limit: limit)
        } catch {
            return ProgramOutcome.outcome(of: error)
        }
    }
}
