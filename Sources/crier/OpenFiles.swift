import ArgumentParser
import CrierProcess
import Foundation

/// How many files, pipes and sockets a process may have open at once (`ulimit -n`).
enum OpenFiles {
    /// Where there is no descriptor left, dispatch ends the process, and libraries cannot be loaded.
    private static let fewest: rlim_t = 32
    /// For an agent with all its visits under way.
    private static let plenty: rlim_t = 256

    /// Takes more of them where whoever started the process left few, as far as they may be had. Programs that it starts may have as
    /// many then.
    ///
    /// - Throws: An exit status where they are too few for any command; the sentence has been told.
    static func makeRoom() throws {
        guard var limit = ResourceLimit.openFiles.value, limit.rlim_cur < plenty else { return }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, plenty)
        if ResourceLimit.openFiles.set(raised) { limit = raised }
        guard limit.rlim_cur >= fewest else {
            throw failure(
                "only \(limit.rlim_cur) files may be open at once (ulimit -n); at least \(fewest) are needed",
                ExitStatus.ioError)
        }
        if limit.rlim_cur < plenty { startTimers() }
    }

    /// Dispatch makes the descriptors of its timers for the first of each kind, which may be when visits have all the others.
    private static func startTimers() {
        let queue = DispatchQueue(label: "crier first timers")
        let isOver = DispatchSemaphore(value: 0)
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) { isOver.signal() }
        queue.asyncAfter(wallDeadline: .now() + .milliseconds(1)) { isOver.signal() }
        for _ in 1...2 { isOver.wait() }
    }
}
