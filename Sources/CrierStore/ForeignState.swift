import CrierProcess
import Foundation

/// A state, a socket or a unit that another user has made, mostly root by a run with sudo: only that user, or root, can give it back.
package enum ForeignState {
    private static let endings = ["", "-wal", "-shm", ".lock"]

    /// Who owns one of the state's files, or a folder that leads to them, where the user may not use it, and what gives it to the user;
    /// nil where there is none. Of folders only what lies in one of the user's own: any other is not to be taken from its owner.
    package static func owner(of statePath: String) -> (name: String, remedy: String)? {
        let folder = PathText.folder(of: statePath)
        if access(folder, W_OK | X_OK) == 0 {
            return endings.lazy.compactMap { stranger(at: statePath + $0, R_OK | W_OK) }.first.map { owner in
                (owner, "sudo chown \(name(of: geteuid())) \(ShellWord.quoted(statePath))*")
            }
        }
        // Behind a folder that may not be entered, nothing can be looked at.
        guard let closed = nearest(to: folder), let owner = stranger(at: closed, R_OK | W_OK | X_OK),
            status(of: PathText.folder(of: closed))?.st_uid == geteuid()
        else { return nil }
        return (owner, "sudo chown -R \(name(of: geteuid())) \(ShellWord.quoted(closed))")
    }

    /// Who owns a file or folder, or the nearest folder above it that can be looked at; nil where that is this user.
    package static func otherOwner(of path: String) -> String? {
        guard let place = nearest(to: path), let status = status(of: place), status.st_uid != geteuid() else {
            return nil
        }
        return name(of: status.st_uid)
    }

    /// The folder, or the nearest of those above it that can be looked at.
    private static func nearest(to folder: String) -> String? {
        var folder = folder
        while status(of: folder) == nil {
            let above = PathText.folder(of: folder)
            if above == folder { return nil }
            folder = above
        }
        return folder
    }

    /// - Parameter rights: As of access(2): that the user lacks one of.
    private static func stranger(at path: String, _ rights: Int32) -> String? {
        guard let status = status(of: path), status.st_uid != geteuid(), access(path, rights) != 0 else { return nil }
        return name(of: status.st_uid)
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? String(user)
    }

    /// The same as a clause.
    static func words(of statePath: String) -> String? {
        owner(of: statePath).map { "it belongs to \($0.name); `\($0.remedy)` makes it yours" }
    }

    /// Why the system refuses something there.
    package static func cause(of code: Int32, at statePath: String) -> String {
        (code == EACCES ? words(of: statePath) : nil) ?? String(cString: strerror(code))
    }
}
