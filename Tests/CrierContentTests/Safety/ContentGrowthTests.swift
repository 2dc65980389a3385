import CrierContent
import Testing

/// Short documents that would become a thousand times as long.
@Suite struct ContentGrowthTests {
    private static let long = "https://example.org/" + String(repeating: "a/", count: 2000)

    private func refusal(
        _ text: String, url: String = "https://example.org/", mapping: ContentMapping = ContentMapping()
    ) -> ContentError.Kind? {
        do throws(ContentError) {
            _ = try ContentDecoder(mapping: mapping).decode(ContentDocument(body: Array(text.utf8), url: url))
            return nil
        } catch { return error.kind }
    }

    private func repeated(_ count: Int, _ unit: (Int) -> String, separator: String = "") -> String {
        (0..<count).map(unit).joined(separator: separator)
    }

    // MARK: Addresses

    @Test(arguments: [
        "<enclosure url=\"%\"/>", "<link>%</link>", "<comments>%</comments>", "<media:thumbnail url=\"%\"/>",
        "<guid>https:%</guid>", "<atom:link rel=\"enclosure\" href=\"%\"/>", "<atom:link rel=\"replies\" href=\"%\"/>",
    ])
    func relativeAddressesInAFeedCountAsText(_ element: String) {
        let many = repeated(500) { element.replacing("%", with: "x\($0)") }
        let feed = { (base: String) in
            "<rss xml:base=\"\(base)\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><item>\(many)</item></channel></rss>"
        }
        #expect(refusal(feed("https://example.org/a/b/c/")) == nil)
        let isAddress = !element.contains("https:")
        #expect(refusal(feed(Self.long)) == (isAddress ? .tooLarge : nil))
    }

    @Test func relativeAddressesInAJSONFeedCountAsText() {
        let files = repeated(50, { "{\"url\": \"x\($0)\"}" }, separator: ",")
        let feed =
            "{\"items\": [" + repeated(20, { "{\"id\": \($0), \"attachments\": [\(files)]}" }, separator: ",") + "]}"
        #expect(refusal(feed) == nil)
        #expect(refusal(feed, url: Self.long) == .tooLarge)
    }

    @Test func relativeAddressesThatAProgramYieldsCountAsText() {
        let files = repeated(50, { "\"x\($0)\"" }, separator: ",")
        let document = "[" + repeated(20, { "{\"id\": \($0), \"files\": [\(files)]}" }, separator: ",") + "]"
        let mapping = ContentMapping(format: .json, items: ".[]", fields: [.id: ".id", .attachment: ".files[]"])
        #expect(refusal(document, mapping: mapping) == nil)
        #expect(refusal(document, url: Self.long, mapping: mapping) == .tooLarge)
    }

    @Test func relativeAddressesOfAPageCountAsText() {
        let links = repeated(50) { "<a href=x\($0)>x</a>" }
        let page = { (base: String) in
            "<base href='\(base)'>" + repeated(20) { "<p id=\($0)>\(links)</p>" }
        }
        let mapping = ContentMapping(format: .html, items: "//p", fields: [.id: "@id", .attachment: "a/@href"])
        #expect(refusal(page("/a/"), mapping: mapping) == nil)
        #expect(refusal(page(Self.long), mapping: mapping) == .tooLarge)
    }

    @Test func basesWithinBasesAreBounded() throws {
        let base = String(repeating: "x/", count: 1000)
        let content = try decodeFeed(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>"
                + String(repeating: "<link rel=\"alternate\" href=\"a\" xml:base=\"\(base)\">", count: 1)
                + "</link></entry>" + repeated(10) { _ in "<entry xml:base=\"\(base)\">" }
                + "<link href=\"a\"/>" + String(repeating: "</entry>", count: 10) + "</feed>")
        #expect(content.items.first?.url == "https://example.org/\(base)a")
        #expect(content.items.last?.url == "https://example.org/\(base)\(base)a")
    }

