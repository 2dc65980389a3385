import CrierNotifications

import struct Foundation.Date

/// A notification as a JSON object: a line of ``StdoutSink``, the `data` of ``WebhookSink``.
///
/// All keys are always there, in this order; later versions may add keys after these.
///
/// | key | value |
/// |---|---|
/// | `identifier` | the request's identifier |
/// | `source` | the name of the source, empty for none |
/// | `title`, `subtitle`, `body` | plain text; only the body has lines, separated by `\n` |
/// | `url` | an absolute URL or null |
/// | `level` | `passive`, `active`, `time-sensitive` or `critical` |
/// | `date` | when the request was made: ISO 8601, UTC, whole seconds |
/// | `category` | the category's identifier, empty for none |
/// | `sound` | a sound's name, `default`, or null for silence |
/// | `badge` | a number or null |
/// | `relevance` | 0…1 |
/// | `attachments` | objects of `url` and `type`, a media type or null |
/// | `items` | the array that `userInfo` holds under `items`: the objects the notification tells of |
/// | `userInfo` | the rest of `userInfo` |
/// | `revision` | 1, and one more each time that it takes the place of an earlier one of its identifier |
struct NotificationDocument {
    var identifier: String
    var content: NotificationContent
    var date: Date
    var items: [UserInfoValue]
    var revision: Int

    init(_ attempt: DeliveryAttempt) {
        revision = attempt.revision
        identifier = attempt.request.identifier
        content = attempt.request.content
        date = attempt.created
        items = []
        if case .array(let told) = content.userInfo["items"] {
            items = told
            content.userInfo["items"] = nil
        }
        content.title = PlainText.line(content.title)
        content.subtitle = PlainText.line(content.subtitle)
        content.body = PlainText.lines(content.body)
    }

    /// Whole seconds, such as `2026-11-21T08:30:00Z`.
    var timestamp: String { date.ISO8601Format() }

    func write(to writer: inout JSONWriter) {
        writer.object { object in
            object.key("identifier", identifier)
            object.key("source", content.threadIdentifier)
            object.key("title", content.title)
            object.key("subtitle", content.subtitle)
            object.key("body", content.body)
            object.key("url", content.url)
            object.key("level", content.interruptionLevel.rawValue)
            object.key("date", timestamp)
            object.key("category", content.categoryIdentifier)
            object.key("sound", soundName)
            object.key("badge", content.badge.map { .number(Double($0)) } ?? .null)
            object.key("relevance", .number(content.relevanceScore))
            object.key("attachments", .array(content.attachments.map(Self.value)))
            object.key("items", .array(items))
            object.key("userInfo", .object(content.userInfo))
            object.key("revision", .number(Double(revision)))
        }
    }

    private var soundName: String? {
        switch content.sound {
        case nil: nil
        case .default: "default"
        case .named(let name): name
        }
    }

    private static func value(of attachment: NotificationAttachment) -> UserInfoValue {
        .object(["url": .string(attachment.url), "type": attachment.type.map(UserInfoValue.string) ?? .null])
    }
}
