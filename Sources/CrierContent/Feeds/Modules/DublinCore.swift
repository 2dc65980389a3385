/// Dublin Core elements and terms, as RSS 1.0 feeds use them for what RSS itself lacks.
enum DublinCore {
    static let elements: [String: FeedElement] = [
        "identifier": FeedElement(role: .id, rank: 2),
        "title": FeedElement(role: .title, rank: 1),
        "description": FeedElement(role: .summary, rank: 1),
        "abstract": FeedElement(role: .summary, rank: 2),
        "issued": FeedElement(role: .published, rank: 2),
        "date": FeedElement(role: .published, rank: 3),
        "available": FeedElement(role: .published, rank: 4),
        "created": FeedElement(role: .published, rank: 6),
        "modified": FeedElement(role: .updated, rank: 2),
        "creator": FeedElement(role: .author),
        "author": FeedElement(role: .author),
        "subject": FeedElement(role: .category),
    ]
}
