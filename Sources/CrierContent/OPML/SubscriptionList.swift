/// A list of feeds, as OPML carries it from one reader to another (https://opml.org/spec2.opml).
///
/// Folders and the `category` attribute both become tags. A folder within a folder is one tag of both names, `a/b`; so is
/// the category `/a/b`. Written again, the first tag of a feed is its folder and the others its categories.
public struct SubscriptionList: Sendable, Hashable {
    public struct Feed: Sendable, Hashable {
        /// As the list has it, without the white space around it.
        public var url: String
        public var title: String?
        /// The feed's page.
        public var homeURL: String?
        /// The folder first.
        public var tags: [String]
        /// In how many places of the list it stands.
        public var placeCount = 1

        public init(url: String, title: String? = nil, homeURL: String? = nil, tags: [String] = []) {
            self.url = url
            self.title = title
            self.homeURL = homeURL
            self.tags = tags
        }
    }

    public var title: String?
    /// In document order, each address once (see ``sameness(of:)``), with the tags of all the places where it stands.
    public var feeds: [Feed]
    /// What was meant for a feed and cannot be read as one, a sentence each; of very many the first.
    public var remarks: [String]
    /// How many those are.
    public internal(set) var leftOutCount = 0
    /// Whether the XML was broken, and read as far as it makes sense.
    public private(set) var isRepaired = false

    public init(title: String? = nil, feeds: [Feed] = [], remarks: [String] = []) {
        self.title = title
        self.feeds = feeds
        self.remarks = remarks
        leftOutCount = remarks.count
    }

    /// What two spellings of one address have in common: the normalized form (RFC 3986 §6.2.2), with `http:` for what other readers call a
    /// feed over HTTP (`feed://host/…`, `feed:https://…`).
    public static func sameness(of url: String) -> String { URLReference.normalized(webAddress(url)) }

    /// The address with a scheme of the web, where it has one that only means a feed over HTTP: `feed:`, `itpc:`, `pcast:`, and
    /// `feeds:` over HTTPS.
    public static func webAddress(_ url: String) -> String {
        for scheme in ["feed:", "feeds:", "itpc:", "pcast:"] where url.lowercased().hasPrefix(scheme) {
            let rest = String(url.dropFirst(scheme.count))
            return rest.hasPrefix("//") ? (scheme == "feeds:" ? "https:" : "http:") + rest : rest
        }
        return url
    }

    /// Folders deeper than this are part of the last one; more feeds or remarks than these are left out.
    static let depthBound = 16
    static let feedBound = 50_000
    static let remarkBound = 1000

    /// Reads a list, broken XML too.
    ///
    /// - Throws: ``ContentError``: `notAFeed` for what is no OPML, `tooLarge` for entities that unfold beyond measure,
    ///   `unavailable` without libxml2.
    public init(opml document: ContentDocument) throws(ContentError) {
        try LibXML2.demand()
        let text = TextEncoding.utf8(document)
        var reader = OPMLReader(isRepaired: false)
        var outcome = text.withUnsafeBufferPointer { XMLPass.run($0, recovering: false, into: &reader) }
        if outcome == .malformed {
            reader = OPMLReader(isRepaired: true)
            let repaired = XMLRepair.repaired(text, root: "<opml").bytes
            outcome = repaired.withUnsafeBufferPointer { XMLPass.run($0, recovering: true, into: &reader) }
        }
        guard outcome != .beyondBounds else {
            throw ContentError(.tooLarge, "the XML unfolds to far more than it holds")
        }
        guard reader.isOPML else { throw ContentError(.notAFeed, "this is no OPML: it has no <opml>, or no <outline>") }
        self = reader.list
        isRepaired = reader.isRepaired
    }
}
