import struct Foundation.Date

/// What the elements of one item or entry have said so far.
struct FeedEntry {
    /// Authors, categories, attachments: more of a kind than this tell nobody anything.
    static let listBound = 256

    var id = Best<String>()
    var title = Best<String>()
    var link = Best<String>()
    var summary = Best<String>()
    var published = Best<Date>()
    var updated = Best<Date>()
    var authors: [String] = []
    /// The author in a module's words, for where the feed's own are missing.
    var moduleAuthor: String?
    var attachments: [ContentAttachment] = []
    var categories: [String] = []

    mutating func addAuthor(_ name: String, rank: UInt8) {
        if rank > 0 {
            moduleAuthor = moduleAuthor ?? name
        } else if authors.count < FeedEntry.listBound, !authors.contains(name) {
            authors.append(name)
        }
    }

    mutating func addCategory(_ name: String) {
        if categories.count < FeedEntry.listBound, !categories.contains(name) { categories.append(name) }
    }

    mutating func addAttachment(_ attachment: ContentAttachment) {
        guard let known = attachments.firstIndex(where: { $0.url == attachment.url }) else {
            if attachments.count < FeedEntry.listBound { attachments.append(attachment) }
            return
        }
        attachments[known].type = attachments[known].type ?? attachment.type
        attachments[known].length = attachments[known].length ?? attachment.length
    }

    /// The item; `feedAuthors` stand in for its own (RFC 4287 section 4.1.2).
    func item(feedAuthors: [String]) -> ContentItem {
        ContentItem(
            declaredIdentifier: id.value, title: title.value, url: link.value, published: published.value,
            updated: updated.value, summary: summary.value,
            authors: authors.isEmpty ? moduleAuthor.map { [$0] } ?? feedAuthors : authors,
            attachments: attachments, categories: categories)
    }
}
