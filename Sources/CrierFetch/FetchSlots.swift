import Synchronization

/// So many fetches at once; whoever comes later waits in line.
final class FetchSlots: Sendable {
    fileprivate struct Line {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let line: Mutex<Line>

    init(_ count: Int) {
        line = Mutex(Line(free: count))
    }

    func acquire() async {
        // Most find one free, and need no continuation.
        if line.withLock({ $0.take() }) { return }
        await withCheckedContinuation { continuation in
            let isFree = line.withLock { line in
                if line.take() { return true }
                line.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func release() {
        let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
            if !line.waiting.isEmpty { return line.waiting.removeFirst() }
            line.free += 1
            return nil
        }
        next?.resume()
    }
}

extension FetchSlots.Line {
    fileprivate mutating func take() -> Bool {
        guard free > 0 else { return false }
        free -= 1
        return true
    }
}
