import CrierProcess
import Foundation

/// How far a file may grow (`ulimit -f`, `LimitFSIZE=`), of which SQLite says no more than that a write failed.
package enum FileSizeLimit {
    /// In bytes; as many as a file can have where none is set.
    static var bytes: off_t { off_t(clamping: ResourceLimit.fileSize.value?.rlim_cur ?? .max) }

    /// Whether one of a state's files has come so near to it that a transaction may not fit.
    package static func isReached(by statePath: String) -> Bool {
        let limit = bytes
        let path = SymbolicLinks.resolved(statePath)
        return [path, path + "-wal"].contains { file in
            var status = stat()
            return stat(file, &status) == 0 && status.st_size > limit - Store.roomOfOne
        }
    }
}
