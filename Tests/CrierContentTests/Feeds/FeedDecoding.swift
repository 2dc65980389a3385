import CrierContent

import struct Foundation.Date

/// Decodes a feed that stands in a test.
func decodeFeed(_ text: String, url: String = "https://example.org/feed.xml") throws -> DecodedContent {
    try decodeFeed(bytes: Array(text.utf8), url: url)
}

func decodeFeed(
    bytes: [UInt8], url: String = "https://example.org/feed.xml", contentType: String? = nil
) throws -> DecodedContent {
    try ContentDecoder().decode(ContentDocument(body: bytes, url: url, contentType: contentType))
}

/// The one item of an RSS 2.0 feed with the common modules declared.
func rssItem(_ elements: String) throws -> ContentItem? {
    let content = try decodeFeed(
        """
        <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
          xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"
          xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:dcterms="http://purl.org/dc/terms/">
        <channel><title>A feed</title><item>\(elements)</item></channel></rss>
        """)
    return content.items.count == 1 ? content.items.first : nil
}

/// The one entry of an Atom 1.0 feed.
func atomEntry(_ elements: String) throws -> ContentItem? {
    let content = try decodeFeed(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>A feed</title><entry>\(elements)</entry></feed>")
    return content.items.count == 1 ? content.items.first : nil
}

/// Midday UTC of the sixth of January 2025.
let epiphany = Date(timeIntervalSince1970: 1_736_164_800)

extension ContentItem {
    /// Without the identifier that was assigned, to be compared with what a test expects of the document's own parts.
    var bare: ContentItem {
        var item = self
        item.identifier = ""
        return item
    }
}

extension DecodedContent {
    var bareItems: [ContentItem] { items.map(\.bare) }
}
