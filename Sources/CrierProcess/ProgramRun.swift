import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program under way, seen to by threads that have nothing else to do (see the decision "OneLane").
final class ProgramRun: Sendable {
    struct Bounds: Sendable {
        /// Until it is asked to end.
        var limit: Duration
        /// From then until it is made to.
        var grace: Duration
        /// Bytes.
        var output: Int
        /// Whether what is beyond that is read and dropped; else it is ended.
        var dropsExcess: Bool
        /// Bytes; what is beyond them is read and dropped.
        var errors: Int
    }

    /// Why it is ended before it ends by itself.
    enum Reason {
        case overdue, cancelled, tooMuch
    }

    /// What the thread that reads is told. It comes through the bell itself, so that none is heard before it is known.
    private enum Word {
        static let ended = UInt8(ascii: "e")
        static let cancelled = UInt8(ascii: "c")
    }

    private static let shortGrace = Duration.milliseconds(500)

    private let process: pid_t
    private let bounds: Bounds
    private let output: Descriptor
    private let errors: Descriptor
    /// Wakes the thread that reads.
    private let bell: (read: Descriptor, write: Descriptor)

    /// Nil, with `errno` set, where it cannot be started.
    init?(_ path: String, _ command: [String], variables: [String: String]?, input: Descriptor, bounds: Bounds) {
        guard let output = Descriptor.pipe(), let errors = Descriptor.pipe(), let bell = Descriptor.pipe() else {
            return nil
        }
        let started = ProgramStart.process(
            path, command, variables: variables, streams: [input, output.write, errors.write])
        switch started {
        case .success(let process): self.process = process
        case .failure(let error):
            errno = error.code
            return nil
        }
        self.bounds = bounds
        self.output = output.read
        self.errors = errors.read
        self.bell = bell
    }

    /// How it ended, and why it was made to; nil where it was not.
    func ending() async -> (BoundedProgram.Ending, Reason?) {
        DispatchQueue(label: "crier program's end").async { [self] in
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            ring(Word.ended)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "crier program").async { continuation.resume(returning: self.seeToIt()) }
            }
        } onCancel: {
            ring(Word.cancelled)
        }
    }

    private func ring(_ word: UInt8) { withUnsafePointer(to: word) { _ = write(bell.write.number, $0, 1) } }

    /// Reads what it prints until it has ended, and ends it where that must be.
    private func seeToIt() -> (BoundedProgram.Ending, Reason?) {
        var ending = BoundedProgram.Ending()
        var reason: Reason?
        // Beyond that there is no such moment.
        var deadline: ContinuousClock.Instant? = .now + min(bounds.limit, .seconds(Int64.max))
        func end(_ why: Reason) {
            guard reason == nil else { return }
            reason = why
            kill(-process, SIGTERM)
            // Who cancels waits for it.
            deadline = .now + (why == .cancelled ? min(bounds.grace, Self.shortGrace) : bounds.grace)
        }
        var streams = [output, errors, bell.read].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        while true {
            _ = poll(&streams, nfds_t(streams.count), Self.milliseconds(until: deadline))
            var words: [UInt8] = []
            _ = Self.read(&streams[2], into: &words, limit: .max)
            let isLast = words.contains(Word.ended)
            var hasMore = false
            repeat {
                let output = Self.read(&streams[0], into: &ending.output, limit: bounds.output)
                let errors = Self.read(&streams[1], into: &ending.errors, limit: bounds.errors)
                if !output, !bounds.dropsExcess { end(.tooMuch) }
                // What others go on to write, which it has started and left behind, is not waited for.
                hasMore = (output && streams[0].revents != 0) || (errors && streams[1].revents != 0)
            } while isLast && hasMore
            if isLast { break }
            if words.contains(Word.cancelled) { end(.cancelled) }
            if let last = deadline, last <= .now {
                if reason == nil {
                    end(.overdue)
                } else {
                    deadline = nil
                    kill(-process, SIGKILL)
                }
            }
        }
        (ending.exitCode, ending.isUnknown) = exitCode()
        ending.isOverdue = reason == .overdue
        return (ending, reason)
    }

    /// Forgets the process, whose number is then another's. Nil where a signal has ended it, or somebody else in this process
    /// has waited for it, who alone knows.
    private func exitCode() -> (code: Int32?, isUnknown: Bool) {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return (nil, true) } }
        return (status & 0x7f == 0 ? (status >> 8) & 0xff : nil, false)
    }

    /// Takes what is there, up to a chunk, and keeps what is within the limit.
    ///
    /// - Parameter stream: Is not asked again after its end; says whether there may be more.
    /// - Returns: False where that is more than the limit.
    private static func read(_ stream: inout pollfd, into bytes: inout [UInt8], limit: Int) -> Bool {
        guard stream.fd >= 0 else { return true }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = systemRead(stream.fd, buffer.baseAddress, buffer.count)
            stream.revents = count > 0 ? Int16(POLLIN) : 0
            if count == 0 { stream.fd = -1 }
            guard count > 0 else { return true }
            let room = max(0, limit - bytes.count)
            bytes += buffer[..<min(count, room)]
            return count <= room
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        return Int32(min(max(0, rest.rounded(.up)), 1e9))
    }
}

private let systemRead = read
