/// Why a document that is not what was expected cannot be read, in a sentence for the user.
extension ContentSniffer {
    /// - Parameters:
    ///   - text: the document in UTF-8.
    ///   - expected: nil where any feed would do.
    ///   - url: the document's address.
    static func error(
        for kind: Kind, _ text: ArraySlice<UInt8>, _ expected: ContentFormat?, url: String
    ) -> ContentError {
        let mayNameFeed = kind == .html && expected?.isFeed ?? true
        if mayNameFeed, !LibXML2.isThere { return .noLibXML2 }
        let name = text.withUnsafeBufferPointer { sentence(for: kind, $0, expected) }
        let advice = mayNameFeed ? "; " + namedFeed(text, url: url) : ""
        return ContentError(.notAFeed, name + advice)
    }

    /// Where a page was met in place of a feed: what to follow instead. Feeds are named at its beginning.
    private static func namedFeed(_ text: ArraySlice<UInt8>, url: String) -> String {
        guard let link = FeedLinks.find(in: Array(text.prefix(256 * 1024)), url: url).first else {
            return "it names no feed"
        }
        return "it names the feed " + PlainText.line(text: link.url, limit: 300)
    }

    private static func sentence(
        for kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>, _ expected: ContentFormat?
    ) -> String {
        let place = "where \(name(of: expected)) was expected"
        switch kind {
        case .empty: return "the document is empty \(place)"
        case .binary(let name): return "\(name) \(place)"
        case .html: return "an HTML page \(place)\(titled(bytes))"
        case .json: return "JSON \(place)"
        case .feed: return "an RSS or Atom feed \(place)"
        case .xml(let root): return "XML with the root <\(root)> \(place)"
        case .text: return "text without any markup \(place)"
        }
    }

    private static func name(of expected: ContentFormat?) -> String {
        switch expected {
        case .json, .jsonFeed: "JSON"
        case .html: "HTML"
        case .xml: "XML"
        case .rss, .atom, .rdf, nil: "a feed"
        }
    }

    private static func titled(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard let open = ByteText.find("<title", in: bytes),
            let start = bytes[open...].firstIndex(of: UInt8(ascii: ">")),
            let end = ByteText.find("</title", in: bytes, from: start)
        else { return "" }
        let title = PlainText.line(
            html: String(utf8: bytes[(start + 1)..<end].prefix(1000)), limit: 100)
        return title.isEmpty ? "" : ", titled “\(title)”"
    }
}
