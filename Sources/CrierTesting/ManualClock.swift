import CrierNotifications
import Synchronization

import struct Foundation.Date
import typealias Foundation.TimeInterval

/// A clock that stands still until a test moves it.
public final class ManualClock: WallClock {
    private struct Sleeper {
        let number: Int
        let deadline: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let date: Date?
        let arrival: AsyncStream<Never>.Continuation

        func isContent(with sleepers: [Sleeper]) -> Bool {
            sleepers.count { sleeper in date.map { sleeper.deadline <= $0 } ?? true } >= count
        }
    }

    private struct State {
        var now: Date
        var lastNumber = 0
        var sleepers: [Sleeper] = []
        /// Cancelled before they lay down.
        var cancelled: Set<Int> = []
        var watchers: [Watcher] = []
    }

    private let state: Mutex<State>

    public init(now: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        state = Mutex(State(now: now))
    }

    public var now: Date { state.withLock { $0.now } }

    /// The deadlines slept for, earliest first.
    public var deadlines: [Date] { state.withLock { $0.sleepers.map(\.deadline).sorted() } }

    /// Sets the time, which may also go back, and wakes whoever is due, earliest deadline first.
    public func advance(to date: Date) {
        let due = state.withLock { state in
            state.now = date
            let due = state.sleepers.filter { $0.deadline <= date }
            state.sleepers.removeAll { $0.deadline <= date }
            return due.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Moves the time as a machine does that sleeps: nobody who waits for a date is woken.
    public func sleepThrough(_ seconds: TimeInterval) {
        state.withLock { $0.now.addTimeInterval(seconds) }
    }

    /// Moves the time by that many seconds.
    public func advance(by seconds: TimeInterval) {
        advance(to: now.addingTimeInterval(seconds))
    }

    /// Returns once that many tasks sleep on this clock, so that a test does not move the time too early; also when the test is
    /// cancelled, whose time may be over.
    ///
    /// - Parameter date: Only those count that sleep until then at the latest; nil counts all.
    public func waitForSleepers(_ count: Int = 1, until date: Date? = nil) async {
        let (arrivals, arrival) = AsyncStream<Never>.makeStream()
        let watcher = Watcher(count: count, date: date, arrival: arrival)
        state.withLock { state in
            if watcher.isContent(with: state.sleepers) { return arrival.finish() }
            state.watchers.append(watcher)
        }
        for await _ in arrivals {}
    }

    public func sleep(until deadline: Date) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { lieDown(number, deadline, $0) }
        } onCancel: {
            cancel(number)
        }
    }

    private func lieDown(_ number: Int, _ deadline: Date, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Outcome {
            case cancelled, due
            case sleeping([AsyncStream<Never>.Continuation])
        }
        let outcome: Outcome = state.withLock { state in
            if state.cancelled.contains(number) { return .cancelled }
            if deadline <= state.now { return .due }
            state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
            let sleepers = state.sleepers
            let ready = state.watchers.filter { $0.isContent(with: sleepers) }
            state.watchers.removeAll { $0.isContent(with: sleepers) }
            return .sleeping(ready.map(\.arrival))
        }
        switch outcome {
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .due: continuation.resume()
        case .sleeping(let arrivals): for arrival in arrivals { arrival.finish() }
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return Sleeper?.none
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
