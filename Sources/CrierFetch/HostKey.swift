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

    /// With the brackets of an IPv6 address.
    var nameWithoutPort: String {
        guard let bracket = name.lastIndex(of: "]") else { return String(name.prefix { $0 != ":" }) }
        return String(name[...bracket])
    }

    init(_ address: SourceAddress) {
        switch address {
        case .url(let url): self.init(url: url)
        case .command: self.init(name: "", isLocal: true)
        }
    }

    /// The host that is visited for a source: that of the address that was adopted in place of its own, if one was.
    init(_ source: Source, adopted: String?) {
        self.init(adopted.map(SourceAddress.url) ?? source.address)
    }

    /// In bytes, as every visit asks for it several times: characters are put together ten times as slowly.
    init(url: String) {
        let bytes = url.utf8
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        let afterScheme = bytes[scheme.endIndex...]
        let schemeName = String(Substring(scheme)).lowercased()
        guard afterScheme.starts(with: "://".utf8), schemeName != "file" else {
            self.init(name: "", isLocal: true)
            return
        }
        let authority = afterScheme.dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let start = at.map { authority.index(after: $0) } ?? authority.startIndex
        var hostAndPort = String(Substring(authority[start...])).lowercased()
        let ownPort = schemeName == "https" ? ":443" : ":80"
        let rest = hostAndPort.utf8.dropLast(ownPort.utf8.count)
        if hostAndPort.hasSuffix(ownPort), rest.last.map({ $0 != UInt8(ascii: ":") }) ?? false {
            hostAndPort.removeLast(ownPort.utf8.count)
        }
        let isBracketed = hostAndPort.utf8.first == UInt8(ascii: "[")
        let end = UInt8(ascii: isBracketed ? "]" : ":")
        let host = hostAndPort.utf8.dropFirst(isBracketed ? 1 : 0).prefix { $0 != end }
        if let numbers = Self.numbers(of: host) {
            self.init(name: hostAndPort, isLocal: numbers.0 == 127, isPrivate: Self.isPrivate(numbers))
            return
        }
        let name = String(Substring(host))
        let isLocal = name == "localhost" || name.hasSuffix(".localhost") || name == "::1"
        self.init(name: hostAndPort, isLocal: isLocal, isPrivate: Self.isPrivate(name))
    }

    private init(name: String, isLocal: Bool, isPrivate: Bool = false) {
        self.name = name
        self.isLocal = isLocal
        self.isPrivate = isPrivate
    }

    /// RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291 §2.5.6, RFC 6762, and names without a dot.
    private static func isPrivate(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) {
            return ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        return !host.utf8.contains(UInt8(ascii: "."))
            || [".local", ".lan", ".internal", ".home.arpa"].contains { host.hasSuffix($0) }
    }

    private static func isPrivate(_ numbers: (UInt8, UInt8)) -> Bool {
        switch numbers {
        case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): true
        default: false
        }
    }

    /// The first two of the four of an IPv4 address; nil for a name.
    private static func numbers(of host: Substring.UTF8View) -> (UInt8, UInt8)? {
        guard let last = host.last, (0x30...0x39).contains(last) else { return nil }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8(Substring($0)) }
        return parts.count == 4 && numbers.count == 4 ? (numbers[0], numbers[1]) : nil
    }
}
