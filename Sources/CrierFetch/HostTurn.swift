import CrierNotifications
import Foundation

/// The turn of one visit: at its source's host, and from a redirect on at the next one's, at whose pace it follows.
actor HostTurn {
    let pacer: HostPacer
    private let clock: any WallClock
    /// Whose turn it has; nil while it waits for one.
    private var host: HostKey?

    /// - Parameter host: Where ``HostPacer/start(at:now:)`` has given the turn.
    init(_ pacer: HostPacer, at host: HostKey, clock: any WallClock) {
        self.pacer = pacer
        self.host = host
        self.clock = clock
    }

    /// Before a request to a redirect's target. The host before it has answered, so nobody waits for another in a circle.
    func move(to url: String) async {
        let next = HostKey(url: url)
        guard next != host else { return }
        await end()
        while !Task.isCancelled {
            let now = clock.now
            // Where the start cannot be written down, the visit cannot either, and tells so.
            guard (try? await pacer.start(at: next, now: now)) == false else { break }
            let start = await pacer.earliestStart(at: next, now: now)
            if start > now { try? await clock.sleep(until: start) }
        }
        if !Task.isCancelled { host = next }
    }

    func end() async {
        guard let left = host else { return }
        host = nil
        await pacer.leave(left)
    }
}
