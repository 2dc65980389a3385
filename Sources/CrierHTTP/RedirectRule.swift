/// Where a redirect leads, and what is sent there.
struct RedirectRule {
    let request: HTTPRequest
    /// The URL that the user wrote.
    let origin: WebURL
    /// Whether the user's own URL was answered from a private network; its redirects may then stay on that host.
    let originIsPrivate: Bool
    /// Every method and URL so far.
    private(set) var visited: Set<String> = []

    init(_ request: HTTPRequest, origin: WebURL, originIsPrivate: Bool) {
        self.request = request
        self.origin = origin
        self.originIsPrivate = originIsPrivate
    }

    /// The hop after an answer; nil when the answer is no redirect that can be followed.
    mutating func next(after hop: CurlHop, _ answer: CurlAnswer) throws(HTTPError) -> CurlHop? {
        guard let location = Self.location(status: answer.status, answer.fields) else { return nil }
        visited.insert("\(hop.method) \(hop.url.text)")
        guard let target = hop.url.resolving(location) else {
            throw HTTPError(.refusedRedirect, "\(hop.url.authority) redirects to something that is not a URL")
        }
        guard target.scheme == "https" || target.scheme == "http" && hop.url.scheme == "http" else {
            throw HTTPError(
                .refusedRedirect,
                "\(hop.url.authority) redirects from \(hop.url.scheme) to \(target.scheme): \(target.shown)")
        }
        guard hop.limits.redirects > 0 else {
            throw HTTPError(
                .refusedRedirect, "\(origin.authority) redirects to \(target.shown), which is not followed")
        }
        guard visited.count <= hop.limits.redirects else {
            throw HTTPError(.refusedRedirect, "\(origin.authority) redirects more than \(hop.limits.redirects) times")
        }
        var next = hop
        next.url = target
        changeMethod(&next, status: answer.status)
        guard !visited.contains("\(next.method) \(target.text)") else {
            throw HTTPError(
                .refusedRedirect, "\(origin.authority) redirects in a circle, by way of \(target.authority)")
        }
        if !target.hasSameOrigin(as: hop.url) { dropPrivateFields(&next) }
        if next.body != nil, !target.isHome(of: hop.url) {
            throw HTTPError(
                .refusedRedirect,
                "\(hop.url.authority) wants the body of the request to be sent to \(target.authority)")
        }
        next.fields.removeConditions()
        if target.text == request.conditionalURL { next.fields.appendConditions(of: request.fields) }
        next.mayBePrivate = originIsPrivate && target.isHome(of: origin)
        return next
    }

    /// Where an answer redirects to; nil where it is no redirect.
    static func location(status: Int, _ fields: HTTPFields) -> [UInt8]? {
        guard HTTPRedirect.isStatus(status) else { return nil }
        return fields.rawValue(of: "Location").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// RFC 9110 §15.4: 303 asks for a GET; 301 and 302 make a POST a GET, as every browser does.
    private func changeMethod(_ hop: inout CurlHop, status: Int) {
        let becomesGET =
            switch status {
            case 303: hop.method != "GET" && hop.method != "HEAD"
            case 301, 302: hop.method == "POST"
            default: false
            }
        guard becomesGET else { return }
        hop.method = "GET"
        hop.body = nil
        for name in ["Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Content-Length"] {
            hop.fields[name] = nil
        }
    }

    /// Another origin gets nothing that was meant for the first; a body goes nowhere but to the first's move to https.
    private func dropPrivateFields(_ hop: inout CurlHop) {
        hop.credentials = nil
        let mediaType = hop.body == nil ? nil : hop.fields.rawValue(of: "Content-Type")
        hop.fields = request.publicFields
        if let mediaType { hop.fields.append("Content-Type", mediaType) }
    }
}

extension WebURL {
    /// Whether it is the host and port of another address, or their move from http to https.
    fileprivate func isHome(of other: WebURL) -> Bool {
        hasSameHost(as: other) && (port == other.port || (other.port, port) == (80, 443))
    }
}
