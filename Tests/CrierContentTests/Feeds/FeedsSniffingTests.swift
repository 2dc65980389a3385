import CrierContent
import Testing

@Suite struct FeedsSniffingTests {
    @Test(arguments: ["text/html", "application/json", "image/png", "text/plain"])
    func whatTheServerCallsAFeedDoesNotMatter(contentType: String) throws {
        let feed = Array("<rss><channel><item><title>a</title></item></channel></rss>".utf8)
        #expect(try decodeFeed(bytes: feed, contentType: contentType).items.count == 1)
    }

    // MARK: Which decoder

    private static let json = "{\"list\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}"
    private static let page = "<!doctype html><html><body><p>a</p><p>b</p></body></html>"
    private static let sitemap = "<urlset><url><loc>a</loc></url><url><loc>b</loc></url></urlset>"

    @Test(arguments: [
        (json, ContentFormat.json, ".list[]", ".name"), (page, .html, "//p", "."), (sitemap, .xml, "//url", "loc"),
    ])
    func theMappingsFormatIsObeyedAndWithoutOneTheContentTells(
        text: String, format: ContentFormat, items: String, title: String
    ) throws {
        for named in [format, nil] {
            let mapping = ContentMapping(format: named, items: items, fields: [.title: title])
            let document = ContentDocument(body: Array(text.utf8), url: "https://example.org/")
            let content = try ContentDecoder(mapping: mapping).decode(document)
            #expect(content.format == format)
            #expect(content.items.map(\.title) == ["a", "b"])
        }
    }

    @Test func aJSONFeedIsKnownByItsVersion() throws {
        let content = try decodeFeed(
            "\u{FEFF} {\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\"id\": \"1\", \"title\": \"a\"}]}"
        )
        #expect(content.format == .jsonFeed)
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test func aFeedIsReadAsXMLWhereTheMappingSaysSo() throws {
        let mapping = ContentMapping(format: .xml, items: "//item", fields: [.title: "name"])
        let body = Array("<rss><channel><item><name>a</name></item></channel></rss>".utf8)
        let content = try ContentDecoder(mapping: mapping).decode(ContentDocument(body: body, url: ""))
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test(arguments: [
        (page, ContentFormat.json, "JSON was expected"), (sitemap, .jsonFeed, "JSON was expected"),
        (json, .rss, "a feed was expected"), (json, .html, "HTML was expected"), ("", .xml, "XML was expected"),
        ("<rss/>", .json, "JSON was expected"),
    ])
    func whatWasExpectedIsSaid(text: String, format: ContentFormat, sentence: String) throws {
        let decoder = ContentDecoder(mapping: ContentMapping(format: format, items: "."))
        let document = ContentDocument(body: Array(text.utf8), url: "https://example.org/")
        let error = try #require(throws: ContentError.self) { try decoder.decode(document) }
        #expect(error.kind == .notAFeed)
        #expect(error.description.contains(sentence))
    }
}
