import CCurl

/// A URL as libcurl itself has read it, and is given it, so that what is checked is what is connected to.
struct WebURL: Sendable, Hashable {
    /// What all else is read from.
    private let handle: URLHandle
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
        guard handle.set(text), let url = WebURL(handle) else {
            throw HTTPError(.badURL, "not a URL: \(URLCredentials.removed(fromNoURL: text))")
        }
        guard ["http", "https", "file"].contains(url.scheme) else {
            throw HTTPError(.badURL, "\(url.scheme) is not supported, only http, https and file: \(url.text)")
        }
        self = url
    }

    private init?(_ handle: URLHandle) {
        self.handle = handle
        let user = handle.get(CURLUPART_USER, CURLU_URLDECODE)
        let password = handle.get(CURLUPART_PASSWORD, CURLU_URLDECODE)
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] { handle.remove(part) }
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
        guard handle.set(text) else { return nil }
        // libcurl takes one that is nothing but a fragment for the folder (RFC 3986 §5.2.2: it is the same document).
        guard reference.first == UInt8(ascii: "#") || handle.set(reference) else { return nil }
        return WebURL(handle)
    }

    /// For libcurl, while the URL lives.
    var parsed: OpaquePointer? { handle.parsed }

    static func == (one: WebURL, other: WebURL) -> Bool {
        one.text == other.text && one.credentials == other.credentials
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether it is written as a host of a private network, in whatever letters (``NetworkAddress/isPrivate(host:)``). What libcurl
    /// makes no name of is not to be asked for.
    var isWrittenPrivate: Bool { lookedUpHost.map(NetworkAddress.isPrivate(host:)) ?? true }

    /// The host as DNS and proxies are asked for it: with A-labels (RFC 5890 §2.3.2.1), so that `ｎas.lan` is `nas.lan`.
    private var lookedUpHost: String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        let locale = UTF8Locale()
        defer { withExtendedLifetime(locale) {} }
        return handle.get(CURLUPART_HOST, CURLU_PUNYCODE)?.lowercased()
    }

    /// Scheme, host and port (RFC 6454 §4).
    func hasSameOrigin(as other: WebURL) -> Bool {
        scheme == other.scheme && hasSameHost(as: other) && port == other.port
    }

    /// In whatever letters it is written. With a dot at its end it may be another: resolvers add no domain to it then.
    func hasSameHost(as other: WebURL) -> Bool {
        host == other.host || lookedUpHost.map { $0 == other.lookedUpHost } ?? false
    }

    /// For messages: without path and query, which may hold what is secret.
    var shown: String { "\(scheme)://\(authority)/" }

    /// The host, with the port where it is not the scheme's own.
    var authority: String {
        switch (scheme, port) {
        case ("http", 80), ("https", 443), ("file", _): host
        default: "\(host):\(port)"
        }
    }
}

/// One `CURLU`. Nobody changes it once a ``WebURL`` has been read from it.
private final class URLHandle: @unchecked Sendable {
    let parsed: OpaquePointer? = curl_url()

    deinit { curl_url_cleanup(parsed) }

    /// The whole, or what a reference makes of it.
    func set(_ text: String) -> Bool { text.withCString { set($0, count: text.utf8.count) } }

    func set(_ bytes: [UInt8]) -> Bool {
        (bytes + [0]).withUnsafeBytes { set($0.assumingMemoryBound(to: CChar.self).baseAddress!, count: bytes.count) }
    }

    private func set(_ text: UnsafePointer<CChar>, count: Int) -> Bool {
        guard !UnsafeBufferPointer(start: text, count: count).contains(0) else { return false }
        // Bytes beyond ASCII and spaces are seen in Location fields and in hand-written URLs.
        let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
        return curl_url_set(parsed, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    func remove(_ part: CURLUPart) {
        curl_url_set(parsed, part, nil, 0)
    }

    func get(_ part: CURLUPart, _ flags: Int32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsed, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
