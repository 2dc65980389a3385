import struct Foundation.URLComponents

/// Which sources share a host: its name and port in lower case, however they are spelled.
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
        self = adopted.map(source.host(of:)) ?? source.host
    }

    /// In bytes, as every visit asks for it several times: characters are put together ten times as slowly.
    init(url: String) {
        var url = url
        self = url.withUTF8 { HostKey($0) }
    }

    private init(_ url: UnsafeBufferPointer<UInt8>) {
        let colon = url.firstIndex(of: UInt8(ascii: ":")) ?? url.endIndex
        let scheme = Self.lowercased(url[..<colon])
        guard url[colon...].starts(with: "://".utf8), scheme != "file" else {
            self.init(name: "", isLocal: true)
            return
        }
        let rest = url[(colon + 3)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let authority = rest[..<(end ?? rest.endIndex)]
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        self.init(authority: Self.lowercased(authority[start...]), ownPort: scheme == "https" ? 443 : 80)
    }

    /// - Parameter authority: Host and port in lower case.
    private init(authority: String, ownPort: Int) {
        let hostAndPort = Self.normal(authority, ownPort: ownPort)
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

    /// A name as DNS knows it (A-labels, RFC 5890 §2.3.2.1): `bücher.example` is asked for as `xn--bcher-kva.example`.
    private static func asciiName(_ name: Substring.UTF8View) -> String {
        let name = String(Substring(name))
        var parts = URLComponents()
        parts.host = name
        return parts.encodedHost ?? name
    }

    /// Without what says nothing: percent-encoding, a dot at the end (RFC 3986 §3.2.2), zeros before a port, the scheme's own port.
    private static func normal(_ authority: String, ownPort: Int) -> String {
        let isEncoded = authority.utf8.contains(UInt8(ascii: "%"))
        var text = isEncoded ? authority.removingPercentEncoding?.lowercased() ?? authority : authority
        if text.utf8.contains(where: { $0 >= 0x80 }) {
            let end = Self.endOfHost(in: text)
            text = Self.asciiName(text.utf8[..<end]) + text[end...]
        }
        let host = text.utf8.prefix(upTo: Self.endOfHost(in: text))
        let digits = text.utf8[host.endIndex...].dropFirst()
        let hasDot = host.last == UInt8(ascii: ".")
        guard hasDot || host.endIndex < text.endIndex else { return text }
        guard let port = digits.isEmpty ? ownPort : Int(Substring(digits)) else { return text }
        // As nearly all are written.
        if !hasDot, port != ownPort, digits.first != UInt8(ascii: "0") { return text }
        let name = String(Substring(hasDot ? host.dropLast() : host))
        return port == ownPort ? name : "\(name):\(port)"
    }

    /// Where the port's colon is, if there is one: behind the last bracket of an IPv6 address.
    private static func endOfHost(in authority: String) -> String.Index {
        let bracket = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        return authority.utf8[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    }

    private static func lowercased(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
        return bytes.allSatisfy { $0 < 0x80 && !(0x41...0x5a).contains($0) } ? text : text.lowercased()
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
        var numbers: (UInt8, UInt8) = (0, 0)
        var place = 0
        var number: Int?
        for byte in host {
            switch byte {
            case 0x30...0x39: number = min((number ?? 0) * 10 + Int(byte - 0x30), 256)
            case UInt8(ascii: "."):
                guard let whole = number.flatMap({ UInt8(exactly: $0) }), place < 3 else { return nil }
                if place == 0 { numbers.0 = whole } else if place == 1 { numbers.1 = whole }
                place += 1
                number = nil
            default: return nil
            }
        }
        return place == 3 && number ?? 256 < 256 ? numbers : nil
    }
}

extension Source {
    /// The host of an address that was visited for this source, which mostly is its own.
    func host(of url: String) -> HostKey {
        if case .url(url) = address { host } else { HostKey(url: url) }
    }
}
