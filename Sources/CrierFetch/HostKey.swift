import CrierHTTP

import struct Foundation.URLComponents

/// Which sources share a host: its name and port in lower case, however they are spelled.
struct HostKey: Sendable, Hashable {
    /// Empty for files and programs.
    let name: String
    /// On this machine: not paced, and its failures say nothing about the network.
    let isLocal: Bool
    /// The name of somebody else's host; nil on this machine.
    var ofOthers: String? { isLocal ? nil : name }
    /// On a private network, and not this machine: one address there may be many servers, so a limit of requests is about one source.
    let isPrivate: Bool
    /// Beyond this machine and its own network.
    var liesBeyond: Bool { !isLocal && !isPrivate }

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

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private init(_ url: UnsafeBufferPointer<UInt8>) {
        let colon = url.firstIndex(of: UInt8(ascii: ":")) ?? url.endIndex
        let scheme = url[..<colon]
        let rest = url[colon...].dropFirst()
        guard rest.count > 1, rest.prefix(2).allSatisfy({ $0 == UInt8(ascii: "/") }), !Self.equal(scheme, "file") else {
            self.init(name: "", isLocal: true)
            return
        }
        let authority = rest.dropFirst(2).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        let ownPort = Self.equal(scheme, "https") ? 443 : 80
        if authority[start...].allSatisfy(Self.isCommon) {
            self.init(authority: authority[start...], ownPort: ownPort)
        } else {
            var text = Self.spelledCommonly(authority[start...])
            self = text.withUTF8 { HostKey(authority: $0[...], ownPort: ownPort) }
        }
    }

    /// - Parameter authority: Host and port, as they are commonly spelled.
    private init(authority: Bytes, ownPort: Int) {
        let end = Self.endOfHost(in: authority)
        let hostAndDot = authority[..<end]
        // What says nothing: a dot at the end (RFC 3986 §3.2.2), zeros before a port, the scheme's own port.
        let host = hostAndDot.last == UInt8(ascii: ".") ? hostAndDot.dropLast() : hostAndDot
        let digits = authority[end...].dropFirst()
        let hostAndPort =
            switch digits.isEmpty ? ownPort : Int(Self.text(digits)) {
            case nil: Self.text(authority)
            case ownPort: Self.text(host)
            // Spelled so already.
            case _ where host.count == hostAndDot.count && (0x31...0x39).contains(digits.first ?? 0):
                Self.text(authority)
            case let port?: "\(Self.text(host)):\(port)"
            }
        let isBracketed = host.first == UInt8(ascii: "[")
        let name = Self.text(isBracketed ? host.dropFirst().prefix { $0 != UInt8(ascii: "]") } : host)
        // Hardly a name begins with a digit: the others are not looked at as addresses.
        let mayBeAddress = isBracketed || (0x30...0x39).contains(host.first ?? 0)
        let address = mayBeAddress ? NetworkAddress.ofHost(name) : nil
        let isLocal = address?.isLoopback ?? NetworkAddress.isLoopback(name: name)
        self.init(
            name: hostAndPort, isLocal: isLocal,
            isPrivate: !isLocal && (address?.isPrivate ?? NetworkAddress.isPrivate(name: name)))
    }

    /// As nearly all are spelled.
    private static func isCommon(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x3A, 0x2D, 0x2E, 0x5B, 0x5D, 0x5F: true
        default: false
        }
    }

    /// In lower case, without percent-encoding, and as DNS knows it (A-labels, RFC 5890 §2.3.2.1): `bücher.example` is asked
    /// for as `xn--bcher-kva.example`.
    private static func spelledCommonly(_ authority: Bytes) -> String {
        let written = text(authority)
        var text = (written.removingPercentEncoding ?? written).lowercased()
        let (host, rest) = text.withUTF8 { bytes in
            let end = endOfHost(in: bytes[...])
            return (Self.text(bytes[..<end]), Self.text(bytes[end...]))
        }
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var parts = URLComponents()
        parts.host = host
        return (parts.encodedHost ?? host) + rest
    }

    /// Where the port's colon is, if there is one: behind the last bracket of an IPv6 address.
    private static func endOfHost(in authority: Bytes) -> Int {
        let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        return authority[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    }

    private static func text(_ bytes: Bytes) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    /// - Parameter name: In lower case.
    private static func equal(_ scheme: Bytes, _ name: StaticString) -> Bool {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return scheme.elementsEqual(name) { $0 | 0x20 == $1 }
    }

    private init(name: String, isLocal: Bool, isPrivate: Bool = false) {
        self.name = name
        self.isLocal = isLocal
        self.isPrivate = isPrivate
    }
}

extension HostKey {
    /// Whether it is this machine or, as far as its name says, one on a private network.
    private var isInside: Bool { isLocal || NetworkAddress.isPrivate(host: nameWithoutPort) }

    /// Whether a picture may be shown with what a host has told, or one that is no longer known: the readers' own devices ask
    /// for it, and nobody outside is to have them ask within their network.
    static func mayShow(_ picture: String, of host: HostKey?) -> Bool {
        host?.isInside ?? false || picture.prefix(4).lowercased() != "http" || !HostKey(url: picture).isInside
    }
}

extension Source {
    /// The host of an address that was visited for this source, which mostly is its own.
    func host(of url: String) -> HostKey {
        if case .url(url) = address { host } else { HostKey(url: url) }
    }
}
