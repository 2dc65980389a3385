import struct Foundation.Date

/// What the elements of one item or entry have said so far.
struct FeedEntry {
    /// Where in the order of summaries the content stands: before what only podcasts and media say.
    static let contentRank: UInt8 = 3

    var id = Best<String>()
    var title = Best<String>()
    var link = Best<String>()
    var summary = Best<String>()
    var content = Best<FeedText>()
    var published = Best<Date>()
    var updated = Best<Date>()
    var image = Best<String>()
    var comments = Best<String>()
    var related: String?
    var sourceTitle: String?
    var authors: [String] = []
    /// Of the feed that the entry was taken from.
    private var sourceAuthors: [String] = []
    /// Those of Atom in a feed of another family, for where the feed's own are missing.
    private var atomAuthors: [String] = []
    /// The author in a module's words, for where those are missing, too.
    private var moduleAuthor: String?
    private var attachments: [ContentAttachment] = []
    /// Where in the list each address is.
    private var places: [String: Int] = [:]
    /// The place of the one that was read last; nil where it was left out.
    private var lastPlace: Int?
    /// Of the episode: of the first enclosure that may be a recording, else of the first such file.
    var duration: Double?
    /// The address of that enclosure.
    var episode: String?
    var categories: [String] = []

    mutating func addAuthor(_ name: String, of element: FeedElement) {
        if element.rank == 0 {
            Self.add(name, to: &authors)
        } else if element.isAtom {
            Self.add(name, to: &atomAuthors)
        } else {
            moduleAuthor = moduleAuthor ?? ContentBounds.text(name, to: ContentBounds.name)
        }
    }

    mutating func addSourceAuthor(_ name: String) { Self.add(name, to: &sourceAuthors) }

    mutating func addCategory(_ name: String) { Self.add(name, to: &categories) }

    private static func add(_ name: String, to names: inout [String]) {
        guard let name = ContentBounds.text(name, to: ContentBounds.name) else { return }
        if names.count < ContentBounds.list, !names.contains(name) { names.append(name) }
    }

    /// Whether nothing was said of the item.
    var isEmpty: Bool {
        id.value == nil && title.value == nil && link.value == nil && summary.value == nil && content.value == nil
            && published.value == nil && updated.value == nil && image.value == nil && comments.value == nil
            && authors.isEmpty && attachments.isEmpty && categories.isEmpty
    }

    mutating func addAttachment(_ attachment: ContentAttachment) {
        lastPlace = nil
        guard ContentBounds.url(attachment.url) != nil else { return }
        guard let known = places[attachment.url] else {
            guard attachments.count < ContentBounds.list else { return }
            lastPlace = attachments.count
            places[attachment.url] = lastPlace
            attachments.append(attachment)
            return
        }
        lastPlace = known
        attachments[known].type = attachments[known].type ?? attachment.type
        attachments[known].length = attachments[known].length ?? attachment.length
        attachments[known].duration = attachments[known].duration ?? attachment.duration
        attachments[known].title = attachments[known].title ?? attachment.title
    }

    /// A `media:title` within a `media:content`.
    mutating func nameLastAttachment(_ title: String?) {
        guard let title, let last = lastPlace, attachments[last].title == nil else { return }
        attachments[last].title = ContentBounds.text(title, to: ContentBounds.name)
    }

    private func episodeIndex(in files: [ContentAttachment]) -> Int? {
        files.firstIndex { $0.url == episode }
            ?? files.firstIndex { $0.mayBeRecording && $0.url != image.value }
    }

    /// The item; the source's authors stand in for its own (RFC 4287 section 4.1.2).
    func item() -> ContentItem {
        var attachments = attachments
        if let duration, let index = episodeIndex(in: attachments) {
            attachments[index].duration = attachments[index].duration ?? duration
        }
        let texts = ItemTexts(
            summary: summary.value, content: content.value,
            prefersContent: summary.rank > FeedEntry.contentRank)
        var item = ContentItem(
            declaredIdentifier: id.value, title: title.value, url: ContentBounds.url(link.value),
            published: published.value, updated: updated.value, summary: texts.summary,
            authors: [authors, atomAuthors, moduleAuthor.map { [$0] } ?? []].first { !$0.isEmpty } ?? sourceAuthors,
            attachments: attachments, categories: categories,
            image: ContentBounds.url(image.value) ?? attachments.first { $0.isPicture }?.url,
            commentsURL: ContentBounds.url(comments.value), externalURL: ContentBounds.url(related),
            sourceTitle: sourceTitle)
        item.markedContent = texts.content
        return item
    }
}

extension ContentAttachment {
    package var isPicture: Bool { pictureType != nil }

    /// The media type of a picture: as given, else by the end of its address.
    package var pictureType: String? {
        if let type { return type.lowercased().hasPrefix("image/") ? type : nil }
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return Self.pictures.first { path.hasSuffix($0.ending) }?.type
    }

    private static let pictures: [(ending: String, type: String)] = [
        (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"), (".gif", "image/gif"),
        (".webp", "image/webp"), (".avif", "image/avif"),
    ]

    /// Also a file without a type, as podcasts often have them.
    package var mayBeRecording: Bool {
        let type = type?.lowercased() ?? "audio/"
        return type.hasPrefix("audio/") || type.hasPrefix("video/")
    }
}
