import Foundation
import Synchronization

/// Which sources' documents are being read at this moment, written where it outlives the process: a document that ends the
/// process which reads it would be fetched anew, and end it again, at each start.
///
/// It stands in the lock file, behind the process's number. Two small writes to a file that is in memory, for a document that
/// is read; not a transaction.
public final class ReadingMarks: Sendable {
    private struct State {
        /// Nil once the lock is given back.
        var descriptor: Int32?
        var names: [String] = []
        var unfinished: Set<String>
    }

    private let state: Mutex<State>
    private let head: [UInt8]

    /// - Parameters:
    ///   - head: What the file begins with.
    ///   - unfinished: What the last process was reading when it ended.
    init(_ descriptor: Int32, head: [UInt8], unfinished: Set<String>) {
        self.head = head
        state = Mutex(State(descriptor: descriptor, unfinished: unfinished))
    }

    /// Reads a document of a source. One that fails in order is over, too.
    public func during<T>(_ source: String, _ read: () throws -> T) rethrows -> T {
        change { $0.append(source) }
        defer { change { $0.removeAll { $0 == source } } }
        return try read()
    }

    /// What the last process was reading when it was ended, by the names of the sources. The next time, none.
    public func takeUnfinished() -> Set<String> {
        state.withLock { state in
            defer { state.unfinished = [] }
            return state.unfinished
        }
    }

    /// Writes nothing from here on.
    func end() { state.withLock { $0.descriptor = nil } }

    private func change(_ names: (inout [String]) -> Void) {
        state.withLock { state in
            names(&state.names)
            guard let descriptor = state.descriptor else { return }
            let bytes = head + Self.text(of: state.names)
            pwrite(descriptor, bytes, bytes.count, 0)
            ftruncate(descriptor, off_t(bytes.count))
        }
    }

    // No name has a NUL in it.
    private static func text(of names: [String]) -> [UInt8] { names.flatMap { Array($0.utf8) + [0] } }

    /// Those that stand behind the first line of a file. One that was cut off is none.
    static func names(in file: [UInt8]) -> Set<String> {
        guard let line = file.firstIndex(of: UInt8(ascii: "\n")), let end = file.lastIndex(of: 0), end > line else {
            return []
        }
        return Set(file[(line + 1)..<end].split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }
}
