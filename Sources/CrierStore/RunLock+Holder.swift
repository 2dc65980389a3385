import CrierProcess
import Foundation

extension RunLock {
    /// The process that holds the lock of a state.
    public struct Holder: Sendable, Hashable {
        /// Its number.
        public let process: Int32
        /// Whether it is stopped, as by SIGSTOP or Ctrl-Z: it keeps the lock then, does nothing and answers nobody.
        public let isStopped: Bool

        public init(process: Int32, isStopped: Bool) {
            self.process = process
            self.isStopped = isStopped
        }

        /// What it is to one who has found that it does not answer.
        public var words: String {
            isStopped
                ? "the run or agent at work (process \(process)) is stopped: nothing is fetched or raised"
                : "a run is at work (process \(process)), or an agent that does not answer"
        }

        /// The command that lets one go on that is stopped; nil where it is not.
        public var remedy: String? { isStopped ? "kill -CONT \(process)" : nil }

        /// Both.
        public var advice: String { words + (remedy.map { "; `\($0)` lets it go on" } ?? "") }
    }

    /// Who holds the lock of a state; nil where nobody does, or the system does not tell.
    public static func holder(statePath: String) -> Holder? {
        let path = SymbolicLinks.resolved(statePath) + ".lock"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return holder(of: descriptor)
    }

    static func holder(of descriptor: Int32) -> Holder? {
        guard let process = Int32(read(descriptor)), let isStopped = isStopped(process) else { return nil }
        // The number of one that was killed may be another's by now.
        var lock = stat()
        guard fstat(descriptor, &lock) == 0 else { return nil }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        // Or that of the one who asks, as of the first process of the next container, who has the file open to ask.
        let isOwn = process == getpid()
        let isHolder = files.contains { file in
            !(isOwn && file == "\(descriptor)")
                && FileIdentity("/proc/\(process)/fd/\(file)") == FileIdentity(of: lock)
        }
        return isHolder ? Holder(process: process, isStopped: isStopped) : nil
    }

    /// By proc_pid_stat(5): behind its name, which may hold anything, `T` or, while it is traced, `t`. Nil where there is none.
    private static func isStopped(_ process: Int32) -> Bool? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .isoLatin1),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[end...].dropFirst(2).first.map { $0 == "T" || $0 == "t" }
    }
}
