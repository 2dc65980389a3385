import CrierProcess
import Foundation

extension Installation {
    /// What systemd says of the units of the ways, by their names.
    func standings() async -> [String: UserSystemd.Standing] {
        if launchAgent != nil { return [:] }
        return await systemd.standings(of: [Way.agent, .timer].flatMap(\.units).map(\.name))
    }

    /// Those of some ways that lie elsewhere than among the user's own, as a package puts them there, and are enabled, at work or
    /// have failed.
    public func foreignUnits(of ways: [Way]) async -> [UserSystemd.Standing] {
        let foreign = foreignUnits(among: await standings()).filter { ways.contains($0.key) }
        return foreign.values.filter(\.isInUse).sorted { $0.unit < $1.unit }
    }

    /// Used or not; of each way the one that is enabled. None where the user has an own one, which takes its place.
    func foreignUnits(among standings: [String: UserSystemd.Standing]) -> [Way: UserSystemd.Standing] {
        var foreign: [Way: UserSystemd.Standing] = [:]
        for way in [Way.agent, .timer] {
            guard let standing = standings[way.enabledUnit], !standing.path.isEmpty,
                let own = try? path(of: standing.unit), !FileManager.default.fileExists(atPath: own),
                SymbolicLinks.resolved(standing.path) != SymbolicLinks.resolved(own),
                systemd.isOfAllUsers(standing.path) || !Self.isSealed(standing.path)
            else { continue }
            foreign[way] = standing
        }
        return foreign
    }

    /// Whether `crier install` wrote it, which had another home folder then.
    private static func isSealed(_ path: String) -> Bool {
        guard let text = try? Self.text(at: path) else { return false }
        return Seal.lines.verdict(on: text) != .absent
    }

    /// Under another `HOME` or `XDG_CONFIG_HOME` than the manager's, units would lie where nobody looks for them.
    func checkUnitFolder() async throws(InstallationError) {
        guard launchAgent == nil, let unitFolder, await systemd.looks(into: unitFolder) == false else { return }
        throw InstallationError(
            .unavailable,
            "systemd looks for no units in \(unitFolder), as its HOME or XDG_CONFIG_HOME is another: "
                + "`systemctl --user show-environment` shows what they have to be")
    }

    /// A unit of the user's own stands before one that a package has brought, and hides from then on what that package updates.
    func checkForeignUnit(of way: Way) async throws(InstallationError) {
        guard let standing = foreignUnits(among: await standings())[way] else { return }
        throw InstallationError(
            .refused,
            "\(standing.unit) is there already, at \(standing.path): `\(standing.start)` starts it; --force writes one of your "
                + "own, which takes its place")
    }
}
