import CrierProcess
import Synchronization

/// The lines of a log on their way to a reader who may not read: they wait for nobody. What finds no room is dropped, and the next line
/// that does is preceded by one that says how many.
final class LogOutput: Sendable {
    private struct State {
        /// Of the last line, what has yet to be written.
        var rest: ArraySlice<UInt8> = []
        var dropped = 0
    }

    private let output: InheritedOutput
    private let state = Mutex(State())

    init(_ output: InheritedOutput) {
        self.output = output
    }

    /// - Parameter notice: The line that tells how many are missing before this one.
    func write(_ line: [UInt8], after notice: (Int) -> [UInt8]) {
        state.withLock { state in
            flush(&state.rest)
            guard state.rest.isEmpty else {
                state.dropped += 1
                return
            }
            // Together, so that there is room for both or neither.
            state.rest = (state.dropped > 0 ? notice(state.dropped) : [])[...] + line
            state.dropped = 0
            flush(&state.rest)
        }
    }

    /// What cannot be written, since its reader is gone or the disk is full, is lost.
    private func flush(_ bytes: inout ArraySlice<UInt8>) {
        do { try output.write(&bytes) } catch { bytes = [] }
    }
}
