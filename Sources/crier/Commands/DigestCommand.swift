import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation

struct DigestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Show the digests, or issue one that is due.",
        discussion: """
            A digest sums up at set times what is new in its sources; it stands under `digests:` in the configuration. \
            `crier fetch` issues it when it is due, after its visits, and so does the agent. `crier digest NAME` issues it \
            when it is due and fetches nothing; `crier install --timer --digest NAME` has that done on the minute.

            To look at one:
              crier digest                             what waits, and until when
              crier digest morning --preview           what it would say now
              crier digest morning --last              the last issue again
              crier digest morning --since 2026-11-01  all since then, even skipped
              crier digest morning --preview --format html > morning.html

            Exit status: 0 also when nothing is due; 64 when no digest has that name; 74 when standard output cannot be \
            written; 75 when another run is at work, or the agent, which issues it itself when it is due; 77 when it waits \
            because nobody has authorized notifications; 78 when its condition (`only`) is wrong, or, of the list, the \
            configuration; 141 when nobody reads standard output any more.
            """)

    /// How a digest is shown.
    enum Look: String, ExpressibleByArgument, CaseIterable {
        case text, markdown, html, json
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The digest; all are listed where none is named.", completion: .digests)
    var name: String?

    @Flag(help: "Show what it would say now. Nothing is marked as told.")
    var preview = false

    @Flag(help: "Show the last issue again.")
    var last = false

    @Option(
        help: ArgumentHelp(
            "Show what came since a day: also what was told, and what only, skip and rules of its sources leave out.",
            valueName: "yyyy-mm-dd"))
    var since: String?

    @Flag(help: "Issue it although it is not due.")
    var now = false

    @Option(help: "How to show it; text and json also list, and issue; else as text, and issued as its sink says.")
    var format: Look?

    @Flag(help: "Print notifications and failures only.")
    var quiet = false

    func validate() throws {
        let ways = [preview, last, since != nil, now]
        if ways.filter({ $0 }).count > 1 {
            throw ValidationError("--preview, --last, --since and --now exclude each other")
        }
        if ways.contains(true), name == nil { throw ValidationError("Say which digest; `crier digest` lists them") }
        if !ways.contains(true) || now, let format, format == .markdown || format == .html {
            throw ValidationError("--format \(format.rawValue) shows a digest: say --preview, --last or --since too")
        }
        if let since, CalendarDay(since) == nil {
            throw ValidationError("--since takes a day such as 2026-11-01")
        }
    }

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        guard let name else {
            try list(configuration)
            if !problems.isEmpty { throw ExitStatus.badConfiguration }
            return
        }
        let digest: Digest
        do { digest = try configuration.digest(named: name) } catch {
            throw failure(error.description, ExitStatus.usage)
        }
        if preview || last || since != nil { return try show(digest, configuration) }
        let statePath = try options.statePath()
        do {
            try await underLock(ofStateAt: statePath) { store, _ in try await issue(digest, configuration, store) }
        } catch let error as StoreError {
            if quiet, !now, isLeftToAnotherRun(error, statePath: statePath) { throw ExitStatus.temporaryFailure }
            guard error.kind == .locked, let (_, agent) = await AgentClient.ofState(statePath) else {
                throw told(error, path: nil)
            }
            try agent.check(isUsing: try options.configPath())
            throw failure(try words(of: agent, digest, configuration), ExitStatus.temporaryFailure)
        }
    }

    // MARK: - Issuing

    /// What an agent that is at work does instead.
    private func words(
        of agent: AgentDescription, _ digest: Digest, _ configuration: Configuration
    ) throws -> String {
        let next = try storeErrors {
            try options.storeToLookAt().flatMap { try Self.desk(configuration, $0).next(of: digest) }
        }
        let date = next.map { ", on \(RelativeTime.absolute($0, in: digest.timeZone))" } ?? ""
        return "the agent (process \(agent.process)) is at work, and issues \(digest.name.shown) itself when it is due"
            + "\(date); --preview shows what waits"
    }

    private func issue(_ digest: Digest, _ configuration: Configuration, _ store: Store) async throws {
        var own = configuration
        own.digests = [digest]
        let status = try store.notificationSettings().authorizationStatus
        let asks = Terminal.canAsk && status == .notDetermined
        let surroundings = Surroundings(
            stdoutFormat: format.map { $0 == .json ? .json : .text }, stdoutIsTerminal: Terminal.hasColour,
            digestPrint: Terminal.digestPrint, question: asks ? AuthorizationPrompt.ask : nil)
        try configuration.adoptEdits(in: store, at: SystemClock().now)
        let wiring = Wiring(configuration: own, store: store, surroundings: surroundings)
        let reports = now ? [try await wiring.desk.issue(digest)] : try await wiring.desk.issueDue()
        if let reason = reports.compactMap(\.failure).first {
            throw failure("\(digest.name.shown): \(reason.shown)", ExitStatus.badConfiguration)
        }
        if let remark = reports.compactMap(\.remark).first { Terminal.error(digest: digest.name, remark: remark) }
        if quiet {
            // As cron has it: what is said is mailed.
        } else if reports.isEmpty {
            let next = try wiring.desk.next(of: digest).map { RelativeTime.absolute($0, in: digest.timeZone) }
            Terminal.note(
                "\(digest.name.shown) is \(next.map { "not due: the next issue is on \($0)" } ?? "never due again"); "
                    + "--now issues it at once, --preview shows what waits.")
        } else if reports.allSatisfy({ $0.request == nil }) {
            Terminal.note("Nothing new waits for \(digest.name.shown).")
        }
        let delivery = try await interruptible { try await wiring.center.deliverDue() }
        delivery.printRest(isQuiet: quiet)
        // A fetch is silent on what is denied; whoever asks for this one is waiting for it.
        if !quiet, delivery.suppressed > 0 {
            let words = "recorded and not raised: notifications are denied, `crier authorize` changes that"
            Terminal.note("\(delivery.suppressed) \(words)")
        }
        if !quiet, let raised = delivery.raised { Terminal.note(raised.asSentence) }
        if let unprinted = configuration.unprinted(in: delivery) { throw ExitStatus.of(unprinted: unprinted) }
        if delivery.newlyHeld > 0 { throw ExitStatus.notAuthorized }
    }

    // MARK: - Showing

    private func show(_ digest: Digest, _ configuration: Configuration) throws {
        let store = try options.foreseenStore(of: configuration) ?? storeErrors { try Store.inMemory() }
        let desk = Self.desk(configuration, store)
        let page: DigestPage
        do {
            if last {
                guard let issue = try store.lastIssue(of: digest.name), let shown = DigestPage(issue.request.content)
                else { return Terminal.note("\(digest.name.shown) was never issued.") }
                page = shown
            } else {
                let day = since.flatMap { CalendarDay($0) }
                let preview = try day.map { try desk.preview(digest, since: $0) } ?? desk.preview(digest)
                if let remark = preview.remark { Terminal.error(digest: digest.name, remark: remark) }
                page = preview.page.plain
            }
        } catch let error as StoreError {
            throw told(error, path: nil)
        } catch {
            throw failure("\(digest.name.shown): \("\(error)".shown)", ExitStatus.badConfiguration)
        }
        Terminal.write(text(of: page, configuration.digestLooks), to: STDOUT_FILENO)
    }

    private func text(of page: DigestPage, _ looks: DigestLooks) -> String {
        switch format ?? .text {
        case .text: looks.text(of: page, printed: Terminal.digestPrint)
        case .markdown: looks.markdown(of: page)
        case .html: looks.html(of: page)
        case .json: page.json
        }
    }

    // MARK: - Listing

    private func list(_ configuration: Configuration) throws {
        let store = try options.foreseenStore(of: configuration) ?? storeErrors { try Store.inMemory() }
        let gone = try storeErrors { try Overview.goneDigests(in: store, configuration) }
        for line in Overview.lines(ofGone: gone) { Terminal.note(line) }
        if configuration.digests.isEmpty, format != .json {
            return Terminal.line("No digests. They stand under `digests:` in the configuration.")
        }
        let desk = Self.desk(configuration, store)
        let now = SystemClock().now
        var table = Table(["DIGEST", "WAITING", "LAST ISSUE", "NEXT ISSUE"])
        for digest in configuration.digests {
            let (waiting, last, next) = try storeErrors {
                (
                    try store.waitingItems(of: digest.name).count, try store.lastIssue(of: digest.name)?.issued,
                    try desk.next(of: digest)
                )
            }
            if format == .json {
                JSONLine.write(DigestLine(name: digest.name, waiting: waiting, last: last, next: next))
            }
            table.add([
                digest.name.shown, "\(waiting)", RelativeTime.words(last, from: now),
                next.map {
                    "\(RelativeTime.absolute($0, in: digest.timeZone)), \($0 <= now ? "due now" : RelativeTime.words($0, from: now))"
                }
                    ?? "never",
            ])
        }
        if format != .json { for line in table.lines { Terminal.line(line) } }
    }

    private static func desk(_ configuration: Configuration, _ store: Store) -> DigestDesk {
        DigestDesk(
            digests: configuration.digests, sources: configuration.sources, store: store, clock: SystemClock())
    }
}

private struct DigestLine: Encodable {
    let type = "digest"
    let name: String
    let waiting: Int
    @Nullable var last: Date?
    @Nullable var next: Date?

    init(name: String, waiting: Int, last: Date?, next: Date?) {
        self.name = name
        self.waiting = waiting
        _last = Nullable(wrappedValue: last)
        _next = Nullable(wrappedValue: next)
    }
}
