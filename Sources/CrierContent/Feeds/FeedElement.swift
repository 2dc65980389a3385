/// What an element of a feed is for, whatever its vocabulary.
struct FeedElement: Equatable {
    enum Role: UInt8 {
        /// Nothing of ours; what is inside it is not ours either.
        case unknown
        case rss, rdf, feed, channel, item
        /// Atom: a description of the feed that the entry was taken from. RSS: that feed's name.
        case source
        case id, title, link, summary, content, published, updated, category, comments
        /// RSS: text. Atom: a person, with a ``name`` or at least an ``email`` inside.
        case author, name, email
        case enclosure, mediaGroup, mediaContent, mediaThumbnail, image, duration
        case ttl, updatePeriod, updateFrequency, skipHours, hour, skipDays, day
        case newAddress
    }

    var role: Role
    /// Of several elements that tell the same, the one of the lowest rank counts, and of equal ones the first.
    var rank: UInt8 = 0
    /// Whether text follows Atom's rules: what `type` says it is, plain where it says nothing.
    var isAtom = false

    static let unknown = FeedElement(role: .unknown)

    /// `name` in lower case.
    static func of(_ namespace: FeedNamespace, _ name: String) -> FeedElement {
        switch namespace {
        case .atom:
            guard let element = AtomVocabulary.elements[name] ?? RSSVocabulary.elements[name] else { return .unknown }
            return FeedElement(role: element.role, rank: element.rank, isAtom: true)
        case .rss: return RSSVocabulary.elements[name] ?? AtomVocabulary.elements[name] ?? .unknown
        case .rdf: return RDFVocabulary.elements[name] ?? .unknown
        case .dublinCore, .dublinCoreTerms: return DublinCore.elements[name] ?? .unknown
        case .content: return ContentModule.elements[name] ?? .unknown
        case .syndication: return SyndicationModule.elements[name] ?? .unknown
        case .iTunes: return ITunesModule.elements[name] ?? .unknown
        case .media: return MediaRSS.elements[name] ?? .unknown
        case .xhtml: return ContentModule.xhtml[name] ?? .unknown
        case .other: return .unknown
        }
    }
}
