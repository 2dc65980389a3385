/// The content module of RSS 1.0, and a whole XHTML body in an item.
enum ContentModule {
    static let elements: [String: FeedElement] = ["encoded": FeedElement(role: .summary, rank: 3)]
    static let xhtml: [String: FeedElement] = [
        "body": FeedElement(role: .summary, rank: 3), "div": FeedElement(role: .summary, rank: 3),
    ]
}
