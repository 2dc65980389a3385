/// Media RSS (https://www.rssboard.org/media-rss): files of an item, alone or in groups.
enum MediaRSS {
    static let elements: [String: FeedElement] = [
        "group": FeedElement(role: .mediaGroup),
        "content": FeedElement(role: .mediaContent),
        "thumbnail": FeedElement(role: .mediaThumbnail),
        "title": FeedElement(role: .title, rank: 2),
        "description": FeedElement(role: .summary, rank: 5),
    ]
}
