import CrierProcess
import Foundation

/// The user's systemd, as `systemctl --user` tells of it.
public struct UserSystemd: Sendable {
    /// What it says of a unit, wherever that lies.
    public struct Standing: Sendable, Hashable {
        public let unit: String
        /// Where it lies; empty where that is nowhere, or it is masked.
        public let path: String
        let isEnabled: Bool
        /// Such as `active`, `inactive` or `failed`.
        let activity: String

        /// Whether it runs, will run by itself, or has failed to.
        var isInUse: Bool { !path.isEmpty && (isEnabled || activity != "inactive") }
        /// The command that has it run.
        var start: String { "systemctl --user enable --now \(ShellWord.quoted(unit))" }
        /// The command after which it runs no more, also where it was enabled for all users.
        public var end: String { "systemctl --user mask --now \(ShellWord.quoted(unit))" }
    }

    private let environment: [String: String]

    init(environment: [String: String]) {
        self.environment = Self.variables(environment)
    }

    /// With the folder of the user's session, by which `systemctl` finds it and which `su`, cron and `sudo -u` leave out.
    static func variables(_ environment: [String: String]) -> [String: String] {
        let folder = ConfigurationPaths.sessionFolder
        guard environment["XDG_RUNTIME_DIR"] == nil, ConfigurationPaths.isOwn(folder) else { return environment }
        return environment.merging(["XDG_RUNTIME_DIR": folder]) { $1 }
    }

    var isPossible: Bool { program != nil }

    /// By the units' names; without what it does not tell. Where it cannot be reached, those of all users are known by their files.
    func standings(of units: [String]) async -> [String: Standing] {
        let properties = "--property=Id,LoadState,FragmentPath,UnitFileState,ActiveState"
        let text = await show([properties] + units)
        let standings =
            text?.split(separator: "\n\n").compactMap(Self.standing) ?? units.compactMap(standingOfFile)
        return Dictionary(standings.map { ($0.unit, $0) }) { first, _ in first }
    }

    /// Whether it looks for units in a folder; nil where it does not tell.
    func looks(into folder: String) async -> Bool? {
        guard let text = await show(["--property=UnitPath"]), text.hasPrefix("UnitPath=") else { return nil }
        let list = text.dropFirst("UnitPath=".count)
        // What has spaces stands in quotes.
        if list.contains("\"\(folder)\"") { return true }
        let folders = list.split(whereSeparator: \.isWhitespace).map(String.init)
        return folders.contains { SymbolicLinks.resolved($0) == SymbolicLinks.resolved(folder) }
    }

    /// What `systemctl show` says; nil where it cannot be asked.
    private func show(_ arguments: [String]) async -> String? {
        guard let program else { return nil }
        let show = BoundedProgram([program, "--user", "show"] + arguments, variables: environment)
        guard let ending = try? await show.run(limit: .seconds(3)), ending.exitCode == 0 else { return nil }
        return ending.outputText
    }

    /// Whether it is used is not known.
    private func standingOfFile(_ unit: String) -> Standing? {
        let paths = folders.map { "\($0)/systemd/user/\(unit)" }
        guard isPossible, let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }),
            !Installation.isMasked(path)
        else { return nil }
        return Standing(unit: unit, path: path, isEnabled: false, activity: "inactive")
    }

    /// Whether a unit there is for all users.
    func isOfAllUsers(_ path: String) -> Bool { folders.contains { path.hasPrefix("\($0)/systemd/user/") } }

    /// In whose `systemd/user` units of all users lie, the first to be read first (systemd.unit(5)).
    private var folders: [String] {
        func list(_ variable: String, _ usual: String) -> [String] {
            (environment[variable] ?? usual).split(separator: ":").map(String.init)
        }
        return list("XDG_CONFIG_DIRS", "/etc/xdg") + ["/etc", "/run"]
            + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share") + ["/usr/local/lib", "/usr/lib"]
    }

    private var program: String? { ProgramPath.of("systemctl", environment: environment) }

    /// By lines such as `ActiveState=active`.
    private static func standing(_ text: Substring) -> Standing? {
        let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        let values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], String($0[1])) }) { $1 }
        guard let unit = values["Id"], let activity = values["ActiveState"] else { return nil }
        return Standing(
            unit: unit, path: values["LoadState"] == "loaded" ? values["FragmentPath"] ?? "" : "",
            isEnabled: values["UnitFileState"] == "enabled", activity: activity)
    }
}
