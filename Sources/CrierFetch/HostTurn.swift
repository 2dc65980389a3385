import CrierHTTP
import CrierNotifications
import Foundation
import Synchronization

/// The turn of one visit: one of the run's slots, and its place at its source's host, from a redirect on at the next one's, at
/// whose pace it follows. While it waits for that, others have the slot.
final class HostTurn: Sendable {
    private struct Book {
        /// Whose turn it has; nil while it waits for one.
        var host: HostKey?
        /// Since when it waits for the turn at a redirect's target.
        var waitsSince: Date?
        /// How long it did so before.
        var waited: TimeInterval = 0
        var refusal: FetchRefusal?
    }

    let pacer: HostPacer
    private let clock: any WallClock
    /// Of the run.
    private let deadline: Date
    private let book: Mutex<Book>
    private let slots: FetchSlots?
    private let hasSlot = Atomic(true)

    /// - Parameters:
    ///   - host: Where ``HostPacer/start(at:now:)`` has given the turn.
    ///   - slots: Of which one was acquired.
    ///   - deadline: The run's end, to which a redirect may wait.
    init(_ pacer: HostPacer, at host: HostKey, slots: FetchSlots, clock: any WallClock, until deadline: Date) {
        self.pacer = pacer
        self.slots = slots
        self.clock = clock
        self.deadline = deadline
        book = Mutex(Book(host: host))
    }

    /// One that has no place yet, outside of any run.
    init(_ pacer: HostPacer, clock: any WallClock) {
        self.pacer = pacer
        self.clock = clock
        slots = nil
        deadline = .distantFuture
        book = Mutex(Book())
    }

    /// Why a redirect was not followed: its target is to be left alone now, which says nothing about the source.
    var refusal: FetchRefusal? { book.withLock { $0.refusal } }

    /// For how many seconds it has waited for turns at redirects' targets: that is our own doing, and no origin's.
    var waited: TimeInterval {
        let now = clock.now
        return book.withLock { $0.waited + ($0.waitsSince.map(now.timeIntervalSince) ?? 0) }
    }

    /// Before a request to a redirect's target, or the first. The host before it has answered, so nobody waits for another in a
    /// circle.
    ///
    /// - Throws: Where the target is to be left alone, or its turn comes after the run's end.
    func move(to url: String) async throws(HTTPError) {
        let next = HostKey(url: url)
        if book.withLock({ $0.host == next }) { return await pacer.goOn(at: next, now: clock.now) }
        leave()
        let begun = clock.now
        book.withLock { $0.waitsSince = begun }
        defer {
            let waited = clock.now.timeIntervalSince(begun)
            book.withLock { ($0.waitsSince, $0.waited) = (nil, $0.waited + waited) }
        }
        var hasPlace = false
        while !Task.isCancelled {
            let now = clock.now
            // Where the start cannot be written down, the visit cannot either, and tells so.
            guard let hasTurn = try? await pacer.start(at: next, now: now) else { return }
            if hasTurn { return book.withLock { $0.host = next } }
            if let refusal = pacer.refusal(of: [next], now: now) { throw refuse(refusal, at: next) }
            // Another moment, as it took one to be refused: whoever waits longer than others comes last each time.
            let then = clock.now
            // In line once: who finds the one before still asking when its turn comes is next.
            let place = hasPlace ? pacer.gapEnd(at: next, now: then) : pacer.takePlace(at: next, now: then)
            if place > deadline { throw refuse(FetchRefusal(reason: .pace(next.name), until: place), at: next) }
            hasPlace = true
            let start = max(place, pacer.earliestStart(at: next, now: then))
            if start > then { await sleep(for: start.timeIntervalSince(then)) }
        }
    }

    private func refuse(_ refusal: FetchRefusal, at host: HostKey) -> HTTPError {
        book.withLock { $0.refusal = refusal }
        return HTTPError(.refusedAddress, "\(host.name) is to be left alone now: set by \(refusal.words)")
    }

    /// Without a slot. It takes so many seconds also where the time of day is set meanwhile.
    private func sleep(for seconds: TimeInterval) async {
        releaseSlot()
        try? await clock.sleep(for: .seconds(seconds))
        await slots?.acquire()
        hasSlot.store(true, ordering: .relaxed)
    }

    private func releaseSlot() {
        if hasSlot.exchange(false, ordering: .relaxed) { slots?.release() }
    }

    /// The visit is over. More than once is once.
    func end() {
        leave()
        releaseSlot()
    }

    /// The origin has answered: another may ask it.
    func leave() {
        let left = book.withLock { book in
            defer { book.host = nil }
            return book.host
        }
        if let left { pacer.leave(left) }
    }
}
