import CrierProcess
import Foundation

/// Where the user's files are (XDG Base Directory Specification).
public enum ConfigurationPaths {
    /// The configuration: `option` (`--config`), else `CRIER_CONFIG`, else `crier/crier.yaml` in the user's folder for it.
    ///
    /// - Returns: nil if there is neither of them nor a home folder.
    public static func configuration(option: String? = nil, environment: [String: String]) -> String? {
        chosen(option, "CRIER_CONFIG", environment)
            ?? folder("XDG_CONFIG_HOME", inHome: ".config", environment).map { "\($0)/crier/crier.yaml" }
    }

    /// The state: `option` (`--state`), else `CRIER_STATE`, else `crier/crier.sqlite` in the user's state folder.
    ///
    /// - Returns: nil if there is neither of them nor a home folder.
    public static func state(option: String? = nil, environment: [String: String]) -> String? {
        chosen(option, "CRIER_STATE", environment)
            ?? folder("XDG_STATE_HOME", inHome: ".local/state", environment).map { "\($0)/crier/crier.sqlite" }
    }

    /// The folder of the pages that clicks on the desktop open.
    ///
    /// - Returns: nil without a home folder.
    public static func pages(environment: [String: String]) -> String? {
        folder("XDG_STATE_HOME", inHome: ".local/state", environment).map { "\($0)/crier/pages" }
    }

    /// The agent's socket: `crier/agent.sock` in the user's folder for what lives as long as the session. The agent and who asks it
    /// look for it by this alone.
    ///
    /// - Parameter session: The folder where no variable names one.
    /// - Returns: nil where there is no such folder.
    public static func socket(environment: [String: String], session: String = sessionFolder) -> String? {
        let folder = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? trimmed($0) : nil }
        return (folder ?? (isOwn(session) ? session : nil)).map { $0 + "/crier/agent.sock" }
    }

    /// Where the system has the folder of the user's session, of which `su`, cron and `sudo -u` set no variable.
    public static var sessionFolder: String { "/run/user/\(getuid())" }

    /// Whether a folder is there, and this user's.
    static func isOwn(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_uid == getuid()
    }

    /// On the command line a `~` is the shell's; in a variable that systemd sets, nobody puts the home folder for it.
    private static func chosen(_ option: String?, _ name: String, _ environment: [String: String]) -> String? {
        if let option { return option }
        guard let path = environment[name], !path.isEmpty else { return nil }
        return HomePath.expanded(path, home: environment["HOME"]) ?? path
    }

    /// "All paths set in these environment variables must be absolute"; a relative one is to be ignored.
    static func folder(_ name: String, inHome folder: String, _ environment: [String: String]) -> String? {
        if let path = environment[name], path.hasPrefix("/") { return trimmed(path) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return trimmed(home) + "/" + folder
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
