import Synchronization

import class Foundation.ProcessInfo

/// Sends requests with libcurl: every transfer on one thread, connections kept and used again, HTTP/2 over TLS.
///
/// The thread starts with the first http request, or the first task on ``lane``, and ends with ``shutdown()`` or the transport itself.
public final class CurlTransport: HTTPTransport {
    private let mailbox = CurlMailbox()
    private let trust: TrustStore
    private let proxies: ProxyEnvironment
    public let lane: (any TaskExecutor)?
    /// Until then nothing is sent on a connection that was kept.
    private let connectsAnewUntil = Mutex<SuspendingClock.Instant?>(nil)
    /// libcurl uses none that has been idle for 118 s, which do not pass while the machine sleeps.
    private static let longestIdle = Duration.seconds(120)

    /// - Parameter environment: read for `CURL_CA_BUNDLE`, `SSL_CERT_FILE`, `SSL_CERT_DIR`, `http_proxy`,
    ///   `https_proxy`, `all_proxy` and `no_proxy`.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        trust = TrustStore(environment)
        lane = CurlLane(mailbox, trust: trust)
        proxies = ProxyEnvironment(environment)
    }

    deinit { mailbox.stop() }

    /// Ends every transfer with ``HTTPError/Kind/cancelled`` and the thread; returns when it has ended.
    ///
    /// To be awaited before the process ends by `exit` or by returning from `main`: what libraries take apart then, the thread
    /// must not be using.
    public func shutdown() async {
        mailbox.stop()
        await mailbox.end()
    }

    /// Those that are kept are not used until libcurl finds them too old itself: it cannot be told to close them.
    public func forgetConnections() {
        connectsAnewUntil.withLock { $0 = .now + Self.longestIdle }
    }

    public func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        guard isLibraryReady else { throw .notReady }
        let deadline = ContinuousClock.now + min(request.limits.total, .seconds(Int64.max))
        let origin = try WebURL(request.url)
        if origin.scheme == "file" {
            guard request.mayVisitPrivateAddresses else {
                throw HTTPError(.refusedAddress, "a page may not lead to a file of this machine: \(origin.text)")
            }
            return try LocalFile(origin, limits: request.limits).response()
        }
        try request.checkSyntax()
        let exchange = CurlExchange(hop(request, origin, deadline: deadline))
        let answer = try await perform(exchange, beforeRedirect)
        guard RedirectRule.location(status: answer.status, answer.fields) != nil, request.follows(answer) else {
            return exchange.response(answer)
        }
        return try await follow(answer, to: exchange, request, beforeRedirect)
    }

    @inline(never)
    private func hop(_ request: HTTPRequest, _ origin: WebURL, deadline: ContinuousClock.Instant) -> CurlHop {
        var hop = CurlHop(request, origin, deadline: deadline)
        hop.proxy = proxy(for: origin, request)
        hop.connectsAnew = mustConnectAnew
        return hop
    }

    /// Apart, as most requests are answered with no redirect, and need no place for all this.
    @inline(never)
    private func follow(
        _ first: CurlAnswer, to origin: CurlExchange, _ request: HTTPRequest, _ beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        var (exchange, answer) = (origin, first)
        var redirects: [HTTPRedirect] = []
        var rule = RedirectRule(
            request, origin: origin.hop.url, originIsPrivate: origin.isAnsweredFromPrivateAddress(first))
        while request.follows(answer), var next = try rule.next(after: exchange.hop, answer) {
            redirects.append(HTTPRedirect(status: answer.status, from: exchange.hop.url.text, to: next.url.text))
            next.proxy = proxy(for: next.url, request)
            next.connectsAnew = mustConnectAnew
            let before = ContinuousClock.now
            try await beforeRedirect(next.url.text)
            next.deadline += .now - before
            exchange = CurlExchange(next)
            do throws(HTTPError) {
                answer = try await perform(exchange, beforeRedirect)
            } catch {
                throw error.afterRedirect
            }
        }
        return exchange.response(answer, redirects)
    }

    private var mustConnectAnew: Bool {
        connectsAnewUntil.withLock { end in
            guard let date = end else { return false }
            if date <= .now { end = nil }
            return end != nil
        }
    }

    private func proxy(for url: WebURL, _ request: HTTPRequest) -> String? {
        guard let proxy = request.proxy else { return proxies.proxy(for: url) }
        return proxy.isEmpty ? nil : proxy
    }

    private func perform(
        _ exchange: CurlExchange, _ beforeRepeat: RedirectObserver
    ) async throws(HTTPError) -> CurlAnswer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                if mailbox.start(exchange, reply) { CurlLoop.start(mailbox, trust: trust) }
            }
        } onCancel: {
            mailbox.cancel(exchange)
        }
        let answer = try result.get()
        guard let again = answer.repetition.flatMap(exchange.again) else { return answer }
        try await beforeRepeat(again.hop.url.text)
        return try await perform(again, beforeRepeat)
    }
}

extension HTTPError {
    fileprivate var afterRedirect: HTTPError {
        HTTPError(kind, description, hasReachedHost: true, proxyTrouble: proxyTrouble)
    }
}

extension CurlHop {
    fileprivate init(_ request: HTTPRequest, _ url: WebURL, deadline: ContinuousClock.Instant) {
        method = request.method
        self.url = url
        fields = request.fields
        if let conditional = request.conditionalURL, conditional != url.text { fields.removeConditions() }
        body = request.body
        credentials = url.credentials
        caFile = request.caFile
        limits = request.limits
        self.deadline = deadline
        acceptsBrokenBody = request.acceptsBrokenBody
        followsRedirects = request.followsRedirects
        mayBePrivate = request.mayVisitPrivateAddresses
    }
}

extension CurlExchange {
    fileprivate func again(_ way: CurlRepetition) -> CurlExchange? { hop.again(way).map(CurlExchange.init) }

    @inline(never)
    fileprivate func response(_ answer: CurlAnswer, _ redirects: [HTTPRedirect] = []) -> HTTPResponse {
        HTTPResponse(
            status: answer.status, fields: answer.fields, body: answer.body, url: hop.url.text, redirects: redirects,
            isFromPrivateAddress: isAnsweredFromPrivateAddress(answer), hasWholeBody: answer.hasWholeBody)
    }

    /// Behind a proxy the address says nothing about the origin, and only how it is written may.
    fileprivate func isAnsweredFromPrivateAddress(_ answer: CurlAnswer) -> Bool {
        hop.proxy == nil ? answer.peer?.isPrivate ?? false : hop.url.isWrittenPrivate
    }
}

extension HTTPRequest {
    /// Whether an answer's redirect is followed now, if it is one.
    fileprivate func follows(_ answer: CurlAnswer) -> Bool {
        guard followsRedirects, let now = waitsForRedirects else { return followsRedirects }
        return (RetryAfter.parse(answer.fields, now: now) ?? .zero) <= .zero
    }

    /// What goes on the wire as it is must not be able to say something else (RFC 9110 §5.5, §5.6.2).
    fileprivate func checkSyntax() throws(HTTPError) {
        guard method.isToken else { throw HTTPError(.badRequest, "not an HTTP method: \(method.debugDescription)") }
        for field in fields.all {
            guard field.name.isToken else {
                throw HTTPError(.badRequest, "not the name of a header field: \(field.name.debugDescription)")
            }
            guard HTTPFields.canSend(field.rawValue) else {
                throw HTTPError(.badRequest, "the header field \(field.name) has a line break in it")
            }
        }
    }
}
