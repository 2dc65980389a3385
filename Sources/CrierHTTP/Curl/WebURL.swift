import CCurl

/// A URL as libcurl itself reads it, so that what is checked is what is connected to.
struct WebURL: Sendable, Hashable {
    /// Absolute, without credentials and fragment.
    let text: String
    /// In lower case.
    let scheme: String
    /// In lower case; an IPv6 address in brackets.
    let host: String
    let port: Int
    /// The path of a file URL, percent-decoded.
    let filePath: String?
    let credentials: Credentials?

    struct Credentials: Sendable, Hashable {
        let user: String
        let password: String
    }

    /// Reads an absolute http, https or file URL.
    init(_ text: String) throws(HTTPError) {
        let handle = URLHandle()
        let mayHaveUser = text.utf8.contains(0x40)
        guard handle.set(CURLUPART_URL, text.utf8), let url = WebURL(handle, mayHaveUser: mayHaveUser) else {
            throw HTTPError(.badURL, "not a URL: \(URLCredentials.removed(fromNoURL: text))")
        }
        guard ["http", "https", "file"].contains(url.scheme) else {
            throw HTTPError(.badURL, "\(url.scheme) is not supported, only http, https and file: \(url.text)")
        }
        self = url
    }

    private init?(_ handle: URLHandle, mayHaveUser: Bool) {
        let user = mayHaveUser ? handle.get(CURLUPART_USER, CURLU_URLDECODE) : nil
        let password = mayHaveUser ? handle.get(CURLUPART_PASSWORD, CURLU_URLDECODE) : nil
        if mayHaveUser {
            for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] { handle.remove(part) }
        }
        handle.remove(CURLUPART_FRAGMENT)
        guard let text = handle.get(CURLUPART_URL, 0), let scheme = handle.get(CURLUPART_SCHEME, 0) else { return nil }
        self.text = text
        self.scheme = scheme.lowercased()
        host = handle.get(CURLUPART_HOST, 0)?.lowercased() ?? ""
        port = handle.get(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
        filePath = self.scheme == "file" ? handle.get(CURLUPART_PATH, CURLU_URLDECODE) : nil
        credentials = user == nil && password == nil ? nil : Credentials(user: user ?? "", password: password ?? "")
    }

    /// The target of a reference, as RFC 3986 §5 resolves it; nil when it is none.
    func resolving(_ reference: [UInt8]) -> WebURL? {
        let handle = URLHandle()
        guard handle.set(CURLUPART_URL, text.utf8), handle.set(CURLUPART_URL, reference) else { return nil }
        return WebURL(handle, mayHaveUser: true)
    }

    /// Scheme, host and port (RFC 6454 §4).
    func hasSameOrigin(as other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The host, with the port where it is not the scheme's own.
    var authority: String {
        switch (scheme, port) {
        case ("http", 80), ("https", 443): host
        default: "\(host):\(port)"
        }
    }
}

/// One `CURLU`.
private final class URLHandle {
    private let handle: OpaquePointer? = curl_url()

    deinit { curl_url_cleanup(handle) }

    func set(_ part: CURLUPart, _ bytes: some Collection<UInt8>) -> Bool {
        guard !bytes.contains(0) else { return false }
        // Bytes beyond ASCII and spaces are seen in Location fields and in hand-written URLs.
        let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
            let end = text.initialize(fromContentsOf: bytes.lazy.map(CChar.init(bitPattern:)))
            text.initializeElement(at: end, to: 0)
            return curl_url_set(handle, part, text.baseAddress, flags) == CURLUE_OK
        }
    }

    func remove(_ part: CURLUPart) {
        curl_url_set(handle, part, nil, 0)
    }

    func get(_ part: CURLUPart, _ flags: Int32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
