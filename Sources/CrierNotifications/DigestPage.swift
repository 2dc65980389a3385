/// What one issue of a digest says, ready to be laid out: every text in the reader's language, every time in the reader's
/// zone. It travels in a notification's ``NotificationContent/userInfo`` under ``key``.
public struct DigestPage: Sendable, Hashable, Codable {
    /// Where it stands in `userInfo`.
    public static let key = "digest"

    /// One item.
    public struct Entry: Sendable, Hashable, Codable {
        public var title: String
        public var url: String?
        /// What its source is called.
        public var source: String
        /// When it came out, for the reader, or was first seen where it does not say: `08:30`, or with the day where that is another.
        public var time: String
        /// When it came out, as ISO 8601 in UTC; nil where it does not say.
        public var published: String?
        public var summary: String?
        /// How long it takes to read; nil where its content is not known.
        public var reading: String?
        /// The address of its picture, where pictures are wanted.
        public var image: String?

        public init(
            title: String, url: String? = nil, source: String, time: String, published: String?, summary: String? = nil,
            reading: String? = nil, image: String? = nil
        ) {
            self.title = title
            self.url = url
            self.source = source
            self.time = time
            self.published = published
            self.summary = summary
            self.reading = reading
            self.image = image
        }
    }

    /// Items that belong together.
    public struct Group: Sendable, Hashable, Codable {
        public var title: String
        public var items: [Entry]

        public init(title: String, items: [Entry]) {
            self.title = title
            self.items = items
        }
    }

    /// Of the digest.
    public var name: String
    public var title: String
    /// The day it is of, in words.
    public var day: String
    /// The same as `yyyy-MM-dd`.
    public var date: String
    /// A language tag (BCP 47).
    public var language: String
    /// How many items it is about.
    public var count: Int
    /// The same in words, also where there is none.
    public var summary: String
    /// How many items of ``count`` are not shown.
    public var left: Int
    /// The same in words; nil where all are shown.
    public var more: String?
    public var groups: [Group]

    public init(
        name: String, title: String, day: String, date: String, language: String, count: Int, summary: String,
        left: Int = 0, more: String? = nil, groups: [Group]
    ) {
        self.name = name
        self.title = title
        self.day = day
        self.date = date
        self.language = language
        self.count = count
        self.summary = summary
        self.left = left
        self.more = more
        self.groups = groups
    }
}
