import CrierHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the configuration needs to know of an absolute URL (RFC 3986). Complaints never repeat the URL: it may hold a
/// password or be a secret as a whole.
struct WebAddress: Hashable {
    /// Lower case.
    let scheme: String
    /// Lower case, without brackets; empty for files.
    let host: String

    /// Whether it is this machine: polling it often bothers nobody.
    var isLocal: Bool { scheme == "file" || NetworkAddress.isLoopback(host: host) }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// In bytes: characters are put together ten times as slowly, and all that is looked for is ASCII.
    init(_ text: String, schemes: [String]) throws(ValueComplaint) {
        var bytes = text
        let result = bytes.withUTF8 { bytes in
            Result { () throws(ValueComplaint) in try WebAddress(bytes[...], of: text, schemes: schemes) }
        }
        self = try result.get()
    }

    private init(_ bytes: Bytes, of text: String, schemes: [String]) throws(ValueComplaint) {
        let isPlain = bytes.allSatisfy { (0x21...0x7E).contains($0) }
        if !isPlain, text.unicodeScalars.contains(where: \.isSpaceOrControl) {
            throw ValueComplaint(
                "the address holds a space or a control character", expected: Self.expectation(schemes))
        }
        if !isPlain, let unseen = text.unicodeScalars.first(where: \.isInvisibleInAddress) {
            throw ValueComplaint(
                "the address holds \(unseen.notation), a character that nobody sees",
                expected: "the address without it")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
            throw Self.complaintWithoutScheme(text, schemes: schemes)
        }
        scheme = Self.inLowerCase(bytes[..<colon])
        let rest = bytes[(colon + 1)...]
        guard schemes.contains(scheme) else { throw Self.complaint(scheme: scheme, before: rest, schemes: schemes) }
        if scheme == "file" {
            guard rest.starts(with: "///".utf8), rest.count > 3 else {
                throw ValueComplaint(
                    "a file address has three slashes and the absolute path",
                    expected: "an address such as file:///home/me/feed.xml")
            }
            guard !text.contains("%00") else {
                throw ValueComplaint(
                    "the address holds %00", expected: "the path of a file, which has no such character")
            }
            host = ""
        } else {
            guard rest.starts(with: "//".utf8) else {
                throw ValueComplaint("the address has no //", expected: Self.expectation(schemes))
            }
            let authority = rest.dropFirst(2).prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
            host = try Self.host(ofAuthority: authority, schemes: schemes)
            // `https://https://a.org/`: the second colon is that of no port.
            if schemes.contains(host), rest[authority.endIndex...].starts(with: "//".utf8) {
                throw ValueComplaint("the address begins twice", expected: Self.expectation(schemes) + " once")
            }
        }
    }

