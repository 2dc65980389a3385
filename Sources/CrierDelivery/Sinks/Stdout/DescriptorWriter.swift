#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes to a file descriptor: everything, or an error that says how far it came.
struct DescriptorWriter: Sendable {
    let descriptor: Int32

    struct Failure: Error {
        /// Bytes written before.
        let written: Int
        let reason: String
    }

    /// Returns when all bytes are with the kernel. Nothing is kept in a buffer of this process, so nothing is to be flushed.
    ///
    /// Throws when `limit` is over and the reader has not made room, and for every error of `write(2)`, `EPIPE` included.
    func write(_ bytes: [UInt8], within limit: Duration) throws(Failure) {
        let deadline = ContinuousClock.now + limit
        var written = 0
        while written < bytes.count {
            do {
                try waitForRoom(until: deadline)
                written += try writeOnce(bytes[written...])
            } catch {
                if error.code == EINTR || error.code == EAGAIN { continue }
                throw Failure(written: written, reason: String(cString: strerror(error.code)))
            }
        }
    }

    private struct SystemError: Error { let code: Int32 }

    private func waitForRoom(until deadline: ContinuousClock.Instant) throws(SystemError) {
        let remaining = (deadline - .now).components
        guard remaining.seconds >= 0, remaining.attoseconds >= 0 else { throw SystemError(code: ETIMEDOUT) }
        let milliseconds = remaining.seconds * 1000 + remaining.attoseconds / 1_000_000_000_000_000 + 1
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        switch poll(&request, 1, Int32(clamping: milliseconds)) {
        case 0: throw SystemError(code: ETIMEDOUT)
        case -1: throw SystemError(code: errno)
        default: return
        }
    }

    /// A pipe that polls as writable takes `PIPE_BUF` bytes without blocking, so no more are offered at once.
    private func writeOnce(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        var code: Int32 = 0
        let count = withoutBrokenPipeSignal {
            let count = bytes.prefix(Int(PIPE_BUF)).withUnsafeBytes {
                #if canImport(Darwin)
                    Darwin.write(descriptor, $0.baseAddress, $0.count)
                #elseif canImport(Musl)
                    Musl.write(descriptor, $0.baseAddress, $0.count)
                #else
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            if count < 0 { code = errno }
            return count
        }
        guard count >= 0 else { throw SystemError(code: code) }
        return count
    }

    /// `SIGPIPE` goes to the thread that writes: it is blocked there for the length of `body`, and one that came is taken
    /// away before the mask is restored. One that was pending before stays. (No descriptor has `MSG_NOSIGNAL`.)
    private func withoutBrokenPipeSignal<Result>(_ body: () -> Result) -> Result {
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        let wasPending = isBrokenPipePending
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &mask)
        let result = body()
        if !wasPending, isBrokenPipePending {
            var taken: Int32 = 0
            sigwait(&pipeSignal, &taken)
        }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        return result
    }

    private var isBrokenPipePending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }
}
