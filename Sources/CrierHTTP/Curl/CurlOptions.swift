import CCurl

/// Every libcurl option of a transfer, in one place.
struct CurlOptions {
    let easy: UnsafeMutableRawPointer
    /// The first option that libcurl did not take.
    private(set) var failure: HTTPError?

    /// Those that this libcurl can take off. Not deflate: two kinds of it are in use (RFC 9110 §8.4.1.2), and who has it has gzip.
    private static let contentCodings: [UInt8] = {
        let known = crier_curl_features()
        let codings = [(CURL_VERSION_LIBZ, "gzip"), (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd")]
        // Not by `joined`, for whose first use the runtime looks through all conformances of the program.
        let list = codings.reduce("") { list, coding in
            if known & coding.0 == 0 { list } else { list.isEmpty ? coding.1 : "\(list), \(coding.1)" }
        }
        return Array(list.utf8)
    }()
    /// Bytes of a header field, for most.
    private static let usualLine = 256

    init(easy: UnsafeMutableRawPointer) {
        self.easy = easy
    }

    /// What holds for every transfer. Once for each handle: it is most of the options.
    mutating func setConstants() {
        // What is never done: redirects (followed hop by hop above libcurl), .netrc, cookies, Referer, HTTP/0.9.
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_NETRC, crier_netrc_ignored)
        set(CURLOPT_HTTP09_ALLOWED, 0)

        set(CURLOPT_NOSIGNAL, 1)
        // Else a transfer that ends while its name is looked up makes all others wait for that answer.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_WHATEVER))
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // What is taken off; it is asked for by a field.
        set(CURLOPT_ACCEPT_ENCODING, "")

        // Both are said here, so that libcurl does not read the environment by itself.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

        // No challenge is answered.
        set(CURLOPT_HTTPAUTH, crier_auth_none)
        set(CURLOPT_PROXYAUTH, crier_auth_basic)

        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        setFunctions()
    }

    /// - Parameter exchange: Whose hop is read where it lies, as it is much to copy.
    mutating func set(_ exchange: CurlExchange, remaining: Duration, trust: TrustStore) {
        let url = UnsafeMutableRawPointer(exchange.hop.url.parsed)
        check(crier_easy_set_pointer(easy, CURLOPT_CURLU, url), CURLOPT_CURLU)
        setLimits(exchange.hop.limits, remaining: remaining)
        if exchange.hop.mayUseTLS { setAuthorities(trust.authorities(caFile: exchange.hop.caFile)) }
        if !exchange.hop.isPlain { setOwn(exchange.hop) }
    }

    /// Takes away what points to a transfer that is over.
    mutating func forgetTransfer() {
        set(CURLOPT_VERBOSE, 0)
        check(crier_easy_set_pointer(easy, CURLOPT_CURLU, nil), CURLOPT_CURLU)
        check(crier_easy_set_fields(easy, nil), CURLOPT_HTTPHEADER)
        check(crier_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, nil), CURLOPT_ERRORBUFFER)
        setContext(nil)
    }

