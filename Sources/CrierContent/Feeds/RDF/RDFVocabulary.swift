/// The frame of RSS 0.90 and 1.0 (https://web.resource.org/rss/1.0/spec), whose items stand beside the channel.
enum RDFVocabulary {
    static let elements: [String: FeedElement] = ["rdf": FeedElement(role: .rdf)]
}
