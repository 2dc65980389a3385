import CrierContent
import Testing

@Suite struct FeedsAtomTests {
    @Test func everyPartOfAnEntryIsRead() throws {
        let item = try #require(
            try atomEntry(
                """
                <id>tag:example.org,2025:1</id><title>One</title><link href="/1"/>
                <link rel="enclosure" href="/1.mp3" type="audio/mpeg" length="9"/>
                <published>2025-01-06T12:00:00Z</published><updated>2025-01-06T14:00:00+02:00</updated>
                <author><name>Ada</name><email>ada@example.org</email></author><author><name>Bo</name></author>
                <category term="t" label="Tea"/><category term="coffee"/>
                <summary type="html">&lt;p&gt;In &lt;b&gt;short&lt;/b&gt;&lt;/p&gt;</summary><content>All</content>
                """))
        #expect(item.declaredIdentifier == "tag:example.org,2025:1")
        #expect(item.title == "One")
        #expect(item.url == "https://example.org/1")
        #expect(item.published == epiphany)
        #expect(item.updated == epiphany)
        #expect(item.authors == ["Ada", "Bo"])
        #expect(item.categories == ["Tea", "coffee"])
        #expect(item.summary == "In short")
        #expect(
            item.attachments == [ContentAttachment(url: "https://example.org/1.mp3", type: "audio/mpeg", length: 9)])
    }

    @Test(arguments: [
        ("<title>a &lt;b> &amp;amp; c</title>", "a <b> &amp; c"),
        ("<title type=\"text\">1 &lt; 2</title>", "1 < 2"),
        ("<title type=\"html\">&lt;b>a&lt;/b> &amp;amp; b</title>", "a & b"),
        ("<title type=\"text/html\"><![CDATA[<b>a</b> b]]></title>", "a b"),
        (
            "<title type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">the <i>&lt;blink></i> tag</div></title>",
            "the <blink> tag"
        ),
        ("<title type=\"unheard-of\">a</title>", "a"),
    ])
    func aTitleIsOfTheTypeItSays(markup: String, title: String) throws {
        #expect(try atomEntry(markup)?.title == title)
    }

    @Test func theTitleOfTheSourceIsNotTheEntrys() throws {
        let item = try atomEntry(
            "<source><title>Theirs</title><id>urn:theirs</id><updated>2001-01-01T00:00:00Z</updated></source><title>Own</title>"
        )
        #expect(item?.title == "Own")
        #expect(item?.declaredIdentifier == nil)
        #expect(item?.updated == nil)
    }

    @Test(arguments: [
        "<link rel=\"self\" href=\"/s\"/><link rel=\"alternate\" href=\"/a\"/>",
        "<link type=\"application/json\" href=\"/j\"/><link type=\"text/html\" href=\"/a\"/>",
        "<link rel=\"ALTERNATE\" href=\"/shouted\"/><link rel=\"alternate\" href=\"/a\"/>",
        "<link rel=\"http://www.iana.org/assignments/relation/alternate\" href=\"/a\"/>",
        "<link href=\" /a \"/><link href=\"/b\"/>",
        "<link>https://example.org/a</link>",
    ])
    func theAlternateLinkIsTheEntrys(links: String) throws {
        #expect(try atomEntry(links)?.url == "https://example.org/a")
    }

    @Test func basesNest() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.org/x/">
            <entry xml:base="y/"><id>1</id><link xml:base="z/" href="deep"/></entry>
            <entry><id>2</id><link href="flat"/></entry>
            <entry xml:base="https://b.org/"><id>3</id><link href=""/></entry></feed>
            """)
        #expect(content.items.map(\.url) == ["https://a.org/x/y/z/deep", "https://a.org/x/flat", "https://b.org/"])
    }

    @Test func theFeedsAuthorIsTheEntrysWhereItNamesNone() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><author><name>All</name></author>
            <entry><id>1</id></entry><entry><id>2</id><author><email>me@a.org</email></author></entry></feed>
            """)
        #expect(content.items.map(\.authors) == [["All"], ["me@a.org"]])
    }

    @Test func contentThatIsNoTextIsNoSummary() throws {
        #expect(try atomEntry("<id>1</id><content type=\"image/png\">iVBORw0KGgo=</content>")?.summary == nil)
        #expect(try atomEntry("<id>1</id><content type=\"text/markdown\">*a*</content>")?.summary == "*a*")
    }

    @Test func theOldVersionIsRead() throws {
        let content = try decodeFeed(
            """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry><id>1</id>
            <title mode="base64">SGkgPGI+</title><issued>2025-01-06T12:00:00Z</issued>
            <modified>2025-01-06T12:00:00Z</modified><summary type="text/html" mode="base64">PGI+YTwvYj4=</summary>
            </entry></feed>
            """)
        #expect(content.format == .atom)
        #expect(content.items.first?.title == "Hi <b>")
        #expect(content.items.first?.summary == "a")
        #expect(content.items.first?.published == epiphany)
        #expect(content.items.first?.updated == epiphany)
    }

    @Test func anEntryMayStandAlone() throws {
        let content = try decodeFeed("<entry xmlns=\"http://www.w3.org/2005/Atom\"><title>Alone</title></entry>")
        #expect(content.format == .atom)
        #expect(content.items.map(\.title) == ["Alone"])
    }

    @Test(arguments: [
        "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\"><a:entry><a:title>t</a:title></a:entry></a:feed>",
        "<feed><entry><title>t</title></entry></feed>",
        "<feed xmlns=\"https://www.w3.org/2005/atom/\"><entry><title>t</title></entry></feed>",
        "<atom:feed><atom:entry><atom:title>t</atom:title></atom:entry></atom:feed>",
    ])
    func theNamespaceMayBeWrittenInManyWays(feed: String) throws {
        let content = try decodeFeed(feed)
        #expect(content.format == .atom)
        #expect(content.items.map(\.title) == ["t"])
    }

    @Test func theFeedItselfIsDescribed() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &amp;amp; B</title>
            <link rel="self" href="/feed"/><link href="/"/></feed>
            """)
        #expect(content.title == "A & B")
        #expect(content.homeURL == "https://example.org/")
    }

    @Test func entriesOfOneIdentifierAreTheLatestOfThem() throws {
        func entry(_ title: String, day: Int, published: Int = 1, link: String? = nil) -> String {
            """
            <entry><id>urn:e</id><title>\(title)</title><updated>2025-01-0\(day)T00:00:00Z</updated>
            <published>2025-01-0\(published)T00:00:00Z</published>
            \(link.map { "<link href='\($0)'/>" } ?? "")</entry>
            """
        }
        func read(_ entries: String...) throws -> [String?] {
            try decodeFeed("<feed xmlns='http://www.w3.org/2005/Atom'>\(entries.joined())</feed>").items.map(\.title)
        }
        #expect(try read(entry("One", day: 1), entry("Three", day: 3), entry("Two", day: 2)) == ["Three"])
        #expect(try read(entry("Two", day: 2, link: "/a"), entry("One", day: 1, link: "/a")) == ["Two"])
        #expect(try read(entry("A", day: 2, link: "/a"), entry("B", day: 1, link: "/b")) == ["A", "B"])
        #expect(try read(entry("A", day: 2, published: 2), entry("B", day: 1)) == ["A", "B"])
    }
}
