/// Keeps the user and password that a URL may carry (RFC 3986 §3.2.1) out of what is shown.
public enum URLCredentials {
    /// The URL without them.
    public static func removed(from url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "@")) else { return url }
        let start = url.firstRange(of: "//")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return removed(from: url, start: start, end: end)
    }

    /// Whether it carries a password.
    public static func havePassword(in url: String) -> Bool {
        let bare = removed(from: url)
        guard bare.utf8.count < url.utf8.count, let start = url.firstRange(of: "//")?.upperBound else { return false }
        let user = url[start...].utf8.prefix(url.utf8.count - bare.utf8.count - 1)
        return user.dropFirst(user.prefix { $0 != UInt8(ascii: ":") }.count).count > 1
    }

    /// The same for a text that is no URL, perhaps because of a character in the password.
    public static func removed(fromNoURL text: String) -> String {
        removed(from: text, start: text.firstRange(of: "//")?.upperBound ?? text.startIndex, end: text.endIndex)
    }

    /// The same for a proxy, which needs no scheme, and in whose password any character may stand as it is.
    static func removed(fromProxy proxy: String) -> String {
        let scheme = proxy.prefix { $0.isLetter || $0.isNumber }.endIndex
        let hasScheme = proxy[scheme...].hasPrefix("://")
        let start = hasScheme ? proxy.index(scheme, offsetBy: 3) : proxy.startIndex
        return removed(from: proxy, start: start, end: proxy.endIndex)
    }

    private static func removed(from text: String, start: String.Index, end: String.Index) -> String {
        guard let at = text[start..<end].lastIndex(of: "@") else { return text }
        return String(text[..<start] + text[text.index(after: at)...])
    }
}
