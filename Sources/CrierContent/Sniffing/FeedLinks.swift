import CLibXML2

/// A feed that an HTML page names.
public struct FeedLink: Sendable, Hashable {
    /// Absolute where the page's address is.
    public var url: String
    public var title: String?
    /// The media type, in lower case.
    public var type: String

    public init(url: String, title: String? = nil, type: String) {
        self.url = url
        self.title = title
        self.type = type
    }
}

/// Feed autodiscovery: `<link rel="alternate">` with a feed's media type (https://www.rssboard.org/rss-autodiscovery).
public enum FeedLinks {
    /// The feeds that a page names, in its order, each address once; none of a page made to waste time.
    /// - Parameter url: the page's address, which relative addresses are relative to unless the page has a `<base>`.
    public static func find(in html: [UInt8], url: String) -> [FeedLink] {
        var search = FeedLinkSearch(base: url)
        let text = TextEncoding.utf8(page: ContentDocument(body: html, url: url))
        let page = UTF8Repair.withoutNUL(UTF8Repair.repaired(text))
        guard page.count < Int(Int32.max), !page.withUnsafeBufferPointer(HTMLBurden.isExcessive), LibXML2.isThere,
            let context = htmlNewParserCtxt()
        else { return [] }
        defer { htmlFreeParserCtxt(context) }
        var handler = xmlSAXHandler()
        handler.startElement = startHTMLElement
        handler.serror = { _, _ in }
        handler.initialized = XML_SAX2_MAGIC
        context.pointee.sax.pointee = handler
        let options =
            HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
            | HTML_PARSE_RECOVER.rawValue
        withUnsafeMutablePointer(to: &search) { search in
            context.pointee._private = UnsafeMutableRawPointer(search)
            page.withUnsafeBytes { bytes in
                let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                let document = htmlCtxtReadMemory(context, text, Int32(bytes.count), nil, "UTF-8", Int32(options))
                if let document { xmlFreeDoc(document) }
            }
            context.pointee._private = nil
        }
        return search.links
    }
}

private struct FeedLinkSearch {
    var base: String
    var links: [FeedLink] = []
    private var urls: Set<String> = []
    private var hasBase = false

    private static let bound = 256

    static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    ]

    init(base: String) {
        self.base = base
    }

    mutating func startElement(_ name: UnsafePointer<UInt8>, _ attributes: [String: String]) {
        guard let href = attributes["href"].map(trimmed), !href.isEmpty else { return }
        switch String(utf8: name).lowercased() {
        case "base":
            // Only the first one counts.
            if !hasBase { base = ContentBounds.base(href, against: base) ?? base }
            hasBase = true
        case "link":
            let relations = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
            let type = trimmed((attributes["type"] ?? "").lowercased().prefix { $0 != ";" })
            guard relations.contains("alternate") || relations.contains("feed"), FeedLinkSearch.types.contains(type)
            else { return }
            let url = URLReference.resolve(SubscriptionList.webAddress(href), against: base)
            guard ContentBounds.url(url) != nil, links.count < FeedLinkSearch.bound, urls.insert(url).inserted else {
                return
            }
            let title = attributes["title"].flatMap {
                ContentBounds.text(PlainText.line(text: $0), to: ContentBounds.title)
            }
            links.append(FeedLink(url: url, title: title, type: type))
        default: break
        }
    }

    private func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// `attributes` is a list of names and values in turn that ends with a null pointer.
private let startHTMLElement: startElementSAXFunc = { context, name, attributes in
    guard let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self), let name,
        let search = parser.pointee._private?.assumingMemoryBound(to: FeedLinkSearch.self)
    else { return }
    var values: [String: String] = [:]
    var next = attributes
    while let cursor = next, let key = cursor[0] {
        if let value = cursor[1] { values[String(utf8: key).lowercased()] = String(utf8: value) }
        next = cursor + 2
    }
    search.pointee.startElement(name, values)
}
