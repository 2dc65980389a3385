import CrierFetch
import CrierNotifications
import CrierProcess
import CrierStore
import Foundation

/// Looks at everything that Crier depends on, and says of each what can be done about it. It changes nothing, but that a
/// state file is brought up to date and made private when it is opened, as by every command.
public struct Doctor: Sendable {
    let configPath: String
    let statePath: String
    let environment: [String: String]
    let clock: any WallClock
    let network: NetworkPath
    let loadProblem: (@Sendable () -> String?)?

    /// - Parameter loadProblem: Why a library that is loaded when it is needed cannot be, nil where all can; nil for programs
    ///   whose libraries are loaded at their start.
    public init(
        configPath: String, statePath: String, environment: [String: String], clock: any WallClock = SystemClock(),
        network: NetworkPath = .system, loadProblem: (@Sendable () -> String?)? = nil
    ) {
        self.configPath = configPath
        self.statePath = statePath
        self.environment = environment
        self.clock = clock
        self.network = network
        self.loadProblem = loadProblem
    }

    /// All findings, in the order of what depends on what.
    public func examine() async -> [Finding] {
        let (configuration, file) = configurationFindings()
        let (store, state) = stateFindings()
        let installation = Installation(environment: environment)
        let found = await installation.found()
        let services = await serviceVariables(found)
        return await libraryFindings + file + state + damageFindings + authorizationFinding(store)
            + switchFindings(store, configuration) + programFindings(configuration, services)
            + secretFindings(configuration, services) + fileFindings(configuration) + desktopFindings(configuration)
            + sinkFindings(store, configuration) + sourceFindings(store, configuration)
            + serviceFindings(found, installation) + unseenFindings(configuration, found.ways) + zoneFindings
            + clockFindings(store) + [networkFinding(store, configuration)] + certificateFindings(configuration)
    }

    private var libraryFindings: [Finding] {
        guard let loadProblem else { return [] }
        guard let problem = loadProblem() else {
            return [Finding("libraries", .ok, "libcurl, libxml2 and libjq can be loaded")]
        }
        let remedy = "apt install libcurl4 libxml2 libjq1, or what your system calls them"
        return [Finding("libraries", .fail, problem, remedy: remedy)]
    }

    // MARK: - Files

    private func configurationFindings() -> (Configuration?, [Finding]) {
        let subject = "configuration"
        let bytes: [UInt8]
        do { bytes = try ConfigurationFile(path: configPath).read() } catch  where error.isMissing {
            return (nil, [Finding(subject, .fail, "there is none at \(configPath)", remedy: "crier add URL")])
        } catch {
            let remedy =
                error.code == EACCES
                ? remedy("chmod u+r \(configPath), and u+x its folder", at: configPath, "name another with --config")
                : "crier add URL, once it is moved away"
            return (nil, [Finding(subject, .fail, error.description, remedy: remedy)])
        }
        let result = Configuration.load(bytes: bytes, file: configPath, validateExpression: Expressions.complaint)
        var findings: [Finding] = []
        if let first = result.problems.first {
            let count = result.problems.count == 1 ? "1 mistake" : "\(result.problems.count) mistakes"
            findings.append(Finding(subject, .fail, "\(count): \(first.description)", remedy: "crier check"))
        } else if let configuration = result.configuration {
            let words = "\(configPath): \(configuration.sourceCount)"
            let remedy = configuration.disabledSources.isEmpty ? "crier add URL" : "take out `enabled: false`"
            findings.append(
                configuration.sources.isEmpty
                    ? Finding(subject, .warn, words, remedy: remedy) : Finding(subject, .ok, words))
        }
        return (result.configuration, findings + configurationModeFindings())
    }

