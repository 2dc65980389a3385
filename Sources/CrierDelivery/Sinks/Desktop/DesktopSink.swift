import CrierNotifications
import CrierProcess

/// Raises notifications on a freedesktop.org desktop, through `notify-send` of libnotify.
///
/// The receipt is the number the server gave. Where there is no `notify-send`, no session bus or no server, the attempt is
/// deferred: the notification waits for the next session.
public actor DesktopSink: NotificationSink {
    private let environment: DesktopEnvironment
    private let settings: NotifySend.Settings
    private let limit: Duration
    /// Found at the first attempt that gets an answer, and kept.
    private var features: NotifySend.Features?
    private var server: NotificationServer?

    /// - Parameters:
    ///   - icon: a file or a name of the icon naming specification.
    ///   - category: of notifications that have none of their own; a vendor's begins with `x-`.
    ///   - desktopEntry: the name of the application's `.desktop` file, without that ending.
    ///   - expiration: how long a notification is shown; nil is the server's choice.
    ///   - limit: how long one attempt may take.
    public init(
        environment: DesktopEnvironment, applicationName: String = "Crier", icon: String? = nil,
        category: String = "x-crier.feed.new", desktopEntry: String? = "crier", expiration: Duration? = nil,
        limit: Duration = .seconds(2)
    ) {
        self.environment = environment
        self.settings = NotifySend.Settings(
            applicationName: PlainText.line(applicationName), icon: icon, category: DesktopText.name(category),
            desktopEntry: desktopEntry.map(DesktopText.name), expiration: expiration)
        self.limit = limit
    }

    /// Of the server that is there now; without one, of what every server can do.
    public var capabilities: SinkCapabilities {
        get async {
            var features: Set<SinkCapabilities.Feature> = [.subtitle, .urgency, .replacement]
            guard let bus = environment.busAddress else {
                return SinkCapabilities(features, bodyLimit: DesktopText.bodyLimit)
            }
            let known = await knownServer(bus: bus, limit: limit / 4).capabilities ?? []
            if known.contains("body-markup") { features.insert(.markup) }
            if known.contains("sound") { features.insert(.sound) }
            return SinkCapabilities(features, bodyLimit: DesktopText.bodyLimit)
        }
    }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        // A notify-send that is ended between showing and answering is a notification shown twice: an attempt, which is
        // short, is brought to its end also when the run is cancelled.
        await Task { await show(attempt) }.value
    }

    private func show(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        guard let program = environment.program("notify-send") else {
            return .deferred(reason: "notify-send is not installed (Debian package libnotify-bin)")
        }
        guard let bus = environment.busAddress else { return .deferred(reason: "there is no session bus") }
        // Time is kept for ending a program that hangs.
        let deadline = ContinuousClock.now + limit * 3 / 4
        let notifySend = await prepare(program, bus: bus, limit: limit / 4)
        let number = notifySend.server.replacesByNumber ? attempt.receipt.flatMap(UInt32.init) : nil
        let outcomes = [number, nil].prefix(number == nil ? 1 : 2)
        var outcome = DeliveryOutcome.failed(reason: "notify-send was not run")
        for number in outcomes {
            let run = BoundedProgram(
                [program] + notifySend.arguments(for: attempt.request, replacing: number),
                variables: environment.variables(for: bus))
            do {
                outcome = DesktopOutcome.outcome(of: try await run.run(limit: deadline - .now), limit: limit)
            } catch {
                return .failed(reason: PlainText.line(error.description))
            }
            // A server may refuse a number that is no longer, or never was, ours: then it is a new notification.
            guard case .failed = outcome else { return outcome }
        }
        return outcome
    }

    private func prepare(_ program: String, bus: String, limit: Duration) async -> NotifySend {
        async let server = knownServer(bus: bus, limit: limit)
        async let features = knownFeatures(of: program, bus: bus, limit: limit)
        return NotifySend(settings: settings, features: await features, server: await server)
    }

    private func knownServer(bus: String, limit: Duration) async -> NotificationServer {
        if let server { return server }
        let answer = await NotificationServer.ask(in: environment, bus: bus, limit: limit)
        if answer.capabilities != nil { server = answer }
        return answer
    }

    private func knownFeatures(of program: String, bus: String, limit: Duration) async -> NotifySend.Features {
        if let features { return features }
        let help = BoundedProgram([program, "--help"], variables: environment.variables(for: bus))
        guard let ending = try? await help.run(limit: limit), !ending.isOverdue else { return NotifySend.Features() }
        let answer = NotifySend.Features(help: ending.outputText)
        features = answer
        return answer
    }
}
