import struct Foundation.Date

/// One piece of content of a source.
public struct ContentItem: Sendable, Hashable {
    /// What tells this item from every other of its source, on every fetch (see ``ItemIdentity``). At most 256 bytes.
    public var identifier: String
    /// The identifier that the document itself gives (`guid`, `atom:id`, `id`), whatever it is worth.
    public var declaredIdentifier: String?
    /// Plain text on one line: entities decoded, markup removed.
    public var title: String?
    /// Absolute where the document or its address allows.
    public var url: String?
    public var published: Date?
    public var updated: Date?
    /// Plain text: entities decoded, markup removed, line breaks kept. Where the document gives no summary, its content.
    public var summary: String?
    /// As the document gives it, where it is not all in ``summary``.
    var markedContent: FeedText?
    public var authors: [String]
    public var attachments: [ContentAttachment]
    /// Tags, in document order.
    public var categories: [String]
    /// The address of a picture that stands for the item: a thumbnail, an episode's cover.
    public var image: String?
    /// Where the item is discussed: RSS `comments`, Atom `link rel=replies`.
    public var commentsURL: String?
    /// What the item is about, elsewhere: JSON Feed `external_url`, Atom `link rel=related`.
    public var externalURL: String?
    /// The title of the feed that the item was taken from.
    public var sourceTitle: String?

    public init(
        identifier: String = "", declaredIdentifier: String? = nil, title: String? = nil, url: String? = nil,
        published: Date? = nil, updated: Date? = nil, summary: String? = nil, content: String? = nil,
        authors: [String] = [], attachments: [ContentAttachment] = [], categories: [String] = [],
        image: String? = nil, commentsURL: String? = nil, externalURL: String? = nil, sourceTitle: String? = nil
    ) {
        self.identifier = identifier
        self.declaredIdentifier = declaredIdentifier
        self.title = title
        self.url = url
        self.published = published
        self.updated = updated
        self.summary = summary
        markedContent = content.map { FeedText($0.utf8, kind: .plain) }
        self.authors = authors
        self.attachments = attachments
        self.categories = categories
        self.image = image
        self.commentsURL = commentsURL
        self.externalURL = externalURL
        self.sourceTitle = sourceTitle
    }

    /// The content as plain text where it is more than ``summary`` holds already, else nil. Made from the document's
    /// markup whenever it is asked for: most who read items do not.
    public var content: String? {
        get {
            let text = markedContent?.text(limit: ContentBounds.content)
            return text == summary ? nil : text
        }
        set { markedContent = newValue.map { FeedText($0.utf8, kind: .plain) } }
    }

    /// When it came out: the published date, else the updated one.
    public var date: Date? { published ?? updated }
}

/// A file that belongs to an item: RSS `enclosure`, Atom `link rel=enclosure`, JSON Feed `attachments`, `media:content`.
public struct ContentAttachment: Sendable, Hashable, Codable {
    public var url: String
    /// The media type, as given.
    public var type: String?
    /// Bytes, as given.
    public var length: Int?
    /// Seconds, as given.
    public var duration: Double?
    public var title: String?

    public init(
        url: String, type: String? = nil, length: Int? = nil, duration: Double? = nil, title: String? = nil
    ) {
        self.url = url
        self.type = type
        self.length = length
        self.duration = duration
        self.title = title
    }
}
