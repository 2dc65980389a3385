#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A descriptor that other processes have as well, such as standard output: written to without waiting for its reader, and left
/// as it is, since `O_NONBLOCK` would be set for all of them.
package struct InheritedOutput: Sendable {
    /// Why `write(2)`, `poll(2)` or `fsync(2)` did not work.
    package struct Failure: Error {
        let code: Int32

        /// - Parameter code: Of `errno`.
        package init(code: Int32) {
            self.code = code
        }

        package var reason: String { String(cString: strerror(code)) }
    }

    private let number: Int32
    /// The terminal behind it, opened once more: one that polls as writable may have room for fewer bytes than it is given, and
    /// keeps the writer waiting with the rest unless told otherwise. Nil for other files, and where that is not allowed.
    private let terminal: Descriptor?

    /// - Parameter number: An open descriptor, which stays the caller's to close.
    package init(_ number: Int32) {
        self.number = number
        terminal =
            isatty(number) == 1 ? Descriptor(open("/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_NOCTTY)) : nil
    }

    /// Writes as much as there is room for and takes it off the bytes. It is with the kernel then: nothing is kept in a buffer of
    /// this process, so nothing is to be flushed.
    ///
    /// Throws for every error of `write(2)`, `EPIPE` included.
    package func write(_ bytes: inout ArraySlice<UInt8>) throws(Failure) {
        while !bytes.isEmpty, try hasRoom(within: 0) {
            do {
                bytes = bytes.dropFirst(try writeOnce(bytes))
            } catch {
                if error.code == EAGAIN { return }
                if error.code != EINTR { throw error }
            }
        }
    }

    /// Waits until what was written is on the disk, where it went to a file: nothing else can be, and not every file system can.
    ///
    /// - Throws: Where the disk has lost it, or has no room for it.
    package func synchronize() throws(Failure) {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fsync(number) != 0 else { return }
        if FileWrite.isLoss(errno) { throw Failure(code: errno) }
    }

    /// Where it ends, if it is a file on a disk.
    package var end: Int64? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Takes back what was written behind the end of a file, unless somebody else has written to it since.
    ///
    /// - Parameters:
    ///   - count: Of bytes.
    ///   - end: As it was before; nil for what is no file on a disk.
    /// - Returns: Whether it ends there again.
    package func takeBack(_ count: Int, behind end: Int64?) -> Bool {
        guard let end, self.end == end + Int64(count), ftruncate(number, off_t(end)) == 0 else { return false }
        return lseek(number, off_t(end), SEEK_SET) >= 0
    }

    /// Whether there is room, or an error to be told of, before so many milliseconds are over. The thread waits meanwhile.
    package func hasRoom(within milliseconds: Int32) throws(Failure) -> Bool {
        // poll(2) would pass it over.
        guard number >= 0 else { throw Failure(code: EBADF) }
        var request = pollfd(fd: terminal?.number ?? number, events: Int16(POLLOUT), revents: 0)
        let count = poll(&request, 1, milliseconds)
        guard count >= 0 || errno == EINTR else { throw Failure(code: errno) }
        return count > 0
    }

    /// A pipe or socket that polls as writable takes `PIPE_BUF` bytes without blocking, so no more are offered at once.
    private func writeOnce(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Int {
        let descriptor = terminal?.number ?? number
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
        guard count >= 0 else { throw Failure(code: code) }
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
