import CCurl

/// One mail while libcurl works on it. Used on its own thread only.
final class CurlMail {
    private let order: MailOrder
    /// For the server's name.
    private let locale = UTF8Locale()
    /// Bytes of the message that libcurl has taken.
    private var taken = 0
    private var dialogue = MailDialogue()
    /// Whether somebody has accepted the connection.
    private var isConnected = false
    private let begin = ContinuousClock.now

    private var mail: Mail { order.mail }

    init(_ order: MailOrder) {
        self.order = order
    }

    func perform(_ trust: TrustStore) -> Result<[MailRefusal], MailError> {
        guard isLibraryReady, let easy = curl_easy_init() else {
            return .failure(MailError(.broken, "libcurl cannot be loaded or set up"))
        }
        defer { curl_easy_cleanup(easy) }
        var recipients: UnsafeMutablePointer<curl_slist>?
        for address in mail.recipients { recipients = curl_slist_append(recipients, "<\(address)>") ?? recipients }
        defer { curl_slist_free_all(recipients) }
        let code = prepare(easy, recipients, trust)
        guard code == CURLE_OK else { return .failure(error(code)) }
        let ending = withExtendedLifetime(self) { curl_easy_perform(easy) }
        var connected: curl_off_t = 0
        isConnected = crier_easy_get_offset(easy, CURLINFO_CONNECT_TIME_T, &connected) == CURLE_OK && connected > 0
        // What the server has taken it has, however the rest went.
        return ending == CURLE_OK || dialogue.isTaken
            ? .success(dialogue.refusals(of: mail.recipients)) : .failure(error(ending))
    }

    private func prepare(
        _ easy: UnsafeMutableRawPointer, _ recipients: UnsafeMutablePointer<curl_slist>?, _ trust: TrustStore
    ) -> CURLcode {
        let all = (mail.limit + mail.answerLimit).wholeMilliseconds
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
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_TIMEOUT_MS, all),
            // The server's greeting counts as well, and a busy one, or one that slows strangers down, takes its time.
            (CURLOPT_CONNECTTIMEOUT_MS, mail.limit.wholeMilliseconds),
            // Else libcurl gives a server two minutes for one reply, whatever the limit of the whole.
            (CURLOPT_SERVER_RESPONSE_TIMEOUT, (all + 999) / 1000), (crier_mail_rcpt_allow_fails, 1),
            // For the commands to be seen, the last one too: libcurl closes a connection that is kept by a handle of its own, with
            // the limit above. Newer versions (seen of 8.16) always do, and give that no more than a second.
            (CURLOPT_VERBOSE, 1), (CURLOPT_FORBID_REUSE, 1),
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
            crier_easy_set_debug_function(easy, seeCommand, context),
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

    func send(_ command: UnsafeRawBufferPointer, by easy: UnsafeMutableRawPointer) {
        dialogue.send(String(decoding: command.prefix(500), as: UTF8.self))
        if dialogue.isOver { _ = crier_easy_set_long(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.goodbyeSeconds) }
    }

    /// The answer to QUIT should be waited for (RFC 5321 §4.1.1.10), but changes nothing any more.
    private static let goodbyeSeconds = 3

    /// Whether to go on.
    func receive(_ line: UnsafeRawBufferPointer) -> Bool {
        dialogue.receive(String(decoding: line.prefix(500), as: UTF8.self))
        if dialogue.isTaken { order.note(.success(dialogue.refusals(of: mail.recipients))) }
        return !isToWait && !isToEnd
    }

    /// A mail that is with the server as a whole may be taken already: then its answer is waited for while anybody waits.
    var isToEnd: Bool {
        if taken == mail.message.count { return order.isGivenUp.load(ordering: .acquiring) }
        return isCancelled || isOverdue
    }

    private var isCancelled: Bool { order.isCancelled.load(ordering: .acquiring) }

    private var isOverdue: Bool { .now - begin > mail.limit }

    /// Whether the mail is handed in when it can be for all.
    private var isToWait: Bool { mail.waitsForAll && dialogue.isForSomeOnly(of: mail.recipients.count) }

    // MARK: Errors

