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
        // The rows of all items are written anew with every change of their document.
        content = item.content.map { PlainText.cut($0, to: ContentBounds.summary) }
        image = item.image
        commentsURL = item.commentsURL
        externalURL = item.externalURL
        sourceTitle = item.sourceTitle
        if self == ItemDetails() { return nil }
    }

    private init() {}

    /// By hand: `JSONEncoder` takes a third of the time in which an item is stored.
    func json() throws -> String {
        var members: [String] = []
        func add(_ key: String, _ value: String?) { if let value { members.append("\"\(key)\":\(value)") } }
        func list(_ texts: [String]) -> String { "[\(texts.map(Self.quoted).joined(separator: ","))]" }
        add("authors", authors.map(list))
        add("attachments", try attachments.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) })
        add("categories", categories.map(list))
        add("content", content.map(Self.quoted))
        add("image", image.map(Self.quoted))
        add("commentsURL", commentsURL.map(Self.quoted))
        add("externalURL", externalURL.map(Self.quoted))
        add("sourceTitle", sourceTitle.map(Self.quoted))
        return "{\(members.joined(separator: ","))}"
    }

    /// RFC 8259 §7.
    private static func quoted(_ text: String) -> String {
        func mustBeEscaped(_ byte: UInt8) -> Bool {
            byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
        guard text.utf8.contains(where: mustBeEscaped) else { return "\"\(text)\"" }
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte < 0x20 {
                bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            } else {
                if mustBeEscaped(byte) { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
