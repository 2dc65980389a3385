import CrierContent
import Testing

/// A feed that is broken in one way, and the titles that a person finds in it.
struct BrokenFeed: Sendable, CustomTestStringConvertible {
    let oddity: String
    let text: String
    let titles: [String?]

    var testDescription: String { oddity }

    init(_ oddity: String, _ text: String, _ titles: [String?]) {
        self.oddity = oddity
        self.text = text
        self.titles = titles
    }

    static let all = starts + characters + tags + sections + ends

    private static let starts = [
        BrokenFeed(
            "a warning of the server before it",
            "<br />\n<b>Warning</b>: x in <b>y.php</b> on line <b>3</b><br />\n<?xml version=\"1.0\"?><rss><channel><item><title>a</title></item></channel></rss>",
            ["a"]),
        BrokenFeed(
            "blank lines before the declaration",
            "\n\n  <?xml version=\"1.0\"?><rss><channel><item><title>a</title></item></channel></rss>", ["a"]),
        BrokenFeed(
            "two declarations",
            "<?xml version=\"1.0\"?><?xml version=\"1.0\"?><rss><channel><item><title>a</title></item></channel></rss>",
            ["a"]),
        BrokenFeed(
            "a declaration that never ends",
            "<?xml version=\"1.0\" encoding=\"utf-8\"><rss><channel><item><title>a</title></item></channel></rss>",
            ["a"]),
        BrokenFeed(
            "a comment before it with dashes inside",
            "<!-- a -- b --><rss><channel><item><title>a</title></item></channel></rss>", ["a"]),
        BrokenFeed("no root at all", "<item><title>a</title></item><item><title>b</title></item>", ["a", "b"]),
        BrokenFeed(
            "the channel without its root",
            "<channel><item><title>a &</title></item><item><title>b</title></item></channel>", ["a &", "b"]),
        BrokenFeed(
            "two feeds behind each other",
            "<rss><channel><item><title>a</title></item></channel></rss><rss><channel><item><title>b</title></item></channel></rss>",
            ["a", "b"]),
    ]

    private static let characters = [
        BrokenFeed(
            "an ampersand by itself", "<rss><channel><item><title>a & b &c; &</title></item></channel></rss>",
            ["a & b &c; &"]),
        BrokenFeed(
            "names of HTML", "<rss><channel><item><title>&laquo;a&raquo;&nbsp;&hellip;</title></item></channel></rss>",
            ["«a» …"]),
        BrokenFeed(
            "names of HTML 5, as of what XML names itself",
            "<rss><channel><item><title>&rarrhk; a&AMP;b &QUOT;c&NotEqualTilde;</title></item></channel></rss>",
            ["↪ a&b \"c≂̸"]),
        BrokenFeed(
            "control characters",
            "<rss><channel><item><title>a\u{0}\u{1}\u{B}\u{C}\u{1F}b</title></item></channel></rss>", ["ab"]),
        BrokenFeed(
            "references to control characters",
            "<rss><channel><item><title>a&#0;&#x1;&#11;b&#xFFFF;</title></item></channel></rss>", ["ab"]),
        BrokenFeed(
            "a less-than sign",
            "<rss><channel><item><title>1 < 2 <3 and a<b</title></item><item><title>b</title></item></channel></rss>",
            ["1 < 2 <3 and a", "b"]),
        BrokenFeed(
            "an ampersand beside full-width signs and a ligature",
            "<rss><channel><item><title>你好，世界！ﬁn & “a”</title></item></channel></rss>", ["你好，世界！ﬁn & “a”"]),
        BrokenFeed(
            "references to white space",
            "<rss><channel><item><title>a&#10;b&#9;c&#xD;d & e</title></item></channel></rss>",
            ["a b c d & e"]),
    ]

    private static let tags = [
        BrokenFeed(
            "titles without an end",
            "<rss><channel><item><title>a<link>/a</link></item><item><title>b<guid>1</guid></item></channel></rss>",
            ["a", "b"]),
        BrokenFeed(
            "items without an end",
            "<rss><channel><item><title>a</title><item><title>b</title><item><title>c</title></channel></rss>",
            ["a", "b", "c"]),
        BrokenFeed(
            "an end without a start", "<rss><channel></b></item><item><title>a</title></item></i></channel></rss>",
            ["a"]),
        BrokenFeed(
            "the wrong end", "<rss><channel><item><title>a</titel></item><item><title>b</title></item></channel></rss>",
            ["a", "b"]),
        BrokenFeed(
            "ends that cross",
            "<rss><channel><item><description><b>x<i>y</b>z</i></description><title>a</title></item><item><title>b</title></item></channel></rss>",
            ["a", "b"]),
        BrokenFeed("the root closed too early", "<rss><channel></channel></rss><item><title>a</title></item>", ["a"]),
        BrokenFeed(
            "values without quotes",
            "<rss version=2.0><channel><item><guid isPermaLink=false>1</guid><title type=plain>a</title></item></channel></rss>",
            ["a"]),
        BrokenFeed(
            "a value that never ends",
            "<rss><channel><item><enclosure url=\"/a><title>a</title></item><item><title>b</title></item></channel></rss>",
            ["a", "b"]),
        BrokenFeed(
            "an attribute twice", "<rss><channel><item a='1' a='2'><title>a</title></item></channel></rss>", ["a"]),
        BrokenFeed(
            "a prefix that nobody declared",
            "<rss><channel><item><x:y>z</x:y><title>a</title><x:z/></item></channel></rss>", ["a"]),
        BrokenFeed(
            "HTML's empty elements",
            "<rss><channel><item><description>x<br>y<hr>z<img src=a></description><title>a</title></item></channel></rss>",
            ["a"]),
    ]

