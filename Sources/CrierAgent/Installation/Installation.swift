import CrierProcess
import CrierStore
import Foundation

/// Why nothing was installed or removed: a sentence for the user.
public struct InstallationError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// It would destroy what the user has written.
        case refused
        /// A program or a folder that it takes is not there, or failed.
        case unavailable
        /// A file cannot be written.
        case unwritable
    }

    public let kind: Kind
    public let description: String
    public var errorDescription: String? { description }

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// What makes Crier run by itself: what there is, and what has to be done so that there is something else.
public struct Installation: Sendable {
    public enum Way: String, Sendable, Hashable, CaseIterable {
        case agent, timer, cron
    }

    /// What starts services on a machine.
    public enum ServiceManager: Sendable, Hashable {
        case systemd, launchd

        public static var here: ServiceManager {
            #if os(macOS)
                .launchd
            #else
                .systemd
            #endif
        }
    }

    /// The user's systemd units are here; nil without a home folder.
    let unitFolder: String?
    /// systemd notes here when a persistent timer ran last.
    let stampFolder: String?
    public let crontab: Crontab
    let systemd: UserSystemd
    /// Nil where systemd starts services.
    let launchAgent: LaunchAgent?
    private let home: String

    public init(environment: [String: String], manager: ServiceManager = .here) {
        home = environment["HOME"] ?? NSHomeDirectory()
        launchAgent = manager == .launchd ? LaunchAgent(folder: "\(home)/Library/LaunchAgents") : nil
        unitFolder = ConfigurationPaths.folder("XDG_CONFIG_HOME", inHome: ".config", environment).map {
            "\($0)/systemd/user"
        }
        stampFolder = ConfigurationPaths.folder("XDG_DATA_HOME", inHome: ".local/share", environment).map {
            "\($0)/systemd/timers"
        }
        crontab = Crontab(environment: environment)
        systemd = UserSystemd(environment: environment)
    }

    /// What is there now. What cannot be looked at keeps nothing else from being found.
    public func found() async -> InstallationInventory {
        var found = InstallationInventory()
        if let launchAgent, FileManager.default.fileExists(atPath: launchAgent.path) {
            let program = (try? Self.text(at: launchAgent.path)).flatMap(LaunchAgent.program)
            found.starts.append(InstalledStart(way: .agent, name: LaunchAgent.label, program: program))
        }
        do throws(InstallationError) {
            for way in [Way.agent, .timer] where launchAgent == nil {
                for unit in unitGroups(of: way).joined() { try find(unit, of: way, in: &found) }
            }
        } catch { found.troubles.append(error) }
        do { try await checkUnitFolder() } catch { found.troubles.append(error) }
        found.standings = await standings()
        found.foreign = foreignUnits(among: found.standings)
        for (way, standing) in found.foreign where standing.isInUse && !found.masked.contains(standing.unit) {
            found.starts.append(InstalledStart(way: way, name: standing.unit))
            found.texts[way, default: ""] += way.units.compactMap { found.standings[$0.name] }.map {
                text(ofUnit: $0.unit, at: $0.path)
            }.joined()
        }
        do throws(InstallationError) {
            let text = crontab.isPossible ? try await crontab.text() : ""
            let block = try CrontabBlock(in: text)
            if block != nil { found.texts[.cron] = text }
            for line in block?.lines ?? [] where !line.hasPrefix("#") {
                let program = InstalledCommand.program(ofCron: CrontabBlock.command(of: line).program)
                found.starts.append(
                    InstalledStart(
                        way: .cron, name: "a line in your crontab", isDigest: !CrontabBlock.isFetchLine(line),
                        program: program))
            }
        } catch { found.troubles.append(error) }
        return found
    }

    private func find(_ unit: String, of way: Way, in found: inout InstallationInventory) throws(InstallationError) {
        let path = try path(of: unit)
        if Self.isMasked(path) {
            found.masked.append(unit)
        } else if try Self.isThere(path) {
            // What `systemctl edit` has put beside it may start something else.
            let isEdited = FileManager.default.fileExists(atPath: path + ".d")
            found.texts[way, default: ""] += text(ofUnit: unit, at: path)
            let program = (try? Self.text(at: path)).flatMap { InstalledCommand.program(inUnit: $0, home: home) }
            found.starts.append(
                InstalledStart(
                    way: way, name: unit, isDigest: unit.hasPrefix(InstalledDigest.unitPrefix),
                    program: isEdited ? nil : program))
        }
    }

