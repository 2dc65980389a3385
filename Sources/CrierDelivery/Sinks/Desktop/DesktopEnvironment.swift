import CrierProcess

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
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
    /// `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in the user's runtime directory, as cron jobs need it.
    public var busAddress: String? {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], isUsable(address) { return address }
        let given = variables["XDG_RUNTIME_DIR"] ?? ""
        let directories = [given, "\(runtimeDirectories)/\(userID)"].filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/bus" }.first(where: isSocket).map { "unix:path=\(Self.escaped($0))" }
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

    /// A left-over address of an earlier session names a socket that is gone.
    private func isUsable(_ address: String) -> Bool {
        let prefix = "unix:path="
        if address.isEmpty || address.hasPrefix("autolaunch:") { return false }
        guard address.hasPrefix(prefix), !address.contains(";"), !address.contains("%") else { return true }
        return isSocket(String(address.dropFirst(prefix.count).prefix { $0 != "," }))
    }

    private func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// D-Bus Specification, "Server Addresses": all but a few ASCII characters are written as `%` and two digits.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || "0123456789-_/.\\*".unicodeScalars.contains(scalar) {
                return String(scalar)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
