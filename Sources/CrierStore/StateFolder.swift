import CrierProcess
import Foundation

/// The folder of a state file.
enum StateFolder {
    /// Makes the folder of a file that is yet to be, and those above it, for their owner alone.
    ///
    /// - Throws: ``StoreError``, with the system's own words.
    static func make(of path: String) throws(StoreError) {
        let folder = PathText.folder(of: path)
        let code = make(folder)
        if code == 0 { return }
        let kind: StoreError.Kind =
            switch code {
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .diskFull
            default: .cannotOpen
            }
        throw StoreError(kind, "cannot make the folder \(folder): \(String(cString: strerror(code)))")
    }

    /// - Returns: The number of the error, such as `EACCES`; 0 where the folder is there then.
    private static func make(_ folder: String) -> Int32 {
        if access(folder, F_OK) == 0 { return 0 }
        let code = makeOne(folder)
        let above = PathText.folder(of: folder)
        guard code == ENOENT, above != folder else { return code }
        let cause = make(above)
        return cause == 0 ? makeOne(folder) : cause
    }

    /// Another process may be as quick.
    private static func makeOne(_ folder: String) -> Int32 {
        mkdir(folder, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }
}
