import CCurl
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the certificate authorities come from.
package final class TrustStore: Sendable {
    enum Authorities: Sendable, Hashable {
        /// What libcurl was built with.
        case builtIn
        case chosen(file: String?, directory: String?)
    }

    /// Nil until the system's directory has been looked at.
    private let shared: Mutex<Authorities?>
    private let systemDirectory: String

    /// `CURL_CA_BUNDLE` or else `SSL_CERT_FILE`, and `SSL_CERT_DIR`; else the system's directory where it is hashed.
    package init(_ environment: [String: String], systemDirectory: String = "/etc/ssl/certs") {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let file = value("CURL_CA_BUNDLE") ?? value("SSL_CERT_FILE")
        let directory = value("SSL_CERT_DIR")
        shared = Mutex(file == nil && directory == nil ? nil : .chosen(file: file, directory: directory))
        self.systemDirectory = systemDirectory
    }

    /// The first call may read a directory of hundreds of entries, so only who is about to use TLS asks.
    func authorities(caFile: String?) -> Authorities {
        if let caFile { return .chosen(file: caFile, directory: nil) }
        return shared.withLock { shared in
            let found = shared ?? systemAuthorities
            shared = found
            return found
        }
    }

    /// The file or folder without which nobody can be vouched for, where it is not there or cannot be read.
    package var missing: String? {
        let paths: [String] =
            switch authorities(caFile: nil) {
            case .builtIn: crier_curl_authorities().map { [String(cString: $0)] } ?? []
            case .chosen(let file?, _): [file]
            // OpenSSL takes several.
            case .chosen(nil, let directory): (directory ?? "").split(separator: ":").map(String.init)
            }
        return paths.contains { access($0, R_OK) == 0 } ? nil : paths.first
    }

    private var systemAuthorities: Authorities {
        // One authority is looked up by its hash; the bundle would be parsed whole, 24 ms for each connection.
        Self.isHashed(systemDirectory) ? .chosen(file: nil, directory: systemDirectory) : .builtIn
    }

    /// Whether a directory has the links that OpenSSL looks for, such as `5ed36f99.0`.
    private static func isHashed(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.count == 10, name.suffix(2).elementsEqual([0x2e, 0x30]), name.prefix(8).allSatisfy(isHexDigit) {
                return true
            }
        }
        return false
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
