/// Bytes in, items out: sniffs the format and calls one decoder.
public struct ContentDecoder: Sendable {
    private let mapping: ContentMapping

    public init(mapping: ContentMapping = ContentMapping()) {
        self.mapping = mapping
    }

    /// The items of a document, in document order, with identifiers assigned.
    public func decode(_ document: ContentDocument) throws(ContentError) -> DecodedContent {
        throw ContentError(.notAFeed, "no decoder yet")
    }
}
