import CCurl

/// One mail while libcurl works on it. Used on its own thread only.
final class CurlMail {
    private let order: MailOrder
    /// Bytes of the message that libcurl has taken.
    private var taken = 0
    /// What the server said last; a refusal stays, as the answer to the goodbye comes behind it.
    private var lastReply = ""

    private var mail: Mail { order.mail }

    init(_ order: MailOrder) {
        self.order = order
    }

    func perform(_ trust: TrustStore) -> Result<Void, MailError> {
        guard isLibraryReady, let easy = curl_easy_init() else {
            return .failure(MailError(.unreachable, "libcurl cannot be initialised"))
        }
        defer { curl_easy_cleanup(easy) }
        var recipients: UnsafeMutablePointer<curl_slist>?
        for address in mail.recipients { recipients = curl_slist_append(recipients, "<\(address)>") ?? recipients }
        defer { curl_slist_free_all(recipients) }
        let code = prepare(easy, recipients, trust)
        guard code == CURLE_OK else { return .failure(error(code, easy)) }
        let ending = withExtendedLifetime(self) { curl_easy_perform(easy) }
        return ending == CURLE_OK ? .success(()) : .failure(error(ending, easy))
    }

    private func prepare(
        _ easy: UnsafeMutableRawPointer, _ recipients: UnsafeMutablePointer<curl_slist>?, _ trust: TrustStore
    ) -> CURLcode {
        let milliseconds = mail.limit.wholeMilliseconds
        let encryption = mail.server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, mail.server.url), (CURLOPT_PROTOCOLS_STR, "smtp,smtps"), (CURLOPT_PROXY, ""),
            (CURLOPT_MAIL_FROM, "<\(mail.sender)>"),
        ]
        if let user = mail.server.user {
            texts += [(CURLOPT_USERNAME, user), (CURLOPT_PASSWORD, mail.server.password ?? "")]
        }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_UPLOAD, 1), (CURLOPT_NOPROGRESS, 0),
            (CURLOPT_USE_SSL, Int(encryption.rawValue)), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_TIMEOUT_MS, milliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 15_000)),
            // Else libcurl gives a server two minutes for one reply, whatever the limit of the whole.
            (CURLOPT_SERVER_RESPONSE_TIMEOUT, (milliseconds + 999) / 1000),
        ]
        let context = Unmanaged.passUnretained(self).toOpaque()
        var codes = texts.map { crier_easy_set_string(easy, $0.0, $0.1) }
        codes += numbers.map { crier_easy_set_long(easy, $0.0, $0.1) }
        if case .chosen(let file, let directory) = trust.authorities(caFile: nil) {
            codes.append(crier_easy_set_string(easy, CURLOPT_CAINFO, file))
            codes.append(crier_easy_set_string(easy, CURLOPT_CAPATH, directory))
        }
        codes += [
            crier_easy_set_recipients(easy, recipients),
            crier_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count)),
            crier_easy_set_read_function(easy, giveMessage, context),
            crier_easy_set_header_function(easy, receiveReply, context),
            crier_easy_set_progress_function(easy, watch, context),
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    // MARK: What libcurl calls

    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = mail.message[taken...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        taken += part.count
        return part.count
    }

    func receive(_ line: UnsafeRawBufferPointer) {
        let reply = String(decoding: line.prefix(500), as: UTF8.self)
        if Self.isRefusal(reply) || !Self.isRefusal(lastReply) { lastReply = reply }
    }

    private static func isRefusal(_ reply: String) -> Bool { reply.hasPrefix("4") || reply.hasPrefix("5") }

    /// A mail that is with the server as a whole may be taken already: then its answer is waited for.
    var isToEnd: Bool { order.isCancelled.load(ordering: .acquiring) && taken < mail.message.count }

    // MARK: Errors

    private func error(_ code: CURLcode, _ easy: UnsafeMutableRawPointer) -> MailError {
        let status = CurlInfo(easy: easy).int(CURLINFO_RESPONSE_CODE)
        let reply = lastReply.isEmpty ? "" : ": \(lastReply)"
        switch code {
        case CURLE_ABORTED_BY_CALLBACK: return MailError(.cancelled, "cancelled")
        case CURLE_LOGIN_DENIED:
            return MailError(.login, "the mail server does not accept the user or the password\(reply)")
        case CURLE_OPERATION_TIMEDOUT: return MailError(.timeout, "the mail server did not answer in time")
        case CURLE_USE_SSL_FAILED: return MailError(.tls, "the mail server offers no encryption (STARTTLS)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
            return MailError(
                .tls, "no secure connection to the mail server: \(String(cString: curl_easy_strerror(code)))")
        // A greeting that is none; behind the whole message, it is what libcurl calls every refusal of that.
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST,
            CURLE_WEIRD_SERVER_REPLY where taken < mail.message.count:
            return MailError(.unreachable, "no mail server answers there\(reply)")
        default: break
        }
        switch status {
        case 400...499: return MailError(.temporary, "the mail server says not now\(reply)")
        case 500...599: return MailError(.permanent, "the mail server refuses the mail\(reply)")
        default:
            return MailError(.unreachable, "the mail was not taken: \(String(cString: curl_easy_strerror(code)))")
        }
    }
}

private func mail(_ context: UnsafeMutableRawPointer?) -> CurlMail? {
    context.map { Unmanaged<CurlMail>.fromOpaque($0).takeUnretainedValue() }
}

private let giveMessage: curl_read_callback = { bytes, size, count, context in
    mail(context)?.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let receiveReply: curl_write_callback = { bytes, size, count, context in
    mail(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private let watch: curl_xferinfo_callback = { context, _, _, _, _ in mail(context)?.isToEnd ?? false ? 1 : 0 }
