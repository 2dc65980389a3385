/// The formats that are told apart by content.
public enum ContentFormat: String, Sendable, Hashable, CaseIterable {
    case rss, atom, rdf
    case jsonFeed = "json-feed"
    /// JSON of any shape, read by jq programs.
    case json
    /// HTML of any shape, read by XPath expressions.
    case html
    /// XML of any shape, read by XPath expressions.
    case xml

    /// Whether it is a feed format, read without a mapping.
    public var isFeed: Bool {
        switch self {
        case .rss, .atom, .rdf, .jsonFeed: true
        case .json, .html, .xml: false
        }
    }
}

/// What a document holds.
public struct DecodedContent: Sendable, Hashable {
    public var format: ContentFormat
    /// In document order, with identifiers assigned; equal copies share an identifier.
    public var items: [ContentItem]
    /// The title of the feed or page.
    public var title: String?
    /// The home page of the feed.
    public var homeURL: String?
    public var hints: PollingHints
    /// Whether the document ends before it should: items may be missing.
    public var isCut = false
    /// Whether what the last item of such a document lacks may be the half of it.
    public var endsInItem = false
    /// Whether it may also be a page that is always written so.
    public var mayEndSo = false
    /// Whether such a feed lacks nothing but end tags, as far as can be told.
    public var endsBehindTag = false
    /// Whether the expression for the items selects nothing, as in an empty list.
    public var selectsNothing = false
    /// Whether none of the entries that it selects has any of the names in which the fields begin.
    public var namesNothing = false
    static let cut = "the document ends before it should; the rest is read when it is whole"
    /// What was odd, in words for the user, such as "3 items without a title".
    public var remarks: [String]

    public init(
        format: ContentFormat, items: [ContentItem] = [], title: String? = nil, homeURL: String? = nil,
        hints: PollingHints = PollingHints(), remarks: [String] = []
    ) {
        self.format = format
        self.items = items
        self.title = title
        self.homeURL = homeURL
        self.hints = hints
        self.remarks = remarks
    }

    /// Takes back that the document ends before it should.
    public mutating func becomeWhole() {
        isCut = false
        becomeUsual()
    }

    /// Takes the document as it is, as it always ends so, though there may be more.
    public mutating func becomeUsual() {
        endsInItem = false
        remarks.removeAll { $0 == DecodedContent.cut }
    }
}

/// What a feed says about when to come again, and where.
public struct PollingHints: Sendable, Hashable, Codable {
    /// RSS `<ttl>`, or the RSS 1.0 syndication module's period divided by its frequency.
    public var interval: Duration?
    /// RSS `<skipHours>`: 0…23, UTC.
    public var skipHours: Set<Int>
    /// RSS `<skipDays>`: 1 is Sunday … 7 is Saturday, UTC.
    public var skipDays: Set<Int>
    /// JSON Feed `expired`: nothing will ever be added.
    public var isExpired: Bool
    /// `itunes:new-feed-url`: where it wants to be read.
    public var newAddress: String?

    public init(
        interval: Duration? = nil, skipHours: Set<Int> = [], skipDays: Set<Int> = [], isExpired: Bool = false,
        newAddress: String? = nil
    ) {
        self.interval = interval
        self.skipHours = skipHours
        self.skipDays = skipDays
        self.isExpired = isExpired
        self.newAddress = newAddress
    }
}
