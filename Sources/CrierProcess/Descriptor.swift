#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor of this process alone, closed when nobody has it any more.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Nil where it is none.
    package init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(number) }

    /// Two ends, of which the first does not wait for bytes; nil where there are no more of them.
    static func pipe() -> (read: Descriptor, write: Descriptor)? {
        var ends: [Int32] = [-1, -1]
        guard systemPipe(&ends) == 0, let read = Descriptor(ends[0]), let write = Descriptor(ends[1]) else {
            return nil
        }
        _ = fcntl(read.number, F_SETFL, O_NONBLOCK)
        return (read, write)
    }
}

private let systemPipe = pipe
