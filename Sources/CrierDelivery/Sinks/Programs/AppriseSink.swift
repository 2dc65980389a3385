import CrierNotifications
import CrierProcess
import Foundation

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
    ///   - targets: gives the URLs, one in each line; a line that begins with `#` is none. What some of them do not take, and others do,
    ///     counts as delivered, with a remark: whoever wants each to be tried again gives it a sink of its own.
    ///   - variables: the environment, in whose `PATH` the program is found.
    ///   - limit: how long the program may run; then it gets SIGTERM, and after an eighth of that SIGKILL.
    public init(targets: @escaping SecretProvider, variables: [String: String], limit: Duration = .seconds(60)) {
        self.targets = targets
        self.variables = variables
        self.limit = limit
    }

    /// Of eight targets: more are cut off where many of them take their time.
    public var attemptLimit: Duration { ProgramOutcome.attemptLimit(of: limit * 2) }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        guard let program = ProgramPath.of("apprise", environment: variables) else {
            return .deferred(reason: "apprise is not installed (Debian package apprise)")
        }
        let urls: String
        do { urls = try await targets() } catch {
            return SecretOutcome.outcome(of: error, secret: "the targets of apprise")
        }
        let targets = urls.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        if targets.isEmpty { return .failed(reason: "there is no URL in the targets of apprise") }
        // One call for each: where one of several fails, a call for all would have to be made once more for all.
        let outcomes = await withTaskGroup(of: DeliveryOutcome.self) { group in
            var outcomes: [DeliveryOutcome] = []
            for (place, target) in targets.enumerated() {
                if place >= Self.mostAtOnce, let outcome = await group.next() { outcomes.append(outcome) }
                group.addTask { await hand(attempt, by: program, to: target) }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        let troubles = outcomes.filter { $0.reason != nil }
        guard let trouble = troubles.first, let reason = trouble.reason else { return .delivered() }
        // What was stopped has to be made once more: rather twice at one target than never at another.
        if troubles.count == outcomes.count || Task.isCancelled {
            return troubles.first(where: \.mayBeRaised) ?? trouble
        }
        return .delivered(remark: "not taken by \(troubles.count) of \(outcomes.count) targets: \(reason)")
    }

    /// Programs side by side.
    private static let mostAtOnce = 4

    private func hand(
        _ attempt: DeliveryAttempt, by program: String, to target: String
    ) async -> DeliveryOutcome {
        var variables = variables
        variables["APPRISE_URLS"] = target
        let content = attempt.request.content
        let parts = MessageParts(content)
        let lines = [parts.text, parts.link ?? ""].filter { !$0.isEmpty }
        // What reads it is one of a hundred services, some of which call people by their names.
        let title = NamelessText.callingNobody(HarmlessText.cut(parts.title, to: 250))
        let body = lines.isEmpty ? title : NamelessText.callingNobody(lines.joined(separator: "\n"))
        // One word, so that no title is read as an option.
        let arguments = [
            "--title=\(title)", "--input-format=text",
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

extension DeliveryOutcome {
    /// Whether nobody knows that it was not raised.
    fileprivate var mayBeRaised: Bool { if case .unanswered = self { true } else { false } }
}
