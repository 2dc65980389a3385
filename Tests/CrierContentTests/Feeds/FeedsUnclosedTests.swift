import CrierContent
import Testing

/// Parts whose end is missing, and what else only repair reads.
@Suite struct FeedsUnclosedTests {
    private func rss(_ items: String) throws -> DecodedContent {
        try decodeFeed("<rss><channel><title>F</title>\(items)<item><title>last</title></item></channel></rss>")
    }

    @Test(arguments: [
        "<category>c", "<author>c", "<dc:creator>c", "<dc:subject>c", "<itunes:author>c", "<CATEGORY>c",
        "<author><name>c", "<author><name>c<email>d@e.example", "<description>c", "<content:encoded>c <b>d",
        "<description><p>c <i>d</p>", "<comments>/c", "<Author>c <b>d",
    ])
    func aPartWithoutAnEndEndsWhereTheNextBegins(part: String) throws {
        let content = try rss("<item>\(part)<guid>1</guid><title>a</title><link>/a</link></item>")
        #expect(content.items.map(\.title) == ["a", "last"])
        #expect(content.items.first?.declaredIdentifier == "1")
        #expect(content.items.first?.url == "https://example.org/a")
    }

    @Test(arguments: [
        ("<category>c<title>a</title>", ContentItem(title: "a", categories: ["c"])),
        ("<dc:creator>c<title>a</title>", ContentItem(title: "a", authors: ["c"])),
        ("<author><name>c</name><title>a</title>", ContentItem(title: "a", authors: ["c"])),
        (
            "<description>c<pubDate>Mon, 06 Jan 2025 12:00:00 GMT</pubDate>",
            ContentItem(published: epiphany, summary: "c")
        ),
        ("<description>c <b>d<updated>2025-01-06T12:00:00Z</updated>", ContentItem(updated: epiphany, summary: "c d")),
    ])
    func whatAnUnclosedPartSaysIsKept(markup: String, item: ContentItem) throws {
        #expect(try rss("<item>\(markup)</item>").items.first?.bare == item)
    }

