import CrierProcess
import Foundation

/// The folder of a state file.
enum StateFolder {
    /// Makes the folder of a file that is yet to be, and those above it, for their owner alone.
    ///
    /// - Throws: ``StoreError``, with the system's own words.
    static func make(of path: String) throws(StoreError) {
        let folder = PathText.folder(of: path)
        let code = FolderMaking.make(folder)
        if code == 0 { return }
        let kind: StoreError.Kind =
            switch code {
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .diskFull
            default: .cannotOpen
            }
        throw StoreError(kind, "cannot make the folder \(folder): \(ForeignState.cause(of: code, at: path))")
    }
}
