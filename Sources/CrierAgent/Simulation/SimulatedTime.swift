import CrierNotifications
import Dispatch
import Synchronization

import struct Foundation.Date

/// A clock whose time passes when nobody has anything left to do at the moment: then it is set to the earliest date that
/// somebody sleeps for. A week passes in seconds, and in the same order of things in every run.
///
/// To know that nobody has, it is also the executor of the work, one job after another.
public final class SimulatedTime: WallClock, TaskExecutor {
    fileprivate struct Sleeper {
        let number: Int
        let deadline: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct State {
        var now: Date
        var jobs: [UnownedJob] = []
        var isRunning = false
        /// Waits for something that this clock knows nothing of.
        var outside = 0
        var sleepers: [Sleeper] = []
        var lastNumber = 0
        /// Cancelled before they lay down.
        var cancelled: Set<Int> = []
    }

    private enum Step {
        case jobs([UnownedJob])
        case wake(CheckedContinuation<Void, any Error>, isOver: Bool)
        case rest
    }

    private let state: Mutex<State>
    private let end: Date
    private let queue = DispatchQueue(label: "crier simulated time")

    /// - Parameter end: Whoever sleeps for a date beyond it is cancelled.
    public init(now: Date, end: Date = .distantFuture) {
        state = Mutex(State(now: now))
        self.end = end
    }

    public var now: Date { state.withLock { $0.now } }

    /// Sets the time, which may also go back, as somebody sets the clock of a machine.
    public func set(_ date: Date) {
        state.withLock { $0.now = date }
    }

    /// Does the work in this time, to its end.
    public func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withTaskExecutorPreference(self) { try await work() }
    }

    /// Waits in the time of the world: meanwhile this clock stands still.
    public func outside<Result: Sendable, Failure: Error>(
        _ wait: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        state.withLock { $0.outside += 1 }
        defer { state.withLock { $0.outside -= 1 } }
        return try await wait()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { queue.async { self.work() } }
    }

    private func work() {
        while true {
            switch next() {
            case .jobs(let jobs): for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            case .wake(let continuation, isOver: false): continuation.resume()
            case .wake(let continuation, isOver: true): continuation.resume(throwing: CancellationError())
            case .rest: return
            }
        }
    }

    /// What is to be done; time passes where that is nothing.
    private func next() -> Step {
        state.withLock { state in
            if !state.jobs.isEmpty {
                defer { state.jobs.removeAll(keepingCapacity: true) }
                return .jobs(state.jobs)
            }
            guard state.outside == 0, let index = state.earliest else {
                state.isRunning = false
                return .rest
            }
            let sleeper = state.sleepers.remove(at: index)
            let isOver = sleeper.deadline > end
            if !isOver { state.now = max(state.now, sleeper.deadline) }
            return .wake(sleeper.continuation, isOver: isOver)
        }
    }

    public func sleep(until deadline: Date) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(number) { return true }
                    state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: index).continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}

extension SimulatedTime.State {
    /// Of those that sleep for the same date, the one that lay down first.
    fileprivate var earliest: Int? {
        sleepers.indices.min {
            (sleepers[$0].deadline, sleepers[$0].number) < (sleepers[$1].deadline, sleepers[$1].number)
        }
    }
}
