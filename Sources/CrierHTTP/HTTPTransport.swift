import struct Foundation.Date

/// Sends one HTTP request and gives its answer.
public protocol HTTPTransport: Sendable {
    /// Follows redirects as the request says. A status of 4xx or 5xx is an answer, not an error.
    ///
    /// Cancelling the task ends the transfer at once with ``HTTPError/Kind/cancelled``.
    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse

    /// Where tasks that do little but send requests run best; nil: where they are, which for Crier's own is the thread that also waits for
    /// the state.
    var lane: (any TaskExecutor)? { get }

    /// The machine has slept, or its network is another one: whoever keeps connections uses none of those any more.
    func forgetConnections()
}

/// Is told of each redirect's URL before it is followed, and waited for, which counts for none of the request's limits; and of a URL
/// that is asked once more, as its body is of a coding that nobody knows, or a kept connection has ended. What it throws ends the request.
public typealias RedirectObserver = @Sendable (String) async throws(HTTPError) -> Void

extension HTTPTransport {
    public var lane: (any TaskExecutor)? { nil }

    public func forgetConnections() {}

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try await send(request) { _ in }
    }
}

/// One request.
public struct HTTPRequest: Sendable, Hashable {
    public var method: String
    /// An absolute http, https or file URL.
    public var url: String
    public var fields: HTTPFields
    /// What another origin is sent in their place after a redirect: they may be meant for the first alone.
    public var publicFields: HTTPFields
    /// The address that gave the validators which the fields carry, as ``HTTPResponse/url`` told it: it is asked with them,
    /// whatever its origin, and no other is, as they say nothing of another's document (RFC 9110 §8.8, §13.1). Nil: ``url``.
    public var conditionalURL: String?
    public var body: [UInt8]?
    public var limits: HTTPLimits
    /// Whether 301, 302, 303, 307 and 308 are followed, up to ``HTTPLimits/redirects``; else they are the answer.
    public var followsRedirects: Bool
    /// At this moment a redirect that asks to be waited for (Retry-After, RFC 9110 §10.2.3) is the answer and not followed;
    /// nil follows it at once.
    public var waitsForRedirects: Date?
    /// An explicit proxy URL; nil takes the environment's, an empty one none.
    public var proxy: String?
    /// A PEM file of certificate authorities for this request alone; nil takes the system's.
    public var caFile: String?
    /// Whether the URL may be in a private network: the user has written it, no page or feed has named it. A redirect may
    /// lead into one only where the URL is in one, and to the same host.
    public var mayVisitPrivateAddresses: Bool
    /// Whether an answer of 2xx counts from its header on: a body that breaks off is handed over as far as it came.
    public var acceptsBrokenBody: Bool

    public init(
        method: String = "GET", url: String, fields: HTTPFields = HTTPFields(), publicFields: HTTPFields = HTTPFields(),
        body: [UInt8]? = nil, limits: HTTPLimits = .polling, followsRedirects: Bool = true,
        waitsForRedirects: Date? = nil, proxy: String? = nil, caFile: String? = nil,
        mayVisitPrivateAddresses: Bool = true, acceptsBrokenBody: Bool = false
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.publicFields = publicFields
        self.body = body
        self.limits = limits
        self.followsRedirects = followsRedirects
        self.waitsForRedirects = waitsForRedirects
        self.proxy = proxy
        self.caFile = caFile
        self.mayVisitPrivateAddresses = mayVisitPrivateAddresses
        self.acceptsBrokenBody = acceptsBrokenBody
    }
}

extension HTTPRequest {
    /// Whether another origin than the first is sent other fields, secret or not: some answer by who asks, or in which language.
    package var keepsFields: Bool {
        var own = fields
        own.removeConditions()
        own["Content-Type"] = nil
        return own != publicFields
    }

    /// Whether another origin than the first is sent less, as it may be secret (RFC 9110 §15.4).
    package var hasSecrets: Bool {
        var (own, others) = (fields, publicFields)
        own.removeConditions()
        // What nobody keeps secret.
        for name in ["Content-Type", "Accept", "Accept-Language", "User-Agent"] {
            own[name] = nil
            others[name] = nil
        }
        return own != others || URLCredentials.removed(from: url) != url
    }
}

/// One answer.
public struct HTTPResponse: Sendable, Hashable {
    /// 200…999, as it was sent; 200 for a file. What is above 599 is to be read as 500 (RFC 9110 §15).
    public var status: Int
    public var fields: HTTPFields
    /// After content decoding (gzip, br, zstd).
    public var body: [UInt8]
    /// The address that answered, after redirects.
    public var url: String
    /// The redirects that led there, in order.
    public var redirects: [HTTPRedirect]
    /// Whether the answer came from a private network and through no proxy.
    public var isFromPrivateAddress: Bool
    /// Whether all of the body came: that of an error, and one that may be broken (``HTTPRequest/acceptsBrokenBody``), need not.
    public var hasWholeBody: Bool

    public init(
        status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = [], url: String, redirects: [HTTPRedirect] = [],
        isFromPrivateAddress: Bool = false, hasWholeBody: Bool = true
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.url = url
        self.redirects = redirects
        self.isFromPrivateAddress = isFromPrivateAddress
        self.hasWholeBody = hasWholeBody
    }
}

/// One redirect that was followed.
public struct HTTPRedirect: Sendable, Hashable {
    public let status: Int
    public let from: String
    public let to: String

    /// Those that lead elsewhere by themselves (RFC 9110 §15.4); a 304, say, leads nowhere.
    package static func isStatus(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// 301 and 308 (RFC 9110 §15.4.2, §15.4.9).
    public var isPermanent: Bool { status == 301 || status == 308 }

    public init(status: Int, from: String, to: String) {
        self.status = status
        self.from = from
        self.to = to
    }
}
