import CrierProcess
import Foundation
import Synchronization

/// A program that a test starts, with the names of Foundation's `Process`. It has three streams and no other descriptor, and a
/// thread of its own waits for its end. Foundation hears of that by a socket, which a child that is started at the same moment
/// may hold as well: then the end comes when that has ended, too.
public final class ChildProcess: @unchecked Sendable {
    public enum TerminationReason: Sendable {
        case exit, uncaughtSignal
    }

    private struct State {
        var identifier: pid_t = 0
        /// As waitpid(2) gives it.
        var status: Int32?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    // To be set before it runs.
    public var executableURL: URL?
    public var arguments: [String]?
    /// Nil is this process's own.
    public var environment: [String: String]?
    /// A `FileHandle`, a `Pipe`, or nil: this process's own.
    public var standardInput: Any?
    public var standardOutput: Any?
    public var standardError: Any?
    private let state = Mutex(State())
    private let isOver = DispatchSemaphore(value: 0)

    public init() {}

    /// 0 before it runs.
    public var processIdentifier: pid_t { state.withLock { $0.identifier } }

    public var isRunning: Bool { state.withLock { $0.identifier != 0 && $0.status == nil } }

    /// Its exit status, or the signal that ended it.
    public var terminationStatus: Int32 {
        state.withLock { state in
            let status = state.status ?? 0
            return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
        }
    }

    public var terminationReason: TerminationReason {
        state.withLock { $0.status.map { $0 & 0x7f } ?? 0 } == 0 ? .exit : .uncaughtSignal
    }

    /// - Throws: `POSIXError` where it cannot be started.
    public func run() throws {
        let path = executableURL?.path ?? ""
        let streams = [(standardInput, STDIN_FILENO), (standardOutput, STDOUT_FILENO), (standardError, STDERR_FILENO)]
            .compactMap { Self.descriptor(of: $0, else: $1) }
        guard streams.count == 3 else { throw POSIXError(.EBADF) }
        let started = ProgramStart.process(path, [path] + (arguments ?? []), variables: environment, streams: streams)
        guard case .success(let identifier) = started else { throw POSIXError(.ENOENT) }
        // So that who reads sees their end.
        try (standardInput as? Pipe)?.fileHandleForReading.close()
        for case let pipe as Pipe in [standardOutput, standardError] { try? pipe.fileHandleForWriting.close() }
        state.withLock { $0.identifier = identifier }
        Thread.detachNewThread { [self] in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let waiting = state.withLock { state in
                state.status = status
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
            isOver.signal()
        }
    }

    public func terminate() { signal(SIGTERM) }

    public func interrupt() { signal(SIGINT) }

    /// And with it what it has started.
    func terminateGroup() { signal(SIGTERM, toGroup: true) }

    /// While it runs: before, the number 0 is that of all of this group of processes, and afterwards its own may be another's.
    private func signal(_ number: Int32, toGroup: Bool = false) {
        state.withLock { state in
            guard state.identifier != 0, state.status == nil else { return }
            kill(toGroup ? -state.identifier : state.identifier, number)
        }
    }

    /// For those who may block their thread.
    public func waitUntilExit() {
        isOver.wait()
        isOver.signal()
    }

    /// Returns when it has ended: at the latest with the test, whose time may be over.
    public func end() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if state.status == nil { state.waiting.append(continuation) }
                    return state.status != nil
                }
                if hasEnded { continuation.resume() }
            }
        } onCancel: {
            signal(SIGKILL)
        }
    }

    public func runToEnd() async throws {
        try run()
        await end()
    }

    private static func descriptor(of stream: Any?, else own: Int32) -> Descriptor? {
        let number: Int32
        switch stream {
        // It has no descriptor.
        case let file as FileHandle where file === FileHandle.nullDevice:
            return Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))
        case let file as FileHandle: number = file.fileDescriptor
        case let pipe as Pipe:
            number = (own == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting).fileDescriptor
        default: number = own
        }
        return Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0))
    }
}
