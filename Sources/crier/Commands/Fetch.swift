import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Visit the sources that are due and raise what is new.",
        discussion: """
            Each source is visited when its own schedule says so, however often this runs: let cron or a timer call \
            `crier fetch --quiet` every ten minutes. Where `crier agent` runs, it makes the visits. Notifications are raised at the sinks of the configuration, by default \
            on standard output. A source that fails is told on standard error; the others go on.

            --format json prints one JSON object per notification; README tells its keys.

            Exit status: 0 also when nothing is new; 69 when the network is down or every visit failed; 75 when another run \
            is at work; 77 when notifications wait because nobody has authorized them; 78 when sources were left out because \
            their configuration is wrong. With --exit-code: 0 new data, 10 no data, 20 failed.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The sources to visit; all of them where none is named.")
    var sources: [String] = []

    @Flag(
        help: """
            Visit sources that are not due yet, too, except where the origin wants to be left alone; those that are gone \
            if they are named.
            """)
    var force = false

    @Flag(help: "Visit and say what would be raised, but raise and remember nothing.")
    var dryRun = false

    @Option(help: "How to print notifications on standard output.")
    var format: Format = .text

    @Flag(help: "Print notifications and failures only.")
    var quiet = false

    @Flag(help: "Let the exit status tell the result.")
    var exitCode = false

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        let sources = try chosenSources(self.sources, of: configuration, problems: problems)
        if sources.isEmpty, problems.isEmpty {
            throw failure("the configuration has no sources; `crier add URL` adds one", ExitStatus.badConfiguration)
        }
        let statePath = try options.statePath()
        let account: RunAccount
        do {
            if dryRun {
                let store = try Store.existing(path: statePath) ?? Store.inMemory()
                let run = try await runOnce(configuration, sources, store: store)
                DryRunText(isJSON: format == .json, isQuiet: quiet).print(run.fetches)
                try finish(RunAccount(run), problems: problems)
                return
            }
            let lock = try RunLock(statePath: statePath)
            account = RunAccount(
                try await runLocked(
                    configuration, sources, statePath: statePath,
                    integrityCheck: lock.isAfterUncleanEnd ? .always : .ifLogIsLeft))
            _ = consume lock
        } catch let error as StoreError {
            guard error.kind == .locked, let (client, agent) = await AgentClient.ofState(statePath) else {
                throw told(error, path: nil)
            }
            account = try await handOver(to: client, agent, configuration, sources)
        }
        try finish(account, problems: problems)
    }

    private func finish(_ run: RunAccount, problems: [ConfigurationProblem]) throws {
        FetchSummary(run: run, isQuiet: quiet, isJSON: format == .json, isDryRun: dryRun, isForced: force).print()
        if let status = status(of: run, problems: problems) { throw status }
    }

    /// The agent makes the run, and this process prints what it would have printed.
    private func handOver(
        to client: AgentClient, _ agent: AgentDescription, _ configuration: Configuration, _ sources: [Source]
    ) async throws -> RunAccount {
        guard try agent.isUsing(configuration: options.configPath()) else {
            throw failure(
                "the agent (process \(agent.process)) works with another configuration, \(agent.configuration.shown)",
                ExitStatus.temporaryFailure)
        }
        let surroundings = Surroundings(
            stdoutFormat: format == .json ? .json : nil, stdoutIsTerminal: Terminal.hasColour,
            digestPrint: Terminal.digestPrint)
        let looks = configuration.digestLooks
        let sinks = configuration.sinks.map { $0.makeSink(surroundings, looks: looks) }
        let progress = FetchProgress(count: sources.count, isShown: Terminal.stderrIsTerminal && !quiet)
        let order = FetchOrder(sources: self.sources, force: force)
        do {
            return try await interruptible {
                try await client.fetch(order) { event in
                    if let visit = event.visited { await progress.tell(visit) }
                    if let raised = event.raised, let sink = sinks.first(where: { $0.name == raised.sink }) {
                        _ = await sink.sink.deliver(raised.attempt)
                    }
                }
            }
        } catch let error as AgentClient.Failure {
            throw failure(error.description.shown, ExitStatus.temporaryFailure)
        }
    }

    /// A corrupt state is set aside under the lock: no other run may be making a new file meanwhile.
    private func runLocked(
        _ configuration: Configuration, _ sources: [Source], statePath: String, integrityCheck: IntegrityCheck
    ) async throws -> OneShot.Report {
        do {
            let store = try Store(path: statePath, integrityCheck: integrityCheck)
            return try await runOnce(configuration, sources, store: store)
        } catch let error as StoreError where error.kind == .corrupt {
            throw told(error, path: statePath)
        }
    }

    private func runOnce(
        _ configuration: Configuration, _ sources: [Source], store: Store
    ) async throws -> OneShot.Report {
        let status = try store.notificationSettings().authorizationStatus
        let asks = Terminal.canAsk && status == .notDetermined && !dryRun
        let surroundings = Surroundings(
            stdoutFormat: format == .json ? .json : nil, stdoutIsTerminal: Terminal.hasColour,
            digestPrint: Terminal.digestPrint, question: asks ? AuthorizationPrompt.ask : nil)
        let wiring = Wiring(
            configuration: configuration, store: store, surroundings: surroundings,
            background: try store.backgroundSettings())
        if !dryRun { try wiring.adoptRenames() }
        let oneShot = OneShot(wiring)
        let progress = FetchProgress(count: sources.count, isShown: Terminal.stderrIsTerminal && !quiet)
        let selection: OneShot.Selection = !force ? .due : self.sources.isEmpty ? .all : .named
        do {
            return try await interruptible {
                try await oneShot.run(sources, selection: selection, isDryRun: dryRun, asksFirst: asks) {
                    report in
                    await progress.tell(VisitAccount(report))
                }
            }
        } catch {
            await progress.clear()
            throw error
        }
    }

    private func status(of run: RunAccount, problems: [ConfigurationProblem]) -> ExitCode? {
        let results = run.visits.map(\.result)
        if exitCode {
            if results.contains(.newData) { return nil }
            return ExitCode(results.contains(.failed) ? 20 : 10)
        }
        if !problems.isEmpty { return ExitStatus.badConfiguration }
        if !results.isEmpty, results.allSatisfy({ $0 == .failed }) { return ExitStatus.unavailable }
        if run.delivery.newlyHeld > 0 { return ExitStatus.notAuthorized }
        return nil
    }
}

/// Tells each failure as it comes, and on a terminal how far the run is.
actor FetchProgress {
    private let count: Int
    private let isShown: Bool
    private var done = 0

    init(count: Int, isShown: Bool) {
        self.count = count
        self.isShown = isShown && count > 1
    }

    func tell(_ report: VisitAccount) {
        done += 1
        clear()
        if let failure = report.failure, !report.networkIsDown {
            let next = report.nextFetch.map { "; next visit \(RelativeTime.words($0, from: SystemClock().now))" } ?? ""
            Terminal.note("\(report.source.shown): \(failure.stage.rawValue) failed: \(failure.cause.shown)\(next)")
        }
        for remark in report.remarks { Terminal.note("\(report.source.shown): \(remark.shown)") }
        if isShown, done < count { Terminal.write("\(done) of \(count) sources", to: STDERR_FILENO) }
    }

    /// Takes the line away that tells how far the run is.
    func clear() {
        if isShown { Terminal.write("\r\u{1b}[K", to: STDERR_FILENO) }
    }
}

/// Asks in context: with the first notification at hand.
enum AuthorizationPrompt {
    static let ask: AuthorizationQuestion = { first, count in
        let more = count > 1 ? " and \(count - 1) more" : ""
        Terminal.note("Crier has something new for you: “\(first.content.title.shown)”\(more).")
        for _ in 0..<3 {
            guard let answer = await Terminal.ask("May Crier raise notifications? [y/n] ") else { return nil }
            switch answer.lowercased() {
            case "y", "yes": return true
            case "n", "no":
                Terminal.note("Then it stays silent. `crier authorize` changes that.")
                return false
            default: continue
            }
        }
        return nil
    }
}
