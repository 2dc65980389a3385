import CrierContent
import Foundation

/// The parts of an item that have no column. A key is only there where the item has something, so that rows that were
/// written before there was such a part are read like those that lack it.
struct ItemDetails: Codable, Hashable {
    private(set) var authors: [String]?
    private(set) var attachments: [ContentAttachment]?
    private(set) var categories: [String]?
    private(set) var content: String?
    private(set) var image: String?
    private(set) var commentsURL: String?
    private(set) var externalURL: String?
    private(set) var sourceTitle: String?

    /// nil where there is none.
    init?(_ item: ContentItem) {
        authors = item.authors.isEmpty ? nil : item.authors
        attachments = item.attachments.isEmpty ? nil : item.attachments
        categories = item.categories.isEmpty ? nil : item.categories
        // All items are compared with what is stored at every change of their document.
        content = item.content.map { PlainText.cut($0, to: ContentBounds.summary) }
        image = item.image
        commentsURL = item.commentsURL
        externalURL = item.externalURL
        sourceTitle = item.sourceTitle
        if self == ItemDetails() { return nil }
    }

    private init() {}

    /// The same text of the same details in every run, by which an item is told to be as it was.
    func json() throws -> String {
        var json = StoredJSON()
        json.beginObject()
        json.member("authors", authors)
        if let attachments {
            json.key("attachments")
            json.written(try Self.json(attachments))
        }
        json.member("categories", categories)
        json.member("content", content)
        json.member("image", image)
        json.member("commentsURL", commentsURL)
        json.member("externalURL", externalURL)
        json.member("sourceTitle", sourceTitle)
        json.endObject()
        return json.text
    }

    private static func json(_ attachments: [ContentAttachment]) throws -> String {
        let encoder = JSONEncoder()
        // Else in the order of a dictionary, which is another one in each process.
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(attachments), as: UTF8.self)
    }
}
