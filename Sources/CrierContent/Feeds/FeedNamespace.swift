/// The vocabularies told apart by namespace, with the variants of their URIs that feeds in the wild write.
enum FeedNamespace: UInt8 {
    case rss, atom, rdf, dublinCore, dublinCoreTerms, content, syndication, iTunes, media, xhtml, other

    /// The namespace of a name: by URI where it is known, else by the customary prefix, else that of the feed itself.
    init(uri: String?, prefix: String?) {
        if let uri, let known = FeedNamespace(uri: uri) {
            self = known
        } else if let prefix {
            self = FeedNamespace.prefixes[prefix.lowercased()] ?? .other
        } else {
            // RSS elements have no namespace, and a default one that nobody knows means no harm.
            self = .rss
        }
    }

    /// Letter case, the scheme, a `www.` and the last slash or number sign are often wrong; the rest tells enough.
    private init?(uri: String) {
        let bytes = uri.utf8.filter { !$0.isASCIISpace }.map(\.asciiLowercased)
        var text = bytes[...]
        for start in ["http://", "https://", "www."] where text.starts(with: start.utf8) {
            text = text.dropFirst(start.utf8.count)
        }
        while let last = text.last, last == UInt8(ascii: "/") || last == UInt8(ascii: "#") { text.removeLast() }
        if let known = FeedNamespace.uris[String(utf8: text)] {
            self = known
        } else if let known = FeedNamespace.families.first(where: { text.starts(with: $0.start.utf8) }) {
            self = known.namespace
        } else {
            return nil
        }
    }

    private static let uris: [String: FeedNamespace] = [
        "purl.org/rss/1.0": .rss,
        "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
        "w3.org/1999/xhtml": .xhtml,
        "xmlns.com/foaf/0.1": .other,
    ]

    private static let families: [(start: String, namespace: FeedNamespace)] = [
        ("w3.org/2005/atom", .atom),
        ("purl.org/atom/ns", .atom),
        ("purl.org/atom/", .atom),
        ("purl.org/rss/1.0/modules/content", .content),
        ("purl.org/rss/1.0/modules/syndication", .syndication),
        ("purl.org/rss/1.0/modules/rss091", .rss),
        ("purl.org/rss/1.0/modules", .other),
        ("purl.org/rss", .rss),
        ("purl.org/net/rss", .rss),
        ("my.netscape.com/", .rss),
        ("channel.netscape.com/", .rss),
        ("backend.userland.com/", .rss),
        ("blogs.law.harvard.edu/tech/rss", .rss),
        ("cyber.law.harvard.edu/", .rss),
        ("rssboard.org/rss", .rss),
        ("purl.org/dc/terms", .dublinCoreTerms),
        ("purl.org/dc/elements", .dublinCore),
        ("purl.org/dc", .dublinCore),
        ("itunes.com/dtds/", .iTunes),
        ("itunes.apple.com/dtds/", .iTunes),
        ("search.yahoo.com/mrss", .media),
        ("rssboard.org/media-rss", .media),
    ]

    private static let prefixes: [String: FeedNamespace] = [
        "rss": .rss, "atom": .atom, "atom10": .atom, "atom03": .atom, "a10": .atom, "rdf": .rdf, "dc": .dublinCore,
        "dcterms": .dublinCoreTerms, "dct": .dublinCoreTerms, "content": .content, "sy": .syndication,
        "itunes": .iTunes, "media": .media, "xhtml": .xhtml,
    ]
}
