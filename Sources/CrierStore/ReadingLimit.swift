import Foundation

/// Ends the process where it has worked too long at a document: nothing else would, as such work waits for nobody. The next process
/// tells of it as of any that ended at one, see ``ReadingMarks``.
///
/// In seconds of the processor's time that the thread which reads takes; 0 is no limit. Programs that are run for a document have limits of
/// their own.
enum ReadingLimit {
    /// To be called once, before the first document.
    static func prepare() {
        // What a signal's handler may call (POSIX XSH 2.4.3).
        signal(SIGPROF) { _ in
            let words: StaticString = "crier: a document takes too long to read; the next run tells which\n"
            _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
            _exit(EX_SOFTWARE)
        }
    }

    static func during<T>(_ seconds: Int, _ read: () throws -> T) rethrows -> T {
        #if canImport(Glibc)
            var event = sigevent()
            event.sigev_notify = Int32(SIGEV_SIGNAL)
            event.sigev_signo = SIGPROF
            var timer: timer_t?
            // Where the kernel has no more of them, it goes without.
            guard seconds > 0, timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0, let timer else {
                return try read()
            }
            defer { timer_delete(timer) }
            var time = itimerspec()
            time.it_value.tv_sec = seconds
            timer_settime(timer, 0, &time, nil)
        #endif
        return try read()
    }
}
