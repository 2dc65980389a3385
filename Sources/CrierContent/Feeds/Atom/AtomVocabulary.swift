/// Atom 1.0 (RFC 4287) and what 0.3 named differently.
enum AtomVocabulary {
    static let elements: [String: FeedElement] = [
        "feed": FeedElement(role: .feed),
        "entry": FeedElement(role: .item),
        "source": FeedElement(role: .source),
        "id": FeedElement(role: .id),
        "title": FeedElement(role: .title),
        "link": FeedElement(role: .link),
        "summary": FeedElement(role: .summary),
        "content": FeedElement(role: .content),
        "published": FeedElement(role: .published),
        "issued": FeedElement(role: .published, rank: 1),
        "created": FeedElement(role: .published, rank: 5),
        "updated": FeedElement(role: .updated),
        "modified": FeedElement(role: .updated, rank: 1),
        "author": FeedElement(role: .author),
        "name": FeedElement(role: .name),
        "email": FeedElement(role: .email),
        "category": FeedElement(role: .category),
    ]
}
