#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A numeric IPv4 or IPv6 address.
package struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    let bytes: [UInt8]

    /// Reads `127.0.0.1`, `::1`, `[::1]` or `fe80::1%eth0` (the zone is no part of the address).
    package init?(_ text: String) {
        guard let bytes = Self.bytes(text) ?? Self.bytes(text.withoutBracketsAndZone) else { return nil }
        self.bytes = bytes
    }

    /// Reads the host of a URL, also in the other spellings of an IPv4 address that libcurl connects to and browsers know, such as
    /// `127.1` and `0x7f000001`; in `127.000.000.010` the last number is octal.
    package static func ofHost(_ host: String) -> NetworkAddress? {
        if let address = NetworkAddress(host) { return address }
        var v4 = in_addr()
        return inet_aton(host, &v4) != 0 ? NetworkAddress(bytes: withUnsafeBytes(of: v4) { Array($0) }) : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func bytes(_ digits: String) -> [UInt8]? {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, digits, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        return inet_pton(AF_INET6, digits, &v6) == 1 ? withUnsafeBytes(of: v6) { Array($0) } : nil
    }

    /// The address of a socket address; nil where it is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default:
            return nil
        }
    }

    /// Whether the first `bits` bits are those of a network.
    func isInside(_ network: NetworkAddress, bits: Int) -> Bool {
        guard bytes.count == network.bytes.count, (0...bytes.count * 8).contains(bits) else { return false }
        return zip(bytes, network.bytes).enumerated().allSatisfy { index, pair in
            let kept = min(8, max(0, bits - index * 8))
            return (pair.0 ^ pair.1) >> (8 - kept) == 0
        }
    }

    /// 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether a host is written as this machine: as an address of it, or by a name that stands for it everywhere (RFC 6761 §6.3).
    ///
    /// - Parameter host: In lower case.
    package static func isLoopback(host: String) -> Bool {
        let name = withoutDot(host)
        return ofHost(name)?.isLoopback ?? isLoopback(name: name)
    }

    /// The same of what is no address.
    ///
    /// - Parameter name: In lower case, without a dot at its end.
    package static func isLoopback(name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }

    /// Loopback, link-local, private and carrier-grade NAT addresses, also inside an IPv6 address (RFC 6890, RFC 6052).
    ///
    /// 198.18.0.0/15 is left out on purpose: tunnel programs answer every name with an address of it.
    package var isPrivate: Bool { bytes.count == 4 ? Self.isPrivate(v4: bytes[...]) : Self.isPrivate(v6: bytes) }

    /// Whether a host is written as one of a private network: as an address of it, or by a name that is known there only (RFC 6761
    /// §6.3, RFC 6762 §3, RFC 8375 §3, and what home routers use). What any other name stands for is seen when it is looked up.
    ///
    /// - Parameter host: In lower case.
    package static func isPrivate(host: String) -> Bool {
        let name = withoutDot(host)
        if let address = NetworkAddress(name) { return address.isPrivate }
        guard let label = name.split(separator: ".").last else { return true }
        // An address in an odd spelling, such as `0xc0.0xa8.1.1`: no name ends so, and not all read it alike.
        return label.first?.isNumber ?? true || isPrivate(name: name)
    }

    /// The same of what is no address.
    ///
    /// - Parameter name: In lower case, without a dot at its end.
    package static func isPrivate(name: String) -> Bool {
        !name.utf8.contains(UInt8(ascii: ".")) || privateDomains.contains { name.hasSuffix($0) }
    }

    private static func withoutDot(_ host: String) -> String { host.last == "." ? String(host.dropLast()) : host }

    private static let privateDomains = [
        ".localhost", ".localdomain", ".local", ".lan", ".internal", ".intranet", ".private", ".corp", ".home",
        ".home.arpa",
    ]

    private static func isPrivate(v4 bytes: ArraySlice<UInt8>) -> Bool {
        switch (bytes[bytes.startIndex], bytes[bytes.startIndex + 1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): true
        case (100, 64...127), (172, 16...31): true
        // Protocol assignments (RFC 6890), such as the addresses of a DS-Lite router.
        case (192, 0) where bytes[bytes.startIndex + 2] == 0: true
        // Multicast and broadcast name no single host.
        case (224..., _): true
        default: false
        }
    }

    private static func isPrivate(v6 bytes: [UInt8]) -> Bool {
        func begins(_ head: [UInt8]) -> Bool { bytes.starts(with: head) }
        let zeros = [UInt8](repeating: 0, count: 8)
        // ::, ::1 and the deprecated IPv4-compatible addresses.
        if begins(zeros + [0, 0, 0, 0]) { return true }
        if begins(zeros + [0, 0, 0xff, 0xff]) { return isPrivate(v4: bytes[12...]) }
        if begins([0, 0x64, 0xff, 0x9b] + zeros) { return isPrivate(v4: bytes[12...]) }
        // NAT64 for local use (RFC 8215).
        if begins([0, 0x64, 0xff, 0x9b, 0, 1]) { return true }
        // Translated by SIIT (RFC 2765).
        if begins(zeros + [0xff, 0xff, 0, 0]) { return isPrivate(v4: bytes[12...]) }
        // Teredo: the client's address with every bit turned (RFC 4380 §4).
        if begins([0x20, 0x01, 0, 0]) { return isPrivate(v4: bytes[12...].map { ~$0 }[...]) }
        // For discarding (RFC 6666).
        if begins([1, 0, 0, 0, 0, 0, 0, 0]) { return true }
        // 6to4 (RFC 3056).
        if begins([0x20, 0x02]) { return isPrivate(v4: bytes[2..<6]) }
        let isUniqueLocal = bytes[0] & 0xfe == 0xfc
        let isLinkOrSiteLocal = bytes[0] == 0xfe && bytes[1] & 0x80 != 0
        return isUniqueLocal || isLinkOrSiteLocal || bytes[0] == 0xff
    }
}

extension String {
    fileprivate var withoutBracketsAndZone: String {
        let digits = utf8.drop { $0 == UInt8(ascii: "[") }
            .prefix { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "%") }
        return String(Substring(digits))
    }
}
