import CrierContent
import Testing

@Suite struct FeedsSniffingTests {
    private func refusal(of bytes: [UInt8], contentType: String? = nil) throws -> ContentError {
        try #require(throws: ContentError.self) { try decodeFeed(bytes: bytes, contentType: contentType) }
    }

    @Test(arguments: ["", " \r\n\t "])
    func anEmptyDocumentIsCalledEmpty(text: String) throws {
        let error = try refusal(of: Array(text.utf8))
        #expect(error.kind == .notAFeed)
        #expect(error.description.contains("empty"))
    }

    @Test(arguments: [
        "<!DOCTYPE html><html><head><title>Log in &amp; go</title></head></html>",
        "<HTML><HEAD><TITLE lang=en>Log\n in &amp; go</TITLE></HEAD><BODY></BODY></HTML>",
    ])
    func aPageIsCalledByItsTitle(page: String) throws {
        let error = try refusal(of: Array(page.utf8))
        #expect(error.kind == .notAFeed)
        #expect(error.description.contains("HTML"))
        #expect(error.description.contains("“Log in & go”"))
        #expect(error.description.hasSuffix("; it names no feed"))
    }

    @Test func aPageWithoutATitleIsJustAPage() throws {
        #expect(try refusal(of: Array("<html><body>Hi</body></html>".utf8)).description.contains("titled") == false)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "PNG"), ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"),
            (Array("GIF89a".utf8), "GIF"), (Array("%PDF-1.7".utf8), "PDF"), ([0x1F, 0x8B, 0x08], "gzip"),
            ([0x50, 0x4B, 0x03, 0x04], "ZIP"),
        ] as [([UInt8], String)])
    func filesOfOtherKindsAreCalledByTheirName(bytes: [UInt8], name: String) throws {
        let error = try refusal(of: bytes, contentType: "application/rss+xml")
        #expect(error.kind == .notAFeed)
        #expect(error.description.contains(name))
    }

    @Test func otherXMLIsCalledByItsRoot() throws {
        let error = try refusal(of: Array("<?xml version=\"1.0\"?><opml version=\"2.0\"><body/></opml>".utf8))
        #expect(error.kind == .notAFeed)
        #expect(error.description.contains("<opml>"))
    }

    @Test func textIsCalledText() throws {
        #expect(try refusal(of: Array("404 page not found".utf8)).description.contains("text"))
    }

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
