import CrierContent
import CrierNotifications
import GRDB

/// The column `content` of a notification: the keys are those of the type's own coding.
extension NotificationContent {
    /// - Throws: See ``StoredJSON/value(_:depth:)``.
    func stored() throws(StoredJSON.Unfit) -> String {
        var json = StoredJSON()
        json.beginObject()
        json.member("title", title)
        json.member("subtitle", subtitle)
        json.member("body", body)
        if let sound { Self.write(sound, &json) }
        if let badge {
            json.key("badge")
            json.written("\(badge)")
        }
        json.member("threadIdentifier", threadIdentifier)
        json.member("categoryIdentifier", categoryIdentifier)
        json.member("interruptionLevel", interruptionLevel.rawValue)
        json.key("relevanceScore")
        do { try json.number(relevanceScore) } catch { throw error.within("relevanceScore") }
        json.key("userInfo")
        do { try json.value(.object(userInfo)) } catch { throw error.within("userInfo") }
        json.key("attachments")
        json.beginArray()
        for attachment in attachments { Self.write(attachment, &json) }
        json.endArray()
        json.member("url", url)
        json.endObject()
        return json.text
    }

    /// - Throws: ``DatabaseError/malformedJSON`` where a part is missing that every content has, or the text is no JSON.
    init(stored text: String) throws {
        guard let node = try? JSONDocument.parse(Array(text.utf8)) else { throw DatabaseError.malformedJSON }
        func required(_ key: String) throws -> String {
            guard let value = node[key].string else { throw DatabaseError.malformedJSON }
            return value
        }
        guard let level = InterruptionLevel(rawValue: try required("interruptionLevel")),
            let relevance = node["relevanceScore"].number, node["userInfo"].kind == .object,
            node["attachments"].kind == .array
        else { throw DatabaseError.malformedJSON }
        self.init(
            title: try required("title"), subtitle: try required("subtitle"), body: try required("body"),
            sound: Self.sound(node["sound"]), badge: Self.badge(node["badge"]),
            threadIdentifier: try required("threadIdentifier"), categoryIdentifier: try required("categoryIdentifier"),
            interruptionLevel: level, relevanceScore: relevance,
            userInfo: UserInfoValue.members(of: node["userInfo"]),
            attachments: node["attachments"].elements.compactMap(Self.attachment), url: node["url"].string)
    }

    private static func write(_ sound: NotificationSound, _ json: inout StoredJSON) {
        json.key("sound")
        json.beginObject()
        json.key(sound == .default ? "default" : "named")
        json.beginObject()
        if case .named(let name) = sound { json.member("_0", name) }
        json.endObject()
        json.endObject()
    }

    private static func sound(_ node: JSONNode) -> NotificationSound? {
        guard node.kind == .object else { return nil }
        return node["named"]["_0"].string.map { .named($0) } ?? .default
    }

    private static func badge(_ node: JSONNode) -> Int? {
        node.isLongInteger ? node.string.flatMap { Int($0) } : node.number.flatMap { Int(exactly: $0) }
    }

    private static func write(_ attachment: NotificationAttachment, _ json: inout StoredJSON) {
        json.beginObject()
        json.member("url", attachment.url)
        json.member("type", attachment.type)
        json.endObject()
    }

    private static func attachment(_ node: JSONNode) -> NotificationAttachment? {
        node["url"].string.map { NotificationAttachment(url: $0, type: node["type"].string) }
    }
}
