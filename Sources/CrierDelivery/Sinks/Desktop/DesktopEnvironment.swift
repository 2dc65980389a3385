import CrierProcess

#if canImport(Glibc)
    import func Glibc.getpid
#elseif canImport(Musl)
    import func Musl.getpid
#else
    import func Darwin.getpid
#endif

/// The part of the machine that ``DesktopSink`` looks at: a value, so that a test can offer another one.
public struct DesktopEnvironment: Sendable, Hashable {
    /// The environment variables, which programs started by the sink get too.
    public var variables: [String: String]
    /// The numeric user, whose runtime directory is looked at when `XDG_RUNTIME_DIR` is not set.
    public var userID: UInt32
    /// The folder of all users' runtime directories.
    public var runtimeDirectories: String

    public init(variables: [String: String], userID: UInt32, runtimeDirectories: String = "/run/user") {
        self.variables = variables
        self.userID = userID
        self.runtimeDirectories = runtimeDirectories
    }

    /// The address of the session bus, or nil when there is none: nothing is ever started to get one.
    ///
    /// `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in the user's runtime directory, as cron jobs need it: the first at
    /// which somebody listens, or the first that there is.
    public var busAddress: String? {
        let given = BusAddress(variables["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        let directories = [variables["XDG_RUNTIME_DIR"] ?? "", "\(runtimeDirectories)/\(userID)"]
        let sockets = directories.filter { $0.hasPrefix("/") }.map { BusAddress(path: "\($0)/bus") }
        let usable = ([given] + sockets).filter(\.isUsable)
        return (usable.first(where: \.isHeard) ?? usable.first)?.text
    }

    /// Whether this process is what a systemd unit runs (systemd.exec(5), `SYSTEMD_EXEC_PID`), not only something within it.
    var isMainOfUnit: Bool { variables["SYSTEMD_EXEC_PID"] == "\(getpid())" }

    /// The path of a program in one of the absolute folders of `PATH`.
    func program(_ name: String) -> String? {
        ProgramPath.of(name, environment: variables)
    }

    /// The variables for programs that talk to the bus and whose messages are read: in English and UTF-8.
    public func variables(for bus: String) -> [String: String] {
        var result = variables
        result["DBUS_SESSION_BUS_ADDRESS"] = bus
        result["LC_ALL"] = "C.UTF-8"
        result["LANGUAGE"] = nil
        return result
    }
}
