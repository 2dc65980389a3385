/// The five components of a URL (RFC 3986 §3).
struct URLParts {
    var scheme: [UInt8] = []
    var authority: [UInt8]?
    var path: [UInt8] = []
    var query: [UInt8]?
    var fragment: [UInt8]?

    /// A reference without a scheme.
    init(relative reference: ArraySlice<UInt8>) {
        var rest = reference
        if let hash = rest.firstIndex(of: 0x23) {
            fragment = Array(rest[(hash + 1)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: 0x3F) {
            query = Array(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        if rest.starts(with: [0x2F, 0x2F]) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: 0x2F) ?? rest.endIndex
            authority = Array(rest[..<end])
            rest = rest[end...]
        }
        path = Array(rest)
    }

    /// A URL with a scheme; nil where there is none.
    init?(absolute bytes: [UInt8]) {
        guard let scheme = Self.scheme(of: bytes) else { return nil }
        var rest = bytes[(scheme.count + 1)...]
        if Self.isHierarchical(scheme) { rest = Self.slashed(rest)[...] }
        if Self.isWeb(scheme) {
            // Browsers take any number of slashes before the host of a web address, and so do the links they accept.
            while rest.first == 0x2F { rest = rest.dropFirst() }
            rest = [0x2F, 0x2F] + rest
        }
        self.init(relative: rest)
        self.scheme = scheme
    }

    /// Whether relative references have a meaning here: not in `mailto:` or `urn:`.
    var isBase: Bool { authority != nil || path.first == 0x2F }

    static func isWeb(_ scheme: [UInt8]) -> Bool {
        scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
    }

    static func isHierarchical(_ scheme: [UInt8]) -> Bool {
        isWeb(scheme) || scheme.elementsEqual("ftp".utf8) || scheme.elementsEqual("file".utf8)
    }

    /// The scheme in lower case (RFC 3986 §3.1).
    static func scheme(of bytes: [UInt8]) -> [UInt8]? {
        guard let first = bytes.first, first.isASCIILetter, let colon = bytes.firstIndex(of: 0x3A) else { return nil }
        for byte in bytes[..<colon] {
            let isPart = byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B || byte == 0x2D || byte == 0x2E
            guard isPart else { return nil }
        }
        return bytes[..<colon].map(\.asciiLowercased)
    }

    /// Backslashes made slashes, up to the query.
    static func slashed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(0x5C) else { return bytes }
        let end = bytes.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
        return ArraySlice(bytes[..<end].map { $0 == 0x5C ? 0x2F : $0 } + bytes[end...])
    }

    // MARK: Writing

    /// The URL in its normal form; nil where its host cannot be one.
    var string: String? {
        var output = scheme + [0x3A]
        if let authority {
            guard let host = normalAuthority(authority) else { return nil }
            output += [0x2F, 0x2F] + host
        }
        let path = Self.removingDotSegments(path)
        Self.encode(path, keeping: Self.isPlain, into: &output)
        if let query {
            output.append(0x3F)
            Self.encode(query, keeping: Self.isPlainInQuery, into: &output)
        }
        if let fragment {
            output.append(0x23)
            Self.encode(fragment, keeping: Self.isPlainInQuery, into: &output)
        }
        return String(utf8: output)
    }

    /// Host in lower case, without the scheme's own port. Names that are not ASCII stay as they are written.
    private func normalAuthority(_ authority: [UInt8]) -> [UInt8]? {
        let at = authority.lastIndex(of: 0x40).map { $0 + 1 } ?? 0
        var host = authority[at...]
        if let colon = host.lastIndex(of: 0x3A), host[(colon + 1)...].allSatisfy(\.isASCIIDigit) {
            let port = host[(colon + 1)...]
            let isDefault =
                port.isEmpty || (port.elementsEqual("80".utf8) && scheme.elementsEqual("http".utf8))
                || (port.elementsEqual("443".utf8) && scheme.elementsEqual("https".utf8))
            if isDefault { host = host[..<colon] }
        }
        if host.isEmpty, Self.isWeb(scheme) { return nil }
        guard !host.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 })
        else { return nil }
        var output: [UInt8] = []
        Self.encode(Array(authority[..<at]), keeping: Self.isPlain, into: &output)
        return output + host.map(\.asciiLowercased)
    }

    /// RFC 3986 §5.2.4; `%2e` is a dot too, as browsers have it.
    private static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        guard path.contains(0x2E) || path.contains(0x25) else { return path }
        guard path.first == 0x2F else { return path }
        var output: [ArraySlice<UInt8>] = []
        let segments = path.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let dots = dotCount(segment)
            if dots == 2, !output.isEmpty { output.removeLast() }
            if dots == 0 {
                output.append(segment)
            } else if index == segments.count - 1 {
                output.append([])
            }
        }
        return output.reduce(into: []) { path, segment in
            path.append(0x2F)
            path += segment
        }
    }

    /// 1 for `.`, 2 for `..`, 0 for any other segment.
    private static func dotCount(_ segment: ArraySlice<UInt8>) -> Int {
        var count = 0
        var rest = segment
        while let first = rest.first {
            if first == 0x2E {
                rest = rest.dropFirst()
            } else if rest.count >= 3, rest.prefix(2).elementsEqual([0x25, 0x32]),
                rest[rest.startIndex + 2] | 0x20 == 0x65
            {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            count += 1
            if count > 2 { return 0 }
        }
        return count
    }

    static func encode(_ bytes: [UInt8], keeping isPlain: [Bool], into output: inout [UInt8]) {
        let hex = Array("0123456789ABCDEF".utf8)
        for byte in bytes {
            if isPlain[Int(byte)] {
                output.append(byte)
            } else {
                output += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
    }

    /// What stands for itself in a path; `%` does, since it begins an escape already.
    static let isPlain: [Bool] = plain(except: "\"<>`{}\\")
    private static let isPlainInQuery: [Bool] = plain(except: "\"<>")

    private static func plain(except marks: String) -> [Bool] {
        (0...255).map { $0 > 0x20 && $0 < 0x7F && !marks.utf8.contains(UInt8($0)) }
    }
}