    @Test func aBaseOfUnusualLengthIsNone() throws {
        let base = String(repeating: "x/", count: 3000)
        let channel = try decodeFeed("<channel base=\"/\(base)\"><item href=\"a\"/></channel>")
        #expect(channel.items.map(\.url) == ["https://example.org/a"])
        let page = "<base href='/\(base)'><link rel=alternate type=application/rss+xml href=f><a href=a>x</a>"
        let mapping = ContentMapping(format: .html, items: "//a", fields: [.url: "@href"])
        let document = ContentDocument(body: Array(page.utf8), url: "https://example.org/")
        #expect(
            try ContentDecoder(mapping: mapping).decode(document).items.map(\.url) == ["https://example.org/a"])
        #expect(FeedLinks.find(in: document.body, url: document.url).map(\.url) == ["https://example.org/f"])
    }

    @Test(arguments: [(8000, "https://example.org/a"), (9000, "/a")])
    func anAddressThatIsTooLongIsNoBase(_ length: Int, _ url: String) throws {
        let address = "https://example.org/?" + String(repeating: "a", count: length)
        let feed = try decodeFeed("<rss><channel><item><link>/a</link></item></channel></rss>", url: address)
        #expect(feed.items.map(\.url) == [url])
        let json = try decodeFeed("{\"items\": [{\"url\": \"/a\"}]}", url: address)
        #expect(json.items.map(\.url) == [url])
    }

    // MARK: Attachments

    @Test func theFirstAttachmentsOfAnItemAreKept() throws {
        let files = repeated(150) { "<enclosure url=\"/\($0)\"/>" }
        let known = "<enclosure url=\"/7\" type=\"audio/mpeg\"/>"
        let other = "<media:content url=\"/other\"><media:title>Other</media:title></media:content>"
        let named = "<media:content url=\"/8\"><media:title>Eight</media:title></media:content>"
        let item = try #require(try rssItem(files + known + other + named))
        #expect(item.attachments.map(\.url) == (0..<ContentBounds.list).map { "https://example.org/\($0)" })
        #expect(item.attachments[7].type == "audio/mpeg")
        #expect(item.attachments.compactMap(\.title) == ["Eight"])
        #expect(item.attachments[8].title == "Eight")
    }

    // MARK: Authors

    private static let five = ["A", "B", "C", "D", "E"]

    @Test func itemsHaveTheFirstAuthorsOfTheirFeed() throws {
        let authors = ["A", "A"] + Self.five.dropFirst() + ["F", "G"]
        let atom = try decodeFeed(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
                + authors.map { "<author><name>\($0)</name></author>" }.joined()
                + "<entry><id>1</id></entry><entry><id>2</id><author><name>X</name></author></entry></feed>")
        #expect(atom.items.map(\.authors) == [Self.five, ["X"]])
        let names = authors.dropFirst().map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
        let items = "{\"id\": 1, \"url\": \"/1\"}, {\"id\": 2, \"author\": \"X\"}"
        let json = try decodeFeed("{\"authors\": [\(names)], \"items\": [\(items)]}")
        #expect(json.items.map(\.authors) == [Self.five, ["X"]])
    }

    /// A book of thousands of chapters by one author, and what nobody is called.
    @Test(arguments: [("Ada of Example", nil), (String(repeating: "名", count: 300), ContentError.Kind.tooLarge)])
    func authorsThatItemsInheritCountAsText(_ name: String, kind: ContentError.Kind?) {
        let names = (1...5).map { "\($0) \(name)" }
        let atom =
            "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
            + names.map { "<author><name>\($0)</name></author>" }.joined()
            + repeated(3000) { "<entry><id>\($0)</id></entry>" } + "</feed>"
        #expect(refusal(atom) == kind)
        let json =
            "{\"authors\": [" + names.map { "\"\($0)\"" }.joined(separator: ",") + "], \"items\": ["
            + repeated(3000, { "{\"id\": \($0), \"url\": \"/\"}" }, separator: ",") + "]}"
        #expect(refusal(json) == kind)
    }
}
