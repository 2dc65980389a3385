/// A sink that writes an Atom feed.
public struct FeedSinkSettings: Sendable, Hashable {
    /// Absolute, or beginning with `~/`.
    public var path: String
    public var title: String
    /// How many are kept.
    public var entries: Int

    public init(path: String, title: String = "Crier", entries: Int = 100) {
        self.path = path
        self.title = title
        self.entries = entries
    }
}
