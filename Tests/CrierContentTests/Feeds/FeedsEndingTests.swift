import CrierContent
import Testing

/// Whether a feed is cut off, and within an item.
@Suite struct FeedsEndingTests {
    private func rss(_ items: String) -> String { "<rss><channel><item><title>a</title></item>" + items }

    @Test(arguments: [
        "<item><description><![CDATA[ </item></rss> ]]></description><title>b</title><link>", "<item><!-- </rss> -->",
        "<item><?x </item></channel></rss> ?><title>", "<item><description><![CDATA[ </rss> b",
        "<item><!-- </item></rss> b",
        "<item><enclosure url=\"</rss>\"/>", "<item><enclosure url=\"</rss>\"/><title>b</title></item><item><title>c",
        "<item><title>b", "<item", "<item><title>b</titl", "<item><description><![CDATA[</description></item>",
        "<item><content:encoded><feed><b></feed></b></content:encoded>",
    ])
    func aFeedThatEndsWithinAnItemIsCutThere(_ items: String) throws {
        let content = try decodeFeed(rss(items))
        #expect(content.isCut)
        #expect(content.endsInItem)
    }

    @Test(arguments: [
        "", "</channel>", "<item><title>b</title></item>", "<item><title>b</title></item", "<ite", "<!-- </rss> -->",
    ])
    func aFeedThatEndsBetweenItemsIsCutThere(_ items: String) throws {
        let content = try decodeFeed(rss(items))
        #expect(content.isCut)
        #expect(!content.endsInItem)
    }

    @Test(arguments: [
        "", "\n<br />\n<b>Notice</b>: Undefined index: x<br />", "<script>var a = '</item>';</script></body></html>",
        "<!-- Cached in 0.1 s -->&", "<!-- not closed", "<![CDATA[", "</div></channel>",
    ])
    func whatFollowsTheRootDoesNotMatterHoweverLongItIs(_ junk: String) throws {
        let content = try decodeFeed(
            rss("<item><title>b & c</title></channel></rss>") + junk + String(repeating: junk, count: 500))
        #expect(!content.isCut)
        #expect(content.items.map(\.title) == ["a", "b & c"])
    }

    @Test(arguments: [
        "<rss><channel><item><title><![CDATA[a</title></item></channel></rss>\n", "<rss><item><title>a & b</rss>",
        "<rss><channel><item><!-- a <title>a</title></item></channel></rss>",
        "<channel><item><title>a & b</title></channel>",
        "<rdf:RDF><item><title>a & b</title></item></RDF>", "<item><title>a & b</title></item>\n",
        "<item><title>a & b</title></item></channel></rss>", "<RSS><channel><item><title>a & b</item></channel></Rss >",
        "<rss><item><title>a</title><description>b <i><![CDATA[c</description></rss>",
        "<entry xmlns='http://www.w3.org/2005/Atom'><title>a & b</title></entry></feed>",
    ])
    func aFeedThatIsBadlyWrittenIsNotCutForThat(_ feed: String) throws {
        let content = try decodeFeed(feed)
        #expect(!content.isCut)
        #expect(!content.remarks.isEmpty)
    }
}
