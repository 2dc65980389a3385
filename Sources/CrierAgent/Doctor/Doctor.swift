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
    let validateExpression: (@Sendable (ExpressionLanguage, String) -> String?)?

    public init(
        configPath: String, statePath: String, environment: [String: String], clock: any WallClock = SystemClock(),
        network: NetworkPath = .system, validateExpression: (@Sendable (ExpressionLanguage, String) -> String?)? = nil
    ) {
        self.configPath = configPath
        self.statePath = statePath
        self.environment = environment
        self.clock = clock
        self.network = network
        self.validateExpression = validateExpression
    }

    /// All findings, in the order of what depends on what.
    public func examine() async -> [Finding] {
        let (configuration, file) = configurationFindings()
        let (store, state) = stateFindings()
        return await file + state + authorizationFinding(store) + programFindings(configuration)
            + desktopFindings(configuration) + serviceFindings() + clockFindings(store) + [networkFinding]
    }

    // MARK: - Files

    private func configurationFindings() -> (Configuration?, [Finding]) {
        let subject = "configuration"
        guard FileManager.default.fileExists(atPath: configPath) else {
            return (nil, [Finding(subject, .fail, "there is none at \(configPath)", remedy: "crier add URL")])
        }
        guard let data = FileManager.default.contents(atPath: configPath) else {
            return (nil, [Finding(subject, .fail, "\(configPath) cannot be read", remedy: "chmod u+r \(configPath)")])
        }
        let result = Configuration.load(
            bytes: [UInt8](data), file: configPath, validateExpression: validateExpression)
        var findings: [Finding] = []
        if let first = result.problems.first {
            let count = result.problems.count == 1 ? "1 mistake" : "\(result.problems.count) mistakes"
            findings.append(Finding(subject, .fail, "\(count): \(first.description)", remedy: "crier check"))
        } else if let configuration = result.configuration {
            let sources = configuration.sources.count
            let words = "\(configPath): \(sources) source\(sources == 1 ? "" : "s")"
            findings.append(
                sources == 0
                    ? Finding(subject, .warn, words, remedy: "crier add URL") : Finding(subject, .ok, words))
        }
        if let mode = Self.mode(of: configPath), mode & 0o022 != 0 {
            findings.append(
                Finding(
                    subject, .warn, "others may write \(configPath), and so choose programs that run as you",
                    remedy: "chmod go-w \(configPath)"))
        }
        return (result.configuration, findings)
    }

    private func stateFindings() -> (Store?, [Finding]) {
        let subject = "state"
        // Opening makes it private again.
        let wasPrivate = isPrivate
        do throws(StoreError) {
            guard let store = try Store.existing(path: statePath, integrityCheck: .always) else {
                return (nil, [Finding(subject, .ok, "there is none yet at \(statePath): the first fetch makes it")])
            }
            let size = (try? FileManager.default.attributesOfItem(atPath: statePath)[.size] as? Int) ?? 0
            let words = "\(statePath) is intact, \(size.formatted(.byteCount(style: .file)))"
            return (store, [Finding(subject, .ok, words)] + permissionFinding(wasPrivate: wasPrivate))
        } catch {
            let remedy: String? =
                switch error.kind {
                case .corrupt: "crier fetch: it sets the file aside and begins a new one; or take one of `crier backup`"
                case .newer: "update crier"
                case .diskFull: "make room on the disk"
                case .readOnly, .cannotOpen: "chmod u+rw \(statePath), and u+rwx its folder"
                default: nil
                }
            return (nil, [Finding(subject, .fail, error.description, remedy: remedy)])
        }
    }

    private var isPrivate: Bool { (Self.mode(of: statePath) ?? 0) & 0o077 == 0 }

    private func permissionFinding(wasPrivate: Bool) -> [Finding] {
        if wasPrivate { return [] }
        return isPrivate
            ? [Finding("state", .warn, "others could read \(statePath) until now")]
            : [Finding("state", .warn, "others may read \(statePath)", remedy: "its owner: chmod 600 \(statePath)")]
    }

    private func authorizationFinding(_ store: Store?) -> [Finding] {
        let subject = "authorization"
        let isThere = FileManager.default.fileExists(atPath: statePath)
        guard store != nil || !isThere,
            let status = try? store?.notificationSettings().authorizationStatus ?? .notDetermined
        else { return [] }
        return switch status {
        case .authorized: [Finding(subject, .ok, "notifications are authorized")]
        case .denied:
            [Finding(subject, .warn, "notifications are denied: recorded, never raised", remedy: "crier authorize")]
        case .notDetermined:
            [Finding(subject, .warn, "nobody has authorized notifications: they wait", remedy: "crier authorize")]
        }
    }

    private static func mode(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    }

    // MARK: - Programs

    /// Of the sinks and sources that are programs, or take one.
    private func programFindings(_ configuration: Configuration?) -> [Finding] {
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
        if missing.isEmpty {
            return needed.isEmpty ? [] : [Finding("programs", .ok, "all that sinks and sources need are there")]
        }
        return missing.map { program, user in
            let package = ["notify-send": "libnotify-bin", "apprise": "apprise"][program]
            return Finding(
                "programs", .fail, "\(user) needs \(program), which is not there",
                remedy: package.map { "apt install \($0)" } ?? "install it, or name it by its path")
        }
    }

    /// What a program prints; nil where it is not there, fails, or takes longer than three seconds.
    func output(of command: [String], variables: [String: String]? = nil) async -> String? {
        guard let name = command.first, let path = ProgramPath.of(name, environment: environment) else { return nil }
        let program = BoundedProgram([path] + command.dropFirst(), variables: variables ?? environment)
        guard let ending = try? await program.run(limit: .seconds(3)), !ending.isOverdue, ending.exitCode != nil else {
            return nil
        }
        return ending.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
