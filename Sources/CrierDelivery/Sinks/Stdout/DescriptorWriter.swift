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

/// Writes records to a file descriptor, whoever has them: one after the other, and on a line of its own where the one before was
/// written in part only. A file on a disk that has no room for all of one gets nothing of it: another process may write the next.
public actor DescriptorWriter {
    /// That of this process: one for all who write to it.
    public static let standardOutput = DescriptorWriter(1)

    private let output: InheritedOutput
    private let before: (@Sendable () async -> Void)?
    private let after: (@Sendable () -> Void)?
    /// Whether the last record was written in part only.
    private var isMidLine = false
    /// Rung when the record that is being written now is; nil where there is none.
    private var writing: Bell?

    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays the caller's to close.
    ///   - before: Called before each record: what else is on the same terminal makes way.
    ///   - after: Called behind it, be it written or not, and before the next.
    public init(
        _ descriptor: Int32, before: (@Sendable () async -> Void)? = nil, after: (@Sendable () -> Void)? = nil
    ) {
        output = InheritedOutput(descriptor)
        self.before = before
        self.after = after
    }

    /// Returns when all bytes are with the kernel, and on the disk where they went to a file.
    ///
    /// - Parameter limit: How long a reader that does not read is waited for.
    /// - Throws: When the reader has not made room, when the task is cancelled meanwhile, for every error of `write(2)`,
    ///   `EPIPE` included, and where the disk has no room for it after all or has lost it.
    func write(_ record: [UInt8], within limit: Duration) async throws(InheritedOutput.Failure) {
        while let writing, !Task.isCancelled { await writing.wait() }
        // One that is stopped while it waits has written nothing.
        if writing != nil { throw InheritedOutput.Failure(code: ECANCELED) }
        let isWritten = Bell()
        writing = isWritten
        defer {
            writing = nil
            isWritten.ring()
        }
        await before?()
        defer { after?() }
        let bytes = isMidLine ? [0x0a] + record : record
        var rest = bytes[...]
        let end = output.end
        do throws(InheritedOutput.Failure) {
            try await write(&rest, until: .now + min(limit, .seconds(Int64.max)))
            isMidLine = false
            try output.synchronize()
        } catch {
            let written = bytes.count - rest.count
            if written > 0, !rest.isEmpty, !output.takeBack(written, behind: end) { isMidLine = true }
            throw error
        }
    }

    private func write(
        _ rest: inout ArraySlice<UInt8>, until deadline: ContinuousClock.Instant
    ) async throws(InheritedOutput.Failure) {
        try output.write(&rest)
        while !rest.isEmpty {
            if Task.isCancelled { throw InheritedOutput.Failure(code: ECANCELED) }
            guard let milliseconds = (deadline - .now).milliseconds else {
                throw InheritedOutput.Failure(code: ETIMEDOUT)
            }
            await waitForRoom(within: milliseconds)
            try output.write(&rest)
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
        return Int32(min((self / .milliseconds(1)).rounded(.up), Double(Int32.max)))
    }
}
