import CrierHTTP
import CrierNotifications

/// What chat and push services show of a notification: plain text, not escaped yet.
struct MessageParts {
    /// One line, never empty.
    let title: String
    /// Subtitle, body, and an address that is not safe to link; may be empty.
    let text: String
    /// An http or https URL that is safe to link.
    let link: String?
    /// The first picture.
    let image: String?

    init(_ content: NotificationContent) {
        let title = content.headline ?? "(no title)"
        let subtitle = HarmlessText.line(content.subtitle)
        link = WebLink.safe(content.url)
        let address = link == nil ? WebLink.plain(content.url) : nil
        let parts = [subtitle == title ? "" : subtitle, HarmlessText.lines(content.body), address ?? ""]
        self.title = title
        text = parts.filter { !$0.isEmpty }.joined(separator: "\n")
        image = content.attachments.first(where: \.isPicture).flatMap { WebLink.safe($0.url) }
    }

    /// The text cut so that what `escape` makes of it has at most that many characters.
    ///
    /// Cut before it is escaped, so that no escape is cut in two.
    ///
    /// - Parameter size: As the service counts: most do so by UTF-16.
    static func cut(
        _ text: String, to limit: Int, _ escape: (String) -> String = { $0 },
        size: (String) -> Int = { $0.utf16.count }
    ) -> String {
        // Of characters: each time there is less of it, or a hostile one would be escaped thousands of times.
        var allowed = min(limit, max(2, text.count))
        while allowed > 1 {
            let escaped = escape(HarmlessText.cutList(text, to: allowed))
            let count = size(escaped)
            if count <= limit { return escaped }
            allowed = min(allowed - 1, allowed * limit / count)
        }
        return ""
    }
}

extension HTTPRequest {
    /// A call with a JSON object for a body.
    static func json(
        _ url: String, method: String = "POST", token: String? = nil, _ members: [String: UserInfoValue?]
    ) -> HTTPRequest {
        var fields: HTTPFields = ["Content-Type": "application/json"]
        if let token { fields["Authorization"] = "Bearer \(token)" }
        let body = JSONWriter.bytes(.object(members.compactMapValues { $0 }))
        return HTTPRequest(method: method, url: url, fields: fields, body: body)
    }
}

extension [SecretName: String] {
    /// A secret that goes into a header field or a path: one line of visible ASCII.
    func line(_ name: SecretName, _ words: String) throws(WebCallProblem) -> String {
        guard let text = self[name].map(HarmlessText.line), !text.isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw .secret("the \(words) is not one line of visible characters in the secret") }
        return text
    }

    /// An address that is secret.
    func address() throws(WebCallProblem) -> String {
        guard let url = WebLink.safe(try line(.url, "address")) else {
            throw .secret("there is no http or https URL in the secret address")
        }
        return url
    }
}

extension String {
    /// An address with a path behind it.
    func appending(path: String) -> String { (hasSuffix("/") ? String(dropLast()) : self) + path }
}

extension InterruptionLevel {
    /// The value for this level.
    func choose<Value>(passive: Value, active: Value, timeSensitive: Value, critical: Value) -> Value {
        switch self {
        case .passive: passive
        case .active: active
        case .timeSensitive: timeSensitive
        case .critical: critical
        }
    }
}
