/// What the configuration needs to know of an absolute URL (RFC 3986). Complaints never repeat the URL: it may hold a
/// password or be a secret as a whole.
struct WebAddress: Hashable {
    /// Lower case.
    let scheme: String
    /// Lower case, without brackets; empty for files.
    let host: String

    /// Whether it is this machine: polling it often bothers nobody.
    var isLocal: Bool {
        if scheme == "file" || host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }

    init(_ text: String, schemes: [String]) throws(ValueComplaint) {
        let expected = Self.expectation(schemes)
        let unfit = text.unicodeScalars.contains {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        if unfit { throw ValueComplaint("the address holds a space or a control character", expected: expected) }
        guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]) else {
            throw Self.complaintWithoutScheme(text, schemes: schemes, expected: expected)
        }
        scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        guard schemes.contains(scheme) else {
            // `localhost:8080/feed` reads as the scheme "localhost".
            if rest.first?.isNumber == true { throw ValueComplaint("the address has no scheme", expected: expected) }
            let meant = scheme == "feed" ? "https" : nearest(to: scheme, among: schemes)
            throw ValueComplaint(
                "\(quoted(scheme)) is no scheme that is read here", expected: expected, suggestion: meant)
        }
        if scheme == "file" {
            guard rest.hasPrefix("///"), rest.count > 3 else {
                throw ValueComplaint(
                    "a file address has three slashes and the absolute path",
                    expected: "an address such as file:///home/me/feed.xml")
            }
            host = ""
        } else {
            guard rest.hasPrefix("//") else { throw ValueComplaint("the address has no //", expected: expected) }
            host = try Self.host(ofAuthority: rest.dropFirst(2).prefix { !"/?#".contains($0) }, expected: expected)
        }
    }

    private static func expectation(_ schemes: [String]) -> String {
        let starts = schemes.map { $0 == "file" ? "file:///" : "\($0)://" }
        return "an address that begins with \(listed(starts, "or"))"
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func complaintWithoutScheme(
        _ text: String, schemes: [String], expected: String
    ) -> ValueComplaint {
        let looksLikePath = ["/", "./", "../", "~"].contains { text.hasPrefix($0) }
        guard looksLikePath, schemes.contains("file") else {
            return ValueComplaint("the address has no scheme", expected: expected)
        }
        return ValueComplaint(
            "a path is not an address",
            expected: "file:// and the absolute path, such as file:///home/me/feed.xml",
            suggestion: text.hasPrefix("/") ? "file://\(text)" : nil)
    }

    private static func host(ofAuthority authority: Substring, expected: String) throws(ValueComplaint) -> String {
        var rest = authority
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        let name: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            name = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            name = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(name.count)
        }
        guard !name.isEmpty else { throw ValueComplaint("the address has no host", expected: expected) }
        if rest.hasPrefix(":"), rest.count > 1, UInt16(rest.dropFirst()) ?? 0 == 0 {
            throw ValueComplaint("the address has a bad port", expected: "a port from 1 to 65535")
        }
        guard rest.isEmpty || rest.hasPrefix(":") else {
            throw ValueComplaint("the address has a bad host", expected: expected)
        }
        return name.lowercased()
    }
}

/// `a, b or c`.
func listed(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}
