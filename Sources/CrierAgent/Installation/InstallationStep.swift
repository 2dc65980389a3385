import CrierProcess
import Foundation

/// One change to the machine, which can be told before it is made.
public enum InstallationStep: Sendable, Hashable {
    case write(String, text: String)
    case remove(String)
    /// The whole crontab anew; with what that means for the user.
    case crontab(String, saying: String)
    /// - isNeeded: Whether all is in vain if it fails.
    case run([String], isNeeded: Bool)

    /// For the user, in one line.
    public var description: String {
        switch self {
        case .write(let path, _): "write \(path)"
        case .remove(let path): "remove \(path)"
        case .crontab(_, let words): words
        case .run(let command, _): "run \(command.joined(separator: " "))"
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
        case .crontab(let text, _): try await crontab.replace(with: text)
        case .run(let command, let isNeeded):
            do {
                _ = try await BoundedProgram(command).output(limit: .seconds(60), outputLimit: 64 << 10)
            } catch {
                if isNeeded { throw InstallationError(.unavailable, error.description) }
                return error.description
            }
        }
        return nil
    }

    private static func write(_ text: String, to path: String) throws(InstallationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: PathText.folder(of: path), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        } catch {
            throw InstallationError(.unavailable, "cannot write \(path): \((error as NSError).localizedDescription)")
        }
    }

    /// With the folders that it leaves empty, up to that of systemd.
    private static func delete(_ path: String) throws(InstallationError) {
        // What `systemctl disable` has removed already is gone.
        guard unlink(path) == 0 || errno == ENOENT else {
            throw InstallationError(.unavailable, "cannot remove \(path): \(String(cString: strerror(errno)))")
        }
        var folder = PathText.folder(of: path)
        while folder.contains("/systemd"), rmdir(folder) == 0 {
            folder = PathText.folder(of: folder)
        }
    }
}
