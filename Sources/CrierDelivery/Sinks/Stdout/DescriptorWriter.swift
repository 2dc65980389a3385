import CrierNotifications
import CrierProcess
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes to a file descriptor: everything, or an error that says how far it came.
struct DescriptorWriter: Sendable {
    let output: InheritedOutput

    struct Failure: Error {
        /// Bytes written before.
        let written: Int
        let reason: String
    }

    /// Returns when all bytes are with the kernel.
    ///
    /// Throws when `limit` is over and the reader has not made room, when the task is cancelled meanwhile, and for every error of
    /// `write(2)`, `EPIPE` included.
    func write(_ bytes: [UInt8], within limit: Duration) async throws(Failure) {
        let deadline = ContinuousClock.now + limit
        var rest = bytes[...]
        do throws(InheritedOutput.Failure) {
            try output.write(&rest)
            while !rest.isEmpty {
                if Task.isCancelled { throw InheritedOutput.Failure(code: ECANCELED) }
                guard let milliseconds = (deadline - .now).milliseconds else {
                    throw InheritedOutput.Failure(code: ETIMEDOUT)
                }
                await waitForRoom(within: milliseconds)
                try output.write(&rest)
            }
        } catch {
            throw Failure(written: bytes.count - rest.count, reason: error.reason)
        }
    }

    /// Returns when there may be room, the time is over, or the task is cancelled.
    ///
    /// A thread of its own waits: the one that asks may be the only one that the process has for everything else.
    private func waitForRoom(within milliseconds: Int32) async {
        let isOver = Bell()
        DispatchQueue(label: "crier output").async { [output] in
            _ = try? output.hasRoom(within: milliseconds)
            isOver.ring()
        }
        await isOver.wait()
    }
}

extension Duration {
    /// Rounded up; nil where it is over.
    fileprivate var milliseconds: Int32? {
        guard self > .zero else { return nil }
        return Int32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 + 1)
    }
}
