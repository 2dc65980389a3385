import ArgumentParser
import CrierAgent
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation

struct SimulateFetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Wake Crier for one source, as if its date had come. It is a real fetch.",
        discussion: """
            A background fetch as the agent makes it: from cold, without a terminal, within 30 s, and only if you have \
            authorized notifications (or `background: always` says that it need not be so) and `crier background` is on. It is \
            real: what is new is remembered and raised. Where `crier agent` runs, it makes the fetch. An origin that wants to \
            be left alone is, as with `crier fetch --force`.

            --format json prints the notifications of standard output, and one object that tells what happened.

            Exit status: 0 done; 69 the fetch failed, or the source was not visited; 75 another run is at work; 77 nothing is \
            fetched in the background.
            """)

    @OptionGroup var wake: WakeOptions
    @Argument(help: "The source.", completion: .sources) var source: String

    func run() async throws {
        let (account, unprinted) = try await wake.run(source, expires: false)
        let words = "Woken for \(source.shown): nobody at a terminal, 30 s at most."
        try wake.finish(account, unprinted: unprinted, woken: words)
        if account.run.visits.allSatisfy({ $0.result == .failed }) { throw ExitStatus.unavailable }
    }
}

struct SimulateExpire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Wake Crier for one source, and end its time budget at once.",
        discussion: """
            As `crier simulate fetch`, but the 30 s are over as soon as the request has begun: it is ended, nothing that has \
            come counts, and the fetch is recorded as failed, with that reason. It is real: the next visit is put off as after \
            any failure; `crier fetch SOURCE --force` makes one before.

            Exit status: 0 the budget was ended; 69 the source was not visited; 75 another run is at work; 77 nothing is \
            fetched in the background.
            """)

    @OptionGroup var wake: WakeOptions
    @Argument(help: "The source.", completion: .sources) var source: String

    func run() async throws {
        let (account, unprinted) = try await wake.run(source, expires: true)
        try wake.finish(account, unprinted: unprinted, woken: "Woken for \(source.shown), and its time ended at once.")
        if account.run.visits.isEmpty { throw ExitStatus.unavailable }
    }
}

struct SimulateLaunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Start as the agent starts, do what is due then, and end.",
        discussion: """
            Sources that are due are visited, each within 30 s, if fetching in the background is allowed; digests that were \
            missed are issued; what waits is raised, also what was held until you allowed it. It is real, as all of that \
            would be. A running agent has been launched already.

            Exit status: 0 done; 69 every visit failed; 75 an agent or another run is at work; 77 nothing is fetched in the \
            background.
            """)

    @OptionGroup var wake: WakeOptions

    func run() async throws {
        let (account, unprinted) = try await wake.run(nil, expires: false)
        let due = account.due.isEmpty ? "nothing" : account.due.map(\.shown).joined(separator: ", ")
        try wake.finish(account, unprinted: unprinted, woken: "Started. Due at once: \(due).")
        let results = account.run.visits.map(\.result)
        if !results.isEmpty, results.allSatisfy({ $0 == .failed }) { throw ExitStatus.unavailable }
    }
}

/// What the wakes have in common.
struct WakeOptions: ParsableArguments {
    @OptionGroup var options: GlobalOptions

    @Option(help: "text or json; else notifications as their sink says, and the rest as text.")
    var format: OutputFormat?

    /// - Parameter source: Nil is the agent's start.
    /// - Returns: Also why something could not be printed.
    func run(
        _ source: String?, expires: Bool
    ) async throws -> (account: BackgroundWake.Account, unprinted: String?) {
        let (configuration, problems) = try options.loadConfiguration()
        let source = try source.flatMap { try chosenSources([$0], of: configuration, problems: problems).first }
        let statePath = try options.statePath()
        let occasion: BackgroundWake.Occasion =
            source.map { expires ? .expiry($0) : .fetch($0) } ?? .launch
        do {
            let account = try await underLock(ofStateAt: statePath) { store, readings in
                var surroundings = Surroundings(
                    logger: Agent.quiet,
                    stdoutFormat: format, digestPrint: Terminal.digestPrint)
                surroundings.readings = readings
                let wake = BackgroundWake(configuration, store: store, surroundings: surroundings)
                let progress = FetchProgress(count: 1, isShown: false)
                return try await progress.during {
                    try await interruptible {
                        try await wake.run(occasion) { report in progress.tell(VisitAccount(report)) }
                    }
                }
            }
            return (account, configuration.unprinted(in: account.run.delivery))
        } catch let error as StoreError {
            guard error.kind == .locked, let agent = await AgentClient.ofState(statePath) else {
                throw told(error, path: nil)
            }
            guard let source else {
                throw failure(
                    "the agent (process \(agent.description.process)) has been launched already",
                    ExitStatus.temporaryFailure)
            }
            return try await handOver(source, expires: expires, to: agent, configuration)
        }
    }

