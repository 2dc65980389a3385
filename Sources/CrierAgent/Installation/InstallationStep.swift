import CrierProcess
import CrierStore
import Foundation

/// One change to the machine, which can be told before it is made.
public enum InstallationStep: Sendable, Hashable {
    case write(String, text: String)
    case remove(String)
    /// The whole crontab anew; with whether that adds or removes something, and what.
    case crontab(String, adds: Bool, saying: String)
    /// - isNeeded: Whether all is in vain if it fails.
    case run([String], isNeeded: Bool)

    /// What is to be done: for the user, in one line.
    public var description: String { "\(words.verb) \(words.object)" }

    /// The same once it is done.
    public var account: String { "\(words.past) \(words.object)" }

    private var words: (verb: String, past: String, object: String) {
        switch self {
        case .write(let path, _): ("write", "wrote", path)
        case .remove(let path): ("remove", "removed", path)
        case .crontab(_, let adds, let words): adds ? ("add", "added", words) : ("remove", "removed", words)
        case .run(let command, _): ("run", "ran", command.joined(separator: " "))
        }
    }

    /// Makes the change.
    ///
    /// - Returns: Why it was not made, where that does no harm.
    @discardableResult
    public func perform(crontab: Crontab) async throws(InstallationError) -> String? {
        switch self {
        case .write(let path, let text): try Self.write(text, to: path)
        case .remove(let path): try Self.delete(path)
        case .crontab(let text, _, _): try await crontab.replace(with: text)
        case .run(let command, let isNeeded):
            let variables = UserSystemd.variables(ProcessInfo.processInfo.environment)
            do {
                _ = try await BoundedProgram(command, variables: variables)
                    .output(limit: .seconds(60), outputLimit: 64 << 10)
            } catch {
                if !isNeeded { return error.description }
                let remedy = Self.remedy(after: error, of: command)
                // Some of what is quoted there are sentences.
                let isSentence = error.description.hasSuffix(".") && !remedy.isEmpty
                let cause = isSentence ? String(error.description.dropLast()) : error.description
                throw InstallationError(.unavailable, cause + remedy)
            }
        }
        return nil
    }

    /// What to do where systemctl finds no manager of the user's own, as in a container, or what is started ends at once; empty where
    /// it is neither.
    private static func remedy(after error: ProgramFailure, of command: [String]) -> String {
        if error.description.contains(": Job for "), let unit = command.last {
            return "; `journalctl --user -u \(ShellWord.quoted(unit))` says why"
        }
        guard error.description.contains("Failed to connect to"), error.description.contains("bus") else { return "" }
        return "; what is written stays. A systemd of your own is started by `loginctl enable-linger`, and found by "
            + "XDG_RUNTIME_DIR=/run/user/\(getuid()); then say this again. Without systemd take --cron"
    }

    private static func write(_ text: String, to path: String) throws(InstallationError) {
        let place = place(of: path)
        var code = place.map { FolderMaking.make(PathText.folder(of: $0)) } ?? errno
        if let place, code == 0 { code = FileReplacement.replace(place, with: Array(text.utf8), mode: 0o644) }
        guard code == 0 else {
            throw InstallationError(.unwritable, "cannot write \(path): \(ForeignState.cause(of: code, at: path))")
        }
    }

    /// The file behind a link, as of whoever keeps units in git; a link to what is no file, as a mask is one, is replaced itself. Nil
    /// where it leads nowhere.
    private static func place(of path: String) -> String? {
        SymbolicLinks.target(of: path).map { target in
            var status = stat()
            return stat(target, &status) == 0 && status.st_mode & S_IFMT != S_IFREG ? path : target
        }
    }

    /// The folders stay, as nobody can know any more who has made them.
    private static func delete(_ path: String) throws(InstallationError) {
        // What `systemctl disable` has removed already is gone.
        guard unlink(path) == 0 || errno == ENOENT else {
            throw InstallationError(.unavailable, "cannot remove \(path): \(ForeignState.cause(of: errno, at: path))")
        }
    }
}
