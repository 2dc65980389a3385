#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a bus is to be found: ways that are tried in their order (D-Bus Specification, "Server Addresses").
package struct BusAddress: Sendable, Hashable {
    private enum Way: Hashable {
        case path(String)
        case abstract(String)
        /// Of which only a client can tell whether it leads anywhere.
        case other

        /// Of a socket of this machine, as ``LocalAddress`` takes it.
        var name: [UInt8]? {
            switch self {
            case .path(let path): Array(path.utf8)
            case .abstract(let name): [0] + Array(name.utf8)
            case .other: nil
            }
        }
    }

    package let text: String
    private let ways: [Way]

    package init(_ text: String) {
        self.text = text
        ways = text.split(separator: ";").compactMap(Self.way)
    }

    /// Of a socket in the file system.
    package init(path: String) {
        text = "unix:path=\(Self.escaped(path))"
        ways = [.path(path)]
    }

    /// That of the machine (D-Bus Specification, "System message bus").
    package static func ofSystem(environment: [String: String]) -> BusAddress {
        environment["DBUS_SYSTEM_BUS_ADDRESS"].map { BusAddress($0) } ?? BusAddress(path: "/run/dbus/system_bus_socket")
    }

    /// A left-over address of an earlier session names a socket that is gone; others are none of a client's.
    package var isUsable: Bool {
        ways.contains { if case .path(let path) = $0 { Self.isSocket(path) } else { true } }
    }

    /// Whether somebody listens there, as far as that can be told: one that was killed leaves its socket.
    package var isHeard: Bool { ways.contains { $0.name.map(Self.isHeard) ?? true } }

    /// A connection to the first that takes one, as ``LocalAddress/connection()`` makes it; nil where none does.
    package func connection() -> Int32? {
        ways.lazy.compactMap { $0.name.flatMap(LocalAddress.init)?.connection() }.first { $0 >= 0 }
    }

    private static func way(_ text: Substring) -> Way? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if ["tcp", "nonce-tcp", "unixexec", "launchd"].contains(parts[0]) { return .other }
        guard parts[0] == "unix" else { return nil }
        for pair in parts[1].split(separator: ",") {
            for (key, way) in [("path=", Way.path), ("abstract=", Way.abstract)] where pair.hasPrefix(key) {
                return pair.contains("%") ? .other : way(String(pair.dropFirst(key.count)))
            }
        }
        return nil
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Nothing is said to whoever listens.
    private static func isHeard(_ name: [UInt8]) -> Bool {
        guard let connection = LocalAddress(name)?.connection() else { return true }
        if connection >= 0 { close(connection) }
        // Where many wait to be let in, too, somebody listens; and of one that cannot be asked nothing is known.
        return connection >= 0 || [EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSYS].contains(-connection)
    }

    /// All but a few ASCII characters are written as `%` and two digits.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || "0123456789-_/.\\*".unicodeScalars.contains(scalar) {
                return String(scalar)
            }
            return "%" + String(Int(byte) + 0x100, radix: 16).dropFirst()
        }.joined()
    }
}
