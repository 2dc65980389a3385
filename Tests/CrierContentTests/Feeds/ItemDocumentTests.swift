import CrierContent
import Foundation
import Testing

@Suite struct ItemDocumentTests {
    private let item = ContentItem(
        identifier: "made", declaredIdentifier: "1", title: "T", url: "https://e.org/1",
        published: Date(timeIntervalSince1970: 1_736_164_800.75), summary: "s", content: "c", authors: ["A"],
        attachments: [ContentAttachment(url: "https://e.org/a.mp3", length: 3, duration: 1.5, title: "t")],
        categories: ["x"], image: "https://e.org/i", commentsURL: "https://e.org/c", externalURL: "https://o.org/",
        sourceTitle: "S")

    private func json(_ item: ContentItem) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(ItemDocument(item)), as: UTF8.self)
    }

    @Test func everyPartIsThere() throws {
        #expect(
            try json(item) == """
                {"attachments":[{"duration":1.5,"length":3,"title":"t","type":null,"url":"https://e.org/a.mp3"}],\
                "authors":["A"],"categories":["x"],"commentsURL":"https://e.org/c","content":"c","externalURL":"https://o.org/",\
                "id":"1","image":"https://e.org/i","published":"2025-01-06T12:00:00Z","sourceTitle":"S","summary":"s",\
                "title":"T","updated":null,"url":"https://e.org/1"}
                """)
    }

    @Test func whatIsAbsentIsNull() throws {
        #expect(
            try json(ContentItem(identifier: "made")) == """
                {"attachments":[],"authors":[],"categories":[],"commentsURL":null,"content":null,"externalURL":null,\
                "id":"made","image":null,"published":null,"sourceTitle":null,"summary":null,"title":null,"updated":null,\
                "url":null}
                """)
    }

    /// Foundation's calendar is Julian in those years.
    @Test func aDateOfLongAgoIsTheDayThatWasWritten() throws {
        let content = try decodeFeed(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><updated>0103-12-13T18:30:02Z</updated></entry></feed>")
        let item = try #require(content.items.first)
        #expect(try json(item).contains("\"updated\":\"0103-12-13T18:30:02Z\""))
    }
}
