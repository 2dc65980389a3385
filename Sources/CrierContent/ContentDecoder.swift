/// Bytes in, items out: sniffs the format and calls one decoder.
public struct ContentDecoder: Sendable {
    private let mapping: ContentMapping
    private let programs = JQPrograms()

    public init(mapping: ContentMapping = ContentMapping()) {
        self.mapping = mapping
    }

    /// The items of a document, in document order, with identifiers assigned.
    ///
    /// The mapping's word on the format is obeyed between JSON and XML; feeds are told apart by their content.
    ///
    /// - Throws: ``ContentError`` with a sentence for the user, of any kind.
    public func decode(_ document: ContentDocument) throws(ContentError) -> DecodedContent {
        let text = TextEncoding.utf8(document)
        let kind = text.withUnsafeBufferPointer { ContentSniffer.kind($0) }
        let format = mapping.format ?? format(of: kind)
        guard let format, isPossible(kind, as: format) else { throw ContentSniffer.error(for: kind, text, format) }
        var document = document
        switch format {
        case .rss, .atom, .rdf: return try FeedDecoder.decode(text, url: document.url, mapping: mapping)
        case .jsonFeed:
            document.body = Array(text)
            return try JSONFeedDecoder.decode(document, mapping: mapping)
        case .json:
            document.body = Array(text)
            return try JQDecoder.decode(document, mapping: mapping, programs: programs)
        case .html, .xml: throw ContentSniffer.error(for: kind, text, format)
        }
    }

    /// nil for what is not read unasked.
    private func format(of kind: ContentSniffer.Kind) -> ContentFormat? {
        switch kind {
        case .feed: .rss
        case .json: mapping.items == nil ? .jsonFeed : .json
        case .empty, .html, .xml, .binary, .text: nil
        }
    }

    private func isPossible(_ kind: ContentSniffer.Kind, as format: ContentFormat) -> Bool {
        switch (kind, format) {
        case (.empty, _), (.binary, _): false
        case (.feed, .json), (.feed, .jsonFeed), (.html, .json), (.html, .jsonFeed), (.xml, .json), (.xml, .jsonFeed):
            false
        case (.json, .rss), (.json, .atom), (.json, .rdf), (.html, .rss), (.html, .atom), (.html, .rdf): false
        default: true
        }
    }
}
