import CrierContent
import Testing

/// What an item carries beside its title, link, dates and summary.
@Suite struct FeedsItemPartsTests {
    @Test func contentBesideASummaryIsKeptAsText() throws {
        let item = try rssItem(
            """
            <description>In short</description><content:encoded><![CDATA[<p>In <b>full</b>:</p><ul><li>one</li><li>two</li></ul>
            <p><img src="/x" alt="A map">See <a href="/y">there</a>.<br>Bye</p>]]></content:encoded>
            """)
        #expect(item?.summary == "In short")
        #expect(item?.content == "In full:\n• one\n• two\nA map See there.\nBye")
    }

    @Test(arguments: [
        "<content:encoded>All of it</content:encoded>",
        "<description>All of it</description><content:encoded>&lt;p>All of it&lt;/p></content:encoded>",
        "<content:encoded>All of it</content:encoded><itunes:summary>Less</itunes:summary>",
    ])
    func contentThatSaysNoMoreThanTheSummaryIsNotSaidTwice(elements: String) throws {
        let item = try rssItem(elements)
        #expect(item?.summary == "All of it")
        #expect(item?.content == nil)
    }

    @Test func contentThatIsTooLongForASummaryIsBoth() throws {
        let text = Array(repeating: "word", count: 4000).joined(separator: " ")
        let item = try #require(try rssItem("<content:encoded>\(text)</content:encoded>"))
        #expect(item.content == text)
        #expect(item.summary?.count ?? 0 <= ContentBounds.summary)
        #expect(item.summary?.hasSuffix("word…") == true)
    }

    @Test(arguments: [
        ("text", "a &lt;b> c", "a <b> c"), ("html", "a &lt;b>c&lt;/b> d", "a c d"),
        (
            "xhtml",
            "<div xmlns=\"http://www.w3.org/1999/xhtml\">a <img alt='&quot;b&quot; &amp;amp; c' src='x'/></div>",
            "a \"b\" &amp; c"
        ),
        ("text/plain", "a &amp;amp; b", "a &amp; b"),
    ])
    func atomTextConstructsAreReadByTheirType(type: String, markup: String, text: String) throws {
        let item = try atomEntry("<summary>s</summary><content type=\"\(type)\">\(markup)</content>")
        #expect(item?.content == text)
    }

    @Test(arguments: [
        ("<media:thumbnail url='/t.jpg'/>", "/t.jpg"), ("<itunes:image href='/i.jpg'/>", "/i.jpg"),
        ("<itunes:image href='/i.jpg'/><media:thumbnail url='/t.jpg'/>", "/t.jpg"),
        (
            "<media:group><media:content url='/f.mp4' type='video/mp4'><media:thumbnail url='/t.jpg'/></media:content></media:group>",
            "/t.jpg"
        ),
        ("<media:content url='/c' medium='image'/>", "/c"), ("<enclosure url='/e.png' type='image/png'/>", "/e.png"),
        ("<enclosure url='/e.mp3' type='audio/mpeg'/>", nil), ("<media:thumbnail/>", nil),
        ("<media:thumbnail url='data:image/png;base64,\(String(repeating: "A", count: 9000))'/>", nil),
    ])
    func aPictureStandsForTheItem(elements: String, path: String?) throws {
        #expect(try rssItem(elements)?.image == path.map { "https://example.org" + $0 })
    }

    @Test(arguments: [
        ("1901", 1901.0), ("31:41", 1901), ("0:31:41", 1901), ("1:02:03.5", 3723.5), ("", nil), ("soon", nil),
        ("-5", nil),
        ("1:2:3:4", nil), ("0", nil), ("1e300", nil), ("::", nil),
    ])
    func anEpisodesDurationIsItsRecordings(text: String, seconds: Double?) throws {
        let item = try rssItem(
            "<itunes:duration>\(text)</itunes:duration><enclosure url='/c.jpg' type='image/jpeg'/><enclosure url='/e.mp3' type='audio/mpeg'/>"
        )
        #expect(item?.attachments.map(\.duration) == [nil, seconds])
    }

    @Test(
        arguments: [
            (
                "<media:content url='/trailer.mp4' type='video/mp4' duration='30'/><enclosure url='/e.mp3' type='audio/mpeg'/>",
                [30, 61]
            ),
            (
                "<media:content url='/e.mp3' type='audio/mpeg' duration='60'/><enclosure url='/e.mp3' type='audio/mpeg'/>",
                [60]
            ),
            ("<media:content url='/c' medium='image'/><media:content url='/e'/>", [nil, 61]),
            ("<media:content url='/c' medium='image'/><enclosure url='/e'/>", [nil, 61]),
        ] as [(String, [Double?])])
    func durationIsThatOfTheEnclosureWhateverStandsBeforeIt(elements: String, seconds: [Double?]) throws {
        let item = try rssItem("<itunes:duration>1:01</itunes:duration>" + elements)
        #expect(item?.attachments.map(\.duration) == seconds)
    }

    @Test func mediaHaveDurationsAndTitlesOfTheirOwn() throws {
        let item = try rssItem(
            """
            <title>The item</title><media:content url="/f.mp4" type="video/mp4" duration="12.5" fileSize="9">
            <media:title>The film</media:title><media:title>Again</media:title></media:content>
            """)
        #expect(item?.title == "The item")
        let film = ContentAttachment(
            url: "https://example.org/f.mp4", type: "video/mp4", length: 9, duration: 12.5, title: "The film")
        #expect(item?.attachments == [film])
    }

