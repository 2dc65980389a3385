import ArgumentParser
import Foundation

/// How much memory a process may map (`ulimit -v`).
enum AddressSpace {
    /// Sixteen threads, most of it their stacks: more than a run takes that starts no programs. Each of those, of which 32 may run at
    /// once, takes two.
    private static let least: rlim_t = 128 << 20

    /// Where no thread can be begun, dispatch tries again each second for ever, and no work is ever done.
    ///
    /// - Throws: An exit status where there is no room for the threads of a command; the sentence has been told.
    static func check() throws {
        #if os(Linux) && canImport(Glibc)
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != .max,
                let used, limit.rlim_cur < used + least
            else { return }
            throw failure(
                "only \(limit.rlim_cur >> 20) MiB of memory may be mapped (ulimit -v); "
                    + "at least \((used + least) >> 20) MiB are needed",
                ExitStatus.ioError)
        #endif
    }

    /// By proc_pid_statm(5), in bytes; nil where the system does not tell.
    private static var used: rlim_t? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").first.flatMap { rlim_t($0) }.map { $0 * rlim_t(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
