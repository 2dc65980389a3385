import struct Foundation.Date

/// Reads the objects of a JSON Feed. What is of the wrong type is as good as absent.
struct JSONFeedReader {
    let mapping: ContentMapping
    let base: String
    private(set) var growth: ContentGrowth

    init(mapping: ContentMapping, document: ContentDocument) {
        self.mapping = mapping
        base = document.url
        growth = ContentGrowth(of: document.body.count)
    }

    mutating func item(_ entry: JSONNode) -> ContentItem {
        var item = ContentItem()
        item.declaredIdentifier = entry["id"].text.map { $0.trimmingASCIISpaces() }.flatMap { $0.isEmpty ? nil : $0 }
        item.title = line(entry["title"])
        item.externalURL = url(entry["external_url"])
        item.url = url(entry["url"]) ?? item.externalURL
        item.published = date(entry["date_published"])
        item.updated = date(entry["date_modified"])
        let summary = entry["summary"].string.flatMap {
            ContentBounds.text(PlainText.text(text: $0), to: ContentBounds.summary)
        }
        let texts = ItemTexts(summary: summary, content: content(entry), prefersContent: false)
        item.summary = texts.summary
        item.markedContent = texts.content
        item.authors = authors(entry)
        item.attachments = attachments(entry["attachments"])
        item.image =
            url(entry["image"]) ?? url(entry["banner_image"]) ?? item.attachments.first { $0.isPicture }?.url
        item.categories = entry["tags"].elements.prefix(ContentBounds.list).compactMap {
            line($0, limit: ContentBounds.name)
        }
        return item
    }

    func line(_ value: JSONNode, limit: Int = ContentBounds.title) -> String? {
        // The specification says plain text, but references such as &amp; are seen, and no one means to show them.
        value.text.flatMap {
            ContentBounds.text(PlainText.line(text: PlainText.decodingReferences($0)), to: limit)
        }
    }

    mutating func url(_ value: JSONNode) -> String? {
        guard let text = value.string?.trimmingASCIISpaces(), !text.isEmpty else { return nil }
        return ContentBounds.url(growth.resolve(text, against: base))
    }

    private func date(_ value: JSONNode) -> Date? {
        value.text.flatMap {
            DateParser.parse($0, timeZone: mapping.timeZone, datesAreLocal: mapping.datesAreLocal)
        }
    }

    private func content(_ entry: JSONNode) -> FeedText? {
        if let plain = entry["content_text"].string, plain.contains(where: { !$0.isWhitespace }) {
            return FeedText(plain.utf8, kind: .plain)
        }
        return entry["content_html"].string.map { FeedText($0.utf8, kind: .html) }
    }

    mutating func inheritAuthors(of feed: JSONNode, to items: inout [ContentItem]) {
        growth.inherit(Array(authors(feed).prefix(ContentBounds.inheritedAuthors)), to: &items)
    }

    /// `authors` of 1.1, else `author` of 1.0, of an item or of the feed; some write plain strings.
    private func authors(_ entry: JSONNode) -> [String] {
        let list = entry["authors"]
        let names = list.kind == .array ? list.elements.prefix(ContentBounds.list).compactMap(name) : []
        return names.isEmpty ? [name(entry["author"])].compactMap { $0 } : names
    }

    private func name(_ author: JSONNode) -> String? {
        author.kind == .object
            ? line(author["name"], limit: ContentBounds.name) : line(author, limit: ContentBounds.name)
    }

    private mutating func attachments(_ list: JSONNode) -> [ContentAttachment] {
        list.elements.prefix(ContentBounds.list).compactMap { attachment in
            guard let url = url(attachment["url"]) else { return nil }
            let size = attachment["size_in_bytes"].number.flatMap { Int(exactly: $0.rounded()) }
            let duration = attachment["duration_in_seconds"].number.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
            return ContentAttachment(
                url: url, type: attachment["mime_type"].string, length: size, duration: duration,
                title: line(attachment["title"], limit: ContentBounds.name))
        }
    }
}
