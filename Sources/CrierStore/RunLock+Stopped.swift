import CrierProcess
import Foundation

/// One that is stopped keeps the lock, does nothing and answers nobody.
extension RunLock {
    /// The number of the process that holds the lock of a state, where that is stopped, as by SIGSTOP or Ctrl-Z; nil where none is,
    /// or the system does not tell.
    public static func stoppedHolder(statePath: String) -> Int32? {
        let path = SymbolicLinks.resolved(statePath) + ".lock"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return stoppedHolder(of: descriptor)
    }

    static func stoppedHolder(of descriptor: Int32) -> Int32? {
        guard let process = Int32(read(descriptor)), isStopped(process) else { return nil }
        // The number of one that was killed may be another's by now.
        var lock = stat()
        guard fstat(descriptor, &lock) == 0 else { return nil }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        let isHolder = files.contains { number in
            var file = stat()
            return stat("/proc/\(process)/fd/\(number)", &file) == 0 && file.st_ino == lock.st_ino
                && file.st_dev == lock.st_dev
        }
        return isHolder ? process : nil
    }

    /// By proc_pid_stat(5): behind its name, which may hold anything, `T` or, while it is traced, `t`.
    private static func isStopped(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .isoLatin1),
            let end = text.lastIndex(of: ")")
        else { return false }
        return text[end...].dropFirst(2).first.map { $0 == "T" || $0 == "t" } ?? false
    }
}
