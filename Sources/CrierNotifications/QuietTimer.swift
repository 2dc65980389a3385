import Dispatch

/// Waits on a queue of its own. The sleep of a task ends on the threads that all tasks share, which dispatch then counts once a
/// second on Linux as long as the process lives.
package enum QuietTimer {
    private static let queue = DispatchQueue(label: "crier timers")
    /// In seconds: some three hundred years.
    static let forEver = 1e10

    /// Returns after so long, whatever is done to the wall clock, or when the task is cancelled.
    package static func wait(for duration: Duration) async {
        let pause = min(duration / .seconds(1), forEver)
        await wait { [timer(ringing: $0) { $0.schedule(deadline: .now() + pause) }] }
    }

    /// Returns after so many seconds of the wall clock, and after at most so many others.
    static func wait(wall pause: Double, atMost longest: Double) async {
        await wait { bell in
            [
                timer(ringing: bell) { $0.schedule(wallDeadline: .now() + pause) },
                timer(ringing: bell) { $0.schedule(deadline: .now() + longest) },
            ]
        }
    }

    private static func wait(_ timers: (Bell) -> [any DispatchSourceTimer]) async {
        let bell = Bell()
        let timers = timers(bell)
        await bell.wait()
        for timer in timers { timer.cancel() }
    }

    private static func timer(
        ringing bell: Bell, _ schedule: (any DispatchSourceTimer) -> Void
    ) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { bell.ring() }
        schedule(timer)
        timer.resume()
        return timer
    }
}
