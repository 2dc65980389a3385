import ArgumentParser
import CrierAgent
import CrierStore
import Foundation

struct Install: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Let Crier run by itself: as an agent, from a timer, or from cron.",
        usage: """
            crier install (--agent | --timer | --cron) [--digest <digest>] [--enable] [--force] [--dry-run] \
            [--config <file>] [--state <file>]
            """,
        discussion: """
            One of them is enough. Each uses the configuration and the state that this command sees.
              crier install --timer --enable  a systemd timer, every 10 minutes
              crier install --agent --enable  a systemd service, always there
              crier install --cron            a line in your crontab

            The agent issues digests when they are due, a timer and cron at their next run. To have one on the minute, beside a \
            timer or cron that fetches:
              crier install --timer --digest morning --enable
              crier install --cron --digest morning

            Units go to the folder of your own ones. In the crontab all other lines are kept. Nothing is started unless you \
            say --enable; a crontab line needs no more than to be there. --dry-run tells what would be done. What you have changed since is not overwritten unless you say --force. `crier uninstall` leaves \
            nothing of it but folders. On macOS launchd runs the agent, from ~/Library/LaunchAgents, and there is no --timer.

            Exit status: 73 when something of yours would be overwritten, a unit is masked, or a package has brought it (--force \
            writes one of your own, which takes its place), 74 when a file cannot be written, 69 when systemd or cron cannot be \
            reached, or systemd looks for units elsewhere.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "What is to run Crier.")
    var chosenWay: Installation.Way?

    /// Checked when the command line is read.
    private var way: Installation.Way { chosenWay ?? .timer }

    @Option(help: "Issue this digest when it is due, instead of fetching.", completion: .digests)
    var digest: String?

    @Flag(help: "Also start it, now and at every login.")
    var enable = false

    @Flag(help: "Overwrite also what you have changed, and take the place of units of a package.")
    var force = false

    @Flag(help: "Only tell what would be done.")
    var dryRun = false

    func validate() throws {
        guard chosenWay != nil else { throw ValidationError("say which: --agent, --timer or --cron") }
        if way == .cron, enable { throw ValidationError("a line in a crontab needs no --enable") }
        if way == .agent, digest != nil {
            throw ValidationError("the agent issues every digest: --digest is for --timer and --cron")
        }
    }

    func run() async throws {
        let installation = Installation(environment: GlobalOptions.environment)
        let digest = try installedDigest()
        do {
            let steps = try await installation.steps(
                toInstall: way, digest: digest, running: try command(), enables: enable, overwrites: force)
            try await InstallationSteps.perform(steps, crontab: installation.crontab, isDryRun: dryRun)
            if steps.isEmpty { Terminal.line("It is installed already; nothing to do.") }
            if way != .cron, !enable {
                Terminal.line("To start it: " + installation.startCommand(digest?.enabledUnit ?? way.enabledUnit))
            }
            if way != .cron, let note = installation.lingerNote { Terminal.note(note) }
            await tellWhatElseIsFound(by: installation)
            if digest == nil, let configuration = options.readableConfiguration,
                let unseen = UnseenNews(configuration, by: [way])
            {
                Terminal.note("\(unseen.words.shown); \(unseen.remedy)".asSentence)
            }
            if let lack = lackOfConfiguration { Terminal.line(lack) }
            if digest == nil, let rest = backgroundRest { Terminal.line(rest.sentence) }
        } catch let error as InstallationError {
            throw told(error)
        }
    }

    private func tellWhatElseIsFound(by installation: Installation) async {
        let found = await installation.found()
        for trouble in found.troubles {
            Terminal.note("What else is installed is not known: \(trouble.description.shown)")
        }
        if digest != nil {
            if found.ways.isEmpty {
                Terminal.note(
                    "It issues the digest and fetches nothing: `crier install --\(way.rawValue)` has that done too.")
            }
            return
        }
        for other in found.ways.subtracting([way]).sorted(by: { $0.rawValue < $1.rawValue }) {
            let removal = "; `crier uninstall --\(other.rawValue)` removes it."
            let end = found.end(of: other).map { ", by a package; `\($0)` ends it." }
            Terminal.note("--\(other.rawValue) is installed too\(end ?? removal)")
        }
    }

    /// One that cannot be read is told of by the first run.
    private var lackOfConfiguration: String? {
        guard let path = try? options.configPath() else { return nil }
        do throws(ConfigurationFileError) { _ = try ConfigurationFile(path: path).read() } catch {
            if error.isMissing { return "There is no configuration yet at \(path.shown): `crier add URL` makes one." }
        }
        return nil
    }

    /// Why what is installed fetches nothing as things are. No state is made for that; one that cannot be read is told of by the
    /// first run.
    private var backgroundRest: BackgroundRest? {
        guard let path = options.knownStatePath else { return nil }
        tellLoss(of: path)
        guard let store = try? Store.existing(path: path) ?? .inMemory() else { return nil }
        return (try? BackgroundRest(options.readableConfiguration ?? Configuration(timeZone: nil), in: store)) ?? nil
    }

    /// - Throws: an exit code, where the configuration has no digest of that name.
    private func installedDigest() throws -> InstalledDigest? {
        guard let digest else { return nil }
        let (configuration, _) = try options.loadConfiguration()
        do { return InstalledDigest(try configuration.digest(named: digest)) } catch {
            throw failure(error.description, ExitStatus.usage)
        }
    }

    private func command() throws -> InstalledCommand {
        guard let executable = Bundle.main.executablePath else {
            throw failure("the path of crier itself is not known", ExitStatus.unavailable)
        }
        let environment = GlobalOptions.environment
        let binary = InstalledPath.program(
            calledAs: CommandLine.arguments.first ?? "", executable: executable, environment: environment)
        let files = InstalledCommand.options(
            config: InstalledPath.absolute(try options.configPath()),
            state: InstalledPath.absolute(try options.statePath()), home: AccountHome.path ?? environment["HOME"])
        return InstalledCommand(binary: binary, options: files)
    }
}

struct Uninstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Remove what `crier install` has made, and nothing else.",
        discussion: """
            Without a choice: all of it. Configuration and state stay where they are, and so do folders, as they may be \
            yours. What you have changed since is not removed unless you say --force, and units that you have masked stay so. What cannot be removed keeps nothing \
            else.

            Exit status: 73 when something of yours would be removed, 69 when something cannot be read or removed, or \
            systemd does not stop it.
            """)

    @Flag(help: "What to remove; all where none is named.")
    var ways: [Installation.Way] = []

    @Option(help: "Remove only what issues this digest.", completion: .digests)
    var digest: String?

    @Flag(help: "Remove also what you have changed.")
    var force = false

    @Flag(help: "Only tell what would be done.")
    var dryRun = false

    func run() async throws {
        let installation = Installation(environment: GlobalOptions.environment)
        let ways = self.ways.isEmpty ? Installation.Way.allCases : self.ways
        var (steps, troubles) = await installation.steps(toRemove: ways, digest: digest, overwrites: force)
        let isNothing = steps.isEmpty && troubles.isEmpty
        var isDone = true
        for step in steps {
            do {
                let all = try await InstallationSteps.perform(
                    [step], crontab: installation.crontab, isDryRun: dryRun)
                isDone = isDone && all
            } catch { troubles.append(error) }
        }
        // Also those before which one of the user's own stood until now.
        let foreign = digest == nil ? await installation.foreignUnits(of: ways) : []
        for unit in foreign {
            Terminal.note("\(unit.unit) stays, as \(unit.path.shown) is not of `crier install`: `\(unit.end)` ends it.")
        }
        if isNothing { Terminal.line(foreign.isEmpty ? "Nothing is installed." : "Nothing else is installed.") }
        if let status = troubles.map(told).first { throw status }
        // launchd says so also of an agent that was never started.
        if !isDone, Installation.ServiceManager.here == .systemd { throw ExitStatus.unavailable }
    }
}

extension Installation.Way: EnumerableFlag {
    public static func help(for way: Installation.Way) -> ArgumentHelp? {
        switch way {
        case .agent: "The agent, as a systemd user service, or one of launchd on macOS."
        case .timer: "A systemd user timer: a run every ten minutes, or --digest."
        case .cron: "A line in your crontab: a run every ten minutes, or --digest."
        }
    }
}

enum InstallationSteps {
    /// Takes each step, unless it is only to be told, and tells it.
    ///
    /// - Returns: Whether all was done; what was not is told, and does no harm.
    @discardableResult
    static func perform(
        _ steps: [InstallationStep], crontab: Crontab, isDryRun: Bool
    ) async throws(InstallationError) -> Bool {
        var isDone = true
        for step in steps {
            if isDryRun {
                Terminal.line("would \(step.description.shown)")
            } else if let trouble = try await step.perform(crontab: crontab) {
                Terminal.note("not done: \(step.description.shown): \(trouble.shown)")
                isDone = false
            } else {
                Terminal.line(step.account.shown)
            }
        }
        return isDone
    }
}

private func told(_ error: InstallationError) -> ExitCode {
    let status =
        switch error.kind {
        case .refused: ExitStatus.cannotCreate
        case .unavailable: ExitStatus.unavailable
        case .unwritable: ExitStatus.ioError
        }
    return failure(error.description.shown, status)
}