    @Test func anAtomContentWithoutAnEndEndsWhereTheLinkBegins() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><title>a</title><content type="html">c & d <link href="/a"/>
            <updated>2025-01-06T12:00:00Z</updated></entry><entry><title>b</title></entry></feed>
            """)
        #expect(content.items.map(\.title) == ["a", "b"])
        #expect(content.items.first?.url == "https://example.org/a")
        #expect(content.items.first?.updated == epiphany)
    }

    @Test func aPersonOrATextWithAnEndKeepsWhatStandsInIt() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:e</id><author><id>urn:p</id><name>P</name>
            <link rel="alternate" href="/p"/><summary>who</summary></author><content type="xhtml"><div>c <link href="/s.css"/>
            <title>t</title> d</div></content><title>a & b</title></entry></feed>
            """)
        #expect(content.remarks.count == 1)
        let item = try #require(content.items.first)
        #expect(item.declaredIdentifier == "urn:e")
        #expect(item.title == "a & b")
        #expect(item.url == nil)
        #expect(item.authors == ["P"])
        #expect(item.summary?.hasSuffix("d") == true)
    }

    // MARK: Names

    @Test(arguments: [
        "<ITEM><TITLE>a<LINK>/a<GUID>1</ITEM><ITEM><TITLE>b</ITEM>",
        "<Item><Title>a</title></item><Item><Title>b</Item>",
        "<Item><title>a</title><ITEM><title>b</title>", "<item><Title>a</title></ITEM><item><title>b</TITLE></item>",
    ])
    func theLetterCaseOfNamesDoesNotMatter(items: String) throws {
        #expect(try rss(items).items.map(\.title) == ["a", "b", "last"])
    }

    @Test(arguments: ["a", "atom10", "x-y"])
    func aPrefixDoesNotMatter(p: String) throws {
        let content = try decodeFeed(
            """
            <\(p):feed xmlns:\(p)="http://www.w3.org/2005/Atom"><\(p):entry><\(p):title>a<\(p):id>1</\(p):id>
            <\(p):entry><\(p):title>b & c</\(p):title></\(p):feed>
            """)
        #expect(content.items.map(\.title) == ["a", "b & c"])
    }

    @Test(arguments: [
        ("<title>vec<int> & List<Text></title>", "vec<int> & List<Text>"), ("<title>a <b>c & d</title>", "a c & d"),
    ])
    func whatOnlyLooksLikeATagIsTextWithoutAnEnd(markup: String, title: String) throws {
        let shown = try rss("<item>\(markup)</item>").items.first?.title
        #expect(shown == title)
    }

    // MARK: Items

    @Test(arguments: [
        "<item><title>a</title><item><title>b</title></item></item>",
        "<item><title>a</title><item><title>b</title></item><guid>1</guid></item>",
        "<item><title>a</title><item/><item><title>b</title></item></item>",
        "<item><title>a</title><item><title>b</title></item></item>&",
        "<item><title>a</title><item><title>b</title></item>",
    ])
    func anItemInAnItemIsAnItem(items: String) throws {
        #expect(try rss(items).items.map(\.title) == ["a", "b", "last"])
    }

    @Test(arguments: ["<item/>", "<item></item>", "<item> </item>", "<item />"], ["", "&"])
    func anEmptyItemInAnItemIsNone(inner: String, broken: String) throws {
        let content = try rss("<item><title>a</title>\(inner)<guid>1</guid>\(broken)</item>")
        #expect(content.items.map(\.title) == ["a", "last"])
        #expect(content.items.first?.declaredIdentifier == "1")
    }

    @Test func itemsOfSomethingElseInAnItemAreNone() throws {
        let content = try rss("<item><title>a</title><x:related><item><title>b</title></item></x:related></item>")
        #expect(content.items.map(\.title) == ["a", "last"])
    }

    @Test func moreItemsThanAnyFeedHasAreRefused() throws {
        let many = String(repeating: "<item/>", count: 10_001)
        let error = try #require(throws: ContentError.self) { try decodeFeed("<rss><channel>\(many)</channel></rss>") }
        #expect(error.kind == .tooLarge)
        #expect(error.description.hasSuffix("the feed has more than 10000 items"))
        let all = String(repeating: "<item/>", count: 10_000)
        #expect(try decodeFeed("<rss><channel>\(all)</channel></rss>").items.count == 10_000)
    }

    @Test func endsThatEndNothingAreSoonPassedOver() throws {
        let deep = String(repeating: "<a>", count: 150)
        let ends = String(repeating: "</b></c>", count: 50_000)
        #expect(try rss("\(deep)\(ends)<item><title>a</title></item>").items.map(\.title).last == "last")
    }

    // MARK: Around and between

    @Test(arguments: ["", "&", "</x"])
    func theDocumentsOwnEntitiesOutliveItsDamage(damage: String) throws {
        let content = try decodeFeed(
            """
            <!DOCTYPE rss [<!ENTITY own "a &amp; b"><!ENTITY both '&own;, &eacute;'><!ENTITY own "late">]><rss><channel>
            <item><title>&both; &other;</title><category>&own;</category>\(damage)
            """)
        #expect(content.items.map(\.title) == ["a & b, é &other;"])
        #expect(content.items.map(\.categories) == [["a & b"]])
    }

    @Test func entitiesOfABrokenDocumentStaySmall() throws {
        let declared = "<!ENTITY a \"\(String(repeating: "ha", count: 500))\"><!ENTITY b \"&a;&a;&a;&a;\">"
        let uses = String(repeating: "<title>&a;&b;</title>", count: 5_000)
        let content = try decodeFeed("<!DOCTYPE rss [\(declared)]><rss><channel><item><title>x & \(uses)</item>")
        #expect(String(describing: content).utf8.count < 1_000_000)
    }

    @Test(arguments: [
        "<html><body><p>Hello</p></body></html>", "<!DOCTYPE html><html><head><title>x</title></head></html>\n",
    ])
    func aPageBeforeAFeedIsPassedOver(page: String) throws {
        let content = try decodeFeed(
            page + "<?xml version=\"1.0\"?><rss><channel><item><title>a</title></item></channel></rss>")
        #expect(content.items.map(\.title) == ["a"])
        #expect(content.remarks.count == 1)
    }

    @Test func aPageWithAFeedInItIsAPage() {
        #expect(throws: ContentError.self) {
            try decodeFeed("<html><body><pre><rss><channel></channel></rss></pre></body></html>")
        }
    }

    @Test(arguments: [
        "<item><title>a</title></item>", "<entry><title>a</title></entry>", "<item><title>a</title>",
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><title>a</title></entry>",
    ])
    func itemsNeedNoRoot(item: String) throws {
        #expect(try decodeFeed(item).items.map(\.title) == ["a"])
        #expect(try decodeFeed("<?xml version=\"1.0\"?>\n" + item + item).items.map(\.title) == ["a", "a"])
    }

    @Test(arguments: [
        "<item><title><! [CDATA[a & b]]></title></item>", "<item><title><![CDATA[a & b]] ></title></item>",
        "< item>< title>a & b</ title></ item>",
    ])
    func blanksWithinTagsAndSectionsMeanNothing(item: String) throws {
        #expect(try rss(item).items.map(\.title) == ["a & b", "last"])
    }

    @Test(arguments: [
        ("<enclosure url=\"/?<x>\"/>", "https://example.org/?%3Cx%3E"),
        ("<enclosure url='/?a<b' type='x'>", "https://example.org/?a%3Cb"),
    ])
    func aLessThanSignInAnAddressDoesNotHalveIt(markup: String, url: String) throws {
        let found = try rss("<item>\(markup)<title>a</title></item>").items.first
        #expect(found?.title == "a")
        #expect(
            found?.attachments.map(\.url).map { $0.replacing("<", with: "%3C").replacing(">", with: "%3E") } == [url])
    }

    @Test(arguments: ["0x10", "1e3", "+5", "inf", "nan", "1:0x2"])
    func aDurationIsMadeOfDigits(duration: String) throws {
        let item = try rssItem("<enclosure url=\"/a.mp3\"/><itunes:duration>\(duration)</itunes:duration>")
        #expect(item?.attachments.map(\.duration) == [nil])
    }
}
