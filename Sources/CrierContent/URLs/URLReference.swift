/// Resolves the links of a document against its address (RFC 3986 §5), as tolerant as browsers are.
///
/// White space around a link and line breaks within it are dropped, a backslash is a slash in http, spaces and what is
/// not ASCII are percent-encoded as UTF-8 (not in host names), scheme and host are in lower case, default ports go.
public enum URLReference {
    /// The absolute URL; the reference itself where it cannot be resolved.
    public static func resolve(_ reference: String, against base: String?) -> String {
        if withUTF8(of: reference, isCleanAbsolute) { return reference }
        if let base, let url = resolvePlainPath(reference, against: base) { return url }
        let cleaned = cleaned(reference)
        if let scheme = URLParts.scheme(of: cleaned) {
            guard URLParts.isHierarchical(scheme) else { return String(utf8: cleaned) }
            return resolveWithScheme(cleaned, scheme, base: base) ?? reference
        }
        guard let base = base.flatMap({ URLParts(absolute: self.cleaned($0)) }) else { return reference }
        return resolve(cleaned[...], against: base) ?? reference
    }

    /// The absolute URL in the one form that all its spellings share (RFC 3986 §6.2): scheme and host in lower case, the host in
    /// ASCII (RFC 5891) or as RFC 5952 has an IPv6 address, no port that is the scheme's own, `/` for no path, no escape without
    /// need, and no fragment, which no origin is sent.
    static func normalized(_ url: String) -> String {
        let url = resolve(url, against: nil)
        guard var parts = URLParts(absolute: Array(url.utf8)) else { return url }
        parts.fragment = nil
        if parts.path.isEmpty, URLParts.isWeb(parts.scheme) { parts.path = [0x2F] }
        parts.normalizeSpelling()
        return parts.string ?? url
    }

    /// A part of a URL, such as its path, with its escapes in one spelling: none of what needs none, the others in capitals (RFC 3986
    /// §6.2.2.1, §6.2.2.2).
    package static func withPlainEscapes(_ part: String) -> String {
        guard part.utf8.contains(0x25) else { return part }
        return String(utf8: URLParts.withoutNeedlessEscapes(Array(part.utf8)))
    }

    /// Without the `&amp;` of an address that was escaped once too often: none has one of its own. Nor has one the numbers of it,
    /// which WordPress writes.
    public static func unescaped(_ reference: String) -> String {
        let hasSome = withUTF8(of: reference) { bytes in
            ByteText.find("&amp;", in: bytes) != nil || ByteText.find("&#", in: bytes) != nil
        }
        if !hasSome { return reference }
        return ["&amp;", "&#38;", "&#038;", "&#x26;"].reduce(reference) { $0.replacing($1, with: "&") }
    }

    /// `http:` and the like. Where the base has the same scheme and no `//` follows, the rest is relative to it, as old
    /// specifications had it and browsers still do.
    private static func resolveWithScheme(_ bytes: [UInt8], _ scheme: [UInt8], base: String?) -> String? {
        let rest = URLParts.slashed(bytes[(scheme.count + 1)...])
        let isNetworkPath = rest.starts(with: [0x2F, 0x2F])
        if !isNetworkPath, let base = base.flatMap({ URLParts(absolute: self.cleaned($0)) }), base.scheme == scheme {
            return resolve(rest[...], against: base)
        }
        return URLParts(absolute: bytes)?.string
    }

    /// RFC 3986 §5.2.2.
    private static func resolve(_ reference: ArraySlice<UInt8>, against base: URLParts) -> String? {
        guard base.isBase else { return nil }
        var reference = URLParts.isHierarchical(base.scheme) ? URLParts.slashed(reference) : reference
        if URLParts.isWeb(base.scheme) {
            while reference.starts(with: [0x2F, 0x2F, 0x2F]) { reference = reference.dropFirst() }
        }
        var target = URLParts(relative: reference)
        target.scheme = base.scheme
        if target.authority == nil {
            target.authority = base.authority
            if target.path.isEmpty {
                target.path = base.path
                if target.query == nil { target.query = base.query }
            } else if target.path.first != 0x2F {
                target.path = merged(target.path, onto: base)
            }
            return target.string
        }
        // A host of the reference's own is written as hosts are.
        return target.string.flatMap { URLParts(absolute: Array($0.utf8)) }?.string
    }

    /// RFC 3986 §5.2.3.
    private static func merged(_ path: [UInt8], onto base: URLParts) -> [UInt8] {
        guard let slash = base.path.lastIndex(of: 0x2F) else { return [0x2F] + path }
        return base.path[...slash] + path
    }

    /// Without white space at the ends and without tabs and line breaks anywhere.
    private static func cleaned(_ reference: String) -> [UInt8] {
        var bytes = Array(reference.utf8)
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        let head = bytes.prefix { $0 <= 0x20 }.count
        if head > 0 { bytes.removeFirst(head) }
        if bytes.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
            bytes.removeAll { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        }
        return bytes
    }

    /// The short way for `/path` against a plain base: its origin and the path as it is.
    private static func resolvePlainPath(_ reference: String, against base: String) -> String? {
        let isPlainPath = withUTF8(of: reference) { bytes in
            guard bytes.count > 1, bytes[0] == 0x2F, bytes[1] != 0x2F else { return false }
            return isPlainRest(ByteCursor(bytes))
        }
        guard isPlainPath, let end = withUTF8(of: base, endOfPlainOrigin) else { return nil }
        return String(utf8: base.utf8.prefix(end)) + reference
    }

    /// Whether a link is an http or https URL that nothing here would change: nearly all are, and cost no copy.
    private static func isCleanAbsolute(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let end = endOfPlainOrigin(bytes) else { return false }
        return isPlainRest(ByteCursor(bytes, from: end, to: bytes.count))
    }

    /// Behind `http://host`, in lower case and without port.
    private static func endOfPlainOrigin(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var cursor = ByteCursor(bytes)
        for letter in "http".utf8 where !cursor.skip(letter) { return nil }
        _ = cursor.skip(0x73)
        for mark in "://".utf8 where !cursor.skip(mark) { return nil }
        let hostStart = cursor.index
        while !cursor.isAtEnd, cursor.current != 0x2F, cursor.current != 0x3F, cursor.current != 0x23 {
            let byte = cursor.current
            let isPlain = byte &- 0x61 < 26 || byte.isASCIIDigit || byte == 0x2D || byte == 0x2E || byte == 0x5F
            guard isPlain else { return nil }
            cursor.index += 1
        }
        return cursor.index > hostStart ? cursor.index : nil
    }

    /// Whether path, query and fragment need no encoding and hold no dot segments.
    private static func isPlainRest(_ start: ByteCursor) -> Bool {
        var cursor = start
        while !cursor.isAtEnd {
            let byte = cursor.current
            guard URLParts.isPlain[Int(byte)] else { return false }
            if byte == 0x2F, cursor.peek(1) == 0x2E || cursor.peek(1) == 0x25 { return false }
            cursor.index += 1
        }
        return true
    }
}
