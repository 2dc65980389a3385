/// Which sources share a host: its name and port in lower case.
struct HostKey: Sendable, Hashable {
    /// Empty for files and programs.
    let name: String
    /// On this machine: not paced, and its failures say nothing about the network.
    let isLocal: Bool
    /// The name of somebody else's host; nil on this machine.
    var ofOthers: String? { isLocal ? nil : name }
    /// On a private network: one address there may be many servers, so a 429 is about one source.
    let isPrivate: Bool

    var nameWithoutPort: String {
        if name.hasPrefix("[") { return String(name.dropFirst().prefix { $0 != "]" }) }
        return String(name.prefix { $0 != ":" })
    }

    init(_ address: SourceAddress) {
        switch address {
        case .url(let url): self.init(url: url)
        case .command: self.init(name: "", isLocal: true)
        }
    }

    init(url: String) {
        let schemeName = url.prefix { $0 != ":" }.lowercased()
        let afterScheme = url.utf8.dropFirst(schemeName.utf8.count)
        guard afterScheme.starts(with: "://".utf8), schemeName != "file" else {
            self.init(name: "", isLocal: true)
            return
        }
        let authority = url[afterScheme.dropFirst(3).startIndex...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var hostAndPort = (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority)
            .lowercased()
        let host =
            hostAndPort.hasPrefix("[")
            ? String(hostAndPort.dropFirst().prefix { $0 != "]" }) : String(hostAndPort.prefix { $0 != ":" })
        let ownPort = schemeName == "https" ? ":443" : ":80"
        if hostAndPort.hasSuffix(ownPort), hostAndPort.dropLast(ownPort.count).last.map({ $0 != ":" }) ?? false {
            hostAndPort.removeLast(ownPort.count)
        }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
        self.init(name: hostAndPort, isLocal: isLocal, isPrivate: Self.isPrivate(host))
    }

    private init(name: String, isLocal: Bool, isPrivate: Bool = false) {
        self.name = name
        self.isLocal = isLocal
        self.isPrivate = isPrivate
    }

    /// RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291 §2.5.6, RFC 6762, and names without a dot.
    private static func isPrivate(_ host: String) -> Bool {
        if host.contains(":") {
            return ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        guard parts.count == 4, numbers.count == 4 else {
            return parts.count == 1 || [".local", ".lan", ".internal", ".home.arpa"].contains { host.hasSuffix($0) }
        }
        switch (numbers[0], numbers[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): return true
        default: return false
        }
    }
}
