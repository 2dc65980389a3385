#if os(Linux)
    import CLinux
#endif

/// How a process takes its memory.
package enum SharedHeap {
    /// Lets all threads share two heaps, of which the main one grows by a mebibyte at a time. To be called before there are other
    /// threads.
    ///
    /// glibc gives each thread a heap of its own and grows it page by page, with a system call for each: 3,500 of them in a
    /// run of a thousand sources, a tenth of its time, and memory that is free in one heap is of no use to another. Where there is
    /// one only, libcurl's thread and the one that reads changed documents and writes what was read wait for each other: a
    /// twentieth of the time of such a run.
    package static func set() {
        #if os(Linux) && canImport(Glibc)
            mallopt(M_ARENA_MAX, 2)
            mallopt(M_TOP_PAD, 1 << 20)
        #endif
    }
}
