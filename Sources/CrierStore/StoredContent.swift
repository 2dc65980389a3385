import CrierContent
import CrierNotifications

/// The column `content` of a notification: the keys are those of the type's own coding.
extension NotificationContent {
    /// - Throws: See ``StoredJSON/text(of:depth:)``.
    func stored() throws(StoredJSON.Unfit) -> String {
        let quoted = StoredJSON.quoted
        let relevance: String
        let data: String
        do { relevance = try StoredJSON.text(of: relevanceScore) } catch { throw error.within("relevanceScore") }
        do { data = try StoredJSON.text(of: .object(userInfo)) } catch { throw error.within("userInfo") }
        return StoredJSON.object([
            ("title", quoted(title)), ("subtitle", quoted(subtitle)), ("body", quoted(body)),
            ("sound", sound.map(Self.text)), ("badge", badge.map { "\($0)" }),
            ("threadIdentifier", quoted(threadIdentifier)), ("categoryIdentifier", quoted(categoryIdentifier)),
            ("interruptionLevel", quoted(interruptionLevel.rawValue)),
            ("relevanceScore", relevance), ("userInfo", data),
            ("attachments", StoredJSON.array(attachments.map(Self.text))), ("url", url.map(quoted)),
        ])
    }

    /// - Throws: ``StoreError`` where a part is missing that every content has, or the text is no JSON.
    init(stored text: String) throws {
        let node = try JSONDocument.parse(Array(text.utf8))
        func required(_ key: String) throws -> String {
            guard let value = node[key].string else { throw Self.damaged(key) }
            return value
        }
        guard let level = InterruptionLevel(rawValue: try required("interruptionLevel")) else {
            throw Self.damaged("interruptionLevel")
        }
        guard let relevance = node["relevanceScore"].number else { throw Self.damaged("relevanceScore") }
        guard node["userInfo"].kind == .object else { throw Self.damaged("userInfo") }
        guard node["attachments"].kind == .array else { throw Self.damaged("attachments") }
        self.init(
            title: try required("title"), subtitle: try required("subtitle"), body: try required("body"),
            sound: Self.sound(node["sound"]), badge: Self.badge(node["badge"]),
            threadIdentifier: try required("threadIdentifier"), categoryIdentifier: try required("categoryIdentifier"),
            interruptionLevel: level, relevanceScore: relevance,
            userInfo: UserInfoValue.members(of: node["userInfo"]),
            attachments: node["attachments"].elements.compactMap(Self.attachment), url: node["url"].string)
    }

    private static func damaged(_ key: String) -> StoreError {
        StoreError(.corrupt, "a notification in the state file has no readable \(key)")
    }

    private static func text(_ sound: NotificationSound) -> String {
        switch sound {
        case .default: #"{"default":{}}"#
        case .named(let name): #"{"named":{"_0":\#(StoredJSON.quoted(name))}}"#
        }
    }

    private static func sound(_ node: JSONNode) -> NotificationSound? {
        guard node.kind == .object else { return nil }
        return node["named"]["_0"].string.map { .named($0) } ?? .default
    }

    private static func badge(_ node: JSONNode) -> Int? {
        node.isLongInteger ? node.string.flatMap { Int($0) } : node.number.flatMap { Int(exactly: $0) }
    }

    private static func text(_ attachment: NotificationAttachment) -> String {
        StoredJSON.object([
            ("url", StoredJSON.quoted(attachment.url)), ("type", attachment.type.map(StoredJSON.quoted)),
        ])
    }

    private static func attachment(_ node: JSONNode) -> NotificationAttachment? {
        node["url"].string.map { NotificationAttachment(url: $0, type: node["type"].string) }
    }
}
