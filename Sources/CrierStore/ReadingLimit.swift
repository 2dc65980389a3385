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
        #if os(Linux)
            var event = sigevent()
            event.sigev_notify = Int32(SIGEV_SIGNAL)
            event.sigev_signo = SIGPROF
            var timer: timer_t?
            // Where the kernel has no more of them, it goes without. The first of a process has the number 0, which is no pointer.
            guard seconds > 0, timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0 else { return try read() }
            defer { timer_delete(timer) }
            var time = itimerspec()
            time.it_value.tv_sec = seconds
            timer_settime(timer, 0, &time, nil)
        #else
            // Of the process, as there are none of a thread.
            var time = itimerval()
            time.it_value.tv_sec = seconds
            if seconds > 0 { setitimer(ITIMER_PROF, &time, nil) }
            defer {
                time.it_value.tv_sec = 0
                if seconds > 0 { setitimer(ITIMER_PROF, &time, nil) }
            }
        #endif
        return try read()
    }
}
