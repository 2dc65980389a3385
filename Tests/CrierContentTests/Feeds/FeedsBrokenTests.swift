import CrierContent
import Testing

@Suite struct FeedsBrokenTests {
    @Test(arguments: [
        "caf&eacute;", "café", "caf&#233;", "caf&#xE9;", "caf&amp;eacute;",
    ])
    func htmlsNamesOfCharactersNeedNoDeclaration(title: String) throws {
        #expect(try rssItem("<title>\(title)</title>")?.title == "café")
    }

    @Test func htmlsNamesOfCharactersWorkInAttributes() throws {
        #expect(try atomEntry("<category term=\"caf&eacute;\"/>")?.categories == ["café"])
        let content = try decodeFeed("<feed><entry><category term=\"caf&eacute; & bar\"/></entry></feed>")
        #expect(content.items.first?.categories == ["café & bar"])
    }

    @Test func aDocumentsOwnEntitiesAreReplaced() throws {
        let content = try decodeFeed(
            """
            <!DOCTYPE rss [<!ENTITY crier "Crier &amp; friends"><!ENTITY both "&crier;, &crier;">]>
            <rss><channel><item><title>&both;</title></item></channel></rss>
            """)
        #expect(content.items.first?.title == "Crier & friends, Crier & friends")
    }

    @Test(arguments: [
        ("Q&A", "Q&A"), ("AT&T & you", "AT&T & you"), ("a < b", "a < b"), ("5 <6", "5 <6"),
        ("a &unknown; b", "a &unknown; b"),
        ("bell\u{7}s", "bells"), ("&#7;bells", "bells"), ("x\u{FFFF}y", "xy"), ("<b>bold</i> on", "bold on"),
        ("a ]]> b", "a ]]> b"),
    ])
    func strayCharactersAreText(markup: String, title: String) throws {
        let content = try decodeFeed("<rss><channel><item><title>\(markup)</title><x></item></channel></rss>")
        #expect(content.items.map(\.title) == [title])
        #expect(content.remarks.count == 1)
    }

    @Test(arguments: [
        "<item><title>a</title><item><title>b</title></item>",
        "<item><title>a<link>/a</link></item><item><title>b</item>",
        "<item><title>a</title></item></div></channel><item><title>b</title></item>",
        "<item><title>a</title><description><p>x<br>y</description></item><item><title>b</title></item>",
        "<item><title>a</title><b><i>x</b></i></item><item><title>b</title></item>",
        "<item><title>a</title></item><item><title>b",
        "<item><title>a</title></item><item><title>b</title><link>http://exa",
        "<item><title>a</title></item><item><title>b</title><description><![CDATA[<p>never",
        "<item><title>a</title></item><item><title>b</title><!-- never",
        "<item><title>a</title></item><item><title>b</title><enclosure url='/a",
    ])
    func itemsSurviveBrokenNestingAndAnEarlyEnd(items: String) throws {
        #expect(try decodeFeed("<rss><channel>\(items)").items.map(\.title) == ["a", "b"])
    }

    @Test(arguments: [
        "  \n", "\u{FEFF}\u{FEFF}", "<br />\n<b>Warning</b>: something in feed.php on line <b>3</b><br />\n",
        "junk & more < ",
        "<?xml version='1.0'?>\n<?xml version='1.0'?>", "<!-- a comment that ends badly --->",
    ])
    func junkBeforeTheFeedIsPassedOver(junk: String) throws {
        let content = try decodeFeed(
            junk + "<?xml version=\"1.0\"?><rss><channel><item><title>a</title></item></channel></rss>")
        #expect(content.format == .rss)
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test func whatFollowsTheFeedIsLeft() throws {
        let content = try decodeFeed(
            "<rss><channel><item><title>a</title></item></channel></rss><script>if (a < b) {}</script>")
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test(arguments: [
        "<link rel=alternate href=/a>", "<link rel='alternate' rel='self' href='/a'/>",
        "<link  href = \"/a\" nofollow>",
        "<link href=\"/a\"\"/>",
    ])
    func attributesNeedNoQuotes(link: String) throws {
        let content = try decodeFeed("<feed><entry><id>1</id>\(link)</entry></feed>")
        #expect(content.items.map(\.url) == ["https://example.org/a"])
    }

    @Test func depthBeyondAllMeasureIsFlattened() throws {
        let deep = String(repeating: "<div>", count: 5000)
        let content = try decodeFeed(
            "<rss><channel><item><description>\(deep)x</description><title>a</title></item></channel></rss>")
        #expect(content.items.map(\.title) == ["a"])
        #expect(content.items.first?.summary == "x")
    }

    @Test func manyOfAKindInOneItemAreBounded() throws {
        let many = (0..<2000).map { "<category>\($0)</category>" }.joined()
        #expect(try rssItem(many)?.categories.count == ContentBounds.list)
    }

    @Test func aTagWithThousandsOfAttributesIsCutShort() throws {
        let many = (0..<3000).map { "a\($0)=\"1\"" }.joined(separator: " ")
        let content = try decodeFeed("<rss><channel><item \(many)><title>a</title></item></channel></rss>")
        #expect(content.items.map(\.title) == ["a"])
        #expect(content.remarks.count == 1)
        let inText = try decodeFeed(
            "<rss><channel><item><title><![CDATA[a <b \(many)>]]></title></item></channel></rss>")
        #expect(inText.remarks.isEmpty)
    }

    @Test func entitiesUsedWithoutEndAreRefused() throws {
        let bomb =
            "<!DOCTYPE rss [<!ENTITY a \"\(String(repeating: "ha", count: 5000))\">]><rss><channel><item><title>"
            + String(repeating: "&a;", count: 20_000) + "</title></item></channel></rss>"
        let error = try #require(throws: ContentError.self) { try decodeFeed(bomb) }
        #expect(error.kind == .tooLarge)
    }
}
