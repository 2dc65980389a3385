import ArgumentParser
import CrierNotifications
import CrierProcess
import Dispatch
import Foundation
import Synchronization

/// Runs what may take long; SIGINT, SIGTERM and SIGHUP (its terminal is closed) end it in order, with the exit status that
/// shells expect.
///
/// They cancel the task of the work: what it was about to write is written or not, never half. Once it has ended they do what
/// they did before, unless one has come: the process is about to end in order then, and another one does no more.
func interruptible<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let task = Task(executorPreference: QuietLane.shared, operation: work)
    let trap = SignalTrap { task.cancel() }
    let result = await task.result
    if let signal = trap.end() { throw ExitCode(128 + signal) }
    return try result.get()
}

/// What SIGINT, SIGTERM and SIGHUP lead to for a while. The first thread does it: it is there to wait for them, while the
/// commands are at work on others, so that one that is at a long calculation hears of them, too.
struct SignalTrap {
    /// Without those that the process was started to ignore.
    private static let signals = [SIGINT, SIGTERM, SIGHUP].filter { !IgnoredSignals.contain($0) }
    /// The first that has come; 0 is none. The process ends because of it, so it stays.
    private static let caught = Atomic<Int32>(0)
    /// A semaphore is all that a signal's handler may ring (sem_post, POSIX XSH 2.4.3).
    private static let bell = DispatchSemaphore(value: 0)
    private static let action = Mutex<(@Sendable () -> Void)?>(nil)

    private let before: [sighandler_t?]

    init(_ action: @escaping @Sendable () -> Void) {
        Self.action.withLock { $0 = action }
        // Both are made before a handler needs them.
        _ = (Self.caught.load(ordering: .acquiring), Self.bell)
        before = Self.signals.map {
            signal($0) { signal in
                _ = SignalTrap.caught.compareExchange(expected: 0, desired: signal, ordering: .acquiringAndReleasing)
                SignalTrap.bell.signal()
            }
        }
    }

    /// Sets what they did before, where none has come.
    ///
    /// - Returns: The one that has come first.
    func end() -> Int32? {
        Self.action.withLock { $0 = nil }
        if let signal = Self.first { return signal }
        for (signal, handler) in zip(Self.signals, before) { Foundation.signal(signal, handler) }
        // It may have come meanwhile.
        return Self.first
    }

    /// Who started the process may have blocked what ends it, and that is inherited. SIGALRM is the last resort of what does not end,
    /// SIGPROF that of a document whose reading does not.
    static func unblock() {
        var ending = sigset_t()
        sigemptyset(&ending)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGPROF] { sigaddset(&ending, signal) }
        pthread_sigmask(SIG_UNBLOCK, &ending, nil)
    }

    private static var first: Int32? {
        let signal = caught.load(ordering: .acquiring)
        return signal == 0 ? nil : signal
    }

    /// The first thread's work, until the process ends.
    static func wait() -> Never {
        while true {
            bell.wait()
            guard first != nil else { continue }
            action.withLock { $0 }?()
            if let signal = first { LastResort.arm(signal) }
        }
    }
}

/// Ends a process that was asked to end and has not: it may be at a calculation that waits for nobody. What it was reading is told of by
/// the next.
struct LastResort {
    /// In seconds: what ends in order is over long before, and who has asked may wait for ten.
    private static let patience: UInt32 = 7
    /// The one that has asked first; 0 is none.
    private static let asked = Atomic<Int32>(0)
    /// Of its own: all threads of the others may be at such work.
    private static let queue = DispatchQueue(label: "last resort")
    private let sources: [any DispatchSourceSignal]

    /// Of a process that takes signals by itself, and that SIGHUP asks for something else than to end.
    init(patience: UInt32 = patience) {
        sources = [SIGINT, SIGTERM].filter { !IgnoredSignals.contain($0) }.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
            source.setEventHandler { Self.arm(number, patience) }
            source.resume()
            return source
        }
    }

    func end() { for source in sources { source.cancel() } }

    static func arm(_ number: Int32, _ patience: UInt32 = patience) {
        guard asked.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged else {
            return
        }
        signal(SIGALRM) { _ in _exit(128 + LastResort.asked.load(ordering: .acquiring)) }
        alarm(patience)
    }
}
