import CrierProcess
import Foundation

/// Paths as units and crontabs have them, whose working folder is another.
public enum InstalledPath {
    /// The path that leads to the same file from everywhere. Links in it stay, as the user may have them lead elsewhere later; but
    /// `..` leads out of what the link before it leads to.
    public static func absolute(_ path: String) -> String {
        let path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        let parts = path.split(separator: "/").filter { $0 != "." }
        guard let last = parts.lastIndex(of: "..") else { return joined(parts) }
        let folder = SymbolicLinks.resolved(joined(Array(parts[...last])))
        return joined(folder.split(separator: "/") + parts[(last + 1)...])
    }

    /// The path by which a program was called, which an update may leave where it is and have lead to the new one, or that of a
    /// script that runs it under its own name; where it is neither, `executable`.
    ///
    /// - Parameters:
    ///   - name: The first word of its command line.
    ///   - executable: The path of what runs.
    ///   - environment: Whose `PATH` has it where the name has no slash.
    public static func program(
        calledAs name: String, executable: String, environment: [String: String]
    ) -> String {
        guard let path = ProgramPath.of(name, environment: environment).map(absolute),
            isSame(path, executable) || isWrapper(path, of: executable)
        else { return executable }
        return path
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        let identity = FileIdentity(path)
        return identity != nil && identity == FileIdentity(other)
    }

    /// As package managers write it, to set variables: `exec -a "$0" …/.crier-wrapped "$@"`.
    private static func isWrapper(_ path: String, of executable: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let text = try? file.read(upToCount: 64 << 10) else {
            return false
        }
        return text.starts(with: Data("#!".utf8)) && text.range(of: Data(executable.utf8)) != nil
    }

    private static func joined(_ parts: [Substring]) -> String { "/" + parts.joined(separator: "/") }
}
