/// The items that a notification tells of, as they travel in ``NotificationContent/userInfo``.
public struct ToldItems: Sendable, Hashable {
    /// So many travel with one notification.
    public static let most = 50

    /// Objects, such as `{"id", "title", "url"}`: ``most`` where Crier wrote them.
    public var values: [UserInfoValue]
    /// How many more there are; of more than ``mostOmitted`` so many are told.
    public var omitted: Int
    /// What none of Crier's own comes near, and any number of which can be added.
    public static let mostOmitted = 1_000_000_000

    /// The first of the items.
    ///
    /// - Parameter omitted: How many more there are than these.
    public init(_ items: some Collection<UserInfoValue>, omitted: Int = 0) {
        values = Array(items.prefix(Self.most))
        self.omitted = min(max(0, omitted), Self.mostOmitted) + items.count - values.count
    }

    /// Those of a notification: none where a program put something else there.
    public init(of content: NotificationContent) {
        values = []
        omitted = 0
        if case .array(let items)? = content.userInfo[Self.itemsKey] { values = items }
        if case .number(let count)? = content.userInfo[Self.omittedKey] {
            omitted = min(max(0, Int(exactly: count) ?? 0), Self.mostOmitted)
        }
    }

    /// What a notification has of them in its ``NotificationContent/userInfo``.
    public var userInfo: [String: UserInfoValue] {
        var members: [String: UserInfoValue] = [Self.itemsKey: .array(values)]
        if omitted > 0 { members[Self.omittedKey] = .number(Double(omitted)) }
        return members
    }

    /// Takes them out of a notification.
    public static func taken(from content: inout NotificationContent) -> ToldItems {
        let told = ToldItems(of: content)
        if case .array? = content.userInfo[itemsKey] { content.userInfo[itemsKey] = nil }
        if told.omitted > 0 { content.userInfo[omittedKey] = nil }
        return told
    }

    private static let itemsKey = "items"
    private static let omittedKey = "omittedItems"
}
