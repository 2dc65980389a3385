import CrierNotifications
import Foundation
import Synchronization

/// The turn of one visit: one of the run's slots, and its place at its source's host, from a redirect on at the next one's, at
/// whose pace it follows.
final class HostTurn: Sendable {
    let pacer: HostPacer
    private let clock: any WallClock
    /// Whose turn it has; nil while it waits for one.
    private let host: Mutex<HostKey?>
    private let slots: FetchSlots
    private let hasSlot = Atomic(true)

    /// - Parameters:
    ///   - host: Where ``HostPacer/start(at:now:)`` has given the turn.
    ///   - slots: Of which one was acquired.
    init(_ pacer: HostPacer, at host: HostKey, slots: FetchSlots, clock: any WallClock) {
        self.pacer = pacer
        self.slots = slots
        self.host = Mutex(host)
        self.clock = clock
    }

    /// Before a request to a redirect's target. The host before it has answered, so nobody waits for another in a circle.
    func move(to url: String) async {
        let next = HostKey(url: url)
        guard host.withLock({ $0 != next }) else { return }
        leave()
        while !Task.isCancelled {
            let now = clock.now
            // Where the start cannot be written down, the visit cannot either, and tells so.
            guard (try? await pacer.start(at: next, now: now)) == false else { break }
            let start = pacer.earliestStart(at: next, now: now)
            if start > now { try? await clock.sleep(until: start) }
        }
        if !Task.isCancelled { host.withLock { $0 = next } }
    }

    /// The visit is over. More than once is once.
    func end() {
        leave()
        if hasSlot.exchange(false, ordering: .relaxed) { slots.release() }
    }

    /// The origin has answered: another may ask it.
    func leave() {
        let left = host.withLock { host in
            defer { host = nil }
            return host
        }
        if let left { pacer.leave(left) }
    }
}
