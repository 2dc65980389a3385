import CrierNotifications
import CrierProcess
import Dispatch

/// Raises notifications on a freedesktop.org desktop, through `notify-send` of libnotify.
///
/// The receipt holds the number the server gave. Where there is no `notify-send`, no session bus or no server, or one that does
/// not answer to a question, the attempt is deferred: the notification waits for the next session.
public actor DesktopSink: NotificationSink {
    private let environment: DesktopEnvironment
    private let settings: NotifySend.Settings
    private let limit: Duration
    private let patience: Duration
    private let pages: DigestPages?
    /// Found at the first attempt that gets an answer, and kept.
    private var features: NotifySend.Features?

    /// - Parameters:
    ///   - icon: a file or a name of the icon naming specification.
    ///   - category: of notifications that have none of their own; a vendor's begins with `x-`.
    ///   - desktopEntry: the name of the application's `.desktop` file, without that ending.
    ///   - expiration: how long a notification is shown; nil is the server's choice.
    ///   - limit: how long the server may take to answer a question; a run that is stopped waits a quarter of it.
    ///   - patience: how long it may take to show something, from then on; D-Bus's own.
    ///   - pages: where the pages of digests are, which a click opens; nil opens none.
    public init(
        environment: DesktopEnvironment, applicationName: String = "Crier", icon: String? = nil,
        category: String = "x-crier.feed.new", desktopEntry: String? = "crier", expiration: Duration? = nil,
        limit: Duration = .seconds(2), patience: Duration = .seconds(25), pages: DigestPages? = nil
    ) {
        self.environment = environment
        self.settings = NotifySend.Settings(
            applicationName: HarmlessText.line(applicationName), icon: icon, category: DesktopText.name(category),
            desktopEntry: desktopEntry.map(DesktopText.name), expiration: expiration)
        self.limit = limit
        self.patience = patience
        self.pages = pages
    }

    /// Of the server that is there now; without one, of what every server can do.
    public var capabilities: SinkCapabilities {
        get async {
            var features: Set<SinkCapabilities.Feature> = [.subtitle, .urgency, .replacement]
            guard let bus = environment.busAddress else {
                return SinkCapabilities(features, bodyLimit: DesktopText.bodyLimit)
            }
            let known = await server(bus: bus).capabilities ?? []
            if known.contains("body-markup") { features.insert(.markup) }
            if known.contains("sound") { features.insert(.sound) }
            return SinkCapabilities(features, bodyLimit: DesktopText.bodyLimit)
        }
    }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        // A notify-send that is ended between showing and answering is a notification shown twice: an attempt gets the time
        // that nearly all need also when the run is cancelled, and no more, as somebody waits for the end of it.
        let showing = Task(executorPreference: QuietLane.shared) { await self.show(attempt) }
        return await withTaskCancellationHandler {
            await showing.value
        } onCancel: {
            let end = DispatchTime.now() + limit / .seconds(4)
            DispatchQueue(label: "crier desktop").asyncAfter(deadline: end) { showing.cancel() }
        }
    }

    private func show(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        guard let program = environment.program("notify-send") else {
            return .deferred(reason: "notify-send is not installed (Debian package libnotify-bin)")
        }
        guard let bus = environment.busAddress else { return .deferred(reason: "there is no session bus") }
        let notifySend = await prepare(program, bus: bus)
        // It would show it when it wakes up, once for each time that it was given.
        if notifySend.server.isSilent { return .deferred(reason: DesktopOutcome.silence(for: limit)) }
        let deadline = ContinuousClock.now + patience
        let (place, number) = await place(of: attempt.receipt, notifySend.server, bus: bus)
        let watch = notifySend.tellsClicks ? self.watch(for: attempt.request) : nil
        var outcome = DeliveryOutcome.failed(reason: "notify-send was not run")
        // A server may refuse a number that is no longer, or never was, ours: then it is a new notification. What cannot be
        // waited for by a click is shown without.
        for (number, watch) in Self.ways(number, watch) {
            let arguments = [program] + notifySend.arguments(for: attempt.request, replacing: number, watch: watch)
            let variables = environment.variables(for: bus)
            let run = BoundedProgram(
                watch?.command(around: arguments, replacing: number, variables: variables) ?? arguments,
                variables: variables)
            do {
                let ending = try await run.run(limit: deadline - .now)
                outcome = DesktopOutcome.outcome(of: ending, replacing: number, at: place, limit: patience)
                guard case .failed = outcome else { return outcome }
                if DesktopOutcome.isUnanswered(ending) { return outcome }
            } catch {
                return .failed(reason: HarmlessText.line(error.description))
            }
        }
        return outcome
    }

    /// Where numbers are known, and that of an earlier notification that is to be replaced there.
    private func place(
        of receipt: String?, _ server: NotificationServer, bus: String
    ) async -> (PlacedReceipt, number: UInt32?) {
        guard server.replacesByNumber else { return (DesktopOutcome.place(of: nil), nil) }
        let session = await NotificationServer.session(in: environment, bus: bus, limit: limit)
        let place = DesktopOutcome.place(of: session)
        return (place, receipt.flatMap(place.name).flatMap { UInt32($0) })
    }

    /// What is tried one after the other.
    private static func ways(_ number: UInt32?, _ watch: ClickWatch?) -> [(UInt32?, ClickWatch?)] {
        var ways: [(UInt32?, ClickWatch?)] = [(nil, nil)]
        if watch != nil { ways.insert((nil, watch), at: 0) }
        if number != nil { ways.insert((number, watch), at: 0) }
        return ways
    }

    /// For a digest: the whole of it, where a click can open it.
    private func watch(for request: NotificationRequest) -> ClickWatch? {
        guard let page = DigestPage(request.content), let opener = environment.program("xdg-open"),
            let unbuffer = environment.program("stdbuf"), let timer = environment.program("timeout"),
            let path = pages?.write(page, of: request.identifier)
        else { return nil }
        return ClickWatch(
            path: path, opener: opener, unbuffer: unbuffer, timer: timer,
            unitRunner: environment.isMainOfUnit ? environment.program("systemd-run") : nil,
            label: page.language.hasPrefix("zh") ? "打开" : "Open")
    }

    private func prepare(_ program: String, bus: String) async -> NotifySend {
        async let server = server(bus: bus)
        async let features = knownFeatures(of: program, bus: bus)
        return NotifySend(settings: settings, features: await features, server: await server)
    }

    /// Asked anew for each notification: another one may have taken its name, which reads markup where the first did not, and
    /// some say something else while they are not to disturb.
    private func server(bus: String) async -> NotificationServer {
        await NotificationServer.ask(in: environment, bus: bus, limit: limit)
    }

    private func knownFeatures(of program: String, bus: String) async -> NotifySend.Features {
        if let features { return features }
        let help = BoundedProgram([program, "--help"], variables: environment.variables(for: bus))
        guard let ending = try? await help.run(limit: limit), !ending.isOverdue else { return NotifySend.Features() }
        let answer = NotifySend.Features(help: ending.outputText)
        features = answer
        return answer
    }
}
