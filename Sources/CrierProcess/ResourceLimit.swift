#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How much of something this process may have (getrlimit(2)).
package enum ResourceLimit {
    /// Files, pipes and sockets that are open at once (`ulimit -n`).
    case openFiles
    /// Memory that is mapped, in bytes (`ulimit -v`).
    case addressSpace
    /// A file that is written, in bytes (`ulimit -f`).
    case fileSize
    /// Processes of the user, and threads (`ulimit -u`).
    case processes
    /// Memory for what is the process's own, in bytes (`ulimit -d`).
    case data

    /// Nil where the system does not tell.
    package var value: rlimit? {
        var limit = rlimit()
        return getrlimit(kind, &limit) == 0 ? limit : nil
    }

    /// - Returns: Whether it holds from now on, also for programs that the process starts.
    package func set(_ limit: rlimit) -> Bool {
        var limit = limit
        return setrlimit(kind, &limit) == 0
    }

    #if canImport(Glibc)
        private var kind: __rlimit_resource_t {
            switch self {
            case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
            case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            case .processes: __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
            case .data: __rlimit_resource_t(RLIMIT_DATA.rawValue)
            }
        }
    #else
        private var kind: Int32 {
            switch self {
            case .openFiles: RLIMIT_NOFILE
            case .addressSpace: RLIMIT_AS
            case .fileSize: RLIMIT_FSIZE
            case .processes: RLIMIT_NPROC
            case .data: RLIMIT_DATA
            }
        }
    #endif
}
