import CrierNotifications
import CrierProcess

/// The bodies of web hook calls, made of a ``NotificationDocument``.
///
/// They depend on the request and its date alone, so that every attempt of a request has the same bytes.
enum WebhookPayload {
    static let type = "notification"
    /// The body stays below this (Standard Webhooks: 20 kB).
    static let limit = 20_000

    /// `{"type","timestamp","data"}` (Standard Webhooks, "Payload structure"); nil when the identifier, which is never
    /// cut, is too long by itself.
    static func standard(_ attempt: DeliveryAttempt) -> [UInt8]? {
        fitting(attempt) { document, object in
            object.key("type", type)
            object.key("timestamp", document.timestamp)
            object.key("data") { document.write(to: &$0) }
        }
    }

    static func plain(_ attempt: DeliveryAttempt) -> [UInt8]? {
        fitting(attempt) { document, object in
            for member in document.members { object.key(member.name, member.value) }
        }
    }

    /// CloudEvents 1.0.2 §3.1 and its JSON format §3.
    static func cloudEvent(_ attempt: DeliveryAttempt) -> [UInt8]? {
        fitting(attempt) { document, object in
            object.key("specversion", "1.0")
            object.key("id", IdentifierToken.token(of: document.idempotencyKey))
            object.key("source", "/crier/" + document.content.threadIdentifier.percentEncoded)
            object.key("type", "io.github.crier.\(type)")
            object.key("time", document.timestamp)
            object.key("datacontenttype", "application/json")
            object.key("data") { document.write(to: &$0) }
        }
    }

    /// The texts of the document, the empty ones left out. What is cut would be another identifier, and half an address leads nowhere.
    static func form(_ attempt: DeliveryAttempt) -> [UInt8] {
        let pairs = NotificationDocument(attempt).members.compactMap { name, value -> String? in
            guard case .string(let text) = value, !text.isEmpty else { return nil }
            if name == "url", text.utf8.count > 2_000 { return nil }
            let shown = name == "identifier" ? text : HarmlessText.cut(text, to: 2_000)
            return "\(name)=\(shown.percentEncoded)"
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private typealias Writing = (NotificationDocument, inout JSONWriter) -> Void

    /// What is too long loses, one after the other until it fits: the ends of the items' long texts, the other
    /// `userInfo`, the items' summaries, the last items, which are counted, the attachments and the ends of the texts.
    private static func fitting(_ attempt: DeliveryAttempt, _ write: Writing) -> [UInt8]? {
        var document = NotificationDocument(attempt)
        if let bytes = bytes(document, write) { return bytes }
        document.items.values = document.items.values.map { cut($0) }
        if let bytes = bytes(document, write) { return bytes }
        document.content.userInfo = [:]
        if let bytes = bytes(document, write) { return bytes }
        document.items.values = document.items.values.map { withoutSummary($0) }
        if let bytes = withFewerItems(document, write) { return bytes }
        document.content = shortened(document.content)
        return withFewerItems(document, write)
    }

    /// As many of the first items as there is room for.
    private static func withFewerItems(_ document: NotificationDocument, _ write: Writing) -> [UInt8]? {
        var kept = document
        kept.items.values = []
        kept.items.omitted += document.items.values.count
        guard let least = bytes(kept, write) else { return nil }
        var size = least.count
        for item in document.items.values {
            size += JSONWriter.bytes(item).count + 1
            if size >= limit { break }
            kept.items.values.append(item)
            kept.items.omitted -= 1
        }
        return bytes(kept, write)
    }

    private static func withoutSummary(_ item: UserInfoValue) -> UserInfoValue {
        guard case .object(var members) = item else { return item }
        members["summary"] = nil
        return .object(members)
    }

    private static func shortened(_ content: NotificationContent) -> NotificationContent {
        var content = content
        content.title = HarmlessText.cut(content.title, to: 200)
        content.subtitle = HarmlessText.cut(content.subtitle, to: 200)
        content.body = HarmlessText.cut(content.body, to: 500)
        content.threadIdentifier = HarmlessText.cut(content.threadIdentifier, to: 200)
        content.categoryIdentifier = HarmlessText.cut(content.categoryIdentifier, to: 200)
        content.attachments = []
        // Half an address leads nowhere.
        if let url = content.url, url.utf8.count > 2_000 { content.url = nil }
        return content
    }

    /// With texts of 500 characters. What is cut would be another identifier, and half an address leads nowhere.
    private static func cut(_ value: UserInfoValue) -> UserInfoValue {
        switch value {
        case .string(let text): return .string(HarmlessText.cut(text, to: 500))
        case .array(let elements): return .array(elements.map { cut($0) })
        case .object(let members):
            var shorter = members.mapValues { cut($0) }
            for name in ["id", "url"] {
                guard let whole = members[name] else { continue }
                shorter[name] = JSONWriter.bytes(whole).count > 2_000 ? nil : whole
            }
            return .object(shorter)
        case .null, .bool, .number: return value
        }
    }

    private static func bytes(_ document: NotificationDocument, _ write: Writing) -> [UInt8]? {
        var writer = JSONWriter()
        writer.object { write(document, &$0) }
        return writer.bytes.count < limit ? writer.bytes : nil
    }
}
