import Foundation

/// Ends the process where it has worked too long at a document: nothing else would, as such work waits for nobody. The next process
/// tells of it as of any that ended at one, see ``ReadingMarks``.
///
/// In seconds of the processor's time, of all threads, from when the last document was begun; 0 is no limit. Programs that are run for
/// a document have limits of their own.
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

    static func begin(_ limit: Int) { if limit > 0 { set(limit) } }

    static func end(_ limit: Int) { if limit > 0 { set(0) } }

    private static func set(_ seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        #if canImport(Glibc)
            setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        #else
            setitimer(ITIMER_PROF, &timer, nil)
        #endif
    }
}
