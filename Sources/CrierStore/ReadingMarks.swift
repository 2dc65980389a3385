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
        /// Seconds of the processor's time; 0 is no limit.
        var limit = 0
    }

    private let state: Mutex<State>
    private let process: Int

    /// - Parameters:
    ///   - process: The number that the file begins with.
    ///   - unfinished: What earlier processes were reading when they ended. It stays in the file until it is settled.
    init(_ descriptor: Int32, process: Int, unfinished: Set<String>) {
        self.process = process
        state = Mutex(State(descriptor: descriptor, unfinished: unfinished))
        change { _ in }
    }

    /// Reads a document of a source. One that fails in order is over, too.
    public func during<T>(_ source: String, _ read: () throws -> T) rethrows -> T {
        change { $0.names.append(source) }
        defer { change { $0.names.removeAll { $0 == source } } }
        return try ReadingLimit.during(state.withLock { $0.limit }, read)
    }

    /// See ``ReadingLimit``; from now on.
    public func limit(to seconds: Int = 60) {
        ReadingLimit.prepare()
        state.withLock { $0.limit = seconds }
    }

    /// What earlier processes were reading when they were ended, by the names of the sources.
    public var unfinished: Set<String> { state.withLock { $0.unfinished } }

    /// It is written down elsewhere, or of no interest any more.
    public func settle(_ source: String) { change { $0.unfinished.remove(source) } }

    /// Leaves what is not settled to the next, and writes nothing from here on.
    func end() {
        state.withLock { state in
            state.names = []
            if let descriptor = state.descriptor { Self.write(state, behind: "", to: descriptor) }
            state.descriptor = nil
        }
    }

    private func change(_ state: (inout State) -> Void) {
        self.state.withLock { present in
            state(&present)
            if let descriptor = present.descriptor { Self.write(present, behind: "\(process)", to: descriptor) }
        }
    }

    // No name has a NUL in it.
    private static func write(_ state: State, behind head: String, to descriptor: Int32) {
        let names: [UInt8] = (state.unfinished.sorted() + state.names).flatMap { Array($0.utf8) + [0] }
        let bytes: [UInt8] = head.isEmpty && names.isEmpty ? [] : Array("\(head)\n".utf8) + names
        // What a full disk did not take is not there.
        ftruncate(descriptor, off_t(max(0, pwrite(descriptor, bytes, bytes.count, 0))))
    }

    /// Those that stand behind the first line of a file. One that was cut off is none.
    static func names(in file: [UInt8]) -> Set<String> {
        guard let line = file.firstIndex(of: UInt8(ascii: "\n")), let end = file.lastIndex(of: 0), end > line else {
            return []
        }
        return Set(file[(line + 1)..<end].split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }
}
