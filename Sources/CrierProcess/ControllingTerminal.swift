#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal in whose foreground a process was started, if it was in any (credentials(7)).
package struct ControllingTerminal: Sendable {
    private let wasThere: Bool

    /// To be made before SIGHUP is taken over. What `nohup` has started, which has that ignored, or a shell in its background, is to
    /// outlive its terminal.
    package init() {
        wasThere = Self.foreground == getpgrp() && !IgnoredSignals.contain(SIGHUP)
    }

    /// Whether SIGHUP means what it meant at first: the terminal is gone, as when its window is closed.
    package var isGone: Bool { wasThere && Self.foreground == nil }

    /// The group of processes that is in the foreground; nil where there is no terminal.
    private static var foreground: pid_t? {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { return nil }
        defer { close(descriptor) }
        let group = tcgetpgrp(descriptor)
        return group < 0 ? nil : group
    }
}