    private func handOver(
        _ source: Source, expires: Bool, to agent: (client: AgentClient, description: AgentDescription),
        _ configuration: Configuration
    ) async throws -> (account: BackgroundWake.Account, unprinted: String?) {
        let closedBecause = try storeErrors { [store = try options.openStore()] in
            try BackgroundRest(configuration, in: store)?.words
        }
        if closedBecause != nil { return (BackgroundWake.Account(closedBecause: closedBecause), nil) }
        let run = try HandedOverRun(to: agent, configPath: options.configPath(), configuration, format: format)
        let order = FetchOrder(sources: [source.name], force: true, expires: expires)
        let (account, unprinted) = try await run.run(
            order, progress: FetchProgress(count: 1, isShown: false), isWatched: Terminal.showsProgress)
        return (BackgroundWake.Account(run: account), unprinted)
    }

    /// Tells what happened.
    ///
    /// - Throws: ``ExitStatus/notAuthorized`` where nothing was fetched because that is not allowed, and the status of what could not be
    ///   printed.
    func finish(_ account: BackgroundWake.Account, unprinted: String?, woken: String) throws {
        switch format ?? .text {
        case .json: JSONLine.write(WakeLine(account))
        case .text:
            Terminal.line(woken)
            for line in account.lines { Terminal.line(line) }
        }
        if account.closedBecause != nil { throw ExitStatus.notAuthorized }
        if let unprinted { throw failure(unprinted: unprinted) }
    }
}

extension BackgroundWake.Account {
    /// For people.
    fileprivate var lines: [String] {
        var lines = closedBecause.map { ["Nothing was fetched: \($0)."] } ?? []
        lines += run.visits.map { "\($0.source.shown): \($0.words)" }
        lines += run.refused.compactMap { visit in
            visit.refusal.map {
                "\(visit.source.shown): not visited until \(RelativeTime.absolute($0.until)): set by \($0.words.shown)."
            }
        }
        if run.left > 0 { lines.append("Left for later, since their hosts are asked one by one: \(run.left).") }
        if released > 0 { lines.append("Released, since you have authorized notifications: \(released).") }
        for (sink, count) in run.delivery.delivered.sorted(by: { $0.key < $1.key }) {
            lines.append("Raised at \(sink.shown): \(count).")
        }
        if run.delivery.held > 0 {
            lines.append("Held until you allow notifications (`crier authorize`): \(run.delivery.held).")
        }
        if run.delivery.quieted > 0 { lines.append("Waiting for the end of the quiet time: \(run.delivery.quieted).") }
        if run.delivery.suppressed > 0 {
            lines.append("Recorded and not raised, since you do not want it: \(run.delivery.suppressed).")
        }
        for (sink, trouble) in (run.delivery.waiting.map { ($0, $1) } + run.delivery.dead.map { ($0, $1) }).sorted(by: {
            $0.0 < $1.0
        }) {
            lines.append("Not raised at \(sink.shown): \(trouble.count), \(trouble.reason.shown).")
        }
        return lines
    }
}

extension VisitAccount {
    fileprivate var words: String {
        let next = nextFetch.map { " Next visit \(RelativeTime.words($0, from: SystemClock().now))." } ?? ""
        if networkIsDown { return "the network is down; nothing is counted against it." }
        if let failure { return "failed: \(failure.stage.rawValue): \(failure.cause.shown).\(next)" }
        let news = newItems == 0 ? "nothing new" : newItems == 1 ? "1 new item" : "\(newItems) new items"
        let titles = (raises ?? []).map { "“\($0.shown.fitted(to: 60))”" }.joined(separator: ", ")
        return "\(news) (\(result.rawValue)).\(titles.isEmpty ? "" : " To be raised: \(titles).")\(next)"
    }
}

/// `--format json` of a wake.
private struct WakeLine: Encodable {
    let type = "wake"
    @Nullable var closedBecause: String?
    let due: [String]
    let visits: [Visit]
    let released: Int
    let raised: [String: Int]
    let held: Int
    let quieted: Int
    let suppressed: Int

    struct Visit: Encodable {
        let source: String
        @Nullable var result: String?
        @Nullable var failure: String?
        let newItems: Int
        let raises: [String]
        @Nullable var nextFetch: Date?
        @Nullable var leftAloneUntil: Date?

        init(_ visit: VisitAccount) {
            source = visit.source
            result = visit.refusal == nil ? visit.result.rawValue : nil
            failure = visit.failure?.description
            newItems = visit.newItems
            raises = visit.raises ?? []
            nextFetch = visit.nextFetch
            leftAloneUntil = visit.refusal?.until
        }
    }

    init(_ account: BackgroundWake.Account) {
        closedBecause = account.closedBecause
        due = account.due
        visits = (account.run.visits + account.run.refused).map(Visit.init)
        released = account.released
        raised = account.run.delivery.delivered
        held = account.run.delivery.held
        quieted = account.run.delivery.quieted
        suppressed = account.run.delivery.suppressed
    }
}
