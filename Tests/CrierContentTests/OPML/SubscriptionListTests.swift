import CrierContent
import Testing

private typealias Feed = SubscriptionList.Feed

private func list(_ text: String) throws -> SubscriptionList {
    try SubscriptionList(opml: ContentDocument(body: Array(text.utf8), url: ""))
}

/// The feeds of a list that holds just these outlines.
private func feeds(_ outlines: String) throws -> [Feed] {
    try list("<opml version=\"2.0\"><head/><body>\(outlines)</body></opml>").feeds
}

@Suite struct SubscriptionListReadingTests {
    @Test func foldersAndCategoriesBecomeTags() throws {
        let list = try list(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0"><head><title>Mine &amp; yours</title></head><body>
              <outline text="Ferries" xmlUrl="https://ferry.org/f" htmlUrl="https://ferry.org/"/>
              <outline text="Tech"><outline title="Linux" text="Linux &amp; co">
                <outline type="rss" text="Kernel" xmlUrl="https://k.org/f" category="/os/free, news,"/>
              </outline><outline type="rss" text="Phones" title="The phones" xmlUrl="https://p.org/f"/></outline>
            </body></opml>
            """)
        #expect(list.title == "Mine & yours")
        #expect(list.remarks.isEmpty)
        #expect(
            list.feeds == [
                Feed(url: "https://ferry.org/f", title: "Ferries", homeURL: "https://ferry.org/"),
                Feed(url: "https://k.org/f", title: "Kernel", tags: ["Tech/Linux & co", "os/free", "news"]),
                Feed(url: "https://p.org/f", title: "The phones", tags: ["Tech"]),
            ])
    }

    @Test func anAddressInTwoSpellingsIsOneFeed() throws {
        let list = try list(
            """
            <opml><body><outline text="a"><outline text="x" xmlUrl="http://n/1"/></outline>
            <outline text="b"><outline text="y" xmlUrl="HTTP://N:80/1"/><outline text="z" xmlUrl="feed://n/1"/></outline>
            <outline text="c"><outline text="u" xmlUrl="http://n/1#top"/></outline><outline text="w" xmlUrl="http://n/1?A"/><outline text="v" xmlUrl="https://n/1"/></body></opml>
            """)
        #expect(list.feeds.map(\.url) == ["http://n/1", "http://n/1?A", "https://n/1"])
        #expect(list.feeds[0].tags == ["a", "b", "c"])
        for url in ["http://n", "http://n/", "HTTP://N:80#top"] {
            #expect(SubscriptionList.sameness(of: url) == "http://n/")
        }
        #expect(SubscriptionList.sameness(of: "feeds://n") == "https://n/")
        for url in ["e.org", "mailto:a@e.org", "urn:a.b:c"] { #expect(SubscriptionList.sameness(of: url) == url) }
        for (one, other) in [
            ("http://a%2Fb.example/f", "http://a/f"), ("http://n/a%2Fb", "http://n/a/b"),
            ("http://n/?a%26b", "http://n/?a&b"),
        ] {
            #expect(SubscriptionList.sameness(of: one) != SubscriptionList.sameness(of: other))
        }
    }

    @Test(arguments: [
        "<outline xmlUrl=' https://e.org/f '/>", "<OUTLINE XMLURL='https://e.org/f'/>",
        "<outline xmlurl='https://e.org/f'/>",
        "<outline type='RSS' url='https://e.org/f'/>", "<outline xmlUrl='https://e.org/f'></outline>",
        "<outline text=''><outline xmlUrl='https://e.org/f'/></outline>",
        "<outline xmlUrl='https://e.org/f' category=' , / ,'/>", "<outline xmlUrl='&#104;ttps://e.org/f'/>",
    ])
    func anAddressMayBeWrittenInManyWays(outline: String) throws {
        #expect(try feeds(outline) == [Feed(url: "https://e.org/f")])
    }

    @Test func aFeedInTwoFoldersIsOneFeedWithBothTags() throws {
        let outline = "<outline text='E' xmlUrl='https://e.org/f'/>"
        let twice = "<outline text='A'>\(outline)\(outline)</outline><outline text='B'>\(outline)</outline>"
        var feed = Feed(url: "https://e.org/f", title: "E", tags: ["A", "B"])
        feed.placeCount = 3
        #expect(try feeds(twice) == [feed])
    }

    @Test func whatIsInAFeedIsNotInAFolder() throws {
        let outer = "<outline text='A' xmlUrl='https://a.org/'><outline text='B' xmlUrl='https://b.org/'/></outline>"
        #expect(try feeds(outer).map(\.tags) == [[], []])
    }

    @Test func slashesAndCommasOfNamesPartNothing() throws {
        let outline = "<outline text='TCP/IP, UDP'><outline text='x' xmlUrl='https://e.org/'/></outline>"
        #expect(try feeds(outline).first?.tags == ["TCP IP UDP"])
    }

    @Test func whatIsNoFeedIsToldAndTheRestRead() throws {
        let list = try list(
            """
            <opml><body><outline type="rss" text="Lost"/><outline type="include" text="More" url="https://e.org/more.opml"/>
            <outline type="link" text="Page" url="https://e.org/"/><outline text="An empty folder"/>
            <outline type="rss" text="A folder that says rss"><outline text="x" xmlUrl="https://e.org/x"/></outline></body></opml>
            """)
        #expect(list.feeds == [Feed(url: "https://e.org/x", title: "x", tags: ["A folder that says rss"])])
        #expect(
            list.remarks == [
                "“Lost”: a feed without an address (xmlUrl)",
                "“More”: another list or page, not read: https://e.org/more.opml",
                "“Page”: another list or page, not read: https://e.org/",
            ])
    }

    /// What a comment holds is one, too (https://opml.org/spec2.opml).
    @Test func whatIsCommentedOutIsToldAndTheRestRead() throws {
        let list = try list(
            """
            <opml><body><outline text="Off" isComment="true" xmlUrl="https://e.org/off"/>
            <outline text="Old" isComment="True"><outline text="Inner"><outline title="Deep" xmlUrl="https://e.org/deep"/></outline>
            <outline type="rss" text="Lost"/><outline text="A remark"/></outline>
            <outline text="On" isComment="false" xmlUrl="https://e.org/on"/></body></opml>
            """)
        #expect(list.feeds == [Feed(url: "https://e.org/on", title: "On")])
        #expect(list.remarks == ["“Off”: it is commented out", "“Deep”: it is commented out"])
    }

    /// Those of FreshRSS.
    @Test(arguments: ["HTML+XPath", "XML+XPath", "JSON+DotPath", "JSON+DotNotation", "HTML+XPath+JSON+DotNotation"])
    func whatAnotherReaderTakesApartIsNoFeed(type: String) throws {
        let list = try list(
            """
            <opml><body><outline text="Page" type="\(type)" xmlUrl="https://e.org/page"/>
            <outline text="x" type="application/rss+xml" xmlUrl="https://e.org/x"/></body></opml>
            """)
        #expect(list.feeds.map(\.url) == ["https://e.org/x"])
        #expect(list.remarks.count == 1 && list.remarks[0].hasPrefix("“Page”: no feed, but read by expressions"))
    }

    @Test func anAddressThatIsTooLongIsToldAndTheRestRead() throws {
        let long = "https://e.org/" + String(repeating: "a", count: ContentBounds.url)
        let list = try list(
            """
            <opml><body><outline text="Long" xmlUrl="\(long)"/><outline text="x" xmlUrl="https://e.org/x"/></body></opml>
            """)
        #expect(list.feeds.map(\.url) == ["https://e.org/x"])
        #expect(list.remarks == ["“Long”: the address is too long"] && list.leftOutCount == 1)
    }

    @Test(arguments: [
        "<opml><body><outline text='A & B' xmlUrl='https://e.org/?a=1&b=2'/></body></opml>",
        "junk <opml><body><outline text='A & B' xmlUrl='https://e.org/?a=1&b=2'>",
        "<opml><body><outline text=\"A &amp; B\" xmlUrl=https://e.org/?a=1&amp;b=2 ></body>",
        "<?xml version='1.0'?><opml><outline text='A\u{1} &amp; B' xmlUrl='https://e.org/?a=1&amp;b=2'/></opml>",
    ])
    func brokenXMLIsReadAsAPersonWould(text: String) throws {
        let list = try list(text)
        #expect(list.feeds == [Feed(url: "https://e.org/?a=1&b=2", title: "A & B")])
        #expect(list.isRepaired && list.remarks.isEmpty)
    }

    @Test func namesOfHTMLAreKnown() throws {
        #expect(try feeds("<outline text='caf&eacute;&nbsp;x' xmlUrl='https://e.org/'/>").first?.title == "café x")
    }

    @Test func otherEncodingsAreRead() throws {
        let start = Array("<?xml version='1.0' encoding='koi8-r'?><opml><body><outline text='".utf8)
        let document = ContentDocument(
            body: start + [0xF0, 0xD2] + Array("' xmlUrl='https://e.org/'/></body></opml>".utf8), url: "")
        #expect(try SubscriptionList(opml: document).feeds.first?.title == "Пр")
    }

    @Test(arguments: ["", "nothing", "{}", "<rss><channel/></rss>", "<html><body>x</body></html>"])
    func whatIsNoListIsRefused(text: String) {
        #expect(throws: ContentError.self) { try list(text) }
    }

    @Test func entitiesThatUnfoldWithoutEndAreRefused() {
        let entities = (1...8).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 20))\">" }.joined()
        let bomb = "<!DOCTYPE opml [<!ENTITY e0 \"\(String(repeating: "x", count: 100))\">\(entities)]>"
        let text =
            bomb
            + "<opml><head><title>&e8;</title></head><body><outline text='&e8;' xmlUrl='https://e.org/'/></body></opml>"
        let feeds = (try? list(text))?.feeds ?? []
        #expect(feeds.allSatisfy { $0.title?.count ?? 0 <= ContentBounds.name })
    }

    @Test func theTagsOfAFeedAreBounded() throws {
        func outline(_ tags: Range<Int>) -> String {
            "<outline xmlUrl='https://e.org/f' category='\(tags.map(String.init).joined(separator: ","))'/>"
        }
        #expect(try feeds(outline(0..<50_000)).first?.tags == (0..<100).map(String.init))
        let places = (0..<1000).map { outline($0 * 50..<$0 * 50 + 50) }
        #expect(try feeds(places.joined()).first?.tags == (0..<100).map(String.init))
    }

    @Test func deepFoldersAreBounded() throws {
        let open = String(repeating: "<outline text='f'>", count: 150)
        let close = String(repeating: "</outline>", count: 150)
        let tags = try feeds("\(open)<outline text='x' xmlUrl='https://e.org/'/>\(close)").first?.tags
        #expect(tags?.first?.split(separator: "/").count == 16)
    }
}

@Suite struct SubscriptionListWritingTests {
    @Test func theFirstTagIsTheFolderAndTheOthersAreCategories() {
        let list = SubscriptionList(
            title: "T",
            feeds: [
                Feed(url: "https://a.org/?x=1&y=\"2\"", title: "A <b>", tags: ["tech/linux", "daily", "x/y"]),
                Feed(url: "https://b.org/", title: "B", homeURL: "https://b.org/home"),
                Feed(url: "https://c.org/", tags: ["tech"]),
            ])
        #expect(
            list.opml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <opml version="2.0">
                  <head>
                    <title>T</title>
                  </head>
                  <body>
                    <outline type="rss" text="B" title="B" xmlUrl="https://b.org/" htmlUrl="https://b.org/home"/>
                    <outline text="tech">
                      <outline type="rss" text="https://c.org/" title="https://c.org/" xmlUrl="https://c.org/"/>
                      <outline text="linux">
                        <outline type="rss" text="A &lt;b&gt;" title="A &lt;b&gt;" \
                xmlUrl="https://a.org/?x=1&amp;y=&quot;2&quot;" category="/daily,/x/y"/>
                      </outline>
                    </outline>
                  </body>
                </opml>

                """)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let feeds = [
            Feed(url: "https://b.org/", title: "B \u{1F600} &amp; '", homeURL: "https://b.org/home"),
            Feed(url: "https://a.org/?x=1&y=2", title: "A", tags: ["a/b/c", "d", "e/f"]),
            Feed(url: "https://c.org/", title: "c", tags: ["z"]),
        ]
        let read = try list(SubscriptionList(title: "T\u{0}\u{1}", feeds: feeds).opml)
        #expect(read == SubscriptionList(title: "T", feeds: feeds))
    }

    @Test func whatIsLeftOutOfAVeryLongListIsCounted() throws {
        let feeds = (0..<50_002).map { "<outline text='f' xmlUrl='https://e.example/\($0)'/>" }
        let lost = String(repeating: "<outline text='l' type='rss'/>", count: 1500)
        let list = try SubscriptionList(
            opml: ContentDocument(body: Array("<opml><body>\(feeds.joined())\(lost)</body></opml>".utf8), url: ""))
        #expect(list.feeds.count == 50_000 && list.leftOutCount == 1502)
        #expect(list.remarks.count == 1000 && list.remarks[0] == "“f”: one of more than 50000 feeds")
    }
}
