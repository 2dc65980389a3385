import CrierNotifications

/// The body of a web hook call: `{"type","timestamp","data"}` (Standard Webhooks, "Payload structure"), `data` being a
/// ``NotificationDocument``.
///
/// Depends on the request and its date alone, so that every attempt of a request has the same bytes.
enum WebhookPayload {
    static let type = "notification"
    /// The body stays below this (Standard Webhooks: 20 kB).
    static let limit = 20_000

    /// Nil when the identifier, which is never cut, is too long by itself.
    ///
    /// What is too long loses, one after the other until it fits: the ends of the items' long texts, the other
    /// `userInfo`, the last items, the attachments and the ends of the texts.
    static func bytes(of attempt: DeliveryAttempt) -> [UInt8]? {
        var document = NotificationDocument(attempt)
        if let bytes = fitting(document) { return bytes }
        document.items = document.items.map { cut($0) }
        if let bytes = fitting(document) { return bytes }
        document.content.userInfo = [:]
        if let bytes = withFewerItems(document) { return bytes }
        document.content = shortened(document.content)
        return withFewerItems(document)
    }

    /// As many of the first items as there is room for.
    private static func withFewerItems(_ document: NotificationDocument) -> [UInt8]? {
        var kept = document
        kept.items = []
        guard let bytes = fitting(kept) else { return nil }
        var size = bytes.count
        for item in document.items {
            var writer = JSONWriter()
            writer.value(item)
            size += writer.bytes.count + 1
            if size >= limit { break }
            kept.items.append(item)
        }
        return fitting(kept)
    }

    private static func shortened(_ content: NotificationContent) -> NotificationContent {
        var content = content
        content.title = PlainText.cut(content.title, to: 200)
        content.subtitle = PlainText.cut(content.subtitle, to: 200)
        content.body = PlainText.cut(content.body, to: 500)
        content.threadIdentifier = PlainText.cut(content.threadIdentifier, to: 200)
        content.categoryIdentifier = PlainText.cut(content.categoryIdentifier, to: 200)
        content.attachments = []
        // Half an address leads nowhere.
        if let url = content.url, url.utf8.count > 2_000 { content.url = nil }
        return content
    }

    private static func cut(_ value: UserInfoValue) -> UserInfoValue {
        switch value {
        case .string(let text): .string(PlainText.cut(text, to: 500))
        case .array(let elements): .array(elements.map { cut($0) })
        case .object(let members): .object(members.mapValues { cut($0) })
        case .null, .bool, .number: value
        }
    }

    private static func fitting(_ document: NotificationDocument) -> [UInt8]? {
        var writer = JSONWriter()
        writer.object { object in
            object.key("type", type)
            object.key("timestamp", document.timestamp)
            object.key("data") { document.write(to: &$0) }
        }
        return writer.bytes.count < limit ? writer.bytes : nil
    }
}
