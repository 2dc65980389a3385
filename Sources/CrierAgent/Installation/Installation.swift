import Foundation

/// Why nothing was installed or removed: a sentence for the user.
public struct InstallationError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// It would destroy what the user has written.
        case refused
        /// A program or a folder that it takes is not there, or failed.
        case unavailable
    }

    public let kind: Kind
    public let description: String

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

    /// The user's systemd units are here; nil without a home folder.
    let unitFolder: String?
    /// systemd notes here when a persistent timer ran last.
    let stampFolder: String?
    public let crontab: Crontab

    public init(environment: [String: String]) {
        unitFolder = ConfigurationPaths.folder("XDG_CONFIG_HOME", inHome: ".config", environment).map {
            "\($0)/systemd/user"
        }
        stampFolder = ConfigurationPaths.folder("XDG_DATA_HOME", inHome: ".local/share", environment).map {
            "\($0)/systemd/timers"
        }
        crontab = Crontab(environment: environment)
    }

    /// Which of the ways are there now, whoever wrote them.
    public func found() async throws(InstallationError) -> Set<Way> {
        var found = Set<Way>()
        for way in [Way.agent, .timer] {
            for unit in way.units where FileManager.default.fileExists(atPath: try path(of: unit)) { found.insert(way) }
        }
        if crontab.isPossible, try await CrontabBlock(in: crontab.text()) != nil { found.insert(.cron) }
        return found
    }

    // MARK: - Installing

    /// What it takes to install one way.
    ///
    /// - Parameters:
    ///   - enables: Whether systemd shall start it, now and from now on. A line in a crontab needs no more.
    ///   - overwrites: Whether also what the user has changed.
    public func steps(
        toInstall way: Way, running command: InstalledCommand, enables: Bool = false, overwrites: Bool = false
    ) async throws(InstallationError) -> [InstallationStep] {
        guard way != .cron else {
            let block = CrontabBlock(command: try command.cronText(["fetch", "--scheduled", "--quiet"]))
            let text = try await crontab.text()
            let old = try CrontabBlock(in: text)
            if let old, !old.isIntact, !overwrites { throw Self.changed("the lines of crier in your crontab") }
            let new = block.placed(in: text, instead: old)
            return new == text ? [] : [.crontab(new, saying: block.lines)]
        }
        var steps: [InstallationStep] = []
        for unit in way.units {
            let path = try path(of: unit)
            let text = Seal.sealed(
                unit.text.replacing(UnitText.binary + unit.arguments, with: try command.unitText(unit.words)))
            if let old = try Self.text(at: path) {
                if old == text { continue }
                if Seal.verdict(on: old) != .intact, !overwrites { throw Self.changed(path) }
            }
            steps.append(.write(path, text: text))
        }
        if enables {
            steps.append(.run(["systemctl", "--user", "daemon-reload"], isNeeded: true))
            steps.append(.run(["systemctl", "--user", "enable", "--now", way.enabledUnit], isNeeded: true))
        }
        return steps
    }

    // MARK: - Removing

    /// What it takes to leave nothing of one way.
    ///
    /// - Parameter overwrites: Whether also what the user has changed is removed.
    public func steps(toRemove way: Way, overwrites: Bool = false) async throws(InstallationError) -> [InstallationStep]
    {
        guard way != .cron else {
            guard crontab.isPossible else { return [] }
            let text = try await crontab.text()
            guard let block = try CrontabBlock(in: text) else { return [] }
            if !block.isIntact, !overwrites { throw Self.changed("the lines of crier in your crontab") }
            return [.crontab(block.removed(from: text), saying: [])]
        }
        var removals: [InstallationStep] = []
        for unit in way.units {
            let path = try path(of: unit)
            guard let text = try Self.text(at: path) else { continue }
            if Seal.verdict(on: text) != .intact, !overwrites { throw Self.changed(path) }
            removals.append(.remove(path))
        }
        removals += links(to: way.enabledUnit).map { .remove($0) }
        if removals.isEmpty { return [] }
        if let stampFolder, way == .timer {
            let stamp = "\(stampFolder)/stamp-\(way.enabledUnit)"
            if FileManager.default.fileExists(atPath: stamp) { removals.append(.remove(stamp)) }
        }
        return [.run(["systemctl", "--user", "disable", "--now", way.enabledUnit], isNeeded: false)] + removals
            + [.run(["systemctl", "--user", "daemon-reload"], isNeeded: false)]
    }

    /// What enabling a unit leaves.
    private func links(to unit: String) -> [String] {
        guard let unitFolder, let entries = try? FileManager.default.contentsOfDirectory(atPath: unitFolder) else {
            return []
        }
        return entries.filter { $0.hasSuffix(".wants") }.sorted().map { "\(unitFolder)/\($0)/\(unit)" }.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: $0)) != nil
        }
    }

    func path(of unit: Unit) throws(InstallationError) -> String {
        guard let unitFolder else {
            throw InstallationError(.unavailable, "no home folder: there is no place for units")
        }
        return "\(unitFolder)/\(unit.name)"
    }

    private static func text(at path: String) throws(InstallationError) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw InstallationError(.unavailable, "cannot read \(path)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func changed(_ what: String) -> InstallationError {
        InstallationError(
            .refused, "\(what) was not written by `crier install`, or changed since; --force does it nevertheless")
    }
}

/// A file of a way.
struct Unit: Sendable {
    let name: String
    let text: String
    /// What the binary is started with; empty for what starts nothing.
    let words: [String]

    var arguments: String { words.map { " " + $0 }.joined() }
}

extension Installation.Way {
    var units: [Unit] {
        switch self {
        case .agent: [Unit(name: "crier-agent.service", text: UnitText.agentService, words: ["agent"])]
        case .timer:
            [
                Unit(
                    name: "crier-fetch.service", text: UnitText.fetchService,
                    words: ["fetch", "--scheduled", "--quiet"]),
                Unit(name: "crier-fetch.timer", text: UnitText.fetchTimer, words: []),
            ]
        case .cron: []
        }
    }

    /// The unit that `systemctl enable` takes; empty for a crontab.
    public var enabledUnit: String { units.last?.name ?? "" }
}
