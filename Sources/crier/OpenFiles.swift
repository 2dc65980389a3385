import ArgumentParser
import CrierProcess
import Foundation

/// How many files, pipes and sockets a process may have open at once (`ulimit -n`).
enum OpenFiles {
    /// Where there is no descriptor left, dispatch ends the process, and libraries cannot be loaded.
    private static let fewest: rlim_t = 32
    /// An agent with many visits under way has some more.
    private static let enough: rlim_t = 64
    private static let plenty: rlim_t = 256

    /// Takes more of them where whoever started the process left few, as far as they may be had. Programs that it starts may have as
    /// many then.
    ///
    /// - Throws: An exit status where they are too few for any command; the sentence has been told.
    static func makeRoom() throws {
        guard var limit = ResourceLimit.openFiles.value, limit.rlim_cur < enough else { return }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, plenty)
        if ResourceLimit.openFiles.set(raised) { limit = raised }
        guard limit.rlim_cur < fewest else { return }
        throw failure(
            "only \(limit.rlim_cur) files may be open at once (ulimit -n); at least \(fewest) are needed",
            ExitStatus.ioError)
    }
}
