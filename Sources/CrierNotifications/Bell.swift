import Synchronization

import struct Foundation.Date

/// Wakes the one who waits for it. A ring before the wait is kept.
public final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Cancelled before they waited.
        var cancelled: Set<Int> = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether it has rung since it was last taken.
    public var isRung: Bool { state.withLock { $0.isRung } }

    /// Wakes whoever waits.
    public func ring() {
        let waiting = state.withLock { state in
            state.isRung = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Whether it had rung; from now on it has not.
    public func take() -> Bool {
        state.withLock { state in
            defer { state.isRung = false }
            return state.isRung
        }
    }

    /// Returns when it has rung, which it then still has, or when the task is cancelled.
    public func wait() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRung || state.cancelled.contains(number) { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: number)
                if continuation == nil { state.cancelled.insert(number) }
                return continuation
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(number) }
    }
}

extension WallClock {
    /// Returns at or after `deadline`, or when one of the bells has rung. Throws `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Date, orRingOf bells: Bell...) async throws {
        try await sleep(orRingOf: bells) { try await sleep(until: deadline) }
    }

    /// Returns after so long, or when the bell has rung. Throws `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration, orRingOf bell: Bell) async throws {
        try await sleep(orRingOf: [bell]) { try await sleep(for: duration) }
    }

    private func sleep(orRingOf bells: [Bell], _ sleep: @escaping @Sendable () async throws -> Void) async throws {
        if bells.contains(where: \.isRung) { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sleep() }
            for bell in bells { group.addTask { await bell.wait() } }
            try await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { throw CancellationError() }
    }
}
