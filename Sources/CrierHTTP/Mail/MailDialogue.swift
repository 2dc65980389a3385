/// What a mail server has said so far, and to what. Its replies mean other things to an envelope than to a message.
struct MailDialogue {
    enum Stage: Hashable {
        /// Greeting, encryption and login.
        case opening
        case sender
        /// By its place among the recipients.
        case recipient(Int)
        /// DATA, before the server has asked for the message.
        case data
        /// The message itself.
        case message
    }

    /// The last before the goodbye, which says nothing of the mail any more.
    private(set) var stage = Stage.opening
    /// Whether the goodbye has been said.
    private(set) var isOver = false
    /// The last line of the last reply, before the goodbye.
    private(set) var lastReply = ""
    private var refusedRecipients: [Int: String] = [:]
    private var isPutOff = false
    private var isAcceptedForSome = false

    /// 0 where no reply has come.
    var status: Int { Int(lastReply.prefix(3)) ?? 0 }

    /// Whether the last reply is a no, for now or for ever; so may be the greeting (RFC 5321 §3.1).
    var isRefusal: Bool { 400...599 ~= status }

    /// Whether the server has taken the message.
    var isTaken: Bool { stage == .message && 200...299 ~= status }

    /// Whether the server has asked for the message, and said nothing of it yet.
    var awaitsVerdict: Bool { stage == .message && status == 354 }

    /// Whether a refusal is one of the message, not of who sends it or gets it: 552 answers the size that is told with the
    /// sender (RFC 1870 §6). What the server says to DATA is of no message yet, and behind one it may still say that the
    /// sender has sent enough for today, that nobody is there who could take it (X.4), or that the sender is not allowed to (X.7; RFC
    /// 3463 §3), and of the recipient that there is none (X.1), or that the mailbox is shut or full (X.2.1, X.2.2): so it would
    /// of the next one. A 552 without more is "exceeded storage allocation" (RFC 5321 §4.2.3), of the mailbox or of the message.
    var isAboutMessage: Bool {
        switch stage {
        case .message: !isOfSenderOrRecipient(enhancedStatus) && !(status == 552 && enhancedStatus.isEmpty)
        case .sender: status == 552
        case .opening, .recipient, .data: false
        }
    }

    /// Such as `5.7.1` (RFC 2034): empty where the last reply has none.
    private var enhancedStatus: Substring { lastReply.dropFirst(4).prefix { $0.isWholeNumber || $0 == "." } }

    private func isOfSenderOrRecipient(_ status: Substring) -> Bool {
        ["5.1.", "5.4.", "5.7."].contains { status.hasPrefix($0) } || status == "5.2.1" || status == "5.2.2"
    }

    /// Whether all of so many recipients are answered for, and some can have the mail now and some later.
    func isForSomeOnly(of recipients: Int) -> Bool {
        stage == .recipient(recipients - 1) && isPutOff && isAcceptedForSome
    }

    /// The recipients whom the server does not take mail for.
    func refusals(of recipients: [String]) -> [MailRefusal] {
        refusedRecipients.sorted { $0.key < $1.key }.compactMap { place, reply in
            recipients.indices.contains(place) ? MailRefusal(recipient: recipients[place], reply: reply) : nil
        }
    }

    /// A command, as it is about to be sent.
    mutating func send(_ command: String) {
        if command.hasPrefix("MAIL FROM:") {
            stage = .sender
        } else if command.hasPrefix("RCPT TO:") {
            if case .recipient(let place) = stage { stage = .recipient(place + 1) } else { stage = .recipient(0) }
        } else if command == "DATA\r\n" {
            stage = .data
        } else if command == "QUIT\r\n", status != 334 {
            // Behind a 334 (RFC 4954 §4) it is a part of the login, in base64.
            isOver = true
        }
    }

    /// One line of a reply.
    mutating func receive(_ line: String) {
        if isOver { return }
        lastReply = String(line.prefix { !$0.isNewline })
        switch stage {
        case .data where status == 354: stage = .message
        case .recipient(let place) where status >= 400:
            refusedRecipients[place] = lastReply
            if status < 500 { isPutOff = true }
        case .recipient where status >= 200: isAcceptedForSome = true
        case .opening, .sender, .recipient, .data, .message: break
        }
    }
}
