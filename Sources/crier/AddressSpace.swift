import ArgumentParser
import CrierProcess
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
        guard let limit = ResourceLimit.addressSpace.value?.rlim_cur, limit != .max,
            let needed = ProcessMemory.mapped.map({ rlim_t($0) + least }), limit < needed
        else { return }
        throw failure(
            "only \(limit >> 20) MiB of memory may be mapped (ulimit -v); at least \(needed >> 20) MiB are needed",
            ExitStatus.ioError)
    }
}
