import struct Foundation.Date

/// Reads JSON Feed, versions 1.0 and 1.1 (jsonfeed.org), and documents that follow it loosely.
public enum JSONFeedDecoder {
    /// The items, in document order.
    ///
    /// - Throws: ``ContentError``: `notAFeed` for JSON that is no feed, `malformed`, `tooLarge`.
    static func decode(
        _ document: ContentDocument, mapping: ContentMapping
    ) throws(ContentError) -> DecodedContent {
        let feed = try JSONText.parse(document.body)
        let entries = feed["items"]
        let isDeclared = feed["version"].string?.contains("jsonfeed.org") == true
        guard feed.kind == .object, entries.kind == .array || isDeclared else {
            throw ContentError(.notAFeed, "the JSON is \(feed.shape), not a JSON Feed")
        }
        guard entries.count <= JQDecoder.maximumItems else {
            throw ContentError(.tooLarge, "more than \(JQDecoder.maximumItems) items")
        }
        let reader = Reader(mapping: mapping, base: document.url)
        var content = DecodedContent(format: .jsonFeed)
        content.title = reader.line(feed["title"])
        content.homeURL = reader.url(feed["home_page_url"])
        content.hints.isExpired = feed["expired"].boolean == true
        var strangers = 0
        for index in 0..<entries.count {
            let entry = entries[index]
            if entry.kind == .object { content.items.append(reader.item(entry)) } else { strangers += 1 }
        }
        if !isDeclared { content.remarks.append("the document does not say which version of JSON Feed it is") }
        if strangers > 0 {
            let what = strangers == 1 ? "1 item that is no object" : "\(strangers) items that are no objects"
            content.remarks.append(what + ", left out")
        }
        ItemIdentity.assign(to: &content.items)
        return content
    }

    private struct Reader {
        let mapping: ContentMapping
        let base: String

        func item(_ entry: borrowing JQValue) -> ContentItem {
            var item = ContentItem()
            item.declaredIdentifier = entry["id"].text.map { $0.trimmingASCIISpaces() }.flatMap {
                $0.isEmpty ? nil : $0
            }
            item.title = line(entry["title"])
            item.url = url(entry["url"]) ?? url(entry["external_url"])
            item.published = date(entry["date_published"])
            item.updated = date(entry["date_modified"])
            item.summary = summary(entry)
            item.authors = authors(entry)
            item.attachments = attachments(entry["attachments"])
            let tags = entry["tags"]
            item.categories = (0..<tags.count).compactMap { line(tags[$0]) }
            return item
        }

        func line(_ value: borrowing JQValue) -> String? {
            // The specification says plain text, but references such as &amp; are seen, and no one means to show them.
            let text = value.text.map { PlainText.line(text: PlainText.decodingReferences($0)) }
            return text?.isEmpty == false ? text : nil
        }

        func url(_ value: borrowing JQValue) -> String? {
            guard let text = value.string?.trimmingASCIISpaces(), !text.isEmpty else { return nil }
            return URLReference.resolve(text, against: base)
        }

        private func date(_ value: borrowing JQValue) -> Date? {
            value.text.flatMap {
                DateParser.parse($0, timeZone: mapping.timeZone, datesAreLocal: mapping.datesAreLocal)
            }
        }

        private func summary(_ entry: borrowing JQValue) -> String? {
            var text = ""
            if let summary = entry["summary"].string { text = PlainText.text(text: summary) }
            if text.isEmpty, let plain = entry["content_text"].string { text = PlainText.text(text: plain) }
            if text.isEmpty, let html = entry["content_html"].string { text = PlainText.text(html: html) }
            return text.isEmpty ? nil : text
        }

        /// `authors` of 1.1, else `author` of 1.0; some write plain strings.
        private func authors(_ entry: borrowing JQValue) -> [String] {
            let list = entry["authors"]
            if list.kind == .array { return (0..<list.count).compactMap { name(list[$0]) } }
            return [name(entry["author"])].compactMap { $0 }
        }

        private func name(_ author: borrowing JQValue) -> String? {
            author.kind == .object ? line(author["name"]) : line(author)
        }

        private func attachments(_ list: borrowing JQValue) -> [ContentAttachment] {
            guard list.kind == .array else { return [] }
            return (0..<list.count).compactMap { index in
                let attachment = list[index]
                guard let url = url(attachment["url"]) else { return nil }
                let size = attachment["size_in_bytes"].number.flatMap { Int(exactly: $0.rounded()) }
                return ContentAttachment(url: url, type: attachment["mime_type"].string, length: size)
            }
        }
    }
}
