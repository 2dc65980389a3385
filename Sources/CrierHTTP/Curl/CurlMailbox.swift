import CCurl
import Synchronization

/// One hop on its way to the curl thread and back.
final class CurlExchange: Sendable {
    let hop: CurlHop
    /// Set before the cancel command, which may overtake the start command.
    let isCancelled = Atomic(false)

    init(_ hop: CurlHop) {
        self.hop = hop
    }
}

/// Between the tasks and the curl thread: tasks post, the thread takes.
final class CurlMailbox: Sendable {
    typealias Reply = CheckedContinuation<Result<CurlAnswer, HTTPError>, Never>

    enum Command: Sendable {
        case start(CurlExchange, Reply)
        case cancel(CurlExchange)
        /// A piece of a task that prefers this thread: see ``CurlLane``.
        case run(UnownedJob, UnownedTaskExecutor)
    }

    /// What became of a command.
    enum Receipt {
        /// It is the first of all: the caller starts the thread.
        case first
        case posted
        /// The thread has ended, or is about to.
        case refused
    }

    private struct State {
        var phase = Phase.new
        var commands: [Command] = []
        /// Whether the thread waits for what comes, and has to be woken.
        var isAsleep = false
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase {
        case new
        case starting
        /// The address of the multi handle, for `curl_multi_wakeup` alone, which any thread may call.
        case running(multi: UInt)
        case stopping
        case ended
    }

    private let state = Mutex(State())

    /// True for the first command of all: the caller then starts the thread.
    func start(_ exchange: CurlExchange, _ reply: Reply) -> Bool {
        let receipt = state.withLock { Self.post(.start(exchange, reply), &$0) }
        if receipt == .refused { reply.resume(returning: .failure(.shutDown)) }
        return receipt == .first
    }

    func run(_ job: UnownedJob, on lane: UnownedTaskExecutor) -> Receipt {
        state.withLock { Self.post(.run(job, lane), &$0) }
    }

    func cancel(_ exchange: CurlExchange) {
        exchange.isCancelled.store(true, ordering: .releasing)
        state.withLock { state in
            if case .new = state.phase { return }
            _ = Self.post(.cancel(exchange), &state)
        }
    }

    func stop() {
        state.withLock { state in
            switch state.phase {
            case .new: state.phase = .ended
            case .starting: state.phase = .stopping
            case .running(let multi):
                state.phase = .stopping
                curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
            case .stopping, .ended: break
            }
        }
    }

    /// Returns once the thread is through with everything.
    func end() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if case .ended = state.phase { return true }
                state.onEnd.append(continuation)
                return false
            }
            if isEnded { continuation.resume() }
        }
    }

    // MARK: The thread's side

    func attach(_ multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        state.withLock { if case .starting = $0.phase { $0.phase = .running(multi: address) } }
    }

    /// The commands since the last call, in order; nil when the thread is to end.
    func take() -> [Command]? {
        state.withLock { state in
            state.isAsleep = false
            if case .stopping = state.phase { return nil }
            defer { state.commands.removeAll(keepingCapacity: true) }
            return state.commands
        }
    }

    /// Whether there is nothing to do but to wait. From here on to ``take()`` the first that comes wakes the thread.
    func rest() -> Bool {
        state.withLock { state in
            guard case .running = state.phase, state.commands.isEmpty else { return false }
            state.isAsleep = true
            return true
        }
    }

    /// From here on nobody wakes the thread. Gives the commands that were not taken.
    func detach() -> [Command] {
        state.withLock { state in
            state.phase = .stopping
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// The thread cannot begin. Gives what waits for it; the next that comes starts another.
    func giveUp() -> [Command] {
        let (commands, isStopped) = state.withLock { state in
            defer { state.commands = [] }
            guard case .starting = state.phase else { return (state.commands, true) }
            state.phase = .new
            return (state.commands, false)
        }
        if isStopped { didEnd() }
        return commands
    }

    func didEnd() {
        let waiting = state.withLock { state in
            state.phase = .ended
            defer { state.onEnd = [] }
            return state.onEnd
        }
        for continuation in waiting { continuation.resume() }
    }

    private static func post(_ command: Command, _ state: inout State) -> Receipt {
        switch state.phase {
        case .new:
            state.phase = .starting
            state.commands.append(command)
            return .first
        case .starting: state.commands.append(command)
        case .running(let multi):
            state.commands.append(command)
            guard state.isAsleep else { break }
            state.isAsleep = false
            curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
        case .stopping, .ended: return .refused
        }
        return .posted
    }
}

extension HTTPError {
    static let notReady = HTTPError(.transfer, "libcurl cannot be loaded or set up")
    static let shutDown = HTTPError(.cancelled, "the transport has been shut down")
    static let cancelled = HTTPError(.cancelled, "cancelled")
}