    @Test func linksCountByTheirRelation() throws {
        let item = try atomEntry(
            """
            <id>1</id><link href="/page"/><link rel="replies" type="application/atom+xml" href="/replies.xml"/>
            <link rel="replies" type="text/html" href="/page#replies"/><link rel="related" href="https://other.org/"/>
            <link rel="via" href="/via"/><link rel="self" href="/self"/><link rel="edit" href="/edit"/>
            """)
        let expected = ContentItem(
            declaredIdentifier: "1", url: "https://example.org/page", commentsURL: "https://example.org/page#replies",
            externalURL: "https://other.org/")
        #expect(item?.bare == expected)
    }

    @Test(
        arguments: [
            ("<content src='film.mp4' type='video/mp4'/>", nil, ["https://example.org/film.mp4"]),
            ("<content src='page' type='text/html'/>", "https://example.org/page", []),
            ("<content src='page' type='text/html'/><link href='/own'/>", "https://example.org/own", []),
        ] as [(String, String?, [String])])
    func contentMayStandElsewhere(elements: String, url: String?, files: [String]) throws {
        let item = try atomEntry(elements)
        #expect(item?.url == url)
        #expect(item?.attachments.map(\.url) == files)
    }

    @Test func aRepairedSourceKeepsItsNameAndGivesBackWhatIsNotIts() throws {
        let content = try decodeFeed(
            "<rss><channel><item><source url='/s'>Theirs<title>Mine</title><guid>1</guid></item>")
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "Mine", sourceTitle: "Theirs")])
    }

    @Test func channelDefinitionFormatSaysItInAttributes() throws {
        let content = try decodeFeed(
            """
            <?xml version="1.0"?><CHANNEL BASE="http://base.org/x/" HREF="/"><TITLE>Channel</TITLE>
            <ITEM HREF="one" LASTMOD="2025-01-06T12:00:00Z"><TITLE>One</TITLE><ABSTRACT>First</ABSTRACT></ITEM></CHANNEL>
            """)
        #expect(content.title == "Channel")
        #expect(
            content.bareItems == [
                ContentItem(title: "One", url: "http://base.org/x/one", updated: epiphany, summary: "First")
            ])
    }
}

/// A document cannot make an item of any size.
@Suite struct FeedsBoundsTests {
    private let long = Array(repeating: "abcdefghi", count: 15_000).joined(separator: " ")

    @Test func textsAreCutBetweenWords() throws {
        let item = try #require(
            try rssItem(
                """
                <title>\(long)</title><description>\(long)</description><content:encoded>\(long)!</content:encoded>
                <author>\(long)</author><category>\(long)</category><source>\(long)</source>
                <enclosure url="/a?\(long.replacing(" ", with: ""))"/><link>/b?\(long.replacing(" ", with: ""))</link>
                """))
        let texts = [
            item.title, item.summary, item.content, item.authors.first, item.categories.first, item.sourceTitle,
        ]
        let bounds = [
            ContentBounds.title, ContentBounds.summary, ContentBounds.content, ContentBounds.name, ContentBounds.name,
            ContentBounds.name,
        ]
        for (text, bound) in zip(texts, bounds) {
            let count = try #require(text).count
            #expect(count <= bound && count > bound - 12)
            #expect(text?.hasSuffix(" abcdefghi…") == true)
        }
        #expect(item.attachments.isEmpty)
        #expect(item.url == nil, "half an address leads elsewhere")
    }

    @Test func oneCharacterOfAMillionMarksIsCutToo() throws {
        let item = try rssItem("<title>a\(String(repeating: "\u{301}", count: 50_000))</title>")
        #expect(item?.title?.utf8.count ?? .max <= 8 * ContentBounds.title)
    }

    @Test func listsAreCut() throws {
        let many = (0..<1000).map { "<category>c\($0)</category><author>a\($0)</author><enclosure url='/\($0)'/>" }
        let item = try rssItem(many.joined())
        #expect(item?.categories.count == ContentBounds.list)
        #expect(item?.authors.count == ContentBounds.list)
        #expect(item?.attachments.count == ContentBounds.list)
    }

    @Test func longIdentifiersThatDifferAtTheirEndsStayApart() throws {
        let content = try decodeFeed(
            "<rss><channel><item><guid>\(long)1</guid></item><item><guid>\(long)2</guid></item></channel></rss>")
        #expect(Set(content.items.map(\.identifier)).count == 2)
    }

    @Test func jsonFeedsAndMappingsAreCutAlike() throws {
        let item =
            "{\"id\": \"1\", \"title\": \"\(long)\", \"summary\": \"\(long)\", \"url\": \"/\(long.replacing(" ", with: ""))\"}"
        let document = ContentDocument(body: Array("{\"items\": [\(item)]}".utf8), url: "https://e.org/")
        let fields = [ContentField.id: ".id", .title: ".title", .summary: ".summary", .url: ".url"]
        for mapping in [ContentMapping(), ContentMapping(format: .json, items: ".items[]", fields: fields)] {
            let item = try #require(try ContentDecoder(mapping: mapping).decode(document).items.first)
            #expect(item.title?.count ?? .max <= ContentBounds.title)
            #expect(item.summary?.count ?? .max <= ContentBounds.summary)
            #expect(item.url == nil)
        }
    }
}
