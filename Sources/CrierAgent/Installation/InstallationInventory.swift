/// What runs Crier by itself now, whoever wrote it.
public struct InstallationInventory: Sendable {
    var starts: [InstalledStart] = []
    /// What is written there: the whole crontab, units with their drop-ins.
    var texts: [Installation.Way: String] = [:]
    /// Units that the user never wants to run.
    var masked: [String] = []
    /// What systemd says of the units of the ways, by their names.
    var standings: [String: UserSystemd.Standing] = [:]
    /// Units that lie elsewhere than among the user's own, as a package puts them there; each is the one that is enabled.
    var foreign: [Installation.Way: UserSystemd.Standing] = [:]
    /// Why not all of it could be looked at.
    public internal(set) var troubles: [InstallationError] = []

    /// Those by which sources are visited.
    public var ways: Set<Installation.Way> { Set(starts.filter { !$0.isDigest }.map(\.way)) }

    /// The command after which a way runs no more whose unit a package has brought; nil where `crier uninstall` removes it.
    public func end(of way: Installation.Way) -> String? { foreign[way]?.end }
}

/// A unit, or a line of the crontab.
struct InstalledStart: Sendable {
    let way: Installation.Way
    /// As in a sentence.
    let name: String
    var isDigest = false
    /// The path of what is started; nil where it is not written as `crier install` does, or nothing is.
    var program: String?

    /// The command that writes it anew.
    var renewal: String {
        "crier install --\(way.rawValue)" + (isDigest ? " --digest NAME" : "") + (way == .cron ? "" : " --enable")
    }
}
