import Testing

@testable import CrierContent

struct JSONFeedDecoderTests {
    private func decode(_ json: String) throws -> DecodedContent {
        let document = ContentDocument(body: Array(json.utf8), url: "https://e.org/feeds/main.json")
        return try JSONFeedDecoder.decode(document, mapping: ContentMapping())
    }

    @Test(arguments: [(".status == 0", true), (".status | tostring == \"0\"", true), (".status == 1", false)])
    func oneThatReportsAnErrorIsNotRead(when: String, holds: Bool) throws {
        let feed = #"{"version": "https://jsonfeed.org/version/1.1", "status": 0, "items": [{"id": 1, "title": "a"}]}"#
        func titles() throws -> [String?] {
            let decoder = ContentDecoder(mapping: ContentMapping(format: .jsonFeed, when: when))
            return try decoder.decode(ContentDocument(body: Array(feed.utf8), url: "")).items.map(\.title)
        }
        guard !holds else { return #expect(try titles() == ["a"]) }
        #expect(#expect(throws: ContentError.self) { try titles() }?.kind == .reportsError)
    }

    @Test func readsEveryMember() throws {
        let feed = try decode(
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": " My\\nFeed ", "home_page_url": "/",
            "expired": true,
             "items": [{"id": 7, "url": "../posts/7", "external_url": "https://x.org", "title": "A < B",
               "content_html": "<p>one</p><p>two &amp; three</p>", "date_published": "2024-03-05T18:30:15Z",
               "date_modified": "2024-03-06T00:00:00+01:00", "authors": [{"name": "A"}, {"url": "x"}, "B"],
               "tags": ["x", "y"],
               "attachments": [{"url": "a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12}, {"mime_type": "x"}]}]}
            """)
        #expect(feed.format == .jsonFeed)
        #expect(feed.title == "My Feed")
        #expect(feed.homeURL == "https://e.org/")
        #expect(feed.hints.isExpired)
        #expect(feed.remarks.isEmpty)
        let item = try #require(feed.items.first)
        #expect(item.declaredIdentifier == "7")
        #expect(item.identifier == "7")
        #expect(item.url == "https://e.org/posts/7")
        #expect(item.title == "A < B")
        #expect(item.summary == "one\ntwo & three")
        #expect(item.published?.timeIntervalSince1970 == 1_709_663_415)
        #expect(item.updated?.timeIntervalSince1970 == 1_709_679_600)
        #expect(item.authors == ["A", "B"])
        #expect(item.categories == ["x", "y"])
        #expect(
            item.attachments == [ContentAttachment(url: "https://e.org/feeds/a.mp3", type: "audio/mpeg", length: 12)])
    }

    @Test func readsVersionOneAndFallbacks() throws {
        let feed = try decode(
            """
            {"version": "https://jsonfeed.org/version/1", "items": [
              {"id": "a", "external_url": "https://x.org/1", "summary": "s", "content_text": "t",
              "author": {"name": "A"}},
              {"id": 12345678901234567890, "content_text": "l1\\nl2", "author": "B"}, {"title": null, "id": " "}, 5]}
            """)
        #expect(feed.items.map(\.declaredIdentifier) == ["a", "12345678901234567890", nil])
        #expect(feed.items.map(\.summary) == ["s", "l1\nl2", nil])
        #expect(feed.items.map(\.authors) == [["A"], ["B"], []])
        #expect(feed.items[0].url == "https://x.org/1")
        #expect(feed.remarks.count == 1)
    }

    @Test(arguments: [
        "[]", "{}", "{\"items\": 5}", "5", "{\"version\": \"1\"}",
        #"{"total_count": 1, "items": [{"id": 1, "html_url": "https://e.org/", "name": "a"}]}"#,
        #"{"items": [{"title": "a", "link": "https://e.org/", "question_id": 1}]}"#, #"{"items": ["a", 5]}"#,
    ])
    func refusesOtherJSON(_ json: String) {
        #expect(throws: ContentError.self) { try decode(json) }
    }

    @Test func saysWhenTheVersionIsMissing() throws {
        for items in [
            #"{"id": 1, "url": "/a"}"#, #"{"id": 1, "summary": "s"}"#, #"{"date_published": "2024-03-05"}"#,
            #"{"id": 1}, {"id": 2, "content_text": "a"}"#,
        ] {
            #expect(try decode("{\"items\": [\(items)]}").remarks.count == 1)
        }
        #expect(try decode("{\"items\": []}").remarks.count == 1)
        #expect(try decode(#"{"feed_url": "/", "items": [{"id": 1, "title": "a"}]}"#).remarks.count == 1)
        #expect(try decode("{\"version\": \"https://jsonfeed.org/version/1\"}").items.isEmpty)
    }

    /// As both versions of the specification have it (jsonfeed.org/version/1.1, "authors").
    @Test(arguments: ["\"authors\": [{\"name\": \"F\"}]", "\"author\": {\"name\": \"F\"}"])
    func theFeedsAuthorsAreThoseOfItemsWithoutTheirOwn(_ member: String) throws {
        let json = """
            {"version": "https://jsonfeed.org/version/1.1", \(member),
             "items": [{"id": "1"}, {"id": "2", "authors": [{"name": "A"}]}, {"id": "3", "authors": []}]}
            """
        let content = try ContentDecoder().decode(ContentDocument(body: Array(json.utf8), url: ""))
        #expect(content.items.map(\.authors) == [["F"], ["A"], ["F"]])
    }
}
