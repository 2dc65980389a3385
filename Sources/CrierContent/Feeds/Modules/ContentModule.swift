/// The content module of RSS 1.0, and a whole XHTML body in an item.
enum ContentModule {
    static let elements: [String: FeedElement] = ["encoded": FeedElement(role: .content)]
    static let xhtml: [String: FeedElement] = [
        "body": FeedElement(role: .content), "div": FeedElement(role: .content),
    ]
}