    private static func inLowerCase(_ bytes: Bytes) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Nearly every address is so already.
        return bytes.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) } ? text : text.lowercased()
    }

    private static func expectation(_ schemes: [String]) -> String {
        let starts = schemes.map { $0 == "file" ? "file:///" : "\($0)://" }
        return "an address that begins with \(listed(starts, "or"))"
    }

    /// RFC 3986 section 3.1.
    private static func isScheme(_ text: Bytes) -> Bool {
        guard let first = text.first, Unicode.Scalar(first).isLetter else { return false }
        return text.allSatisfy {
            Unicode.Scalar($0).isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || "+-.".utf8.contains($0)
        }
    }

    private static func complaint(
        scheme: String, before rest: Bytes, schemes: [String]
    ) -> ValueComplaint {
        let expected = expectation(schemes)
        let behind = String(decoding: rest, as: UTF8.self)
        // `localhost:8080/feed` reads as the scheme "localhost".
        if !withoutHost.contains(scheme), behind.first?.isNumber == true {
            return ValueComplaint("the address has no scheme", expected: expected)
        }
        if scheme == "feed", schemes.contains(where: { behind.hasPrefix("\($0)://") }) {
            return ValueComplaint("\(quoted("feed:")) stands before the address", expected: "the address alone")
        }
        let meant = scheme == "feed" && schemes.contains("https") ? "https" : nearest(to: scheme, among: schemes)
        return ValueComplaint(
            "\(quoted(scheme)) is no scheme that is read here", expected: expected, suggestion: meant)
    }

    /// Schemes behind whose colon no port stands, whatever begins with a digit there.
    private static let withoutHost: Set = ["about", "blob", "data", "javascript", "mailto", "sms", "tel"]

    private static func complaintWithoutScheme(_ text: String, schemes: [String]) -> ValueComplaint {
        let looksLikePath = ["/", "./", "../", "~"].contains { text.hasPrefix($0) }
        guard looksLikePath, schemes.contains("file") else {
            return ValueComplaint("the address has no scheme", expected: expectation(schemes))
        }
        let meant = "file://\(text)"
        return ValueComplaint(
            "a path is not an address",
            expected: "file:// and the absolute path, such as file:///home/me/feed.xml",
            suggestion: (try? WebAddress(meant, schemes: schemes)) == nil ? nil : meant)
    }

    private static func host(ofAuthority authority: Bytes, schemes: [String]) throws(ValueComplaint) -> String {
        var rest = authority
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            guard !rest[..<at].contains(UInt8(ascii: "@")) else {
                throw ValueComplaint("the address has two @", expected: "%40 for one in its user or password")
            }
            rest = rest[(at + 1)...]
        }
        let colon = UInt8(ascii: ":")
        let name: Bytes
        if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            name = rest[(rest.startIndex + 1)..<end]
            rest = rest[(end + 1)...]
            guard name.isEmpty || isIPv6(name) else {
                throw ValueComplaint("the address has a bad host", expected: "an IPv6 address between [ and ]")
            }
        } else {
            name = rest.prefix { $0 != colon }
            rest = rest[name.endIndex...]
            guard name.first != UInt8(ascii: "[") else {
                throw ValueComplaint("the address has a [ without a ]", expected: expectation(schemes))
            }
        }
        guard !name.isEmpty else {
            throw ValueComplaint("the address has no host", expected: expectation(schemes))
        }
        guard !name.contains(UInt8(ascii: ",")) else {
            throw ValueComplaint("the address has a comma in its host", expected: "one address")
        }
        guard !hasEmptyLabel(name) else {
            throw ValueComplaint("the address has a dot too many in its host", expected: "a host such as example.org")
        }
        if rest.first == colon, rest.count > 1, !isPort(rest.dropFirst()) {
            throw ValueComplaint("the address has a bad port", expected: "a port from 1 to 65535")
        }
        guard rest.isEmpty || rest.first == colon else {
            throw ValueComplaint("the address has a bad host", expected: expectation(schemes))
        }
        return inLowerCase(name)
    }

    /// Only behind the last dot of a name may be nothing (RFC 1034 §3.1).
    private static func hasEmptyLabel(_ name: Bytes) -> Bool {
        let dot = UInt8(ascii: ".")
        var previous = dot
        for byte in name {
            if byte == dot, previous == dot { return true }
            previous = byte
        }
        return false
    }

    private static func isPort(_ text: Bytes) -> Bool {
        // A number may have a sign, a port has none.
        guard text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return false }
        return UInt16(String(decoding: text, as: UTF8.self)) ?? 0 > 0
    }

    /// A zone may follow it.
    private static func isIPv6(_ name: Bytes) -> Bool {
        var address = in6_addr()
        let digits = String(decoding: name.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
        return inet_pton(AF_INET6, digits, &address) == 1
    }
}

extension Unicode.Scalar {
    /// Unicode's tables are asked only about what is not ASCII.
    var isSpaceOrControl: Bool {
        if isASCII { return value <= 0x20 || value == 0x7F }
        return properties.isWhitespace || properties.generalCategory == .control
    }

    /// Nobody sees it, or it turns the letters around it: two names that look the same would be two.
    var isInvisible: Bool {
        switch value {
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Not what joins or parts the letters of some scripts (U+200C and U+200D): an address may need it.
    fileprivate var isInvisibleInAddress: Bool {
        switch value {
        case 0xAD, 0x61C: true
        case 0x200C, 0x200D: false
        default: isInvisible
        }
    }

    /// Such as `U+200B`.
    var notation: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// A to Z and a to z.
    fileprivate var isLetter: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self)
    }
}
