/// One exchange with one server: a request without its redirects.
struct CurlHop: Sendable {
    var method: String
    var url: WebURL
    var fields: HTTPFields
    var body: [UInt8]?
    var credentials: WebURL.Credentials?
    /// nil for a direct connection.
    var proxy: String?
    let caFile: String?
    let limits: HTTPLimits
    /// Whether a redirect is followed: its body is then of no interest.
    let followsRedirects: Bool
    /// The end of the time for the whole visit.
    var deadline: ContinuousClock.Instant
    /// Whether the address connected to may be one of a private network.
    var mayBePrivate: Bool
    /// Whether an answer of 2xx counts from its header on.
    var acceptsBrokenBody = false
    /// Whether the body is taken as it comes, whatever coding the answer says that it has.
    private(set) var takesBodyAsItIs = false
    /// Whether no connection that was kept will do.
    var connectsAnew = false

    /// The same once more; nil where that could do something twice, or has been done.
    func again(_ way: CurlRepetition) -> CurlHop? {
        guard method == "GET" else { return nil }
        var hop = self
        switch way {
        case .withBodyAsItIs:
            if takesBodyAsItIs { return nil }
            hop.takesBodyAsItIs = true
            hop.fields["Accept-Encoding"] = "identity"
        case .onNewConnection:
            if connectsAnew { return nil }
            hop.connectsAnew = true
        }
        return hop
    }

    /// Whether it needs no options of its own, besides address, fields and limits.
    var isPlain: Bool {
        method == "GET" && body == nil && credentials == nil && proxy == nil && caFile == nil && !takesBodyAsItIs
            && !connectsAnew
    }

    /// Whether somebody has to be vouched for: the origin, or a proxy, whose address tells only libcurl what it speaks.
    var mayUseTLS: Bool { url.scheme == "https" || proxy != nil }

    /// Whether libcurl has a name to turn into its form in DNS (RFC 5890 §2.3.2.1). As `text` has it and not as `host`: in lower
    /// case the Kelvin sign is a `k`. A proxy's letters may also be percent-encoded.
    var namesHostBeyondASCII: Bool { !url.text.isASCII || proxy.map { !$0.isASCII || $0.utf8.contains(0x25) } ?? false }
}

/// How an exchange is made a second time.
enum CurlRepetition: Sendable {
    /// The coding of the body is none that anybody knows.
    case withBodyAsItIs
    /// The connection, which was kept, ended as the request was sent.
    case onNewConnection
}

/// What came back.
struct CurlAnswer: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]
    /// The address that answered; the proxy's where there is one.
    let peer: NetworkAddress?
    /// Whether it is none, and how to ask once more.
    var repetition: CurlRepetition?
    /// Whether all of the body came.
    var hasWholeBody = true
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
