import CrierDelivery
import CrierProcess
import Foundation

extension Doctor {
    /// The sinks whose files cannot be written, before there is something to write.
    func fileFindings(_ configuration: Configuration?) -> [Finding] {
        (configuration?.sinks ?? []).compactMap { sink in
            let code: Int32
            let path: String
            switch sink.settings {
            case .file(let settings): (path, code) = (settings.path, obstacle(to: settings.path, isReplaced: false))
            case .feed(let settings): (path, code) = (settings.path, obstacle(to: settings.path, isReplaced: true))
            default: return nil
            }
            if code == 0 { return nil }
            let words = "\(path) of the sink \(sink.name) cannot be written: \(String(cString: strerror(code)))"
            let remedy = "make it yours, or change its path; then crier sink test \(sink.name)"
            return Finding("sink", .fail, words, remedy: remedy)
        }
    }

    /// - Parameter isReplaced: Whether another file takes its place each time, instead of being written to.
    /// - Returns: The number of an error; 0 where it can be written.
    private func obstacle(to path: String, isReplaced: Bool) -> Int32 {
        let path = HomePath.expanded(path, home: environment["HOME"]) ?? path
        guard let target = SymbolicLinks.target(of: path) else { return errno }
        let status = Self.status(of: target)
        if status.map({ $0.st_mode & S_IFMT == S_IFDIR }) == true { return EISDIR }
        let isThere = status != nil
        if isThere, access(target, isReplaced ? R_OK : R_OK | W_OK) != 0 { return errno }
        if isThere, !isReplaced { return 0 }
        return access(Self.nearestFolder(to: target) + "/", W_OK | X_OK) == 0 ? 0 : errno
    }
}
