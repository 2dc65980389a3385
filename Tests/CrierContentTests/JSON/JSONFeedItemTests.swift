import Testing

import struct Foundation.TimeZone

@testable import CrierContent

/// What publishers leave out of JSON Feed, and what they write in its place.
struct JSONFeedItemTests {
    private func feed(_ items: String, zone: TimeZone = .gmt, local: Bool = false) throws -> DecodedContent {
        let json = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": \(items)}"
        let document = ContentDocument(body: Array(json.utf8), url: "https://e.org/feeds/main.json")
        return try JSONFeedDecoder.decode(document, mapping: ContentMapping(timeZone: zone, datesAreLocal: local))
    }

    private func item(_ members: String) throws -> ContentItem {
        try #require(try feed("[{\(members)}]").items.first)
    }

    @Test(arguments: [
        ("7", "7"), ("0", "0"), ("-3", "-3"), ("\" a \"", "a"), ("12345678901234567890123", "12345678901234567890123"),
        ("1.5", "1.5"), ("\"https://e.org/1\"", "https://e.org/1"), ("\"\"", nil), ("null", nil), ("true", nil),
        ("[1]", nil), ("{}", nil),
    ])
    func takesTextsAndNumbersForIdentifiers(_ json: String, _ identifier: String?) throws {
        let item = try item("\"id\": \(json), \"title\": \"t\"")
        #expect(item.declaredIdentifier == identifier)
        #expect(!item.identifier.isEmpty)
    }

    @Test(arguments: [
        ("\"url\": \"/a\", \"external_url\": \"https://x.org/\"", "https://e.org/a"),
        ("\"external_url\": \"https://x.org/\"", "https://x.org/"), ("\"url\": \" b \"", "https://e.org/feeds/b"),
        ("\"url\": \"\", \"external_url\": \"c\"", "https://e.org/feeds/c"), ("\"url\": 5", nil),
        ("\"url\": null", nil),
    ])
    func linksToThePageAndElseToWhatItIsAbout(_ members: String, _ url: String?) throws {
        #expect(try item(members).url == url)
    }

    @Test(arguments: [
        ("\"summary\": \"s\", \"content_text\": \"t\", \"content_html\": \"<p>h\"", "s"),
        ("\"summary\": \" \", \"content_text\": \"t\", \"content_html\": \"<p>h\"", "t"),
        ("\"content_text\": \"\", \"content_html\": \"<p>one</p><p>two\"", "one\ntwo"),
        ("\"content_text\": \"a < b &amp; <i>\"", "a < b &amp; <i>"), ("\"content_html\": \"<img src=x>\"", nil),
        ("\"content_html\": {}", nil), ("\"summary\": 5", nil),
    ])
    func summarisesByTheFirstTextThereIs(_ members: String, _ summary: String?) throws {
        #expect(try item(members).summary == summary)
    }

    @Test(arguments: [
        ("\"authors\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"author\": {\"name\": \"C\"}", ["A", "B"]),
        ("\"author\": {\"name\": \"C\", \"url\": \"u\"}", ["C"]), ("\"author\": \"D\"", ["D"]),
        ("\"authors\": [\"E\", 5, null, {}, {\"name\": \"\"}, {\"name\": null}]", ["E", "5"]),
        ("\"authors\": null, \"author\": {\"name\": \"F\"}", ["F"]), ("\"authors\": []", []),
        ("\"authors\": [], \"author\": {\"name\": \"H\"}", ["H"]), ("\"author\": []", []),
        ("\"authors\": {\"name\": \"G\"}", []),
    ])
    func readsAuthorsOfBothVersions(_ members: String, _ authors: [String]) throws {
        #expect(try item(members + ", \"id\": 1").authors == authors)
    }

    @Test func readsAttachmentsAndLeavesOutThoseWithoutAddress() throws {
        let item = try item(
            """
            "attachments": [{"url": "a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 10, "duration_in_seconds": 3},
            {"url": "/b", "size_in_bytes": 1.4}, {"url": "https://x.org/c", "mime_type": 5, "size_in_bytes": "9"},
            {"url": ""}, {"mime_type": "x/y"}, 5, null, {"url": "d", "size_in_bytes": 1e300}]
            """)
        #expect(
            item.attachments == [
                ContentAttachment(url: "https://e.org/feeds/a.mp3", type: "audio/mpeg", length: 10, duration: 3),
                ContentAttachment(url: "https://e.org/b", length: 1), ContentAttachment(url: "https://x.org/c"),
                ContentAttachment(url: "https://e.org/feeds/d"),
            ])
        #expect(try self.item("\"id\": 1, \"attachments\": {\"url\": \"x\"}").attachments.isEmpty)
    }

    @Test(arguments: [
        ("[\"x\", \" y \\n z\", 5, null, \"\", [], {}]", ["x", "y z", "5"]), ("[]", []), ("null", []), ("\"x\"", []),
        ("{\"a\": 1}", []), ("[\"R&amp;D\"]", ["R&D"]),
    ])
    func readsTags(_ tags: String, _ categories: [String]) throws {
        #expect(try item("\"id\": 1, \"tags\": \(tags)").categories == categories)
    }

    @Test func readsDatesInEveryForm() throws {
        let item = try item("\"date_published\": 1709640000, \"date_modified\": \"Tue, 05 Mar 2024 12:00:01 GMT\"")
        #expect(item.published?.timeIntervalSince1970 == 1_709_640_000)
        #expect(item.updated?.timeIntervalSince1970 == 1_709_640_001)
        #expect(try self.item("\"id\": 1, \"date_published\": \"soon\", \"date_modified\": null").date == nil)
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        let dated = "[{\"date_published\": \"2024-03-05T12:00:00Z\"}]"
        #expect(
            try feed(dated, zone: shanghai, local: true).items[0].published?.timeIntervalSince1970 == 1_709_611_200)
        #expect(try feed(dated, zone: shanghai).items[0].published?.timeIntervalSince1970 == 1_709_640_000)
    }

    @Test(arguments: [("true", true), ("false", false), ("\"true\"", false), ("1", false), ("null", false)])
    func endsOnlyWhereExpiredIsTrue(_ json: String, _ isExpired: Bool) throws {
        let document = ContentDocument(body: Array("{\"items\": [], \"expired\": \(json)}".utf8), url: "")
        #expect(try JSONFeedDecoder.decode(document, mapping: ContentMapping()).hints.isExpired == isExpired)
    }

    @Test func saysHowManyItemsAreNone() throws {
        #expect(
            try feed("[1, \"a\", null, [], {\"id\": 1}]").remarks == ["4 items that are no objects, left out"])
        #expect(try feed("[{\"id\": 1}, 1]").remarks == ["1 item that is no object, left out"])
    }

    @Test func keepsItemsThatRepeatTheirIdentifierApart() throws {
        let items = try feed("[{\"id\": 1, \"url\": \"a\"}, {\"id\": 1, \"url\": \"b\"}, {\"id\": 1, \"url\": \"a\"}]")
            .items
        #expect(items.count == 3, "the equal copy is shown")
        #expect(Set(items.map(\.identifier)).count == 2)
    }

    @Test func boundsTheNumberOfItems() {
        let items = "[" + Array(repeating: "{}", count: 10_001).joined(separator: ",") + "]"
        #expect(throws: ContentError(.tooLarge, "more than 10000 items")) { try feed(items) }
    }
}
