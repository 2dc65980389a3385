#if os(Linux)
    import CLinux
#endif

/// How a process takes its memory.
public enum SharedHeap {
    /// Lets all threads share one heap that grows by a mebibyte at a time. To be called before there are other threads.
    ///
    /// glibc gives each thread a heap of its own and grows it page by page, with a system call for each: 3,500 of them in a
    /// run of a thousand sources, a tenth of its time, and memory that is free in one heap is of no use to another.
    public static func set() {
        #if os(Linux) && canImport(Glibc)
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_TOP_PAD, 1 << 20)
        #endif
    }

    /// Does what leaves much small debris behind, such as reading a long list, and joins that together as it is freed.
    ///
    /// glibc keeps small blocks as they are and joins them all when a large one is asked for next: after a list of 100,000
    /// sources the first visit took ten milliseconds longer, and everything else a little.
    public static func tidily<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if os(Linux) && canImport(Glibc)
            mallopt(M_MXFAST, 0)
            defer { mallopt(M_MXFAST, Int32(64 * MemoryLayout<Int>.size / 4)) }
        #endif
        return try body()
    }
}
