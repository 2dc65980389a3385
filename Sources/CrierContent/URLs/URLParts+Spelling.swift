import Foundation

extension URLParts {
    /// One spelling for all that mean the same (RFC 3986 §6.2.2): of escapes, and of a host that is not plain ASCII.
    mutating func normalizeSpelling() {
        path = Self.withoutNeedlessEscapes(path)
        query = query.map(Self.withoutNeedlessEscapes)
        authority = authority.map(Self.withPlainHost)
    }

    /// Without escapes of what needs none (§2.3), and the others in capitals.
    static func withoutNeedlessEscapes(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x25) else { return bytes }
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == 0x25, index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
                let low = bytes[index + 2].hexValue
            else {
                output.append(bytes[index])
                index += 1
                continue
            }
            encode([UInt8(high << 4 | low)], keeping: isUnreserved, into: &output)
            index += 3
        }
        return output
    }

    private static let isUnreserved: [Bool] = (0...255).map { code in
        let byte = UInt8(code)
        return byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
    }

    private static func withPlainHost(_ authority: [UInt8]) -> [UInt8] {
        let start = authority.lastIndex(of: 0x40).map { $0 + 1 } ?? 0
        let isLiteral = start < authority.count && authority[start] == 0x5B
        let end =
            (isLiteral ? authority[start...].firstIndex(of: 0x5D).map { $0 + 1 } : nil)
            ?? authority[start...].firstIndex(of: 0x3A) ?? authority.count
        let host = authority[start..<end]
        guard let plain = isLiteral ? shortAddress(host) : asciiName(host) else { return authority }
        return authority[..<start] + plain + authority[end...]
    }

    /// `[2001:DB8:0:0::1]` as `[2001:db8::1]`; nil for what is no IPv6 address, or has a zone.
    private static func shortAddress(_ literal: ArraySlice<UInt8>) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(utf8: literal.dropFirst().dropLast()), &address) == 1
        else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
        return [0x5B] + text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } + [0x5D]
    }

    /// `münchen.example` as `xn--mnchen-3ya.example`; nil for what is ASCII already, or no name.
    private static func asciiName(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        guard name.contains(where: { $0 >= 0x80 || $0 == 0x25 }) else { return nil }
        let written = String(utf8: name)
        let text = written.removingPercentEncoding ?? written
        // An escape of what would end a host is no part of a name.
        guard !text.contains(where: { "/?#@:\\[]".contains($0) }) else { return nil }
        return URLComponents(string: "http://\(text)/")?.encodedHost.map {
            Array($0.utf8)
        }
    }
}
