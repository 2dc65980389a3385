import CrierContent
import Testing

/// Markup that is odd, whether it is well-formed or not.
@Suite struct FeedsMarkupTests {
    @Test(arguments: [
        ("<![CDATA[a]]>", "a"), ("a<![CDATA[ & ]]>b", "a & b"), ("<![CDATA[a]]><![CDATA[b]]>", "ab"),
        ("<![CDATA[]]>a", "a"), ("<![CDATA[a]]]]>b", "a]]b"), ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
        ("a<!-- b -->c", "ac"),
        ("a<?php echo 1 ?>b", "ab"), ("&#x61;&#98;", "ab"), ("&#x1F600;", "😀"), ("&quot;a&apos;", "\"a'"),
        ("<![CDATA[&eacute;]]>", "é"), ("a&#xA;b", "a b"), ("a&#160;b", "a b"),
        ("it&#146;s", "it’s"), ("wait&#133;", "wait…"), ("it\u{92}s", "it’s"), ("<![CDATA[it&#146;s]]>", "it’s"),
        ("a&#129;b", "ab"), ("&lt;script&gt; explained", "<script> explained"),
    ])
    func wellFormedOdditiesOfATextAreRead(markup: String, title: String) throws {
        let content = try decodeFeed("<rss><channel><item><title>\(markup)</title></item></channel></rss>")
        #expect(content.bareItems == [ContentItem(title: title)])
        #expect(content.remarks.isEmpty)
    }

    @Test(arguments: [
        ("a & b", "a & b"), ("a&b;c", "a&b;c"), ("a &amp b", "a & b"), ("&&", "&&"), ("a &#; b", "a &#; b"),
        ("a &#xZZ; b", "a &#xZZ; b"),
        ("a<!-- b -- c -->d", "ad"), ("a<!--- b --->d", "ad"), ("a\u{1}b\u{8}c", "abc"), ("a&#0;b&#x1F;c", "abc"),
        ("a&#xD800;b", "ab"), ("a&#xFFFE;b", "ab"), ("a&#x110000;b", "ab"),
        ("<![CDATA[<![CDATA[a]]>]]>", "a"), ("<![cdata[a]]>", "a"), ("a <3 b", "a <3 b"), ("a <- b", "a <- b"),
        ("a << b", "a << b"),
        ("<a href=x>b</a>", "b"), ("<a href='x' href='y'>b</a>", "b"), ("<b>a<i>b</b>c</i>", "abc"), ("a<br>b", "a b"),
        ("a</b>c", "ac"),
    ])
    func brokenTextIsReadAsItWasMeant(markup: String, title: String) throws {
        let content = try decodeFeed(
            "<rss><channel><item><guid>1</guid><title>\(markup)</title><link>/1</link></item><item><guid>2</guid></item></channel></rss>"
        )
        #expect(
            content.bareItems == [
                ContentItem(declaredIdentifier: "1", title: title, url: "https://example.org/1"),
                ContentItem(declaredIdentifier: "2"),
            ])
        #expect(content.remarks == ["the XML is broken; read as far as it makes sense"])
    }

    @Test(arguments: [
        "a=\"1\" a=\"2\"", "1a=\"x\"", "=", "a=", "a b c", "a=\"1\"b=\"2\"", "a='<'", "a=\"&\"", "a=\"x\u{2}\"",
        "xmlns:p=\"\"", "p:q=\"1\" p:q=\"1\"", "\"", "a='1\"",
    ])
    func brokenAttributesLeaveTheItemWhole(attributes: String) throws {
        let content = try decodeFeed(
            "<rss><channel><item \(attributes)><guid>1</guid><title>a</title></item><item><guid>2</guid></item></channel></rss>"
        )
        #expect(content.items.contains { $0.declaredIdentifier == "1" && $0.title == "a" })
        #expect(content.items.last?.declaredIdentifier == "2")
    }

    @Test(arguments: [
        "", "\n\n", "\u{FEFF}", "\u{0}\u{0}", "<?xml version=\"1.0\"?>", "<?xml version=\"1.1\"?>", "<?xml?>",
        "<?xml version=1.0?>",
        "<?xml version=\"1.0\" encoding=\"\"?>", "\n<?xml version=\"1.0\"?>", "<!-- a -- b -->", "<?php die ?>",
        "<!DOCTYPE rss>",
        "<!DOCTYPE rss PUBLIC>", "<!DOCTYPE rss [", "<!doctype html>", "HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", "null",
        "Warning: x() on line 3\n",
    ])
    func whateverStandsBeforeTheRootIsPassedOver(start: String) throws {
        let content = try decodeFeed(
            start + "<rss version=\"2.0\"><channel><title>t</title><item><guid>1</guid></item></channel></rss>")
        #expect(content.format == .rss)
        #expect(content.title == "t")
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1")])
    }

    @Test(arguments: [
        "", "\n", "\u{0}", "<!-- end -->", "<!-- end", "</rss>", "</div></body></html>", "0", "<rss/>",
        "<item><guid>2</guid>",
    ])
    func whateverFollowsTheRootTakesNothingAway(end: String) throws {
        let content = try decodeFeed("<rss><channel><item><guid>1</guid></item></channel></rss>" + end)
        #expect(content.items.first?.bare == ContentItem(declaredIdentifier: "1"))
    }

    @Test func theSourceOfABrokenFeedsEntryIsNotTheEntrysButForItsAuthor() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>a & b</title>
            <source><id>urn:s</id><author><name>Them</name></author><link href="/s"/></source></entry></feed>
            """)
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "a & b", authors: ["Them"])])
    }

    @Test func anRSSSourceWithoutItsEndTakesNothingAway() throws {
        let content = try decodeFeed(
            "<rss><channel><item><source url=\"/s\">Theirs<guid>1</guid><title>a</title></item></channel></rss>")
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "a", sourceTitle: "Theirs")])
    }
}
