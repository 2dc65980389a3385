import CCurl

/// One hop while libcurl works on it. Used on the curl thread only.
final class CurlTransfer {
    let exchange: CurlExchange
    /// To be read where it lies, as it is much to copy.
    private var hop: CurlHop { exchange.hop }
    let easy: UnsafeMutableRawPointer
    private let idle: IdleConnections
    private let reply: CurlMailbox.Reply
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private var receiver: ResponseReceiver
    private var addressRefusal: HTTPError?
    private var seesWire = false
    private var begun = ContinuousClock.now
    private var isHurried = false
    /// Of this machine, from which the request was sent; nil before.
    private(set) var localPort: Int?
    /// How often the request was sent, or was about to be.
    private var attempts = 0

    init(
        _ exchange: CurlExchange, easy: UnsafeMutableRawPointer, idle: IdleConnections, reply: CurlMailbox.Reply
    ) {
        self.exchange = exchange
        self.easy = easy
        self.idle = idle
        self.reply = reply
        receiver = ResponseReceiver(
            authority: exchange.hop.url.authority, method: exchange.hop.method, limits: exchange.hop.limits,
            followsRedirects: exchange.hop.followsRedirects)
        errorText.pointee = 0
    }

    deinit {
        errorText.deallocate()
        curl_slist_free_all(fieldList)
    }

    /// Sets what is this transfer's own. It must outlive the handle's use.
    func prepare(trust: TrustStore) -> HTTPError? {
        begun = .now
        let remaining = hop.deadline - begun
        guard remaining > .zero else { return .noAnswer(from: hop.url, within: hop.limits.total) }
        var options = CurlOptions(easy: easy)
        options.set(exchange, remaining: remaining, trust: trust)
        fieldList = options.setFields(exchange)
        options.setErrorText(errorText)
        options.setContext(Unmanaged.passUnretained(self).toOpaque())
        return options.failure
    }

    func result(_ code: CURLcode) -> Result<CurlAnswer, HTTPError> {
        // Whatever happened to such a body: what counts was said before.
        if receiver.isPastHeader, receiver.status >= 400 || hop.acceptsBrokenBody && 200...299 ~= receiver.status {
            if let refusal = ProxyFailure.answer(receiver.status, receiver.fields, to: hop) { return .failure(refusal) }
            var answer = answer
            answer.hasWholeBody = code == CURLE_OK && receiver.failure == nil && receiver.finish()
            return .success(answer)
        }
        if let failure = receiver.failure { return .failure(failure) }
        if let repetition = repetition(after: code), hop.again(repetition) != nil {
            var answer = answer
            answer.repetition = repetition
            return .success(answer)
        }
        // libcurl has read all of it and checked its sum, and takes nothing behind it.
        if code == CURLE_WRITE_ERROR, !receiver.isRedirect, receiver.hasPaddedBody { return .success(answer) }
        // Whatever happened to the body of a redirect: what counts was said before.
        guard code == CURLE_OK || receiver.isRedirect else {
            if let addressRefusal { return .failure(addressRefusal) }
            let failure = CurlFailure(
                code: code, easy: easy, text: String(cString: errorText), hop: hop, wasSent: attempts > 0,
                hasAnswered: receiver.hasBegun)
            return .failure(failure.error)
        }
        guard receiver.finish() else { return .failure(receiver.failure ?? .cancelled) }
        return .success(answer)
    }

    /// What libcurl gives up, and others do not.
    private func repetition(after code: CURLcode) -> CurlRepetition? {
        switch code {
        case CURLE_BAD_CONTENT_ENCODING where receiver.hasUnknownCoding && !receiver.isRedirect: .withBodyAsItIs
        // The server took its leave (GOAWAY) before it had the request, which it has then not looked at (RFC 9113 §6.8). Over HTTP/1.1
        // libcurl sees to that itself.
        case CURLE_HTTP2:
            !receiver.hasBegun && CurlInfo(easy: easy).int(CURLINFO_NUM_CONNECTS) == 0 ? .onNewConnection : nil
        default: nil
        }
    }

    /// Whether the handle is as it was before. Until it is reset, libcurl counts the requests that it has repeated, of which it
    /// allows five in all, and remembers what a 401 or 407 has asked for.
    func leavesNothing(after result: Result<CurlAnswer, HTTPError>) -> Bool {
        guard case .success(let answer) = result, hop.isPlain, answer.repetition == nil else { return false }
        return attempts == 1 && answer.status != 401 && answer.status != 407
    }

    private var answer: CurlAnswer {
        let peer = CurlInfo(easy: easy).string(CURLINFO_PRIMARY_IP).flatMap(NetworkAddress.init)
        return CurlAnswer(status: receiver.status, fields: receiver.fields, body: receiver.body, peer: peer)
    }

    /// To be called once, when the handle knows this transfer no longer.
    func finish(_ result: Result<CurlAnswer, HTTPError>) {
        reply.resume(returning: result)
    }

    // MARK: What libcurl calls

    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isTaken = receiver.receiveHeaderLine(bytes)
        // Only now: what libcurl has to say of connections and requests takes a third of its own time to be put into words.
        if receiver.awaitsBody, !seesWire { seesWire = crier_easy_set_long(easy, CURLOPT_VERBOSE, 1) == CURLE_OK }
        if receiver.isRedirect, !isHurried { hurry() }
        return isTaken
    }

    /// The body of a redirect is received for the sake of the connection alone: seen of servers is one that never comes.
    private func hurry() {
        isHurried = true
        let end = min(.now + Self.redirectBodyTime, hop.deadline)
        var options = CurlOptions(easy: easy)
        options.setTimeout(end - begun)
    }

    /// Longer than nearly every server takes for so little.
    private static let redirectBodyTime = Duration.seconds(1)

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool { receiver.receiveBody(bytes) }

    func receiveWire(_ bytes: UnsafeRawBufferPointer) { receiver.receiveWire(bytes) }

    /// Whether nothing more is to be received.
    var isAtItsEnd: Bool { receiver.failure != nil || receiver.isThrough }

    /// Before the request is sent, for the first time or anew. Whether it may be.
    ///
    /// - Parameter port: Of this machine.
    func beginAttempt(from port: Int, at address: @autoclosure () -> NetworkAddress?) -> Bool {
        attempts += 1
        idle.take(port, for: self)
        localPort = port
        return mayVisit(address())
    }

    /// Whether that address may be visited.
    func mayVisit(_ address: @autoclosure () -> NetworkAddress?) -> Bool {
        if hop.mayBePrivate { return true }
        // A proxy's own address says nothing.
        let isPrivate = hop.proxy == nil ? address()?.isPrivate ?? true : hop.url.isWrittenPrivate
        guard isPrivate else { return true }
        addressRefusal = HTTPError(
            .refusedAddress,
            "\(hop.url.authority) is on a private network, where only an address that you give yourself may lead")
        return false
    }
}
