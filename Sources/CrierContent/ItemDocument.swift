import CJQ

import struct Foundation.Date

/// An item as everybody outside sees it: `crier parse` and `crier try` print it, the jq program of `only` reads it.
///
/// Every key is always there; what the item lacks is null. Dates are ISO 8601 in UTC, whole seconds.
public struct ItemDocument: Sendable, Hashable {
    /// What the document calls the item, else the identifier that Crier made.
    public let id: String
    private let item: ContentItem

    public init(_ item: ContentItem) {
        id = item.declaredIdentifier ?? item.identifier
        self.item = item
    }

    /// All keys.
    package static var keys: [String] {
        ItemDocument(ContentItem()).texts.map(\.key) + ["authors", "categories", "attachments"]
    }

    /// The texts by key, in the order of the documentation.
    private var texts: [(key: String, value: String?)] {
        [
            ("id", id), ("title", item.title), ("url", item.url), ("published", item.published.map(Self.iso8601)),
            ("updated", item.updated.map(Self.iso8601)), ("summary", item.summary), ("content", item.content),
            ("image", item.image), ("commentsURL", item.commentsURL), ("externalURL", item.externalURL),
            ("sourceTitle", item.sourceTitle),
        ]
    }

    /// `2003-12-31T10:14:55Z`
    public static func iso8601(_ date: Date) -> String { CivilTime(date).iso8601 }
}

extension ItemDocument: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in texts { try container.encode(value, forKey: Key(key)) }
        try container.encode(item.authors, forKey: Key("authors"))
        try container.encode(item.categories, forKey: Key("categories"))
        var list = container.nestedUnkeyedContainer(forKey: Key("attachments"))
        for attachment in item.attachments {
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encode(attachment.url, forKey: Key("url"))
            try object.encode(attachment.type, forKey: Key("type"))
            try object.encode(attachment.length, forKey: Key("length"))
            try object.encode(attachment.duration, forKey: Key("duration"))
            try object.encode(attachment.title, forKey: Key("title"))
        }
    }
}

extension JQValue {
    /// The item's ``ItemDocument``.
    init(_ item: borrowing ContentItem) {
        self.init(owning: ItemDocument(copy item).value)
    }
}

extension ItemDocument {
    /// One reference, the caller's.
    fileprivate var value: jv {
        var members = texts.map { ($0.key, Self.text($0.value)) }
        members.append(("authors", Self.array(item.authors.map(Self.text))))
        members.append(("categories", Self.array(item.categories.map(Self.text))))
        members.append(("attachments", Self.array(item.attachments.map(Self.object))))
        return Self.object(members)
    }

    private static func object(_ attachment: ContentAttachment) -> jv {
        object([
            ("url", text(attachment.url)), ("type", text(attachment.type)),
            ("length", number(attachment.length.map(Double.init))), ("duration", number(attachment.duration)),
            ("title", text(attachment.title)),
        ])
    }

    private static func text(_ text: String?) -> jv { text.map { JQValue($0).reference() } ?? jv_null() }

    private static func number(_ number: Double?) -> jv { number.map { jv_number($0) } ?? jv_null() }

    private static func array(_ elements: [jv]) -> jv { elements.reduce(jv_array()) { jv_array_append($0, $1) } }

    private static func object(_ members: [(String, jv)]) -> jv {
        members.reduce(jv_object()) { jv_object_set($0, JQValue($1.0).reference(), $1.1) }
    }
}