    private func error(_ code: CURLcode) -> MailError {
        let reply = dialogue.lastReply.isEmpty ? "" : ": \(dialogue.lastReply)"
        switch code {
        case CURLE_ABORTED_BY_CALLBACK where isCancelled, CURLE_WRITE_ERROR where isCancelled:
            return MailError(.cancelled, "cancelled")
        case CURLE_LOGIN_DENIED where 400...499 ~= dialogue.status:
            return MailError(.temporary, "the mail server says not now\(reply)")
        // Nothing was tried: its last words are the end of what it offers.
        case CURLE_LOGIN_DENIED where 200...299 ~= dialogue.status:
            return MailError(.login, "the mail server offers no way to log in that is known here")
        case CURLE_LOGIN_DENIED:
            return MailError(.login, "the mail server does not accept the user or the password\(reply)")
        case CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK,
            CURLE_WRITE_ERROR where isToEnd:
            return MailError(.timeout, isMute ? Self.muteness : "the mail server did not answer in time")
        case CURLE_USE_SSL_FAILED where dialogue.isRefusal:
            return MailError(.tls, "the mail server cannot encrypt now\(reply)")
        case CURLE_USE_SSL_FAILED: return MailError(.tls, "the mail server offers no encryption (STARTTLS)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
            return MailError(
                .tls, "no secure connection to the mail server: \(String(cString: curl_easy_strerror(code)))")
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST:
            return MailError(.unreachable, "no mail server answers at \(place)\(reply)")
        // A greeting that is none; behind the whole message, it is what libcurl calls every refusal of that.
        case CURLE_WEIRD_SERVER_REPLY where taken < mail.message.count && !dialogue.isRefusal:
            return MailError(.broken, "no mail server answers at \(place)\(reply)")
        default: break
        }
        if isToWait { return MailError(.putOff, "the mail server says not now\(refusal)") }
        if dialogue.awaitsVerdict, taken == mail.message.count {
            return MailError(.unanswered, "the mail server did not say whether it took the mail")
        }
        switch dialogue.status {
        case 400...499:
            return MailError(.temporary, "the mail server says not now\(refusal)", isOfRecipients: isOfRecipients)
        case 500...599 where dialogue.isAboutMessage:
            return MailError(.permanent, "the mail server refuses the mail\(reply)")
        case 500...599:
            return MailError(
                .refused, "the mail server refuses \(refusedPart)\(refusal)", isOfRecipients: isOfRecipients)
        default:
            return MailError(.broken, "the mail was not taken: \(String(cString: curl_easy_strerror(code)))")
        }
    }

    /// Host and port of the server, without a user before them.
    private var place: Substring {
        let authority = mail.server.url.split(separator: "/").dropFirst().first ?? ""
        return authority.split(separator: "@").last ?? ""
    }

    /// Whether there is a server that waits for the client to speak first, as behind smtps.
    private var isMute: Bool {
        isConnected && dialogue.lastReply.isEmpty && mail.server.url.lowercased().hasPrefix("smtp:")
    }

    private static let muteness = "the mail server said nothing in time: it may be a port for smtps://"

    private var isOfRecipients: Bool { if case .recipient = dialogue.stage { true } else { false } }

    /// What of the envelope the server refuses.
    private var refusedPart: String {
        switch dialogue.stage {
        case .sender: "the sender \(mail.sender)"
        case .recipient: "every recipient"
        case .opening: "this client"
        case .data, .message: "mail from this client"
        }
    }

    /// In the server's words: of each recipient, where it is about them.
    private var refusal: String {
        guard isOfRecipients else { return ": \(dialogue.lastReply)" }
        return ": " + dialogue.refusals(of: mail.recipients).map(\.description).joined(separator: "; ")
    }
}

private func mail(_ context: UnsafeMutableRawPointer?) -> CurlMail? {
    context.map { Unmanaged<CurlMail>.fromOpaque($0).takeUnretainedValue() }
}

private let giveMessage: curl_read_callback = { bytes, size, count, context in
    mail(context)?.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let receiveReply: curl_write_callback = { bytes, size, count, context in
    let goesOn = mail(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? false
    return goesOn ? size * count : Int(CURL_WRITEFUNC_ERROR)
}

private let seeCommand: curl_debug_callback = { easy, kind, bytes, count, context in
    if kind == CURLINFO_HEADER_OUT, let easy {
        mail(context)?.send(UnsafeRawBufferPointer(start: bytes, count: count), by: easy)
    }
    return 0
}

private let watch: curl_xferinfo_callback = { context, _, _, _, _ in mail(context)?.isToEnd ?? false ? 1 : 0 }
