/// Which sources share a host: its name and port in lower case.
struct HostKey: Sendable, Hashable {
    /// Empty for files and programs.
    let name: String
    /// On this machine: not paced, and its failures say nothing about the network.
    let isLocal: Bool
    /// The name of somebody else's host; nil on this machine.
    var ofOthers: String? { isLocal ? nil : name }

    init(_ address: SourceAddress) {
        switch address {
        case .url(let url): self.init(url: url)
        case .command: self.init(name: "", isLocal: true)
        }
    }

    init(url: String) {
        guard let scheme = url.range(of: "://"), !url.lowercased().hasPrefix("file:") else {
            self.init(name: "", isLocal: true)
            return
        }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hostAndPort = (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority)
            .lowercased()
        let host =
            hostAndPort.hasPrefix("[")
            ? String(hostAndPort.dropFirst().prefix { $0 != "]" }) : String(hostAndPort.prefix { $0 != ":" })
        let isLocal = host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
        self.init(name: hostAndPort, isLocal: isLocal)
    }

    private init(name: String, isLocal: Bool) {
        self.name = name
        self.isLocal = isLocal
    }
}
