/// Apple's podcast elements, which repeat RSS's own in plainer words.
enum ITunesModule {
    static let elements: [String: FeedElement] = [
        "title": FeedElement(role: .title, rank: 3),
        "author": FeedElement(role: .author, rank: 1),
        "summary": FeedElement(role: .summary, rank: 4),
        "subtitle": FeedElement(role: .summary, rank: 6),
        "image": FeedElement(role: .image, rank: 1),
        "duration": FeedElement(role: .duration),
        "new-feed-url": FeedElement(role: .newAddress),
    ]
}
