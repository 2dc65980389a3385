import CrierContent
import Testing

@Suite struct FeedsRSSOdditiesTests {
    // MARK: Frames

    @Test(arguments: ["0.90", "0.91", "0.92", "0.93", "0.94", "1.0", "2.0", "2.0.1", "2.1", "3", "", "two"])
    func theVersionDoesNotMatter(version: String) throws {
        let content = try decodeFeed(
            "<rss version=\"\(version)\"><channel><item><title>a</title></item></channel></rss>")
        #expect(content.format == .rss)
        #expect(content.bareItems == [ContentItem(title: "a")])
    }

    @Test func itemsMayStandOutsideTheChannel() throws {
        let content = try decodeFeed(
            "<rss><channel><title>t</title></channel><item><title>a</title></item><item><title>b</title></item></rss>")
        #expect(content.title == "t")
        #expect(content.items.map(\.title) == ["a", "b"])
    }

    @Test func itemsMayStandInAListOfTheirOwn() throws {
        let content = try decodeFeed(
            "<rss><channel><title>t</title><items><item><title>a</title></item></items></channel></rss>")
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test(arguments: [
        "<link><![CDATA[http://a.org/?b=1&amp;c=2]]></link>", "<link>http://a.org/?b=1&amp;amp;c=2</link>",
        "<link><![CDATA[http://a.org/?b=1&#038;c=2]]></link>", "<link>http://a.org/?b=1&amp;#x26;c=2</link>",
        "<link>http://a.org/?b=1&amp;c=2</link>", "<atom:link href='http://a.org/?b=1&amp;amp;c=2'/>",
    ])
    func anAddressMayBeEscapedOnceTooOften(link: String) throws {
        #expect(try rssItem(link)?.url == "http://a.org/?b=1&c=2")
    }

    @Test func aGUIDMayBeAnAddressThatIsEscapedOnceTooOften() throws {
        let item = try rssItem("<guid><![CDATA[http://a.org/?b=1&amp;c=2]]></guid>")
        #expect(item?.url == "http://a.org/?b=1&c=2")
        #expect(item?.identifier == "http://a.org/?b=1&amp;c=2")
    }

    @Test func aFeedMayHaveSeveralChannels() throws {
        let channel = { (name: String) in
            "<channel><title>\(name)</title><item><title>in \(name)</title></item></channel>"
        }
        let content = try decodeFeed("<rss>\(channel("one"))\(channel("two"))</rss>")
        #expect(content.title == "one")
        #expect(content.items.map(\.title) == ["in one", "in two"])
    }

    @Test func aChannelMayBeTheRoot() throws {
        let content = try decodeFeed("<channel><title>t</title><item><title>a</title></item></channel>")
        #expect(content.format == .rss)
        #expect(content.title == "t")
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test func theChannelMayDescribeItselfAfterItsItems() throws {
        let content = try decodeFeed(
            """
            <rss><channel><item><title>a</title></item><title>Late</title><link>/home</link><ttl>5</ttl></channel></rss>
            """)
        #expect(content.title == "Late")
        #expect(content.homeURL == "https://example.org/home")
        #expect(content.hints == PollingHints(interval: .seconds(300)))
    }

    @Test(arguments: ["image", "textInput", "textinput", "cloud", "itunes:owner"])
    func whatOtherPartsOfTheChannelAreCalledIsNotTheChannelsName(part: String) throws {
        let content = try decodeFeed(
            """
            <rss><channel><\(part)><title>part</title><link>/part</link></\(part)><item><title>a</title></item>
            </channel></rss>
            """)
        #expect(content.title == nil)
        #expect(content.homeURL == nil)
    }

    @Test func theLinkOfTheFeedToItselfIsNotItsHome() throws {
        let content = try decodeFeed(
            """
            <rss xmlns:atom="http://www.w3.org/2005/Atom"><channel>
            <atom:link rel="self" href="/feed"/><atom:link rel="hub" href="/hub"/></channel></rss>
            """)
        #expect(content.homeURL == nil)
    }

    // MARK: Items

    @Test(arguments: [
        "<guid>  p1\n</guid>", "<guid isPermaLink=\"false\">p1</guid>", "<guid isPermaLink=\"FALSE\">p1</guid>",
        "<guid ispermalink='false'>p1</guid>", "<guid><![CDATA[p1]]></guid>", "<guid>p1</guid><guid>p2</guid>",
        "<guid/><guid>p1</guid>", "<GUID>p1</GUID>",
    ])
    func anIdentifierIsWhatStandsInIt(guid: String) throws {
        #expect(try rssItem(guid)?.bare == ContentItem(declaredIdentifier: "p1"))
    }

    @Test(arguments: [
        ("<link>/a</link>", "https://example.org/a"), ("<link>\n https://a.org/1 \n</link>", "https://a.org/1"),
        ("<link><![CDATA[https://a.org/?a=1&b=2]]></link>", "https://a.org/?a=1&b=2"),
        ("<link>https://a.org/?a=1&amp;b=2</link>", "https://a.org/?a=1&b=2"),
        ("<link>//a.org/1</link>", "https://a.org/1"), ("<link>?p=1</link>", "https://example.org/feed.xml?p=1"),
        ("<link/><link>https://a.org/2</link>", "https://a.org/2"),
        ("<link>https://a.org/1</link><link>https://a.org/2</link>", "https://a.org/1"),
        ("<link href=\"https://a.org/h\"/>", "https://a.org/h"), ("<link>mailto:a@a.org</link>", "mailto:a@a.org"),
        ("<link xml:base=\"https://b.org/x/\">y</link>", "https://b.org/x/y"),
    ])
    func aLinkIsMadeAbsolute(link: String, url: String) throws {
        #expect(try rssItem(link)?.bare == ContentItem(url: url))
    }

    @Test func anItemOfNothingIsAnItem() throws {
        let content = try decodeFeed("<rss><channel><item/><item></item><item> </item></channel></rss>")
        #expect(content.bareItems == [ContentItem(), ContentItem(), ContentItem()])
        #expect(Set(content.items.map(\.identifier)).count == 1)
    }

    @Test func copiesOfAnItemAreShownAndShareAnIdentifier() throws {
        let item = "<item><guid>1</guid><title>a</title></item>"
        let content = try decodeFeed(
            "<rss><channel>\(item)<item><guid>1</guid><title>b</title></item>\(item)</channel></rss>")
        #expect(content.items.map(\.title) == ["a", "b", "a"])
        #expect(content.items[0] == content.items[2])
        #expect(content.items[0].identifier != content.items[1].identifier)
        #expect(NewItems.unique(content.items).map(\.title) == ["a", "b"])
    }

    @Test(arguments: [
        ("length=\"12\"", 12), ("length=\" 12 \"", 12), ("length=\"0\"", 0), ("length=\"\"", nil), ("", nil),
        ("length=\"-1\"", nil), ("length=\"1,234\"", nil), ("length=\"12 MB\"", nil), ("length=\"1e3\"", nil),
        ("length=\"99999999999999999999\"", nil), ("length=\"None\"", nil), ("fileSize=\"7\"", 7),
    ])
    func anEnclosuresLengthIsANumberOrNothing(attribute: String, length: Int?) throws {
        let item = try rssItem("<enclosure url=\"/a.mp3\" \(attribute)/>")
        #expect(
            item?.bare
                == ContentItem(attachments: [ContentAttachment(url: "https://example.org/a.mp3", length: length)]))
    }

    @Test(arguments: [
        "<enclosure/>", "<enclosure url=\"\"/>", "<enclosure url=\"  \" type=\"audio/mpeg\" length=\"1\"/>",
    ])
    func anEnclosureOfNoFileIsNone(enclosure: String) throws {
        #expect(try rssItem(enclosure)?.attachments == [])
    }

    @Test func enclosuresAreListedOnceEachWithAllThatIsSaidOfThem() throws {
        let item = try rssItem(
            """
            <enclosure url="/a"/><enclosure url="/b" type="image/png"/><enclosure url="https://example.org/a" length="3"/>
            <enclosure url="/a" type="text/plain" length="4"/>
            """)
        #expect(
            item?.attachments == [
                ContentAttachment(url: "https://example.org/a", type: "text/plain", length: 3),
                ContentAttachment(url: "https://example.org/b", type: "image/png"),
            ])
    }

