import CrierHashing
import CrierProcess

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a bus is to be found: ways that are tried in their order (D-Bus Specification, "Server Addresses").
struct BusAddress: Sendable, Hashable {
    private enum Way: Hashable {
        case path(String)
        case abstract(String)
        /// Of which only a client can tell whether it leads anywhere.
        case other
    }

    let text: String
    private let ways: [Way]

    init(_ text: String) {
        self.text = text
        ways = text.split(separator: ";").compactMap(Self.way)
    }

    /// Of a socket in the file system.
    init(path: String) {
        text = "unix:path=\(Self.escaped(path))"
        ways = [.path(path)]
    }

    /// A left-over address of an earlier session names a socket that is gone; others are none of a client's.
    var isUsable: Bool {
        ways.contains { if case .path(let path) = $0 { Self.isSocket(path) } else { true } }
    }

    /// Whether somebody listens there, as far as that can be told: one that was killed leaves its socket.
    var isHeard: Bool {
        ways.contains { way in
            switch way {
            case .path(let path): Self.isHeard(Array(path.utf8))
            case .abstract(let name): Self.isHeard([0] + Array(name.utf8))
            case .other: true
            }
        }
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
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            // Of one that cannot be asked nothing is known.
            guard let address = LocalAddress(name) else { return true }
            let descriptor = socket(AF_UNIX, kind, 0)
            guard descriptor >= 0 else { return true }
            defer { close(descriptor) }
            let status = address.pass { connect(descriptor, $0, $1) }
            // Where many wait to be let in, too, somebody listens.
            return status == 0 || errno == EAGAIN
        #else
            return true
        #endif
    }

    /// All but a few ASCII characters are written as `%` and two digits.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || "0123456789-_/.\\*".unicodeScalars.contains(scalar) {
                return String(scalar)
            }
            return "%" + [byte].hexadecimal
        }.joined()
    }
}
