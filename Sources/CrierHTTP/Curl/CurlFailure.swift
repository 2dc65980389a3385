import CCurl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a finished handle knows about its transfer.
struct CurlInfo {
    let easy: UnsafeMutableRawPointer

    func string(_ info: CURLINFO) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard crier_easy_get_string(easy, info, &text) == CURLE_OK, let text else { return nil }
        return String(cString: text)
    }

    func int(_ info: CURLINFO) -> Int {
        var value = 0
        return crier_easy_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    func microseconds(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return crier_easy_get_offset(easy, info, &value) == CURLE_OK ? Int64(value) : 0
    }
}

/// Says a libcurl error in one sentence.
struct CurlFailure {
    let code: CURLcode
    let easy: UnsafeMutableRawPointer
    /// What libcurl wrote about it; may be empty.
    let text: String
    let hop: CurlHop
    /// Whether the request was sent, or was about to be.
    let wasSent: Bool
    /// Whether anything of an answer came.
    let hasAnswered: Bool

    var error: HTTPError {
        if code == CURLE_OPERATION_TIMEDOUT { return timeoutError }
        return ProxyFailure(self)?.error ?? originError
    }

    private var originError: HTTPError {
        let authority = hop.url.authority
        switch code {
        // The other is that of a name which is looked up here, and not by the SOCKS proxy.
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_PROXY:
            return HTTPError(.resolve, "could not find the host \(hop.url.host)")
        case CURLE_COULDNT_CONNECT: return connectError
        case CURLE_PEER_FAILED_VERIFICATION:
            return HTTPError(.tls, "the certificate of \(authority) is not trusted: \(detail)")
        case CURLE_SSL_CACERT_BADFILE:
            return HTTPError(.file, "the file of certificate authorities cannot be used: \(detail)")
        case _ where isOfHandshake:
            return HTTPError(.tls, "no secure connection to \(authority): \(detail)")
        case CURLE_URL_MALFORMAT: return HTTPError(.badURL, "not a URL: \(hop.url.text)")
        // libcurl's own limit for one header line, 100 KiB, ends as "out of memory", since 8.6 as "too large" (100).
        case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100):
            return HTTPError(.tooLarge, "a header field of the answer from \(authority) is too large")
        case CURLE_GOT_NOTHING: return HTTPError(.badResponse, "\(authority) closed the connection without an answer")
        case CURLE_PARTIAL_FILE: return HTTPError(.badResponse, "the body from \(authority) is cut off")
        case CURLE_BAD_CONTENT_ENCODING:
            return HTTPError(.badResponse, "the body from \(authority) cannot be unpacked: \(detail)")
        // Of what is ours nothing fails with it: libcurl takes no bytes behind the end of a compressed body.
        case CURLE_WRITE_ERROR:
            return HTTPError(.badResponse, "the compressed body from \(authority) is followed by something else")
        // With a protocol that has been checked before, this is an answer without a status line.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return HTTPError(.badResponse, "\(authority) does not answer in HTTP: \(detail)")
        // Nor is a trailer line beyond 4 KiB short of memory.
        case CURLE_RECV_ERROR where text.hasPrefix("Out of memory"):
            return HTTPError(.tooLarge, "a trailer field of the answer from \(authority) is too large")
        case CURLE_RECV_ERROR where CurlInfo(easy: easy).int(CURLINFO_OS_ERRNO) == 0,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return HTTPError(.badResponse, "the answer from \(authority) is broken: \(detail)")
        default: return HTTPError(.transfer, "the transfer from \(authority) failed: \(detail)")
        }
    }

    /// Whether no secure connection came about, though nobody's certificate was judged.
    var isOfHandshake: Bool {
        switch code {
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            true
        default: false
        }
    }

    private var connectError: HTTPError {
        let number = Int32(CurlInfo(easy: easy).int(CURLINFO_OS_ERRNO))
        let target = "\(hop.url.host):\(hop.url.port)"
        switch number {
        case ECONNREFUSED:
            // Before whoever has not logged in many a network refuses what it cannot answer itself.
            let isItself = hop.url.isWrittenPrivate
            return HTTPError(.connect, "connection refused by \(target)", hasReachedHost: isItself)
        case 0: return HTTPError(.connect, "no connection to \(target): \(detail)")
        default: return HTTPError(.connect, "no connection to \(target): \(String(cString: strerror(number)))")
        }
    }

    private var timeoutError: HTTPError {
        let info = CurlInfo(easy: easy)
        let limits = hop.limits
        // First, as the whole time may be no longer than that for the connection: nobody was sent anything.
        if info.microseconds(CURLINFO_PRETRANSFER_TIME_T) == 0 {
            let time = min(limits.connect, limits.total)
            if let failure = ProxyFailure(self) { return failure.error(within: time) }
            return HTTPError(.connect, "no connection to \(hop.url.authority) within \(time.inWords)")
        }
        // libcurl reads its clock once a round, and may so be a little early.
        if hop.deadline - .now < .milliseconds(100) {
            guard hasAnswered else { return .noAnswer(from: hop.url, within: limits.total) }
            return HTTPError(
                .timeout, "the answer from \(hop.url.authority) did not end within \(limits.total.inWords)")
        }
        guard hasAnswered else { return .noAnswer(from: hop.url, within: limits.slowFor) }
        let rate = "\(limits.slowBytesPerSecond) bytes a second for \(limits.slowFor.inWords)"
        return HTTPError(.timeout, "\(hop.url.authority) sent less than \(rate)")
    }

    var detail: String { text.isEmpty ? String(cString: curl_easy_strerror(code)) : text }
}

extension HTTPError {
    static func noAnswer(from url: WebURL, within time: Duration) -> HTTPError {
        HTTPError(.timeout, "no answer from \(url.authority) within \(time.inWords)")
    }
}
