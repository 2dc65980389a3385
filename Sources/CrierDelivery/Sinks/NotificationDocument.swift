import CrierNotifications

import struct Foundation.Date

/// A notification as a JSON object: a line of ``StdoutSink``, the `data` of ``Webhook``.
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
/// | `attachments` | objects of `url` and `type`, a media type (`image/*` for a picture of which no more is known) or null |
/// | `items` | the array that `userInfo` holds under `items`: the objects the notification tells of |
/// | `userInfo` | the rest of `userInfo` |
/// | `revision` | 1, and one more each time that it takes the place of an earlier one of its identifier |
/// | `omittedItems` | how many more items the notification tells of than `items` holds |
public struct NotificationDocument: Sendable {
    var identifier: String
    var content: NotificationContent
    var date: Date
    var items: ToldItems
    var revision: Int
    /// What a receiver tells repeats by.
    let idempotencyKey: String

    public init(_ attempt: DeliveryAttempt) {
        revision = attempt.revision
        idempotencyKey = attempt.idempotencyKey
        identifier = attempt.request.identifier
        content = attempt.request.content
        date = attempt.created
        items = ToldItems.taken(from: &content)
        content.title = HarmlessText.line(content.title)
        content.subtitle = HarmlessText.line(content.subtitle)
        content.body = HarmlessText.lines(content.body)
    }

    /// Whole seconds, such as `2026-11-21T08:30:00Z`.
    var timestamp: String { date.ISO8601Format() }

    /// The keys in their order, with their values.
    var members: [(name: String, value: UserInfoValue)] {
        [
            ("identifier", .string(identifier)), ("source", .string(content.threadIdentifier)),
            ("title", .string(content.title)), ("subtitle", .string(content.subtitle)),
            ("body", .string(content.body)), ("url", content.url.map(UserInfoValue.string) ?? .null),
            ("level", .string(content.interruptionLevel.rawValue)), ("date", .string(timestamp)),
            ("category", .string(content.categoryIdentifier)),
            ("sound", soundName.map(UserInfoValue.string) ?? .null),
            ("badge", content.badge.map { .number(Double($0)) } ?? .null),
            ("relevance", .number(min(max(content.relevanceScore, 0), 1))),
            ("attachments", .array(content.attachments.map(Self.value))), ("items", .array(items.values)),
            ("userInfo", .object(content.userInfo)), ("revision", .number(Double(revision))),
            ("omittedItems", .number(Double(items.omitted))),
        ]
    }

    func write(to writer: inout JSONWriter) {
        writer.object { object in
            for member in members { object.key(member.name, member.value) }
        }
    }

    /// One line of JSON in UTF-8 with its line end.
    public var line: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes + [0x0a]
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
