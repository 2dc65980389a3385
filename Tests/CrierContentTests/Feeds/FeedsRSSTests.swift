import CrierContent
import Testing

@Suite struct FeedsRSSTests {
    @Test func everyPartOfAnItemIsRead() throws {
        let item = try #require(
            try rssItem(
                """
                <guid isPermaLink="false">urn:post:1</guid><title>One</title><link>https://example.org/1</link>
                <pubDate>Mon, 06 Jan 2025 12:00:00 GMT</pubDate><description>The first post.</description>
                <author>ada@example.org (Ada)</author><category>news</category><category>swift</category>
                <enclosure url="https://example.org/1.mp3" type="audio/mpeg" length="1234"/>
                """))
        #expect(item.declaredIdentifier == "urn:post:1")
        #expect(item.identifier.isEmpty == false)
        #expect(item.title == "One")
        #expect(item.url == "https://example.org/1")
        #expect(item.published == epiphany)
        #expect(item.summary == "The first post.")
        #expect(item.authors == ["Ada"])
        #expect(item.categories == ["news", "swift"])
        #expect(
            item.attachments == [
                ContentAttachment(url: "https://example.org/1.mp3", type: "audio/mpeg", length: 1234)
            ])
    }

    @Test func theFeedItselfIsDescribed() throws {
        let content = try decodeFeed(
            """
            <rss version="2.0"><channel><title>News &amp; more</title><link>/home</link>
            <image><title>Logo</title><link>https://example.org/logo</link></image>
            <item><title>a</title></item></channel></rss>
            """)
        #expect(content.format == .rss)
        #expect(content.title == "News & more")
        #expect(content.homeURL == "https://example.org/home")
        #expect(content.remarks.isEmpty)
    }

    @Test func itemsKeepTheirOrder() throws {
        let items = (1...5).map { "<item><title>\($0)</title></item>" }.joined()
        let content = try decodeFeed("<rss><channel>\(items)</channel></rss>")
        #expect(content.items.map(\.title) == ["1", "2", "3", "4", "5"])
        #expect(Set(content.items.map(\.identifier)).count == 5)
    }

    @Test func aPermanentIdentifierIsTheLinkWhereThereIsNone() throws {
        #expect(try rssItem("<guid>https://example.org/p</guid>")?.url == "https://example.org/p")
        #expect(try rssItem("<guid isPermaLink=\"false\">https://example.org/p</guid>")?.url == nil)
        #expect(try rssItem("<guid>post-1</guid>")?.url == nil)
        #expect(try rssItem("<guid>https://a.org/p</guid><link>https://b.org/</link>")?.url == "https://b.org/")
    }

    @Test(arguments: [
        ("Tom &amp;amp; Jerry", "Tom & Jerry"), ("Tom &amp; Jerry", "Tom & Jerry"),
        ("&lt;b&gt;Bold&lt;/b&gt; words", "Bold words"), ("<![CDATA[<i>Slanted</i> words]]>", "Slanted words"),
        ("1 &lt; 2", "1 < 2"), ("Unescaped <b>markup</b>", "Unescaped markup"), ("two\n   lines", "two lines"),
    ])
    func aTitleIsWhatAReaderSees(markup: String, title: String) throws {
        #expect(try rssItem("<title>\(markup)</title>")?.title == title)
    }

    @Test func aTitleOfNothingButMarkupIsNone() throws {
        let item = try #require(try rssItem("<title>&lt;br/&gt;</title><link>https://example.org/1</link>"))
        #expect(item.title == nil)
    }

    @Test func theShortDescriptionGoesBeforeTheFullText() throws {
        let full = "<content:encoded><![CDATA[<p>All of it</p>]]></content:encoded>"
        #expect(try rssItem(full + "<description>In short</description>")?.summary == "In short")
        #expect(try rssItem("<description>In short</description>" + full)?.summary == "In short")
        #expect(try rssItem("<description> </description>" + full)?.summary == "All of it")
    }

    @Test func theItemsOwnElementsGoBeforeThoseOfModules() throws {
        let item = try #require(
            try rssItem(
                """
                <media:title>media</media:title><dc:title>dc</dc:title><title>own</title>
                <atom:link href="https://example.org/atom"/><link>https://example.org/own</link>
                <atom:published>2001-01-01T00:00:00Z</atom:published>
                <pubDate>Mon, 06 Jan 2025 12:00:00 GMT</pubDate>
                """))
        #expect(item.title == "own")
        #expect(item.url == "https://example.org/own")
        #expect(item.published == epiphany)
    }

    @Test func anAtomLinkServesWhereTheItemHasNoneOfItsOwn() throws {
        #expect(try rssItem("<atom:link href=\"/x\"/>")?.url == "https://example.org/x")
        #expect(try rssItem("<atom:link rel=\"self\" href=\"/x\"/>")?.url == nil)
    }

    @Test func anUnreadableDateLeavesRoomForAnother() throws {
        let item = try rssItem("<pubDate>soon</pubDate><dc:date>2025-01-06T12:00:00Z</dc:date>")
        #expect(item?.published == epiphany)
    }

    @Test func whenToComeAgainIsRead() throws {
        let content = try decodeFeed(
            """
            <rss version="2.0"><channel><ttl>90</ttl>
            <skipHours><hour>0</hour><hour>23</hour><hour>24</hour><hour>77</hour></skipHours>
            <skipDays><day>Sunday</day><day>saturday</day><day>Someday</day></skipDays>
            <item><title>a</title></item></channel></rss>
            """)
        #expect(content.hints.interval == .seconds(5400))
        #expect(content.hints.skipHours == [0, 23])
        #expect(content.hints.skipDays == [1, 7])
    }

    @Test func aPartOfAnUnknownElementIsNotThePartOfTheItem() throws {
        let item = try rssItem("<x:other xmlns:x=\"urn:x\"><title>theirs</title></x:other><link>https://a.org/</link>")
        #expect(item?.title == nil)
    }

    @Test func anEmptyItemWithinAnItemSaysNothing() throws {
        let item = try rssItem("<title>a</title><item/><link>https://example.org/1</link>")
        #expect(item?.url == "https://example.org/1")
    }

    @Test(arguments: ["", "xmlns=\"http://backend.userland.com/rss2\"", "xmlns=\"urn:nobody-knows\""])
    func aDefaultNamespaceDoesNoHarm(declaration: String) throws {
        let content = try decodeFeed("<rss \(declaration)><channel><item><title>a</title></item></channel></rss>")
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test func letterCaseDoesNotMatter() throws {
        let content = try decodeFeed(
            "<RSS><Channel><Item><Title>a</Title><PubDate>6 Jan 2025 12:00 GMT</PubDate></Item></Channel></RSS>")
        #expect(content.items.first?.title == "a")
        #expect(content.items.first?.published == epiphany)
    }

    @Test func aFeedWithoutItemsIsAFeed() throws {
        #expect(try decodeFeed("<rss version=\"2.0\"><channel><title>Quiet</title></channel></rss>").items.isEmpty)
    }
}
