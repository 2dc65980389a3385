import CrierHTTP
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a test and the server's thread share.
final class OriginScript: Sendable {
    struct State {
        var answers: [String: [ScriptedAnswer]] = [:]
        var handler: (@Sendable (ReceivedRequest) -> ScriptedAnswer)?
        var openGates: Set<String> = []
        var requests: [ReceivedRequest] = []
        var accepted = 0
        var closed = 0
        var isStopped = false
        var hasEnded = false
        /// The writing end of the pipe that wakes the thread.
        fileprivate var wakeDescriptor: Int32?
        fileprivate var waiting: [Waiting] = []
    }

    fileprivate struct Waiting {
        let isOver: @Sendable (State) -> Bool
        let end: AsyncStream<Never>.Continuation
    }

    private let state = Mutex(State())

    /// Reads or changes the state, and lets go whoever waited for the change.
    func withState<Result: Sendable>(_ change: @Sendable (inout State) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = change(&state)
            guard !state.waiting.isEmpty else { return (result, [AsyncStream<Never>.Continuation]()) }
            let now = state
            state.waiting = now.waiting.filter { !$0.isOver(now) }
            return (result, now.waiting.filter { $0.isOver(now) }.map(\.end))
        }
        for end in ready { end.finish() }
        return result
    }

    /// Returns also when the test is cancelled, whose time may be over.
    func wait(until isOver: @escaping @Sendable (State) -> Bool) async {
        let (nothing, end) = AsyncStream<Never>.makeStream()
        // Nothing that has not happened by the end will.
        withState { $0.waiting.append(Waiting(isOver: { $0.hasEnded || isOver($0) }, end: end)) }
        for await _ in nothing {}
    }

    /// Records a request and says what to do with it.
    func answer(_ request: ReceivedRequest) -> ScriptedAnswer {
        let path = String(request.target.prefix { $0 != "?" })
        let make: @Sendable (ReceivedRequest) -> ScriptedAnswer = withState { state in
            state.requests.append(request)
            guard var left = state.answers[path], let next = left.first else {
                return state.handler ?? { _ in ScriptedAnswer(status: 404) }
            }
            if left.count > 1 { left.removeFirst() }
            state.answers[path] = left
            return { _ in next }
        }
        // Outside the lock: a handler may well take its time.
        return make(request)
    }

    func wake() {
        state.withLock { state in
            if let descriptor = state.wakeDescriptor { _ = write(descriptor, [0], 1) }
        }
    }

    func stop() {
        withState { $0.isStopped = true }
        wake()
    }

    func attach(wakeDescriptor: Int32) {
        state.withLock { $0.wakeDescriptor = wakeDescriptor }
    }

    /// Ends what waits for things that will not come any more.
    func detach() {
        let waiting = state.withLock { state in
            if let descriptor = state.wakeDescriptor { close(descriptor) }
            state.wakeDescriptor = nil
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.end.finish() }
    }
}
