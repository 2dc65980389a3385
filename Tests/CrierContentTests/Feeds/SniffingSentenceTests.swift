import CrierContent
import Testing

@Suite struct SniffingSentenceTests {
    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image"),
            ([0xFF, 0xD8, 0xFF, 0xDB], "a JPEG image"),
            (Array("GIF89a".utf8), "a GIF image"), (Array("RIFF....WEBP".utf8), "a RIFF file (image, sound or video)"),
            (Array("%PDF-1.7\n".utf8), "a PDF document"), ([0x1F, 0x8B, 0x08, 0x00], "gzip-compressed data"),
            ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd-compressed data"),
            ([0x00, 0x00, 0x01, 0x00, 0x01], "an icon"), (Array("OggS".utf8), "an Ogg file"),
            (Array("ID3\u{3}".utf8), "an MP3 file"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
            ([], "the document is empty"), (Array(" \r\n\t".utf8), "the document is empty"),
            ([0xEF, 0xBB, 0xBF], "the document is empty"),
            ([0, 0, 0, 0, 0], "the document is empty"), (Array("Not found".utf8), "text without any markup"),
            (Array("a < b & c".utf8), "text without any markup"),
            (Array("<opml version=\"2.0\"/>".utf8), "XML with the root <opml>"),
            (Array("<?xml version=\"1.0\"?><!-- <rss> --><svg/>".utf8), "XML with the root <svg>"),
        ] as [([UInt8], String)])
    func whatIsNoFeedIsCalledByItsName(bytes: [UInt8], name: String) throws {
        for type in [nil, "application/rss+xml"] {
            let error = try #require(throws: ContentError.self) { try decodeFeed(bytes: bytes, contentType: type) }
            #expect(error.kind == .notAFeed)
            #expect(error.description == "\(name) where a feed was expected")
        }
    }

    @Test(arguments: [
        ("<!DOCTYPE html><title>Log in</title><form></form>", ", titled “Log in”"),
        ("<html><head><title>Log in</title></head></html>", ", titled “Log in”"),
        ("<HTML><HEAD><TITLE lang=en>Log\n in &amp; go</TITLE></HEAD><BODY></BODY></HTML>", ", titled “Log in & go”"),
        ("<!-- x --><HTML><TITLE>Caf&eacute;\n &amp; bar</TITLE></HTML>", ", titled “Café & bar”"),
        ("<html><title></title></html>", ""),
        ("<html><title>never ended", ""), ("<html></html>", ""), ("<body>Hi</body>", ""),
    ])
    func aPageIsNamedWithItsTitle(page: String, titled: String) throws {
        let error = try #require(throws: ContentError.self) { try decodeFeed(page) }
        #expect(error.kind == .notAFeed)
        #expect(error.description == "an HTML page where a feed was expected\(titled); it names no feed")
    }

    @Test func aPageIsNamedWithTheFeedThatItNames() throws {
        let page = "<html><head><link rel=alternate type='application/rss+xml' href='feed.xml'></head></html>"
        let error = try #require(throws: ContentError.self) {
            try ContentDecoder().decode(ContentDocument(body: Array(page.utf8), url: "https://e.example/blog/"))
        }
        #expect(
            error.description
                == "an HTML page where a feed was expected; it names the feed https://e.example/blog/feed.xml")
    }

    @Test(arguments: ["{\"message\": \"not found\"}", "[1, 2]", "{}", "{\"version\": 2, \"items\": 3}", "{broken"])
    func jsonOfNoFeedIsRefused(json: String) {
        #expect(throws: ContentError.self) { try decodeFeed(json) }
    }
}