    /// Of the file, and of the folders in which it, or a link to it, may be exchanged for another.
    private func configurationModeFindings() -> [Finding] {
        let target = SymbolicLinks.target(of: configPath) ?? configPath
        var folders = [configPath, target].map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().path
        }
        if folders[0] == folders[1] { folders.removeLast() }
        // Where a folder is sticky, nobody exchanges what is another's.
        let open = folders.filter { folder in
            Self.status(of: folder).map { $0.st_mode & 0o022 != 0 && $0.st_mode & S_ISVTX == 0 } ?? false
        }
        let isOpen = Self.status(of: configPath).map { $0.st_mode & 0o022 != 0 } ?? false
        return ((isOpen ? [configPath] : []) + open).map { path in
            let what = path == configPath ? "others may write \(path)" : "others may change what is in \(path)"
            return Finding(
                "configuration", .warn, "\(what), and so choose programs that run as you",
                remedy: (ForeignState.otherOwner(of: path).map { "\($0), its owner: " } ?? "") + "chmod go-w \(path)")
        }
    }

    private func stateFindings() -> (Store?, [Finding]) {
        let subject = "state"
        // Opening makes it private again.
        let wasPrivate = isPrivate
        let loss = lossFindings
        do throws(StoreError) {
            guard let store = try Store.existing(path: statePath, integrityCheck: .always) else {
                return (nil, [missingStateFinding] + lockFindings)
            }
            let size = Int(Self.status(of: statePath)?.st_size ?? 0)
            let words = "\(statePath) is intact, \(size.formatted(.byteCount(style: .file)))"
            let faults = try store.faults().map {
                Finding(subject, .fail, $0, remedy: "go back to a copy: crier backup --help")
            }
            let permissions = permissionFinding(wasPrivate: wasPrivate)
            let whole = faults.isEmpty ? [Finding(subject, .ok, words)] : faults
            return (store, loss + whole + permissions + lockFindings)
        } catch {
            let elsewhere = "mv \(statePath) elsewhere, or choose another with --state"
            let remedy: String? =
                switch error.kind {
                case .corrupt:
                    // A run sets it aside only when it meets what is damaged.
                    "mv \(ShellWord.quoted(statePath))* elsewhere; or go back to a copy: crier backup --help"
                case .noDatabase: elsewhere
                case .cannotOpen where Self.status(of: statePath).map { $0.st_mode & S_IFMT != S_IFREG } ?? false:
                    elsewhere
                case .newer: "update crier"
                case .diskFull where FileSizeLimit.isReached(by: statePath): "raise the limit (ulimit -f, LimitFSIZE=)"
                case .diskFull: "make room on the disk"
                case .readOnly where isOnReadOnlyDisk, .cannotOpen where isOnReadOnlyDisk:
                    "mount it writable, or choose another with --state"
                case .readOnly, .cannotOpen:
                    ForeignState.owner(of: statePath)?.remedy
                        ?? remedy(
                            "chmod u+rw \(statePath), and u+rwx its folder", at: statePath,
                            "choose another with --state")
                default: nil
                }
            return (nil, [Finding(subject, .fail, error.description, remedy: remedy)])
        }
    }

    /// Whether it can be made, in the nearest folder that is there.
    private var missingStateFinding: Finding {
        let none = "there is none yet at \(statePath)"
        let folder = Self.nearestFolder(to: SymbolicLinks.resolved(statePath))
        // By the slash the system tells what is no folder.
        if access(folder + "/", W_OK | X_OK) == 0 {
            return Finding("state", .ok, "\(none): the first fetch makes it")
        }
        let code = errno
        let elsewhere = "choose another place with --state"
        let status = Self.status(of: folder) ?? stat()
        let isOwn = status.st_uid == geteuid()
        let remedy =
            switch code {
            case ENOTDIR where isOwn && status.st_mode & S_IFMT == S_IFREG:
                "mv \(folder) elsewhere, as it is no folder, or \(elsewhere)"
            case EACCES where isOwn: "chmod u+wx \(folder), or \(elsewhere)"
            default: elsewhere
            }
        let cause = String(cString: strerror(code))
        return Finding("state", .fail, "\(none), and it cannot be made in \(folder): \(cause)", remedy: remedy)
    }

    /// To be asked before the state is opened, which makes a new one of it.
    private var lossFindings: [Finding] {
        guard Store.isLost(statePath) else { return [] }
        return [
            Finding(
                "state", .warn, "\(statePath) was empty until now: what it may have held is lost",
                remedy: "go back to a copy: crier backup --help")
        ]
    }

    /// Of the last that was damaged and set aside: what it held may be missed.
    private var damageFindings: [Finding] {
        let (folder, name) = PathText.split(statePath)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let states = files.filter {
            $0.hasPrefix("\(name).corrupt-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        guard let last = states.max() else { return [] }
        let path = PathText.join(folder, last)
        return [
            Finding(
                "state", .warn, "a damaged one was set aside as \(path)",
                remedy: "go back to a copy: crier backup --help; or rm \(ShellWord.quoted(path))*")
        ]
    }

    /// What keeps every run from beginning.
    private var lockFindings: [Finding] {
        let path = SymbolicLinks.resolved(statePath) + ".lock"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return [] }
        return [Finding("state", .fail, "the lock file \(path) is not a regular file", remedy: "mv \(path) elsewhere")]
    }

    /// - Parameters:
    ///   - own: What helps at a place of this user's.
    ///   - elsewhere: What else does at another's, who alone can change its mode.
    private func remedy(_ own: String, at path: String, _ elsewhere: String) -> String {
        ForeignState.otherOwner(of: path).map { "run crier as \($0), whose it is, or \(elsewhere)" } ?? own
    }

    /// Which no change of modes helps.
    private var isOnReadOnlyDisk: Bool { access(statePath, W_OK) != 0 && errno == EROFS }

    private var isPrivate: Bool { (Self.status(of: statePath)?.st_mode ?? 0) & 0o077 == 0 }

    private func permissionFinding(wasPrivate: Bool) -> [Finding] {
        if wasPrivate { return [] }
        return isPrivate
            ? [Finding("state", .warn, "others could read \(statePath) until now")]
            : [Finding("state", .warn, "others may read \(statePath)", remedy: "its owner: chmod 600 \(statePath)")]
    }

    private func authorizationFinding(_ store: Store?) -> [Finding] {
        let subject = "authorization"
        // Of one that cannot be opened, or looked at, nobody knows.
        guard (try? store != nil || Store.status(ofFile: statePath) == nil) == true,
            let status = try? store?.notificationSettings().authorizationStatus ?? .notDetermined
        else { return [] }
        return switch status {
        case .authorized: [Finding(subject, .ok, "notifications are authorized")]
        case .denied:
            [
                Finding(
                    subject, .warn, "notifications are denied: what is fetched is recorded, never raised",
                    remedy: "crier authorize")
            ]
        case .notDetermined:
            [Finding(subject, .warn, "nobody has authorized notifications: they wait", remedy: "crier authorize")]
        }
    }

    /// That in which a file is, or in which the folders that lead to it are to be made.
    static func nearestFolder(to path: String) -> String {
        var folder = path
        repeat { folder = PathText.folder(of: folder) } while access(folder, F_OK) != 0 && folder.utf8.count > 1
        return folder
    }

    /// Of what links lead to: a link itself has every permission.
    static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    // MARK: - Programs

    /// Of the sinks and sources that are programs, or take one.
    private func programFindings(_ configuration: Configuration?, _ services: [ServiceVariables]) -> [Finding] {
        var needed: [(program: String, user: String)] = []
        for sink in configuration?.sinks ?? [] {
            switch sink.settings {
            case .desktop: needed.append(("notify-send", "the sink \(sink.name)"))
            case .exec(let settings): needed.append((settings.command.first ?? "", "the sink \(sink.name)"))
            case .apprise: needed.append(("apprise", "the sink \(sink.name)"))
            default: continue
            }
        }
        for source in configuration?.sources ?? [] {
            if case .command(let command) = source.address {
                needed.append((command.first ?? "", "the source \(source.name)"))
            }
        }
        let missing = needed.filter { ProgramPath.of($0.program, environment: environment) == nil }
        let absent = needed.filter { need in
            services.lack(program: need.program) && !missing.contains { $0.program == need.program }
        }
        if missing.isEmpty, absent.isEmpty {
            return needed.isEmpty ? [] : [Finding("programs", .ok, "all that sinks and sources need are there")]
        }
        let warnings = absent.map { program, user in
            Finding(
                "programs", .warn, "\(user) needs \(program), which is in the PATH of this shell, not in that of cron",
                remedy: "name it by its path, or set PATH above crier's line: crontab -e")
        }
        let failures = missing.map { program, user in
            let package = ["notify-send": "libnotify-bin", "apprise": "apprise"][program]
            return Finding(
                "programs", .fail, "\(user) needs \(program), which is not there",
                remedy: package.map { "apt install \($0)" } ?? "install it, or name it by its path")
        }
        return failures + warnings
    }

    /// What a program prints, whatever its exit code; nil where it cannot be started, is ended by a signal, or takes longer than three
    /// seconds.
    func output(of command: [String], variables: [String: String]? = nil) async -> String? {
        guard let name = command.first, let path = ProgramPath.of(name, environment: environment) else { return nil }
        let program = BoundedProgram([path] + command.dropFirst(), variables: variables ?? environment)
        guard let ending = try? await program.run(limit: .seconds(3)), !ending.isOverdue, ending.exitCode != nil else {
            return nil
        }
        return ending.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
