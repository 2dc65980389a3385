/// Bytes in, items out: sniffs the format and calls one decoder.
public struct ContentDecoder: Sendable {
    private let mapping: ContentMapping
    private let programs: JQPrograms

    /// - Parameter programs: Where compiled jq programs are kept, to be shared with other decoders.
    public init(mapping: ContentMapping = ContentMapping(), programs: JQPrograms = JQPrograms()) {
        self.mapping = mapping
        self.programs = programs
    }

    /// The items of a document, in document order, with identifiers assigned.
    ///
    /// The mapping's word on the format is obeyed between JSON and XML; feeds are told apart by their content.
    ///
    /// - Throws: ``ContentError`` with a sentence for the user, of any kind.
    public func decode(_ document: ContentDocument) throws(ContentError) -> DecodedContent {
        var document = document
        // Each relative address would be read against it.
        if document.url.utf8.count > ContentBounds.url { document.url = "" }
        let text = TextEncoding.utf8(document)
        let kind = text.withUnsafeBufferPointer { ContentSniffer.kind($0) }
        let format = mapping.format ?? format(of: kind)
        guard let format, isPossible(kind, as: format) else {
            throw ContentSniffer.error(for: kind, text, format, url: document.url)
        }
        switch format {
        case .rss, .atom, .rdf: return try FeedDecoder.decode(text, url: document.url, mapping: mapping)
        case .jsonFeed:
            document.body = Array(text)
            try checkReportsNoError(document)
            return try JSONFeedDecoder.decode(document, mapping: mapping)
        case .json:
            document.body = Array(text)
            return try JQDecoder.decode(document, mapping: mapping, programs: programs)
        case .html, .xml:
            var mapping = mapping
            mapping.format = format
            return try XPathDecoder.decode(document, mapping: mapping)
        }
    }

    /// Whether `when` holds, of a document that is read without other expressions.
    private func checkReportsNoError(_ document: ContentDocument) throws(ContentError) {
        guard let when = mapping.when else { return }
        // A program would yield all of the document, which a path only points to.
        let items = JQPath(when) == nil ? "null" : "."
        _ = try JQDecoder.decode(
            document, mapping: ContentMapping(format: .json, items: items, when: when), programs: programs)
    }

    /// Where the mapping names no format. nil for what cannot be read without one.
    private func format(of kind: ContentSniffer.Kind) -> ContentFormat? {
        let isMapped = mapping.isMapped
        return switch kind {
        case .feed: mapping.items == nil ? .rss : .xml
        case .json: isMapped ? .json : .jsonFeed
        case .html: isMapped ? .html : nil
        case .xml: isMapped ? .xml : nil
        case .empty, .binary, .text: nil
        }
    }

    private func isPossible(_ kind: ContentSniffer.Kind, as format: ContentFormat) -> Bool {
        switch kind {
        case .empty, .binary: false
        case .text: true
        case .json: format == .json || format == .jsonFeed
        case .feed, .xml: format != .json && format != .jsonFeed
        case .html: format == .html || format == .xml
        }
    }
}
