import CrierProcess
import Foundation

/// A state that another user has made, mostly root by a run with sudo: only that user, or root, can give it back.
package enum ForeignState {
    private static let endings = ["", "-wal", "-shm", ".lock"]
    /// That which Crier makes by itself: one that it did not make is not to be taken from its owner.
    private static let ownFolder = "crier"

    /// Who owns one of the state's files, or their folder, where the user may not use it, and what gives them to the user; nil where
    /// there is none.
    package static func owner(of statePath: String) -> (name: String, remedy: String)? {
        let folder = PathText.folder(of: statePath)
        if PathText.split(folder).name == ownFolder, let owner = stranger(at: folder, R_OK | W_OK | X_OK) {
            return (owner, "sudo chown -R \(name(of: geteuid())) \(ShellWord.quoted(folder))")
        }
        return endings.lazy.compactMap { stranger(at: statePath + $0, R_OK | W_OK) }.first.map { owner in
            (owner, "sudo chown \(name(of: geteuid())) \(ShellWord.quoted(statePath))*")
        }
    }

    /// - Parameter rights: As of access(2): that the user lacks one of.
    private static func stranger(at path: String, _ rights: Int32) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != geteuid(), access(path, rights) != 0 else { return nil }
        return name(of: status.st_uid)
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? String(user)
    }

    /// The same as a clause.
    static func words(of statePath: String) -> String? {
        owner(of: statePath).map { "it belongs to \($0.name); `\($0.remedy)` makes it yours" }
    }

    /// Why the system refuses something there.
    static func cause(of code: Int32, at statePath: String) -> String {
        (code == EACCES ? words(of: statePath) : nil) ?? String(cString: strerror(code))
    }
}
