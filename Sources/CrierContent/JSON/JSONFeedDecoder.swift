/// Reads JSON Feed, versions 1.0 and 1.1 (jsonfeed.org), and documents that follow it loosely.
enum JSONFeedDecoder {
    /// The items, in document order.
    ///
    /// - Throws: ``ContentError``: `notAFeed` for JSON that is no feed, `malformed`, `tooLarge`.
    static func decode(
        _ document: ContentDocument, mapping: ContentMapping
    ) throws(ContentError) -> DecodedContent {
        let feed = try JSONDocument.parse(document.body)
        let entries = feed["items"]
        let isDeclared = feed["version"].string?.contains("jsonfeed.org") == true
        guard feed.kind == .object, isDeclared || isLikeAFeed(feed, entries) else {
            throw ContentError(.notAFeed, "the JSON is \(feed.shape), not a JSON Feed")
        }
        guard entries.count <= ContentBounds.items else { throw .tooManyItems }
        var reader = JSONFeedReader(mapping: mapping, document: document)
        var content = DecodedContent(format: .jsonFeed)
        content.title = reader.line(feed["title"])
        content.homeURL = reader.url(feed["home_page_url"])
        content.hints.isExpired = feed["expired"].boolean == true
        var strangers = 0
        for entry in entries.elements {
            if entry.kind == .object { content.items.append(reader.item(entry)) } else { strangers += 1 }
            try reader.growth.check()
        }
        reader.inheritAuthors(of: feed, to: &content.items)
        try reader.growth.check()
        if !isDeclared { content.remarks.append("the document does not say which version of JSON Feed it is") }
        if strangers > 0 {
            let what = strangers == 1 ? "1 item that is no object" : "\(strangers) items that are no objects"
            content.remarks.append(what + ", left out")
        }
        ItemIdentity.assign(to: &content.items)
        return content
    }

    /// The answers of many APIs have `items`, which say nothing under the names that those of a feed have.
    private static func isLikeAFeed(_ feed: JSONNode, _ entries: JSONNode) -> Bool {
        func says(_ node: JSONNode, any names: [String]) -> Bool { names.contains { node[$0].kind != .absent } }
        guard entries.kind == .array else { return false }
        if entries.count == 0 || says(feed, any: ["home_page_url", "feed_url"]) { return true }
        let names = [
            "url", "external_url", "content_html", "content_text", "summary", "date_published", "date_modified",
            "attachments",
        ]
        // No more are read.
        return entries.elements.prefix(ContentBounds.items).contains { says($0, any: names) }
    }
}
