import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation
import Logging

/// What the services of one agent share: the configuration in force, and what was asked for.
actor AgentDesk {
    /// A run that somebody listening has asked for.
    struct Request: Sendable {
        let order: FetchOrder
        let listener: Int
    }

    /// The configuration file as it was last read.
    struct Text: Sendable {
        var bytes: [UInt8]
        /// Which are told, and not told again as long as the bytes are the same.
        var hasMistakes: Bool
    }

    /// In seconds.
    static let pause: TimeInterval = 60

    nonisolated let store: Store
    nonisolated let clock: any WallClock
    nonisolated let center: UserNotificationCenter
    nonisolated let audience: Audience
    nonisolated let meter: AgentMeter
    nonisolated let logger: Logger
    nonisolated let file: ConfigurationFile
    /// Who started the process and wants to know how it is; nil where nobody does.
    nonisolated let manager: NotifySocket?
    /// Something has happened that the fetches must know of.
    nonisolated let fetchBell = Bell()
    /// Something may have to be delivered.
    nonisolated var deliveryBell: Bell { center.bell }
    /// What the service manager is told may have changed.
    nonisolated let statusBell = Bell()
    /// The configuration was read again, and may name another port.
    nonisolated let metricsBell = Bell()
    /// The agent is awake, or was told to reload: its socket may have gone meanwhile.
    nonisolated let socketBell = Bell()

    private let surroundings: Surroundings
    private(set) var configuration: Configuration
    /// Whatever came of it.
    private var text: Text
    /// Whether it is told that the file is not there any more.
    private var isLossTold = false
    private var made: (wiring: Wiring, background: BackgroundSettings)?
    /// What the user's switches said when the fetches last looked.
    private var seen: (background: BackgroundSettings, rest: BackgroundRest?)?
    /// Those that the configuration has no longer, for the visits that are under way.
    private var formerSinks: [NamedSink] = []
    /// Which of those have other names now.
    private var renamedSinks: [SinkRename] = []
    /// Whether those visits are over.
    private var areVisitsOver = false
    private var requests: [Request] = []

    /// - Parameter configuration: What the file says.
    init(
        file: ConfigurationFile, text: Text, configuration: Configuration, store: Store, surroundings: Surroundings
    ) {
        var surroundings = surroundings
        let audience = Audience()
        let meter = AgentMeter(clock: surroundings.clock)
        let (statusBell, socketBell) = (statusBell, socketBell)
        surroundings.audience = audience
        surroundings.meter = meter
        surroundings.observer = meter.observer(
            sleeps: { statusBell.ring() },
            wakes: { [clock = surroundings.clock] in
                socketBell.ring()
                meter.note(.schedule)
                store.note(WakeUp(.schedule, at: clock.now))
            })
        self.meter = meter
        self.file = file
        self.text = text
        self.configuration = configuration
        self.store = store
        clock = surroundings.clock
        self.audience = audience
        let center = Wiring(configuration: configuration, store: store, surroundings: surroundings).center
        surroundings.observer.reaches = { [bell = center.bell] in bell.ring() }
        self.center = center
        self.surroundings = surroundings
        manager = NotifySocket(environment: surroundings.environment)
        logger = surroundings.logger
    }

    /// As the configuration and the user's switches say now.
    func wiring() throws(StoreError) -> Wiring {
        let background = try store.backgroundSettings()
        if let made, made.background == background { return made.wiring }
        let renames = try configuration.adoptEdits(in: store, at: clock.now)
        for rename in renames.sources {
            logger.info(
                rename.isBranch
                    ? "a source begins where another of its address is"
                    : "a source has another name, and keeps what is remembered of it", metadata: rename.metadata)
        }
        for rename in renames.digests {
            logger.info("a digest has another name, and keeps what waits for it", metadata: rename.metadata)
        }
        for rename in renames.sinks {
            logger.info("a sink has another name, and keeps what waits for it", metadata: rename.metadata)
        }
        if !renames.sinks.isEmpty {
            renamedSinks = renames.sinks
            deliveryBell.ring()
        }
        let wiring = Wiring(
            configuration: configuration, store: store, surroundings: surroundings, background: background,
            budget: BackgroundRest.budget, center: center)
        made = (wiring, background)
        return wiring
    }

    /// The same for visits, when all of the last ones are over: what they have found goes to the sinks that there were when they began.
    func wiringForVisits() async throws(StoreError) -> Wiring {
        areVisitsOver = true
        await dropFormerSinks()
        return try wiring()
    }

    /// Why nothing is fetched by the schedule; nil where nothing speaks against it. The fetches ask before each round.
    func rest() throws(StoreError) -> BackgroundRest? {
        let switches = try switches()
        seen = switches
        return switches.rest
    }

    /// Wakes both queues where the user has decided something else than the fetches have seen: a command tells the agent of it
    /// at its socket, and may not have reached that.
    func lookForDecision() {
        guard let seen, let switches = try? switches(), switches != seen else { return }
        fetchBell.ring()
        deliveryBell.ring()
    }

    private func switches() throws(StoreError) -> (background: BackgroundSettings, rest: BackgroundRest?) {
        (try store.backgroundSettings(), try BackgroundRest(configuration, in: store))
    }

    /// Of those sinks that the configuration has no longer, keeps the ones for which something is due still. To be called whenever
    /// something was attempted.
    func dropFormerSinks() async {
        guard areVisitsOver, !formerSinks.isEmpty, let due = try? store.dueSinks(at: clock.now) else { return }
        let kept = formerSinks.filter { due.contains($0.name) }
        guard kept.count < formerSinks.count else { return }
        // What the visits have found for them and could not be told yet.
        let dropped = Set(formerSinks.map(\.name)).subtracting(kept.map(\.name))
        try? SinkRename.adopt(renamedSinks.filter { dropped.contains($0.from) }, in: store, at: clock.now)
        formerSinks = kept
        await useSinks()
    }

    /// For a single run whose fetches have no time at all.
    func expired(_ wiring: Wiring) -> Wiring {
        Wiring(
            configuration: wiring.configuration, store: store, surroundings: surroundings,
            background: made?.background ?? BackgroundSettings(), budget: .zero, center: center)
    }

    /// Reads the file again. One that has a mistake is told of, and the configuration in force stays so.
    ///
    /// - Parameters:
    ///   - isAsked: Whether the user has asked for it: then a file without a change is told of, too.
    ///   - reason: For the log of wake-ups.
    func reload(isAsked: Bool = false, as reason: WakeReason = .configuration) async {
        if isAsked { socketBell.ring() }
        let bytes: [UInt8]
        do {
            bytes = try file.read()
        } catch {
            logger.error("\(error); the configuration in force stays")
            return
        }
        if isLossTold {
            logger.notice("the configuration file is there again")
            isLossTold = false
        }
        if bytes == text.bytes {
            if !isAsked { return }
            if text.hasMistakes {
                logger.notice("the configuration is still the one whose mistakes were told: the one in force stays")
                return
            }
        }
        let result = Configuration.load(
            bytes: bytes, file: file.path, language: Digest.Language(environment: surroundings.environment),
            validateExpression: Expressions.complaint)
        text = Text(bytes: bytes, hasMistakes: !result.problems.isEmpty)
        guard result.problems.isEmpty, let new = result.configuration else {
            for problem in result.problems { logger.error("\(problem)") }
            logger.error("the configuration has mistakes: the one in force stays")
            return
        }
        let isAnother = new != configuration
        if isAnother {
            let names = Set(new.sinks.map(\.name))
            formerSinks = (configuration.namedSinks(surroundings) + formerSinks).filter { !names.contains($0.name) }
            (configuration, made, areVisitsOver) = (new, nil, false)
        }
        // Where the user asks, a secret may be another: sinks that are gone may lead elsewhere.
        if isAnother || isAsked { await useSinks() }
        logger.info("configuration reloaded", metadata: ["sources": "\(new.sources.count)"])
        wake(reason)
        metricsBell.ring()
    }

    private func useSinks() async {
        await center.use(
            sinks: configuration.namedSinks(surroundings) + formerSinks, quietHours: configuration.quietHours)
    }

    /// Tells once of a file that was taken away. An editor that puts another one in its place has a second for that.
    func lookForFile() async {
        if isLossTold { await waitForFile() }
        guard !isLossTold, file.isMissing, (try? await clock.sleep(for: .seconds(1))) != nil, file.isMissing else {
            return
        }
        logger.warning("\(file.path) is not there any more; the configuration in force stays")
        isLossTold = true
    }

    /// Looks for changes of which nobody tells, until the task is cancelled.
    func lookAtFileByItself() async {
        if Task.isCancelled { return }
        logger.warning("\(file.deafness)")
        while (try? await clock.sleep(for: .seconds(Self.pause))) != nil {
            if file.isMissing { await lookForFile() } else { await reload() }
        }
    }

    /// The same of the state, which other commands write to.
    func lookAtStateByItself() async {
        if Task.isCancelled { return }
        logger.warning("\(WorldEvents.deafness(to: store.path))")
        while (try? await clock.sleep(for: .seconds(Self.pause))) != nil { lookAtState() }
    }

    /// To be called when another may have written to it.
    func lookAtState() {
        lookForDecision()
        // Whoever uses the state next sees whether the file is another; there is always somebody who delivers.
        deliveryBell.ring()
    }

    /// A file that is written anew is told of at its end. One that a link puts there may not be: it is complete when it has been the same
    /// for ten seconds.
    private func waitForFile() async {
        var (bytes, rest) = (try? file.read(), 10)
        while isLossTold, let last = bytes, rest > 0 {
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
            bytes = try? file.read()
            rest = bytes == last ? rest - 1 : 10
        }
        if isLossTold, bytes != nil { await reload() }
    }

    /// Zones are compared by what the machine says now, and not by what it said when the process began.
    func timeZoneMayHaveChanged() async {
        MachineZone.adopt(isAlone: false)
        NSTimeZone.resetSystemTimeZone()
        await reload(isAsked: true, as: .timeZone)
    }

    var metricsPort: Int? { configuration.metricsPort }

    func take(_ request: Request) {
        requests.append(request)
        note(.request)
        fetchBell.ring()
    }

    func nextRequest() -> Request? {
        requests.isEmpty ? nil : requests.removeFirst()
    }

    /// Does what uses the state. A state that another process keeps locked, or a full disk, ends no agent: it is told of, and
    /// the caller tries again after ``pause`` seconds or more.
    ///
    /// - Throws: Every other error of the work, and one where the state file is no longer the one that was opened.
    nonisolated func patiently(_ work: () async throws -> Void) async throws {
        do {
            try store.checkPlace()
            try await work()
        } catch let error as StoreError where endures(error) {}
    }

    /// Whether an error of the state passes by itself; then it is told of.
    nonisolated func endures(_ error: StoreError) -> Bool {
        guard error.kind == .busy || error.kind == .diskFull else { return false }
        logger.error("\(error)")
        return true
    }

    /// Returns when the desk is free.
    func signOfLife() {}

    /// Has both queues look at everything again.
    nonisolated func wake(_ reason: WakeReason) {
        if reason == .resume || reason == .network { surroundings.transport.forgetConnections() }
        note(reason)
        fetchBell.ring()
        deliveryBell.ring()
        statusBell.ring()
    }

    /// Counts a wake-up and keeps it for the log.
    nonisolated func note(_ reason: WakeReason) {
        socketBell.ring()
        meter.note(reason)
        store.note(WakeUp(reason, at: clock.now))
    }
}

extension SourceRename {
    fileprivate var metadata: Logger.Metadata { ["from": "\(from)", "to": "\(to)"] }
}

extension DigestRename {
    fileprivate var metadata: Logger.Metadata { ["from": "\(from)", "to": "\(to)"] }
}

extension SinkRename {
    fileprivate var metadata: Logger.Metadata { ["from": "\(from)", "to": "\(to)"] }
}
