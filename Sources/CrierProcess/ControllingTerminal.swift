#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal that a process was started from, if it was from any (credentials(7)).
package struct ControllingTerminal: Sendable {
    private let wasThere: Bool

    /// To be made before SIGHUP is taken over: with `nohup`, which has it ignored, the process is to outlive its terminal.
    package init() {
        wasThere = Self.isThere && !IgnoredSignals.contain(SIGHUP)
    }

    /// Whether SIGHUP means what it meant at first: the terminal is gone, as when its window is closed.
    package var isGone: Bool { wasThere && !Self.isThere }

    private static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { return false }
        close(descriptor)
        return true
    }
}
