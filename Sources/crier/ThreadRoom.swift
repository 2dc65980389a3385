import ArgumentParser
import CrierProcess
import Foundation

/// How many threads a process may begin (`ulimit -u`), and how much memory there is for them (`ulimit -d`).
enum ThreadRoom {
    /// Those of a run that starts no programs.
    private static let fewest = 8
    /// Of the user's processes, so many may well be there already.
    private static let plenty: rlim_t = 4096

    /// As where no memory can be mapped for a thread (``AddressSpace``), a command would wait for ever. How much of these limits is taken
    /// is not for the process to know, so it is tried.
    ///
    /// - Throws: An exit status where too few threads can be begun; the sentence has been told.
    static func check() throws {
        #if os(Linux)
            let isBounded =
                ResourceLimit.processes.value.map { $0.rlim_cur < plenty } ?? false
                || ResourceLimit.data.value.map { $0.rlim_cur != .max } ?? false
            guard isBounded, !canBegin(fewest) else { return }
            throw failure(
                "fewer than \(fewest) threads can be begun: raise the limit (ulimit -u, ulimit -d)", ExitStatus.ioError)
        #endif
    }

    #if os(Linux)
        /// All at once.
        private static func canBegin(_ count: Int) -> Bool {
            let gate = DispatchSemaphore(value: 0)
            var threads: [pthread_t] = []
            while threads.count < count {
                var thread = pthread_t()
                let code = pthread_create(
                    &thread, nil,
                    { gate in
                        Unmanaged<DispatchSemaphore>.fromOpaque(gate!).takeUnretainedValue().wait()
                        return nil
                    }, Unmanaged.passUnretained(gate).toOpaque())
                if code != 0 { break }
                threads.append(thread)
            }
            for _ in threads { gate.signal() }
            for thread in threads { pthread_join(thread, nil) }
            return threads.count == count
        }
    #endif
}
