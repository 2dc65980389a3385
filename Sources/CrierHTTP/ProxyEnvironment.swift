/// The proxy variables, read as curl reads them. Read here and not by libcurl, because whether a proxy stands between
/// decides whether the address of a connection says anything about the target.
struct ProxyEnvironment: Sendable {
    private let proxies: [String: String]
    private let exceptions: [String]

    init(_ environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        // HTTP_PROXY in capitals is not read: a CGI request can set it.
        let other = value("all_proxy", "ALL_PROXY")
        proxies = [
            "http": value("http_proxy") ?? other, "https": value("https_proxy", "HTTPS_PROXY") ?? other,
        ].compactMapValues { $0 }
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    }

    /// The proxy for a URL; nil for a direct connection.
    func proxy(for url: WebURL) -> String? {
        exceptions.contains { Self.exception($0, covers: url.host) } ? nil : proxies[url.scheme]
    }

    /// "*", a name with everything below it, an address, or an address range (CIDR).
    private static func exception(_ exception: String, covers host: String) -> Bool {
        if exception == "*" { return true }
        if let address = NetworkAddress(host) {
            let parts = exception.split(separator: "/", maxSplits: 1).map(String.init)
            guard let network = parts.first.flatMap(NetworkAddress.init) else { return false }
            let bits = parts.count > 1 ? Int(parts[1]) ?? -1 : network.bytes.count * 8
            return address.isInside(network, bits: bits)
        }
        let name = exception.drop { $0 == "." }
        return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
}
