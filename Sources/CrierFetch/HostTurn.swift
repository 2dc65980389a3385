import CrierNotifications
import Foundation
import Synchronization

/// The turn of one visit: at its source's host, and from a redirect on at the next one's, at whose pace it follows.
final class HostTurn: Sendable {
    let pacer: HostPacer
    private let clock: any WallClock
    /// Whose turn it has; nil while it waits for one.
    private let host: Mutex<HostKey?>

    /// - Parameter host: Where ``HostPacer/start(at:now:)`` has given the turn.
    init(_ pacer: HostPacer, at host: HostKey, clock: any WallClock) {
        self.pacer = pacer
        self.host = Mutex(host)
        self.clock = clock
    }

    /// Before a request to a redirect's target. The host before it has answered, so nobody waits for another in a circle.
    func move(to url: String) async {
        let next = HostKey(url: url)
        guard host.withLock({ $0 != next }) else { return }
        end()
        while !Task.isCancelled {
            let now = clock.now
            // Where the start cannot be written down, the visit cannot either, and tells so.
            guard (try? pacer.start(at: next, now: now)) == false else { break }
            let start = pacer.earliestStart(at: next, now: now)
            if start > now { try? await clock.sleep(until: start) }
        }
        if !Task.isCancelled { host.withLock { $0 = next } }
    }

    func end() {
        let left = host.withLock { host in
            defer { host = nil }
            return host
        }
        if let left { pacer.leave(left) }
    }
}