    @Test func anEnclosureMayHoldTheRestOfItsItem() throws {
        let item = try rssItem("<enclosure url=\"/a\"><title>inside</title></enclosure>")
        #expect(item?.title == "inside")
    }

    @Test func categoriesAreNamedOnceAndInOrder() throws {
        let item = try rssItem(
            """
            <category>b</category><category domain="x">a</category><category> b </category><category/>
            <category><![CDATA[R&D]]></category><category>two  words</category><category>A</category>
            """)
        #expect(item?.categories == ["b", "a", "R&D", "two words", "A"])
    }

    @Test(arguments: [
        ("ada@a.org (Ada)", "Ada"), ("ada@a.org (Ada (of A))", "Ada (of A)"), ("ada@a.org ()", "ada@a.org ()"),
        ("Ada (not an address)", "Ada (not an address)"), ("Ada &lt;ada@a.org&gt;", "Ada"),
        ("&lt;ada@a.org&gt;", "ada@a.org"), ("Ada &lt;3", "Ada <3"),
        ("Ada &lt;@ada&gt;", "Ada <@ada>"), ("Ada &lt;a@x.org&gt;, Bo &lt;b@x.org&gt;", "Ada <a@x.org>, Bo <b@x.org>"),
        ("  Ada \n Lovelace ", "Ada Lovelace"), ("Tom &amp;amp; Ada", "Tom & Ada"),
    ])
    func anAuthorIsANameWhereOneIsGiven(author: String, name: String) throws {
        #expect(try rssItem("<author>\(author)</author>")?.authors == [name])
    }

    @Test(arguments: [
        "Mon, 06 Jan 2025 12:00:00 GMT", "Mon, 6 Jan 2025 13:00 +0100", "06 Jan 25 12:00:00 UT",
        "Monday, 06 January 2025 12:00:00 GMT", "2025-01-06T12:00:00Z", "2025-01-06 12:00:00 +0000",
        "Tue, 06 Jan 2025 07:00:00 EST", "<![CDATA[ Mon, 06 Jan 2025 12:00:00 GMT ]]>",
    ])
    func aDateMayBeWrittenInManyWays(date: String) throws {
        #expect(try rssItem("<pubDate>\(date)</pubDate>")?.bare == ContentItem(published: epiphany))
    }

    @Test(arguments: ["", "soon", "0000-00-00 00:00:00", "Mon, 99 Foo 2025", "now"])
    func aDateOfNoSenseIsNone(date: String) throws {
        #expect(try rssItem("<title>a</title><pubDate>\(date)</pubDate>")?.bare == ContentItem(title: "a"))
    }

    @Test func theSourceOfAnItemIsAnotherFeedsAndNotItsLink() throws {
        let item = try rssItem(
            "<title>a</title><source url=\"https://a.org/rss\">Theirs</source><comments>/c</comments>")
        let expected = ContentItem(title: "a", commentsURL: "https://example.org/c", sourceTitle: "Theirs")
        #expect(item?.bare == expected)
    }
}
