import CrierProcess

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells the service manager how the process is (sd_notify(3)), without its library: a datagram to `$NOTIFY_SOCKET`.
struct NotifySocket: Sendable, Hashable {
    /// One assignment of a datagram.
    enum Message: Sendable, Hashable {
        /// Started, or reloaded.
        case ready
        case reloading(monotonicMicroseconds: UInt64)
        case stopping
        /// One line that `systemctl status` shows.
        case status(String)
        /// Alive.
        case watchdog

        /// The configuration is being read again, from this moment of the monotonic clock on.
        static var reloadingNow: Message {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return .reloading(monotonicMicroseconds: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000)
        }

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
            case .watchdog: "WATCHDOG=1"
            }
        }
    }

    private let address: LocalAddress

    /// Nil where nobody listens: the process was not started by a manager, or by one that asks for nothing.
    init?(environment: [String: String]) {
        // A path, or `@` and an abstract name.
        guard let text = environment["NOTIFY_SOCKET"], text.utf8.count > 1,
            text.hasPrefix("/") || text.hasPrefix("@"),
            let address = LocalAddress(text.hasPrefix("@") ? [0] + text.utf8.dropFirst() : Array(text.utf8))
        else { return nil }
        self.address = address
    }

    /// Sends the messages in one datagram.
    ///
    /// - Returns: Whether the manager took it; one that does not is no reason to do anything else.
    @discardableResult
    func send(_ messages: Message...) -> Bool {
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(messages.map(\.text).joined(separator: "\n").utf8)
        let sent = address.pass { sendto(descriptor, bytes, bytes.count, Self.flags, $0, $1) }
        return sent == bytes.count
    }

    /// How long the manager waits for a ``Message/watchdog`` before it ends the process: one is due every half of that.
    ///
    /// - Returns: nil where it waits for none, or for one of another process.
    static func watchdogTimeout(environment: [String: String], processID: Int32 = getpid()) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        if let process = environment["WATCHDOG_PID"], Int32(process) != processID { return nil }
        return .microseconds(microseconds)
    }

    #if canImport(Darwin)
        private static let flags: Int32 = 0
    #else
        private static let flags = Int32(MSG_NOSIGNAL)
    #endif
}
