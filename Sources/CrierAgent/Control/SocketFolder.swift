import CrierProcess
import Foundation
import NIOCore

/// The folder of the agent's socket. It is held open: whoever may rename it leads nothing else into what is done to it.
struct SocketFolder {
    private let own: Descriptor
    private let above: Descriptor

    /// Nobody else may look into it: the socket is there before its mode is set.
    init(_ path: String) throws(IOError) {
        let code = FolderMaking.make(path)
        if code != 0 { throw IOError(errnoCode: code, reason: path) }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        // The superuser follows no link that a user may have put there.
        let ownFlags = geteuid() == 0 ? flags | O_NOFOLLOW : flags
        guard let above = Descriptor(open(PathText.folder(of: path), flags)),
            let own = Descriptor(openat(above.number, PathText.split(path).name, ownFlags)),
            fchmod(own.number, 0o700) == 0
        else { throw IOError(errnoCode: errno, reason: path) }
        (self.own, self.above) = (own, above)
    }

    /// Makes a socket that is there its owner's alone. What the superuser's agent makes among a user's sockets is the user's, as their
    /// next agent needs the folder, and the socket where the state is theirs, too: nobody else is to ask of it.
    func give(_ socket: String, ofState statePath: String) {
        fchmodat(own.number, socket, 0o600, 0)
        var (folder, user, state) = (stat(), stat(), stat())
        guard geteuid() == 0, fstat(own.number, &folder) == 0, folder.st_uid == 0, fstat(above.number, &user) == 0
        else { return }
        if stat(statePath, &state) == 0, state.st_uid == user.st_uid {
            fchownat(own.number, socket, user.st_uid, user.st_gid, AT_SYMLINK_NOFOLLOW)
        }
        fchown(own.number, user.st_uid, user.st_gid)
    }
}
