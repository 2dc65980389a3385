/// RSS 0.91 … 2.0 (https://www.rssboard.org/rss-specification), and 0.90 and 1.0, which use the same names.
enum RSSVocabulary {
    static let elements: [String: FeedElement] = [
        "rss": FeedElement(role: .rss),
        "channel": FeedElement(role: .channel),
        "item": FeedElement(role: .item),
        "title": FeedElement(role: .title),
        "link": FeedElement(role: .link),
        "description": FeedElement(role: .summary),
        "guid": FeedElement(role: .id),
        "pubdate": FeedElement(role: .published),
        "author": FeedElement(role: .author),
        "category": FeedElement(role: .category),
        "comments": FeedElement(role: .comments),
        "source": FeedElement(role: .source),
        "enclosure": FeedElement(role: .enclosure),
        "ttl": FeedElement(role: .ttl),
        "skiphours": FeedElement(role: .skipHours),
        "hour": FeedElement(role: .hour),
        "skipdays": FeedElement(role: .skipDays),
        "day": FeedElement(role: .day),
        // The Channel Definition Format (https://www.w3.org/TR/NOTE-CDFsubmit.html) has channels and items, too.
        "abstract": FeedElement(role: .summary, rank: 2),
    ]
}
