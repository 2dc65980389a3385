#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The signals that a process has the system ignore, or whoever started it, as a shell does with SIGINT for what runs in its background.
package enum IgnoredSignals {
    package static func contain(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0 && action.handlerAddress == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

extension sigaction {
    /// The handler as a number, which functions can be told apart by.
    fileprivate var handlerAddress: Int {
        #if canImport(Glibc)
            unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
        #elseif canImport(Musl)
            unsafeBitCast(__sa_handler.sa_handler, to: Int.self)
        #else
            unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
        #endif
    }
}