    /// The header fields as the caller gave them, and nothing that libcurl would add by itself. The list must live as
    /// long as the transfer.
    mutating func setFields(_ exchange: CurlExchange) -> UnsafeMutablePointer<curl_slist>? {
        let fields = exchange.hop.fields
        var list: UnsafeMutablePointer<curl_slist>?
        var line: [UInt8] = []
        line.reserveCapacity(Self.usualLine)
        func append(_ name: String, _ separator: String, _ value: [UInt8] = []) {
            line.removeAll(keepingCapacity: true)
            line += name.utf8
            line += separator.utf8
            line += value
            line.append(0)
            list =
                line.withUnsafeBytes { curl_slist_append(list, $0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
                ?? list
        }
        for field in fields.all {
            // libcurl reads "Name:" as "leave that out" and "Name;" as "with an empty value".
            append(field.name, field.rawValue.isEmpty ? ";" : ": ", field.rawValue)
        }
        // libcurl would put a field of its own together for each request, byte by byte.
        if fields.rawValue(of: "Accept-Encoding") == nil { append("Accept-Encoding", ": ", Self.contentCodings) }
        // libcurl looks through the whole list for each field that it thinks of, so nothing is in it without need.
        let unwanted =
            (exchange.hop.body == nil && exchange.hop.method != "POST" ? [] : ["Expect", "Content-Type"])
            + (exchange.hop.proxy == nil ? [] : ["Proxy-Connection"])
        for name in unwanted where fields.rawValue(of: name) == nil { append(name, ":") }
        check(crier_easy_set_fields(easy, list), CURLOPT_HTTPHEADER)
        return list
    }

    mutating func setErrorText(_ buffer: UnsafeMutablePointer<CChar>) {
        check(crier_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, buffer), CURLOPT_ERRORBUFFER)
    }

    /// What a plain hop does not have.
    private mutating func setOwn(_ hop: CurlHop) {
        switch (hop.method, hop.body) {
        case ("GET", nil): set(CURLOPT_HTTPGET, 1)
        case ("HEAD", nil): set(CURLOPT_NOBODY, 1)
        case ("POST", _): set(CURLOPT_POST, 1)
        default: set(CURLOPT_CUSTOMREQUEST, hop.method)
        }
        if let body = hop.body ?? (hop.method == "POST" ? [] : nil) {
            check(
                body.withUnsafeBytes { crier_easy_set_body(easy, $0.baseAddress, curl_off_t($0.count)) },
                CURLOPT_POSTFIELDS)
        }
        // libcurl repeats what gets no answer on a connection that was kept: what must not be (RFC 9110 §9.2.2) has one of its own,
        // and leaves none behind that a small server would wait on.
        let isOnce = hop.method == "POST" || hop.method == "PATCH"
        if isOnce { set(CURLOPT_FORBID_REUSE, 1) }
        if isOnce || hop.connectsAnew { set(CURLOPT_FRESH_CONNECT, 1) }
        // Nor does another network know hosts by the same addresses.
        if hop.connectsAnew { set(CURLOPT_DNS_CACHE_TIMEOUT, 0) }
        // Only what the caller wrote into the URL.
        if let credentials = hop.credentials {
            set(CURLOPT_HTTPAUTH, crier_auth_basic)
            set(CURLOPT_USERNAME, credentials.user)
            set(CURLOPT_PASSWORD, credentials.password)
        }
        if let proxy = hop.proxy { set(CURLOPT_PROXY, proxy) }
        if hop.takesBodyAsItIs { set(CURLOPT_HTTP_CONTENT_DECODING, 0) }
    }

    private mutating func setLimits(_ limits: HTTPLimits, remaining: Duration) {
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
        setTimeout(remaining)
        set(CURLOPT_LOW_SPEED_TIME, (limits.slowFor.wholeMilliseconds + 999) / 1000)
        set(CURLOPT_LOW_SPEED_LIMIT, max(0, limits.slowBytesPerSecond))
    }

    /// - Parameter time: from the beginning of the transfer, also where that has begun.
    mutating func setTimeout(_ time: Duration) { set(CURLOPT_TIMEOUT_MS, time.wholeMilliseconds) }

    private mutating func setAuthorities(_ authorities: TrustStore.Authorities) {
        guard case .chosen(let file, let directory) = authorities else { return }
        for (option, path) in [
            (CURLOPT_CAINFO, file), (CURLOPT_CAPATH, directory),
            (CURLOPT_PROXY_CAINFO, file), (CURLOPT_PROXY_CAPATH, directory),
        ] {
            // A null pointer takes libcurl's compiled-in default away.
            check(crier_easy_set_string(easy, option, path), option)
        }
    }

    private mutating func set(_ option: CURLoption, _ value: Int) {
        check(crier_easy_set_long(easy, option, value), option)
    }

    private mutating func set(_ option: CURLoption, _ value: String) {
        check(crier_easy_set_string(easy, option, value), option)
    }

    mutating func check(_ code: CURLcode, _ option: CURLoption) {
        guard code != CURLE_OK, failure == nil else { return }
        let name = curl_easy_option_by_id(option).map { String(cString: $0.pointee.name) } ?? "\(option.rawValue)"
        failure = HTTPError(
            .transfer, "libcurl does not take the option \(name): \(String(cString: curl_easy_strerror(code)))")
    }
}
