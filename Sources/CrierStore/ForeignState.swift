import Foundation

/// A state that another user has made, mostly root by a run with sudo: only that user, or root, can give it back.
package enum ForeignState {
    private static let endings = ["", "-wal", "-shm", ".lock"]

    /// Who owns one of the state's files that the user may not write, and what gives them to the user; nil where there is none.
    package static func owner(of statePath: String) -> (name: String, remedy: String)? {
        for path in endings.map({ statePath + $0 }) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_uid != geteuid(), access(path, W_OK) != 0 else { continue }
            return (name(of: status.st_uid), "sudo chown \(name(of: geteuid())) \(statePath)*")
        }
        return nil
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? String(user)
    }

    /// The same as a clause.
    static func words(of statePath: String) -> String? {
        owner(of: statePath).map { "it belongs to \($0.name); `\($0.remedy)` makes it yours" }
    }
}