    /// With what `systemctl edit` has put beside the place for the user's own.
    private func text(ofUnit unit: String, at path: String) -> String {
        let edits = unitFolder.map { "\($0)/\(unit).d" } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: edits)) ?? []
        let texts = ([path] + names.map { "\(edits)/\($0)" }).compactMap { try? Self.text(at: $0) }
        return texts.joined(separator: "\n") + "\n"
    }

    // MARK: - Installing

    /// With which a timer or cron has the visits made.
    static let fetchWords = ["fetch", "--scheduled", "--quiet"]

    /// What it takes to install one way.
    ///
    /// - Parameters:
    ///   - digest: What is run in time instead of the visits, by a timer or cron; nil: the visits.
    ///   - enables: Whether systemd shall start it, now and from now on. A line in a crontab needs no more.
    ///   - overwrites: Whether also what the user has changed.
    public func steps(
        toInstall way: Way, digest: InstalledDigest? = nil, running command: InstalledCommand, enables: Bool = false,
        overwrites: Bool = false
    ) async throws(InstallationError) -> [InstallationStep] {
        if way == .cron { return try await steps(toScheduleByCron: digest, command, overwrites: overwrites) }
        if let launchAgent {
            guard way == .agent else {
                throw InstallationError(.unavailable, "there is no systemd here: choose --agent or --cron")
            }
            let text = Seal.markup.sealed(LaunchAgent.text(command))
            let steps = try self.steps(toWrite: text, .markup, to: launchAgent.path, overwrites: overwrites)
            return enables ? steps + [.run(launchAgent.start, isNeeded: true)] : steps
        }
        guard systemd.isPossible else {
            throw InstallationError(.unavailable, "there is no systemd here: choose --cron")
        }
        let units = digest?.units ?? way.units
        try await checkUnitFolder()
        if digest == nil, !overwrites { try await checkForeignUnit(of: way) }
        var steps: [InstallationStep] = []
        for unit in units {
            let path = try path(of: unit.name)
            if Self.isMasked(path) {
                throw InstallationError(
                    .refused, "\(unit.name) is masked: `\(Self.unmaskCommand(unit.name))` lets it run again")
            }
            let text = Seal.lines.sealed(unit.text(try command.unitText(unit.words)))
            steps += try self.steps(toWrite: text, .lines, to: path, overwrites: overwrites)
        }
        if enables {
            steps.append(.run(["systemctl", "--user", "daemon-reload"], isNeeded: true))
            let unit = digest?.enabledUnit ?? way.enabledUnit
            steps.append(.run(["systemctl", "--user", "enable", "--now", unit], isNeeded: true))
        }
        return steps
    }

    /// None where it is there already.
    private func steps(
        toWrite text: String, _ seal: Seal, to path: String, overwrites: Bool
    ) throws(InstallationError) -> [InstallationStep] {
        if let old = try Self.text(at: path) {
            if old == text { return [] }
            if seal.verdict(on: old) != .intact, !overwrites { throw Self.changed(path) }
        }
        return [.write(path, text: text)]
    }

    private func steps(
        toScheduleByCron digest: InstalledDigest?, _ command: InstalledCommand, overwrites: Bool
    ) async throws(InstallationError) -> [InstallationStep] {
        let text = try await crontab.text()
        let old = try CrontabBlock(in: text)
        if let old, !old.isIntact, !overwrites { throw Self.changed("the lines of crier in your crontab") }
        let minute = CrontabBlock.minute(home: home)
        var line = CrontabBlock.fetchLine(try command.cronText(Self.fetchWords), minute: minute)
        if let digest { line = try digest.cronLine(command) }
        let isOther = { (other: String) in !(digest?.isCronLine(other) ?? CrontabBlock.isFetchLine(other)) }
        var others = old?.lines.filter(isOther) ?? []
        if old?.isIntact == true { others = others.map { CrontabBlock.renewed($0, minute: minute) } }
        let block = CrontabBlock(lines: digest == nil ? [line] + others : others + [line])
        let new = block.placed(in: text, instead: old)
        if new == text { return [] }
        let added = block.lines.filter { $0 == line || old?.lines.contains($0) == false }
        return [.crontab(new, adds: true, saying: "to your crontab: \(added.joined(separator: "; "))")]
    }

    /// The command that has this machine run Crier.
    var recommendation: String {
        if launchAgent != nil { return "crier install --agent --enable" }
        if systemd.isPossible { return "crier install --timer --enable" }
        return crontab.isPossible ? "crier install --cron" : "start `crier agent` with your session"
    }

    /// The command with which the user starts what was installed without being started.
    public func startCommand(_ unit: String) -> String {
        if let launchAgent { return launchAgent.start.map(ShellWord.quoted).joined(separator: " ") }
        let word = unit.contains("\\") ? "'\(unit)'" : unit
        return "systemctl --user daemon-reload && systemctl --user enable --now \(word)"
    }

    /// The command with which the user takes back that a unit is never to run.
    static func unmaskCommand(_ unit: String) -> String {
        "systemctl --user unmask \(ShellWord.quoted(unit))"
    }

    /// What keeps it from running when nobody is logged in, and the remedy; nil where there is none.
    public var lingerNote: String? {
        if launchAgent != nil { return nil }
        return "It runs while you are logged in; `loginctl enable-linger` lets it run always."
    }

    // MARK: - What there is

    /// The units of a way or of a digest, whether they are there or not, by what belongs together; the last of a group is the one
    /// that is enabled.
    func unitGroups(of way: Way, digest: String? = nil) -> [[String]] {
        let digests = way == .timer ? digestUnits() : []
        guard let digest else { return [way.units.map(\.name)] + digests }
        return digests.filter { $0 == InstalledDigest.unitNames(digest) }
    }

    /// The units of digests that are there, whoever wrote them, each with its timer as the last.
    private func digestUnits() -> [[String]] {
        guard let unitFolder, let files = try? FileManager.default.contentsOfDirectory(atPath: unitFolder) else {
            return []
        }
        let stems = files.filter { $0.hasPrefix(InstalledDigest.unitPrefix) }.compactMap { file in
            [".service", ".timer"].first(where: file.hasSuffix).map { String(file.dropLast($0.count)) }
        }
        return Set(stems).sorted().map { ["\($0).service", "\($0).timer"] }
    }

    func path(of unit: String) throws(InstallationError) -> String {
        guard let unitFolder else {
            throw InstallationError(.unavailable, "no home folder: there is no place for units")
        }
        return "\(unitFolder)/\(unit)"
    }

    /// Whether the user has said in a unit's place that it is never to run (`systemctl mask`).
    static func isMasked(_ path: String) -> Bool { SymbolicLinks.resolved(path) == "/dev/null" }

    /// - Throws: where it cannot be looked at, of its folder: the same of all that is in it.
    static func isThere(_ path: String) throws(InstallationError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        if errno != EACCES { return false }
        let cause = ForeignState.cause(of: EACCES, at: path)
        throw InstallationError(.unavailable, "cannot look into \(PathText.folder(of: path)): \(cause)")
    }

    static func text(at path: String) throws(InstallationError) -> String? {
        guard try isThere(path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw InstallationError(.unavailable, "cannot read \(path)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    static func changed(_ what: String) -> InstallationError {
        InstallationError(
            .refused,
            "`crier install` did not write \(what), or something changed since; --force does it nevertheless")
    }
}

/// A file of a way.
struct Unit: Sendable {
    let name: String
    /// What the binary is started with; empty for what starts nothing.
    var words: [String] = []
    /// By the command that starts it so.
    let text: @Sendable (_ command: String) -> String
}

extension Installation.Way {
    var units: [Unit] {
        switch self {
        case .agent: [Unit(name: "crier-agent.service", words: ["agent"], text: UnitText.agentService)]
        case .timer:
            [
                Unit(name: "crier-fetch.service", words: Installation.fetchWords, text: UnitText.fetchService),
                Unit(name: "crier-fetch.timer") { _ in UnitText.fetchTimer },
            ]
        case .cron: []
        }
    }

    /// The unit that `systemctl enable` takes; empty for a crontab.
    public var enabledUnit: String { units.last?.name ?? "" }
}
