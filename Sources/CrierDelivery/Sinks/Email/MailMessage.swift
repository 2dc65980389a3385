import CrierHTTP
import CrierNotifications

/// A notification as a mail: the same bytes at every attempt.
///
/// Its Message-ID is made of the identifier and the recipients, so that mail readers show a repeat once, and those of several
/// sinks that differ each. All mails of a source refer to one
/// message that was never sent, which is what makes readers thread them.
struct MailMessage {
    let bytes: [UInt8]

    init(
        _ attempt: DeliveryAttempt, from envelope: EmailSink.Envelope, _ layout: MailLayout,
        _ looks: DigestLooks = DigestLooks()
    ) {
        let content = attempt.request.content
        let domain = envelope.sender.split(separator: "@").last.map(String.init) ?? "localhost"
        // 160 bits, so that no line is too long.
        let named = [attempt.idempotencyKey] + envelope.recipients
        let token = IdentifierToken.token(of: named.joined(separator: "\u{0}")).prefix(40)
        let subject = layout.subject?.render(attempt) ?? MessageParts(content).title
        var lines = [
            "From: Crier <\(envelope.sender)>",
            "To: \(envelope.recipients.joined(separator: ",\r\n "))",
            MailHeader.field("Subject", HarmlessText.cut(HarmlessText.line(subject), to: 250)),
            "Date: \(HTTPDate.text(attempt.created, zone: "+0000"))", "Message-ID: <\(token)@\(domain)>",
        ]
        if !content.threadIdentifier.isEmpty {
            let thread = "<\(IdentifierToken.token(of: "thread:" + content.threadIdentifier).prefix(40))@\(domain)>"
            lines += ["In-Reply-To: \(thread)", "References: \(thread)"]
        }
        lines += Self.urgency(content.interruptionLevel)
        // No automatic answer is wanted (RFC 3834 §5).
        lines += ["Auto-Submitted: auto-generated", "MIME-Version: 1.0"]
        lines += Self.body(of: attempt, layout, looks, boundary: "=_\(token.prefix(24))")
        bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    }

    /// The fields that mail readers know (RFC 2156 §5.3.6, and X-Priority from 1 to 5).
    private static func urgency(_ level: InterruptionLevel) -> [String] {
        switch level {
        case .passive: ["Importance: low", "X-Priority: 5"]
        case .active: []
        case .timeSensitive, .critical: ["Importance: high", "X-Priority: 1"]
        }
    }

    private static func body(
        of attempt: DeliveryAttempt, _ layout: MailLayout, _ looks: DigestLooks, boundary: String
    ) -> [String] {
        let content = attempt.request.content
        let page = DigestPage(content)
        let usual = {
            page.map { looks.text(of: $0, printed: DigestPrint(width: 72)) } ?? MailText.plain(content)
        }
        let text = layout.text?.render(attempt) ?? usual()
        let usualHTML = { page.map(looks.html) ?? MailText.html(content) }
        let html = layout.html?.render(attempt) ?? (layout.text == nil ? usualHTML() : nil)
        guard let html else { return part("text/plain", text) }
        // The last one is the one that is shown, where it can be (RFC 2046 §5.1.4).
        return ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "", "--\(boundary)"]
            + part("text/plain", text) + ["--\(boundary)"] + part("text/html", html) + ["--\(boundary)--"]
    }

    private static func part(_ type: String, _ text: String) -> [String] {
        [
            "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
            QuotedPrintable.encode(text),
        ]
    }
}

/// What a mail says.
enum MailText {
    static func plain(_ content: NotificationContent) -> String {
        let parts = MessageParts(content)
        var blocks = [parts.title, parts.text, parts.link ?? ""]
        blocks.append(links(content).joined(separator: "\n"))
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    static func html(_ content: NotificationContent) -> String {
        let parts = MessageParts(content)
        let escape = { Escaping.html.escape($0) }
        let title = parts.link.map { "<a href=\"\(escape($0))\">\(escape(parts.title))</a>" } ?? escape(parts.title)
        var lines = ["<!DOCTYPE html>", "<html><head><meta charset=\"utf-8\"></head><body>", "<h3>\(title)</h3>"]
        for line in parts.text.split(separator: "\n") { lines.append("<p>\(escape(String(line)))</p>") }
        // Linked, not shown: a picture that is fetched tells its origin who reads.
        for link in links(content) { lines.append("<p><a href=\"\(escape(link))\">\(escape(link))</a></p>") }
        return (lines + ["</body></html>"]).joined(separator: "\n") + "\n"
    }

    private static func links(_ content: NotificationContent) -> [String] {
        content.attachments.prefix(10).compactMap { WebLink.safe($0.url) }
    }
}
