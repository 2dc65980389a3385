import Foundation

/// What memory this process has, in bytes, by proc_pid_statm(5); nil where the system does not tell.
package enum ProcessMemory {
    package static var mapped: Int? { pages(0) }
    package static var resident: Int? { pages(1) }

    private static func pages(_ column: Int) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst(column).first.flatMap { Int($0) }
            .map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