    private static let sections = [
        BrokenFeed(
            "a section in a section",
            "<rss><channel><item><title><![CDATA[a <![CDATA[b]]> c]]></title></item><item><title>b</title></item></channel></rss>",
            ["a b c", "b"]),
        BrokenFeed(
            "the end of a section by itself", "<rss><channel><item><title>a]]> b</title></item></channel></rss>",
            ["a]]> b"]),
        BrokenFeed(
            "a section that never ends",
            "<rss><channel><item><title>a</title></item><item><title><![CDATA[b</title></item></channel></rss>",
            ["a", "b"]),
        BrokenFeed(
            "sections that never end before one that does",
            "<rss><channel>&<item><title><![CDATA[a</title></item><item><title><![CDATA[b</title><guid>1</guid></item><item><title><![CDATA[c]]></title></item></channel></rss>",
            ["a", "b", "c"]),
        BrokenFeed(
            "a section around items",
            "<rss><channel><title>t</title><![CDATA[ <item><title>a &amp; b</title></item><item><title>b</title></item> ]]><item><title>c</title></item></channel></rss>",
            ["a & b", "b", "c"]),
        BrokenFeed(
            "a section around every item",
            "<feed xmlns='http://www.w3.org/2005/Atom'><![CDATA[<entry><title>a</title></entry>]]></feed>", ["a"]),
        BrokenFeed(
            "an item in the text of a feed",
            "<feed xmlns='http://www.w3.org/2005/Atom'><subtitle><![CDATA[<entry> level jobs]]></subtitle><x><![CDATA[<entry><title>x</title></entry>]]></x><entry><title>a</title></entry></feed>",
            ["a"]),
        BrokenFeed(
            "an item in the text of an item",
            "<rss><channel><item><description><![CDATA[<item><title>x</title></item>]]></description><title>a</title></item></channel></rss>",
            ["a"]),
        BrokenFeed(
            "an item in the text of a broken feed",
            "<rss><channel><description><![CDATA[<item><title>x</title></item>]]></description><item><title>a & b</title></item></channel></rss>",
            ["a & b"]),
        BrokenFeed(
            "a section in small letters", "<rss><channel><item><title><![cdata[a & b]]></title></item></channel></rss>",
            ["a & b"]),
        BrokenFeed(
            "an escaped section", "<rss><channel><item><title>&lt;![CDATA[a]]&gt;</title></item></channel></rss>", ["a"]
        ),
        BrokenFeed(
            "sections in pieces",
            "<rss><channel><item><title><![CDATA[a]]>b<![CDATA[c]]></title></item></channel></rss>", ["abc"]),
    ]

    private static let ends = [
        BrokenFeed(
            "cut within a tag", "<rss><channel><item><title>a</title></item><item><title>b</title><li", ["a", "b"]),
        BrokenFeed(
            "cut within a reference", "<rss><channel><item><title>a</title></item><item><title>b &am", ["a", "b &am"]),
        BrokenFeed(
            "cut within a section", "<rss><channel><item><title>a</title></item><item><title><![CDATA[b", ["a", "b"]),
        BrokenFeed(
            "an error of the server behind it",
            "<rss><channel><item><title>a</title></item></channel></rss>\nFatal error: <b>out</b> of memory & time",
            ["a"]),
    ]
}

@Suite struct FeedsBrokenOdditiesTests {
    @Test func aSectionAroundItemsChangesNothingOfTheOthers() throws {
        let other = "<item><title>b</title><foo><link>http://e.org/no</link><guid>no</guid></foo></item>"
        let content = try decodeFeed(
            "<rss><channel><![CDATA[<item><title>a</title></item>]]>\(other)</channel></rss>")
        #expect(content.items.map(\.title) == ["a", "b"])
        #expect(content.items.map(\.url) == [nil, nil])
        #expect(content.items.map(\.declaredIdentifier) == [nil, nil])
        #expect(content.remarks.isEmpty)
    }

    @Test(arguments: BrokenFeed.all)
    func asManyItemsAsAPersonWouldFind(feed: BrokenFeed) throws {
        let titles = (try? decodeFeed(feed.text))?.items.map(\.title) ?? []
        #expect(titles == feed.titles)
    }
}
