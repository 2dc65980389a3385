import CJQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One run of a compiled program over an array of inputs, in a child process of its own: some programs end the process
/// that they run in, others never end.
struct JQRun: ~Copyable {
    /// What the child sends.
    enum Message {
        case value(JSONNode)
        /// The input is done.
        case next
        /// All inputs are.
        case done
    }

    private let limits: JQLimits
    private let child: pid_t
    private let descriptor: Int32
    private let deadline: ContinuousClock.Instant
    private var received: [UInt8] = []
    private var position = 0
    private var count = 0

    private init(child: pid_t, descriptor: Int32, limits: JQLimits) {
        self.child = child
        self.descriptor = descriptor
        self.limits = limits
        deadline = .now + limits.time
    }

    /// - Throws: ``ContentError`` of the kind `tooLarge` where the system has no process or pipe left.
    static func start(
        _ jq: OpaquePointer, on inputs: consuming JQValue, limits: JQLimits
    ) throws(ContentError) -> JQRun {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = crier_jq_run_apart(
            jq, inputs.reference(), ends[1], Int32(clamping: limits.outputs), limits.memory,
            Int32(clamping: limits.computingTime))
        let code = errno
        close(ends[1])
        guard child > 0 else {
            close(ends[0])
            throw failure("no process", code)
        }
        return JQRun(child: child, descriptor: ends[0], limits: limits)
    }

    /// A child that is still at work is ended: nobody waits for the rest.
    deinit {
        close(descriptor)
        crier_jq_end(child)
    }

    /// - Throws: ``ContentError``: `badExpression` where the program fails or ends its process, `tooLarge` where it goes
    ///   beyond its limits.
    mutating func next() throws(ContentError) -> Message {
        let kind = try take(1).first ?? 0
        let length = try take(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        switch Int(kind) {
        case CRIER_JQ_VALUE: return .value(try value(Int(length)))
        case CRIER_JQ_NEXT: return .next
        case CRIER_JQ_DONE: return .done
        case CRIER_JQ_ERROR:
            let message = String(utf8: try take(Int(length)))
            throw ContentError(.badExpression, "jq: " + PlainText.line(text: message, limit: 200))
        default:
            throw ContentError(.tooLarge, "the jq program yields more than \(limits.outputs) values")
        }
    }

    private mutating func value(_ length: Int) throws(ContentError) -> JSONNode {
        let text = try take(length)
        do { return try JSONDocument.parse(Array(text)) } catch {
            throw ContentError(.tooLarge, "jq: of what it yields, \(error.description)")
        }
    }

    /// The next bytes that the child sends.
    private mutating func take(_ length: Int) throws(ContentError) -> ArraySlice<UInt8> {
        guard count + length <= limits.outputBytes else {
            throw ContentError(.tooLarge, "the jq program yields more than \(limits.outputBytes >> 20) MiB")
        }
        while received.count - position < length { try receive() }
        defer { position += length }
        count += length
        return received[position..<position + length]
    }

    private mutating func receive() throws(ContentError) {
        received.removeFirst(position)
        position = 0
        var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Cancellation is seen between the waits.
        while poll(&wish, 1, 100) <= 0 {
            if Task.isCancelled { throw ContentError(.tooLarge, "the jq program was stopped") }
            if ContinuousClock.now > deadline {
                throw ContentError(.tooLarge, "the jq program takes longer than \(limits.time)")
            }
        }
        let descriptor = descriptor
        var got = 0
        received += [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            got = read(descriptor, buffer.baseAddress, buffer.count)
            count = max(0, got)
        }
        if got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN) { throw end() }
    }

    /// Why the child ended before it was done.
    private func end() -> ContentError {
        // It has closed its end of the pipe, so that it ends now; what is left of it is taken away with the run.
        let signal = crier_jq_signal(child)
        switch signal {
        case SIGXCPU, SIGKILL:
            return ContentError(
                .tooLarge,
                "the jq program takes more than \(limits.computingTime) s of computing; where it has gsub or another "
                    + "global match: libjq 1.6 may never end one of a pattern that matches the empty text")
        case -1:
            return ContentError(
                .tooLarge,
                "the jq program takes more than \(limits.computingTime) s of computing, needs more than "
                    + "\(limits.memory >> 20) MiB, or libjq itself fails on it")
        default:
            return ContentError(
                .badExpression,
                "the jq program needs more than \(limits.memory >> 20) MiB, or libjq itself fails on it"
                    + (signal == 0 ? "" : " (signal \(signal))"))
        }
    }

    private static func failure(_ what: String, _ code: Int32 = errno) -> ContentError {
        ContentError(.tooLarge, "\(what) to run jq in: \(String(cString: strerror(code)))")
    }
}
