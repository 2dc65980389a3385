import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show each source, its last visit and its next, and what waits to be delivered.",
        discussion: """
            The state file is read, whether an agent runs or not. One that runs is also asked what it does now.

            --format json prints one object per source, then one with the totals.

            Exit status: 78 where the configuration is wrong, and sources with a mistake are not shown.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        let store = try options.foreseenStore(of: configuration)
        let states = try foreseenStates(in: store, of: configuration)
        var overview = try storeErrors {
            try Overview(store, configuration, at: SystemClock().now)
        }
        var troubles: [String] = []
        let holder = RunLock.holder(statePath: try options.statePath())
        if let holder, holder.isStopped {
            overview.stopped = holder.process
        } else {
            if let (agent, description) = await AgentClient.ofState(try options.statePath()) {
                overview.agent = try? await agent.status()
                troubles = description.troubles(using: try options.configPath())
            }
            if overview.agent == nil { overview.atWork = holder?.process }
        }
        let unmet = await MachineConditions.ofThisMachine.unmet(of: configuration.sources)
        if format == .json {
            for source in configuration.sources {
                let state = states[source.name] ?? SourceState(name: source.name)
                JSONLine.write(SourceLine(state, of: source, unmet: unmet))
            }
            JSONLine.write(overview)
        } else {
            printTable(configuration, hasMistakes: !problems.isEmpty, states, unmet)
            for line in overview.lines { Terminal.line(line) }
            for trouble in troubles { Terminal.line(Terminal.red(trouble.shown.asSentence)) }
        }
        if !problems.isEmpty { throw ExitStatus.badConfiguration }
    }

    private func foreseenStates(in store: Store?, of configuration: Configuration) throws -> [String: SourceState] {
        guard let store else { return [:] }
        return try storeErrors { () throws(StoreError) in
            var states = try store.states()
            let (hosts, floor) = (try store.hosts(), try store.backgroundSettings().minimumInterval)
            let now = SystemClock().now
            for source in configuration.sources {
                let state = states[source.name] ?? SourceState(name: source.name)
                states[source.name] = state.foreseen(for: source, hosts: hosts, floor: floor, now: now)
            }
            return states
        }
    }

    private func printTable(
        _ configuration: Configuration, hasMistakes: Bool, _ states: [String: SourceState],
        _ unmet: Set<FetchCondition>
    ) {
        let now = SystemClock().now
        var table = Table(["SOURCE", "LAST VISIT", "RESULT", "LAST NOTIFIED", "NEXT VISIT"])
        for source in configuration.sources {
            let state = states[source.name] ?? SourceState(name: source.name)
            let next =
                state.schedule.isStopped(for: source)
                ? "stopped"
                : state.waits(of: source, for: unmet, at: now)
                    ? "waits" : RelativeTime.words(state.nextFetch.map { max($0, now) }, from: now, never: "now")
            table.add([
                source.name.shown, RelativeTime.words(state.lastFetched, from: now), state.resultInWords,
                RelativeTime.words(state.lastNotified, from: now), next,
            ])
        }
        if configuration.sources.isEmpty {
            Terminal.line(configuration.lackOfSources(hasMistakes: hasMistakes).asSentence)
        } else {
            for line in table.lines { Terminal.line(line) }
        }
        if !unmet.isEmpty { Terminal.line("Sources wait where `only-on` says so: \(unmet.unmetWords).") }
        for source in configuration.sources {
            guard let state = states[source.name] else { continue }
            if let moved = state.adoptedURL(of: source) {
                Terminal.line("\(source.name.shown) has moved to \(moved.shown): `crier why \(source.name.shown)`.")
            }
            if state.schedule.isStopped(for: source) {
                let remedy = "`crier fetch \(source.name.shown) --force` asks for it again."
                Terminal.line(
                    state.wishes.hints.isExpired
                        ? "\(source.name.shown) says that nothing will follow: \(remedy)"
                        : Terminal.red("\(source.name.shown) is gone: \(remedy)"))
                continue
            }
            // What an edited source has failed at before is over.
            guard let failure = state.failure, state.failures > 0 else { continue }
            let since = state.failingSince.map { " for \(RelativeTime.span(max(0, now.timeIntervalSince($0))))" } ?? ""
            let times = state.failures == 1 ? "once" : "\(state.failures) times\(since)"
            Terminal.line(Terminal.red("\(source.name.shown) failed \(times): \(failure.description.shown)"))
        }
    }
}

extension AgentDescription {
    /// What keeps it from doing what this configuration says, as clauses.
    fileprivate func troubles(using configPath: String) -> [String] {
        let outdated = outdatedness.map { isProgramGone ? "\($0): see `crier doctor`" : "\($0): start it anew" }
        return [otherness(from: configPath), outdated].compactMap(\.self)
    }
}

extension MachineConditions {
    static let ofThisMachine = system(environment: GlobalOptions.environment)
}

extension SourceState {
    /// Whether it is due and is not fetched, since the machine is not as its source wants it.
    func waits(of source: Source, for unmet: Set<FetchCondition>, at now: Date) -> Bool {
        !source.onlyOn.isDisjoint(with: unmet) && (nextFetch ?? now) <= now && !schedule.isStopped(for: source)
    }

    var resultInWords: String {
        switch lastResult {
        case .newData: "new"
        case .noData: emptySince == nil ? "nothing new" : "no items"
        case .failed: "failed"
        case nil: "-"
        }
    }
}

/// One line of `status --format json` for each source.
struct SourceLine: Encodable {
    let type = "source"
    let source: String
    @Nullable var lastFetched: Date?
    @Nullable var lastResult: String?
    @Nullable var lastStatus: Int?
    @Nullable var lastNotified: Date?
    @Nullable var nextFetch: Date?
    @Nullable var nextFetchReason: String?
    let failures: Int
    @Nullable var failingSince: Date?
    @Nullable var failureStage: String?
    @Nullable var failure: String?
    @Nullable var goneSince: Date?
    @Nullable var adoptedURL: String?
    /// What the machine lacks of what its source wants, now.
    let waitsFor: [String]

    init(_ state: SourceState, of configured: Source, unmet: Set<FetchCondition>) {
        waitsFor = configured.onlyOn.intersection(unmet).sorted.map(\.rawValue)
        source = state.name
        lastFetched = state.lastFetched
        lastResult = state.lastResult?.rawValue
        lastStatus = state.lastStatus
        lastNotified = state.lastNotified
        nextFetch = state.nextFetch
        nextFetchReason = state.nextFetchReason
        failures = state.failures
        failingSince = state.failingSince
        failureStage = state.failure?.stage.rawValue
        failure = state.failure?.cause
        goneSince = state.goneSince
        adoptedURL = state.adoptedURL(of: configured)
    }
}

/// The last line of `status --format json`, and the lines under the table.
struct Overview: Encodable {
    let type = "overview"
    let authorization: String
    let pending: Int
    let held: Int
    let dead: Int
    let goneSinks: [String]
    /// Of those pending: they wait for the end of quiet hours, or of muting.
    let quieted: Int
    @Nullable var quietUntil: Date?
    let muted: Bool
    @Nullable var mutedUntil: Date?
    let pausedSinks: [PausedSink]
    /// How many items wait for digests that the configuration has no longer, by name.
    let goneDigests: [String: Int]
    /// How many deliveries wait for sinks that the configuration has no longer, by name.
    let absentSinks: [String: Int]
    /// Why nothing is fetched without being asked for.
    @Nullable var backgroundRest: String?
    /// Since when no host beyond this machine's own network could be reached, and what the first of them failed at.
    @Nullable var outageSince: Date?
    @Nullable var outageCause: String?
    /// What the agent does now; null where none runs, or it is stopped.
    @Nullable var agent: AgentStatus?
    /// The process of the agent or run that is at work, where that is stopped.
    @Nullable var stopped: Int32?
    /// The process of a run that is at work, or of an agent that does not answer.
    @Nullable var atWork: Int32?

    init(_ store: Store?, _ configuration: Configuration, at now: Date) throws {
        let quiet = try store.flatMap { try Quiet($0, configuration.quietHours, at: now) }
        backgroundRest = try store.flatMap { try BackgroundRest(configuration, in: $0) }?.rawValue
        let outage = configuration.sources.contains(where: \.liesBeyond) ? try store?.outage(at: now) : nil
        (outageSince, outageCause) = (outage?.since, outage?.cause)
        quietUntil = quiet?.end
        muted = quiet?.isMuted ?? false
        mutedUntil = quiet?.mutedUntil
        let sinks = Set(configuration.sinks.map(\.name))
        quieted = try store?.quietedCount(at: Array(sinks), now: now) ?? 0
        absentSinks = try store?.waitingDeliveryCounts().filter { !sinks.contains($0.key) } ?? [:]
        pausedSinks = try store?.pausedSinks(at: now).filter { sinks.contains($0.name) } ?? []
        goneDigests = try store.map { try Self.goneDigests(in: $0, configuration) } ?? [:]
        let counts = try store?.deliveryCounts() ?? [:]
        pending = counts[.pending] ?? 0
        held = counts[.held] ?? 0
        dead = counts[.dead] ?? 0
        goneSinks = try store?.goneSinks().map(\.name).filter(sinks.contains) ?? []
        authorization =
            switch try store?.notificationSettings().authorizationStatus ?? .notDetermined {
            case .authorized: "authorized"
            case .denied: "denied"
            case .notDetermined: "notDetermined"
            }
    }

    static func goneDigests(in store: Store, _ configuration: Configuration) throws(StoreError) -> [String: Int] {
        let names = Set(configuration.digests.map(\.name))
        return try store.waitingItemCounts().filter { !names.contains($0.key) }
    }

    static func lines(ofGone digests: [String: Int]) -> [String] {
        digests.sorted { $0.key < $1.key }.map { name, count in
            Terminal.red(
                "\(count) \(count == 1 ? "item waits" : "items wait") for the digest \(name.shown), which the configuration has no "
                    + "longer: once there is one of that name again, \(count == 1 ? "it comes" : "they come") with its "
                    + "next issue.")
        }
    }

    private static func lines(ofAbsent sinks: [String: Int]) -> [String] {
        sinks.sorted { $0.key < $1.key }.map { name, count in
            Terminal.red(
                "\(count) \(count == 1 ? "waits" : "wait") for the sink \(name.shown), which the configuration has no longer: "
                    + "\(count == 1 ? "it is" : "they are") raised once there is one of that name again, or one that leads where it led; "
                    + "`crier deliveries drop` gives up what `crier deliveries list --sink \(name.shown)` shows.")
        }
    }

    private static func line(of outage: NetworkOutage) -> String {
        Terminal.red(
            "No host could be reached since \(outage.words.shown): the network seems to be down, and what is due stays "
                + "due.")
    }

    private func line(of agent: AgentStatus) -> String {
        let now = SystemClock().now
        let begin = "The agent (process \(agent.process)) runs since \(RelativeTime.absolute(agent.since))"
        if let visited = agent.visited { return "\(begin) and visits \(visited) now." }
        guard agent.rest == nil, let next = agent.next else { return "\(begin)." }
        return "\(begin); the next visit is \(RelativeTime.words(max(next, now), from: now))."
    }

    /// Who raises what waits.
    private var deliverer: String {
        if agent != nil { return "the agent" }
        return atWork == nil ? "the next `crier fetch`" : "the agent or run at work"
    }

    /// A sentence on what it is now, and one on the quiet hours that go on behind muting.
    static func quietWords(until end: Date, mutedUntil: Date?) -> [String] {
        let until = RelativeTime.absolute(end)
        let hours = "uiet hours until \(until): only critical and time-sensitive notifications are raised."
        guard let mutedUntil else { return ["Q\(hours)"] }
        let muted = "Muted until \(RelativeTime.absolute(mutedUntil)): only critical notifications are raised."
        return mutedUntil < end ? [muted, "Then q\(hours)"] : [muted]
    }

    var lines: [String] {
        var lines: [String] = []
        switch authorization {
        case "authorized": lines.append("Notifications are authorized.")
        case "denied":
            lines.append(
                "Notifications are denied: what is fetched is recorded and not raised. `crier authorize` changes that.")
        default: lines.append("Notifications are not authorized yet: run `crier authorize`.")
        }
        if let rest = backgroundRest.flatMap(BackgroundRest.init(rawValue:)) { lines.append(rest.sentence) }
        if let outageSince { lines.append(Self.line(of: NetworkOutage(since: outageSince, cause: outageCause))) }
        if let agent { lines.append(line(of: agent)) }
        if let stopped {
            lines.append(Terminal.red(RunLock.Holder(process: stopped, isStopped: true).advice.asSentence))
        }
        if let atWork { lines.append(RunLock.Holder(process: atWork, isStopped: false).advice.asSentence) }
        if held > 0, authorization == "authorized" {
            let moment = quietUntil == nil ? "with" : "when it is no longer quiet, the urgent of it with"
            lines.append("\(held) that waited for it \(held == 1 ? "comes" : "come") \(moment) \(deliverer).")
        }
        if held > 0, authorization == "notDetermined" { lines.append("Waiting for it: \(held).") }
        if let quietUntil {
            var words = Self.quietWords(until: quietUntil, mutedUntil: mutedUntil)
            if muted { words[0] += " `crier unmute` ends it." }
            lines += words
        }
        if quieted > 0 {
            let come = quieted == 1 ? "comes" : "come"
            lines.append(
                quietUntil != nil
                    ? "Waiting for the end of that: \(quieted)."
                    : "\(quieted) that waited while it was quiet \(come) with \(deliverer).")
        }
        // Those for sinks that there are not are told below. They are counted with those that are held, and those are told.
        let due = pending - quieted - (held > 0 ? 0 : absentSinks.values.reduce(0, +))
        if due > 0 { lines.append("\(due) \(due == 1 ? "waits" : "wait") to be delivered: `crier deliveries list`.") }
        if dead > 0 {
            let were = dead == 1 ? "was" : "were"
            lines.append(
                Terminal.red("\(dead) could not be delivered and \(were) given up: `crier deliveries list --in dead`."))
        }
        for sink in pausedSinks {
            let failed = sink.failures == 1 ? "the last attempt failed" : "\(sink.failures) attempts in a row failed"
            let failures = "\(failed) (\(sink.reason.shown))"
            lines.append(
                Terminal.red(
                    "The sink \(sink.name.shown) is paused until \(RelativeTime.absolute(sink.until)): \(failures); "
                        + "`crier sink test \(sink.name.shown)` tries it now."))
        }
        lines += Self.lines(ofAbsent: absentSinks)
        lines += Self.lines(ofGone: goneDigests)
        for sink in goneSinks {
            lines.append(
                Terminal.red("The sink \(sink.shown) is gone; `crier sink test \(sink.shown)` tries it again."))
        }
        return lines
    }
}

extension AgentStatus {
    /// The sources that are visited now, in words; nil where none is.
    var visited: String? {
        if fetching.isEmpty { return nil }
        let named = fetching.prefix(5).map(\.shown).joined(separator: ", ")
        return named + (fetching.count > 5 ? " and \(fetching.count - 5) more" : "")
    }
}
