import CCurl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Says what is the matter with a proxy, where a transfer came to no connection with its origin because of that.
///
/// It says nothing about the origin, and counts like a network that is down. Nothing that may hold a password is repeated: libcurl
/// quotes a proxy that it cannot use.
struct ProxyFailure {
    private let failure: CurlFailure
    private let proxy: String

    /// Nil without a proxy, and for what happened behind it.
    init?(_ failure: CurlFailure) {
        guard let proxy = failure.hop.proxy else { return nil }
        self.init(failure, proxy)
        guard isAtProxy else { return nil }
    }

    private init(_ failure: CurlFailure, _ proxy: String) {
        self.failure = failure
        self.proxy = proxy
    }

    var error: HTTPError { Self.error(to: failure.hop, trouble) }

    func error(within time: Duration) -> HTTPError {
        // Both may be silent: what a proxy says of the origin it says at its leisure.
        Self.error(to: failure.hop, "none came about through \(Self.name(proxy)) within \(time.inWords)")
    }

    /// What is meant where a proxy to which a request was sent as it is answers in place of the origin, which it did not ask; nil where
    /// that cannot be told from the origin's own answer.
    static func answer(_ status: Int, _ fields: HTTPFields, to hop: CurlHop) -> HTTPError? {
        guard let proxy = hop.proxy, hop.url.scheme == "http", !isSOCKS(proxy) else { return nil }
        guard status == 407 || status >= 400 && isRefusal(fields) else { return nil }
        return error(to: hop, "\(name(proxy)) answers HTTP \(status)")
    }

    /// As Squid says it. Its other errors are of origins that were asked, as far as it says: they may have taken the request.
    private static func isRefusal(_ fields: HTTPFields) -> Bool {
        guard let error = fields["X-Squid-Error"]?.split(separator: " ").first else { return false }
        return ["ERR_ACCESS_DENIED", "ERR_CANNOT_FORWARD", "ERR_CONNECT_FAIL", "ERR_DNS_FAIL"].contains(error)
    }

    private static func error(to hop: CurlHop, _ trouble: String) -> HTTPError {
        HTTPError(.connect, "no connection to \(hop.url.authority): \(trouble)", proxyTrouble: trouble)
    }

    private static func name(_ proxy: String) -> String { "the proxy \(URLCredentials.removed(fromProxy: proxy))" }

    private static func isSOCKS(_ proxy: String) -> Bool {
        proxy.prefix(5).lowercased() == "socks" && proxy.contains("://")
    }

    private var info: CurlInfo { CurlInfo(easy: failure.easy) }

    /// What the proxy answered to CONNECT; 0 where it was not asked, or said nothing.
    private var status: Int { info.int(CURLINFO_HTTP_CONNECTCODE) }

    private var socksReply: CURLproxycode { CURLproxycode(UInt32(clamping: info.int(CURLINFO_PROXY_ERROR))) }

    private var isAtProxy: Bool {
        switch failure.code {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: true
        case CURLE_PROXY: socksReply != CURLPX_RESOLVE_HOST
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT, CURLE_SSL_CACERT_BADFILE: false
        case _ where status != 0: !(200...299 ~= status)
        // To a SOCKS proxy there is none, and an origin's begins behind the answer to CONNECT.
        case CURLE_PEER_FAILED_VERIFICATION: !Self.isSOCKS(proxy)
        case _ where failure.isOfHandshake: !Self.isSOCKS(proxy)
        default: !failure.wasSent
        }
    }

    private var trouble: String {
        let name = Self.name(proxy)
        switch failure.code {
        case _ where failure.text.hasPrefix("Unsupported proxy"):
            return "\(name) cannot be used, as it is not the address of an HTTP or SOCKS proxy"
        // Of whatever code: newer versions of libcurl say that they could not connect.
        case _ where status != 0: return "\(name) answers HTTP \(status)"
        case CURLE_COULDNT_RESOLVE_PROXY: return "could not find \(name)"
        case CURLE_COULDNT_CONNECT: return connectTrouble(name)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return "\(name) closed the connection"
        case CURLE_PROXY: return "\(name) does not make it: \(socksWords)"
        case CURLE_PEER_FAILED_VERIFICATION: return "the certificate of \(name) is not trusted: \(failure.detail)"
        case _ where failure.isOfHandshake: return "no secure connection to \(name): \(failure.detail)"
        default: return "\(name) does not make it: \(String(cString: curl_easy_strerror(failure.code)))"
        }
    }

    private func connectTrouble(_ name: String) -> String {
        switch Int32(info.int(CURLINFO_OS_ERRNO)) {
        case ECONNREFUSED: "connection refused by \(name)"
        case 0: "\(name) cannot be reached"
        case let number: "\(name) cannot be reached: \(String(cString: strerror(number)))"
        }
    }

    /// RFC 1928 §6, RFC 1929 §2.
    private var socksWords: String {
        switch socksReply {
        case CURLPX_REPLY_NOT_ALLOWED: "it is not allowed"
        case CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
            "the host cannot be reached"
        case CURLPX_REPLY_CONNECTION_REFUSED: "the host refuses the connection"
        case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_RECV_AUTH: "it wants another user and password"
        default: failure.detail
        }
    }
}
