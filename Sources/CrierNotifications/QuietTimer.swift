import Dispatch

/// Waits on a queue of its own. The sleep of a task ends on the threads that all tasks share, which dispatch then counts once a
/// second on Linux as long as the process lives.
package enum QuietTimer {
    private static let queue = DispatchQueue(label: "crier timers")

    /// Returns after so long, whatever is done to the wall clock, or when the task is cancelled.
    package static func wait(for duration: Duration) async {
        // Longer than some three hundred years is for ever.
        await wait { $0.schedule(deadline: .now() + min(duration / .seconds(1), 1e10)) }
    }

    static func wait(_ schedule: (any DispatchSourceTimer) -> Void) async {
        let bell = Bell()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { bell.ring() }
        schedule(timer)
        timer.resume()
        await bell.wait()
        timer.cancel()
    }
}
