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

    /// Whether it needs no options of its own, besides address, fields and limits.
    var isPlain: Bool { method == "GET" && body == nil && credentials == nil && proxy == nil && caFile == nil }
}

/// What came back.
struct CurlAnswer: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]
    /// The address that answered; the proxy's where there is one.
    let peer: NetworkAddress?
}
