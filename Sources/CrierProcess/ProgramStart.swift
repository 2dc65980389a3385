#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts programs (posix_spawn(3)).
package enum ProgramStart {
    /// - Parameters:
    ///   - variables: Its environment; nil is this process's own.
    ///   - streams: Its standard input, output and error; it gets no other descriptor.
    /// - Returns: The process, which leads a session and so a group of its own, or the `errno` of the failure.
    package static func process(
        _ path: String, _ command: [String], variables: [String: String]?, streams: [Descriptor]
    ) -> Result<pid_t, StartError> {
        rememberChildren()
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
        }
        // Signals are blocked in the threads of dispatch, and ignored where a source of dispatch hears of them.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | ownSession
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #elseif canImport(Glibc)
            posix_spawn_file_actions_addclosefrom_np(&actions, Int32(streams.count))
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let code = withCStrings(command) { arguments in
            guard let variables else { return posix_spawn(&process, path, &actions, &attributes, arguments, environ) }
            return withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                posix_spawn(&process, path, &actions, &attributes, arguments, variables)
            }
        }
        return code == 0 ? .success(process) : .failure(StartError(code: code))
    }

    /// Has the system remember how children end until somebody asks. It forgets that where SIGCHLD is ignored, as servers do that
    /// want no zombies, and whoever they start; or where a handler says so (`SA_NOCLDWAIT`), which then stays without that.
    private static func rememberChildren() {
        var action = sigaction()
        guard sigaction(SIGCHLD, nil, &action) == 0 else { return }
        let isIgnored = IgnoredSignals.contain(SIGCHLD)
        guard isIgnored || action.sa_flags & forgetsChildren != 0 else { return }
        if isIgnored {
            signal(SIGCHLD, SIG_DFL)
        } else {
            action.sa_flags &= ~forgetsChildren
            sigaction(SIGCHLD, &action, nil)
        }
    }

    private static let forgetsChildren = Int32(SA_NOCLDWAIT)

    /// The C strings and a nil.
    private static func withCStrings<T>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> T
    ) -> T {
        var strings = texts.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        return strings.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    #if canImport(Darwin)
        private static let ownSession = Int32(POSIX_SPAWN_SETSID)
    #else
        /// `POSIX_SPAWN_SETSID` of spawn.h, which is there for GNU sources alone.
        private static let ownSession: Int32 = 0x80
    #endif
}

/// The `errno` of a program that could not be started.
package struct StartError: Error {
    package let code: Int32
}
