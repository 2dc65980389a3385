/// Bytes in, items out: sniffs the format and calls one decoder.
public struct ContentDecoder: Sendable {
    private let mapping: ContentMapping

    public init(mapping: ContentMapping = ContentMapping()) {
        self.mapping = mapping
    }

    /// The items of a document, in document order, with identifiers assigned.
    public func decode(_ document: ContentDocument) throws(ContentError) -> DecodedContent {
        var content = try decodeSniffed(document)
        ItemIdentity.assign(to: &content.items)
        return content
    }

    private func decodeSniffed(_ document: ContentDocument) throws(ContentError) -> DecodedContent {
        let text = TextEncoding.utf8(document)
        let kind = text.withUnsafeBufferPointer { ContentSniffer.kind($0) }
        switch kind {
        case .feed: return try FeedDecoder.decode(text, url: document.url, mapping: mapping)
        default: throw text.withUnsafeBufferPointer { ContentSniffer.error(for: kind, $0) }
        }
    }
}
