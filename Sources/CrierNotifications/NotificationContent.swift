import struct Foundation.Date

/// What a notification says. The fields are those of Apple's `UNNotificationContent` that mean something here, plus the item's ``url``.
public struct NotificationContent: Sendable, Hashable, Codable {
    /// The first line: plain text, no markup.
    public var title: String
    /// A second, shorter line; empty when there is none.
    public var subtitle: String
    /// The text: plain, no markup; lines separated by `\n`.
    public var body: String
    /// The sound to play; nil is silent.
    public var sound: NotificationSound?
    /// The number to show on the application's icon, from 0 on; nil leaves it as it is, 0 removes it. Sinks get it as it is.
    public var badge: Int?
    /// Groups notifications that belong together: the name of the source.
    public var threadIdentifier: String
    /// The kind of notification, for sinks that carry data; on the desktop a category of freedesktop.org's. It has no actions.
    public var categoryIdentifier: String
    /// How urgently it is presented.
    public var interruptionLevel: InterruptionLevel
    /// 0…1, and finite; sorts the notifications of one summary, highest first.
    public var relevanceScore: Double
    /// Data that travels with the notification to sinks that carry data, such as the items it tells of: finite numbers, and
    /// up to 180 levels of arrays and objects.
    public var userInfo: [String: UserInfoValue]
    /// Files or links to show with the text.
    public var attachments: [NotificationAttachment]
    /// An absolute http or https URL that belongs to it: a link at sinks that show links. On the desktop it is not shown, and a click
    /// leads nowhere but from a digest to its page.
    public var url: String?

    public init(
        title: String, subtitle: String = "", body: String = "", sound: NotificationSound? = .default,
        badge: Int? = nil,
        threadIdentifier: String = "", categoryIdentifier: String = "", interruptionLevel: InterruptionLevel = .active,
        relevanceScore: Double = 0, userInfo: [String: UserInfoValue] = [:], attachments: [NotificationAttachment] = [],
        url: String? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.sound = sound
        self.badge = badge
        self.threadIdentifier = threadIdentifier
        self.categoryIdentifier = categoryIdentifier
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
        self.userInfo = userInfo
        self.attachments = attachments
        self.url = url
    }
}

/// How urgently a notification is presented (`UNNotificationInterruptionLevel`).
public enum InterruptionLevel: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Added to the list without light or sound.
    case passive
    /// Presented at once; the default.
    case active
    /// Presented at once, also where ordinary ones wait for a summary.
    case timeSensitive = "time-sensitive"
    /// Presented in spite of quiet hours and muting.
    case critical

    public static func < (one: InterruptionLevel, other: InterruptionLevel) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The sound of a notification.
public enum NotificationSound: Sendable, Hashable, Codable {
    /// What the desktop plays by default.
    case `default`
    /// A name of the freedesktop.org sound naming specification, such as `message-new-instant`.
    case named(String)
}

/// A picture, sound or film that belongs to a notification.
public struct NotificationAttachment: Sendable, Hashable, Codable {
    /// An absolute URL.
    public var url: String
    /// The media type (RFC 6838), if known; `image/*` for a picture of which no more is.
    public var type: String?

    public init(url: String, type: String? = nil) {
        self.url = url
        self.type = type
    }

    package var isPicture: Bool { type?.lowercased().hasPrefix("image/") == true }
}
