import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation

/// One run of `crier fetch`, with what it is told by its options.
struct FetchRun: Equatable {
    struct Files: CommandFiles, Equatable {
        var config: String?
        var state: String?
    }

    var files = Files()
    var sources: [String] = []
    var force = false
    var scheduled = false
    var dryRun = false
    var format: OutputFormat?
    var quiet = false
    var exitCode = false

    func run() async throws {
        let (configuration, problems) = try files.loadConfiguration()
        let sources = try chosenSources(self.sources, of: configuration, problems: problems)
        let statePath = try files.statePath()
        if sources.isEmpty, problems.isEmpty, try !somethingWaits(by: configuration) {
            // As the agent has it: a timer goes on while all are disabled.
            if scheduled {
                if exitCode { throw Self.noData }
                return
            }
            throw failure(configuration.lackOfSources(hasMistakes: false), ExitStatus.badConfiguration)
        }
        let account: RunAccount
        do {
            if dryRun {
                let store = try files.foreseenStore(of: configuration) ?? Store.inMemory()
                let run = try await runOnce(configuration, sources, store: store)
                let isDenied = try store.notificationSettings().authorizationStatus == .denied
                DryRunText(isJSON: format == .json, isQuiet: quiet, isDenied: isDenied).print(run.fetches)
                if let status = finish(RunAccount(run), configuration, problems) { throw status }
                return
            }
            let lock = try RunLock(statePath: statePath)
            account = RunAccount(
                try await runLocked(
                    configuration, sources, statePath: statePath,
                    integrityCheck: lock.isAfterUncleanEnd ? .always : .ifLogIsLeft, lock.readings))
            _ = consume lock
        } catch let error as StoreError {
            guard error.kind == .locked, let agent = await AgentClient.ofState(statePath) else {
                if scheduled, quiet, isLeftToAnotherRun(error, statePath: statePath) {
                    throw ExitStatus.temporaryFailure
                }
                throw told(error, path: nil)
            }
            let run = try HandedOverRun(
                to: agent, configPath: files.configPath(), configuration, format: format)
            let isWatched = Terminal.showsProgress && !quiet
            let progress = FetchProgress(count: sources.count, isShown: isWatched, isQuiet: quiet)
            let unprinted: String?
            (account, unprinted) = try await progress.during {
                try await run.run(
                    FetchOrder(
                        sources: self.sources.isEmpty ? [] : sources.map(\.name), force: force, scheduled: scheduled),
                    progress: progress, isWatched: isWatched)
            }
            if let unprinted {
                _ = finish(account, configuration, problems)
                throw failure(unprinted: unprinted)
            }
        }
        Program.end(finish(account, configuration, problems))
    }

    /// Whether there is something to deliver, be it of a source that is gone by now, or a digest to issue that has something to tell.
    private func somethingWaits(by configuration: Configuration) throws -> Bool {
        guard !dryRun, let store = try files.existingStore() else { return false }
        return try storeErrors {
            if try store.hasWaitingDeliveries() { return true }
            let clock = SystemClock()
            let desk = DigestDesk(digests: configuration.digests, sources: [], store: store, clock: clock)
            return try configuration.digests.contains { digest in
                guard let next = try desk.next(of: digest), next <= clock.now else { return false }
                return try !store.waitingItems(of: digest.name).isEmpty
            }
        }
    }

    /// That of ``exitCode``.
    private static let noData = ExitCode(10)

    /// - Returns: What the run ends with, where not all is done.
    private func finish(
        _ run: RunAccount, _ configuration: Configuration, _ problems: [ConfigurationProblem]
    ) -> ExitCode? {
        let isJSON = format == .json || format == nil && configuration.printsJSON
        FetchSummary(run: run, isQuiet: quiet, isJSON: isJSON, isDryRun: dryRun, isForced: force).print()
        let unprinted = configuration.unprinted(in: run.delivery).map(ExitStatus.of(unprinted:))
        return unprinted ?? status(of: run, problems: problems)
    }

    /// As `underLock(ofStateAt:)` has it, which would take a tenth more of the memory of all tasks of a visit.
    private func runLocked(
        _ configuration: Configuration, _ sources: [Source], statePath: String, integrityCheck: IntegrityCheck,
        _ readings: ReadingMarks
    ) async throws -> OneShot.Report {
        tellLoss(of: statePath)
        do {
            let store = try Store(path: statePath, integrityCheck: integrityCheck)
            let run = try await runOnce(configuration, sources, store: store, readings)
            store.closeForGood()
            return run
        } catch let error as StoreError {
            throw told(error, path: statePath)
        }
    }

    private func runOnce(
        _ configuration: Configuration, _ sources: [Source], store: Store, _ readings: ReadingMarks? = nil
    ) async throws -> OneShot.Report {
        let mayAsk = Terminal.canAsk && !scheduled && !dryRun
        let asks = try mayAsk && store.notificationSettings().authorizationStatus == .notDetermined
        let progress = FetchProgress(
            count: sources.count, isShown: Terminal.showsProgress && !quiet, isQuiet: quiet)
        let question: AuthorizationQuestion = { first, count in
            await progress.end()
            return await AuthorizationPrompt.ask(first, count)
        }
        var surroundings = Surroundings(
            environment: GlobalOptions.environment, stdoutFormat: format,
            stdoutIsTerminal: Terminal.hasColour, digestPrint: Terminal.digestPrint, output: progress.output,
            question: asks ? question : nil)
        surroundings.readings = readings
        readings?.limit()
        if !dryRun { try configuration.adoptEdits(in: store, at: SystemClock().now) }
        let wiring = Wiring(
            configuration: configuration, store: store, surroundings: surroundings,
            background: try store.backgroundSettings())
        let oneShot = OneShot(wiring, isScheduled: scheduled)
        let selection = FetchOrder(sources: self.sources, force: force).selection
        return try await progress.during {
            try await interruptible {
                try await oneShot.run(
                    sources, selection: selection, isDryRun: dryRun, deliveries: asks ? .afterwards : .meanwhile
                ) { report in
                    progress.tell(report)
                }
            }
        }
    }

    /// A mistake in a source that was not asked for says nothing of how the others went.
    private func isAbout(_ problem: ConfigurationProblem) -> Bool {
        sources.isEmpty || problem.source.map(sources.contains) ?? true
    }

    private func status(of run: RunAccount, problems: [ConfigurationProblem]) -> ExitCode? {
        let results = run.visits.map(\.result)
        if exitCode {
            if results.contains(.newData) { return nil }
            return results.contains(.failed) ? ExitCode(20) : Self.noData
        }
        if problems.contains(where: isAbout) || !run.digestFailures.isEmpty { return ExitStatus.badConfiguration }
        if !results.isEmpty, results.allSatisfy({ $0 == .failed }) { return ExitStatus.unavailable }
        if run.delivery.newlyHeld > 0 || run.rest == .notAuthorized { return ExitStatus.notAuthorized }
        return nil
    }
}

extension Configuration {
    /// Whether a sink of its own prints JSON on standard output.
    fileprivate var printsJSON: Bool {
        sinks.contains { if case .stdout(let settings) = $0.settings { settings.format == .json } else { false } }
    }
}

extension Configuration {
    /// Why something waits as standard output cannot be written; nil where nothing does.
    func unprinted(in delivery: DeliveryReport) -> String? {
        let printing = sinks.filter { if case .stdout = $0.settings { true } else { false } }
        return printing.lazy.compactMap { delivery.waiting[$0.name]?.reason }.first
    }
}
