import CrierContent
import Testing

@Suite struct FeedsAtomOdditiesTests {
    // MARK: Text constructs (RFC 4287 section 3.1)

    @Test(arguments: [
        ("<title type=\"text\">a &lt;b&gt;c&lt;/b&gt;</title>", "a <b>c</b>"),
        ("<title type=\"TEXT\">1 &amp;lt; 2</title>", "1 &lt; 2"),
        ("<title type=\"HTML\">&lt;i&gt;a&lt;/i&gt; &amp;mdash; b</title>", "a — b"),
        ("<title type=\" html \">&lt;i&gt;a&lt;/i&gt;</title>", "a"),
        ("<title type=\"html\"><b>a</b> c</title>", "a c"),
        ("<title type=\"html\">&lt;script>alert(1)&lt;/script>a</title>", "a"),
        ("<title type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">1 &lt; <b>2</b></div></title>", "1 < 2"),
        ("<title type=\"xhtml\"><x:div xmlns:x=\"http://www.w3.org/1999/xhtml\"><x:b>a</x:b></x:div></title>", "a"),
        ("<title type=\"xhtml\">no div at all</title>", "no div at all"),
        ("<title type=\"\">a</title>", "a"), ("<title>  a\n\t b  </title>", "a b"),
        ("<title type=\"text/plain\" mode=\"escaped\">a &lt; b</title>", "a < b"),
        ("<title type=\"text/html\" mode=\"escaped\">&lt;b>a&lt;/b></title>", "a"),
        ("<title mode=\"xml\" type=\"text/html\"><b>a</b> b</title>", "a b"),
        ("<title mode=\"base64\">YSA8IGI=</title>", "a < b"),
    ])
    func aTextConstructIsReadByItsType(markup: String, title: String) throws {
        #expect(try atomEntry(markup)?.bare == ContentItem(title: title))
    }

    @Test(arguments: [
        "<title/>", "<title> </title>", "<title type=\"html\">&lt;br></title>", "<title mode=\"base64\">%</title>",
    ])
    func aTitleOfNothingIsNone(markup: String) throws {
        #expect(try atomEntry(markup + "<id>1</id>")?.bare == ContentItem(declaredIdentifier: "1"))
    }

    @Test(arguments: [
        ("<content type=\"html\">&lt;p>a&lt;/p>&lt;p>b&lt;/p></content>", "a\nb"),
        (
            "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>a</p><ul><li>b</li></ul></div></content>",
            "a\n• b"
        ),
        ("<content type=\"text\">a\nb</content>", "a\nb"), ("<content>a</content>", "a"),
        ("<content type=\"text/html\" src=\"/elsewhere\"/>", nil), ("<content type=\"video/mp4\">AAAA</content>", nil),
        ("<content type=\"application/json\">{}</content>", nil),
        (
            "<content type=\"image/svg+xml\"><svg xmlns=\"http://www.w3.org/2000/svg\"><text>drawn</text></svg></content>",
            "drawn"
        ),
        ("<summary>short</summary><content>long</content>", "short"),
        ("<content>long</content><summary>short</summary>", "short"),
        ("<summary/><content>long</content>", "long"),
        ("<summary type=\"html\">&lt;p>&lt;/p></summary><content>long</content>", "long"),
    ])
    func theSummaryGoesBeforeTheContent(markup: String, summary: String?) throws {
        #expect(try atomEntry("<id>1</id>" + markup)?.summary == summary)
    }

    // MARK: Links (section 4.2.7)

    @Test(arguments: [
        ("<link rel=\"alternate\" type=\"application/pdf\" href=\"/p\"/><link rel=\"alternate\" href=\"/h\"/>", "/h"),
        ("<link rel=\"alternate\" type=\"application/pdf\" href=\"/p\"/>", "/p"),
        (
            "<link rel=\"alternate\" type=\"application/pdf\" href=\"/p\"/><link type=\"application/xhtml+xml\" href=\"/x\"/>",
            "/x"
        ),
        ("<link rel=\"related\" href=\"/r\"/><link rel=\"via\" href=\"/v\"/>", nil),
        ("<link rel=\"\" href=\"/e\"/>", "/e"), ("<link rel=\" alternate \" href=\"/s\"/>", "/s"),
        ("<link href=\"/1\"/><link rel=\"alternate\" href=\"/2\"/>", "/1"),
        ("<link/><link href=\"/2\"/>", "/2"), ("<link rel=\"edit\" href=\"/e\"/><link href=\"/a\"/>", "/a"),
        (
            "<link rel=\"replies\" type=\"text/html\" href=\"/c\"/><link rel=\"alternate\" type=\"text/html\" href=\"/a\"/>",
            "/a"
        ),
        ("<link HREF=\"/u\" REL=\"alternate\"/>", "/u"),
        ("<link hreflang=\"de\" href=\"/de\"/><link hreflang=\"en\" href=\"/en\"/>", "/de"),
    ])
    func theFirstAlternateLinkToAPageIsTheEntrys(links: String, path: String?) throws {
        #expect(try atomEntry("<id>1</id>" + links)?.url == path.map { "https://example.org" + $0 })
    }

    @Test(arguments: ["enclosure", "Enclosure", "http://www.iana.org/assignments/relation/enclosure"])
    func anEnclosureLinkIsAFile(relation: String) throws {
        let item = try atomEntry(
            "<link rel=\"\(relation)\" href=\"a.ogg\" type=\"audio/ogg\" length=\"5\" title=\"t\"/>")
        #expect(
            item?.bare
                == ContentItem(
                    attachments: [
                        ContentAttachment(
                            url: "https://example.org/a.ogg", type: "audio/ogg", length: 5, title: "t")
                    ]))
    }

    @Test(arguments: ["-7", "7.5", "many", "", "9999999999999999999999"])
    func aLinksLengthIsANumberOrNothing(length: String) throws {
        let item = try atomEntry("<link rel=\"enclosure\" href=\"/a\" length=\"\(length)\"/>")
        #expect(item?.attachments == [ContentAttachment(url: "https://example.org/a")])
    }

    @Test func anIdentifierThatIsAnAddressIsNoLink() throws {
        let item = try atomEntry("<id>https://example.org/1</id>")
        #expect(item?.bare == ContentItem(declaredIdentifier: "https://example.org/1"))
    }

    // MARK: Bases

    @Test func aBaseHoldsForItsElementOnly() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/feed/"><link href="home"/>
            <entry xml:base="one/"><id>1</id><link xml:base="two/" href="a"/>
              <link rel="enclosure" href="b"/></entry>
            <entry><id>2</id><title xml:base="/nowhere/">t</title><link href="c"/></entry>
            <entry xml:base=""><id>3</id><link href="d"/></entry>
            <entry xml:base="https://b.org/x?y#z"><id>4</id><link href="e"/><link rel="enclosure" href="#f"/></entry>
            </feed>
            """)
        #expect(content.homeURL == "https://example.org/feed/home")
        let origin = "https://example.org/feed/"
        #expect(content.items.map(\.url) == [origin + "one/two/a", origin + "c", origin + "d", "https://b.org/e"])
        #expect(content.items.flatMap { $0.attachments.map(\.url) } == [origin + "one/b", "https://b.org/x?y#f"])
    }

    @Test func aBaseWithoutAnAddressOfTheDocumentIsEnough() throws {
        let content = try decodeFeed(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"/a\"/></entry></feed>", url: "")
        #expect(content.items.map(\.url) == ["/a"])
        let based = try decodeFeed(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://a.org/\"><entry><link href=\"b\"/></entry></feed>",
            url: "")
        #expect(based.items.map(\.url) == ["https://a.org/b"])
    }

    // MARK: Persons and sources

    @Test(
        arguments: [
            ("<author><name>Ada</name><uri>https://ada.example/</uri><email>a@a.org</email></author>", ["Ada"]),
            ("<author><email>a@a.org</email><name>Ada</name></author>", ["Ada"]),
            ("<author><name/><email>a@a.org</email></author>", ["a@a.org"]),
            ("<author><uri>https://ada.example/</uri></author>", []), ("<author/>", []),
            ("<author>Ada</author>", ["Ada"]), ("<author><name>Ada</name><name>Eve</name></author>", ["Ada"]),
            (
                "<author><name>Ada</name></author><author><name>Ada</name></author><author><name>Bo</name></author>",
                ["Ada", "Bo"]
            ),
            ("<author><name> Ada\n B. </name></author>", ["Ada B."]),
            ("<author><name>A &amp; B</name></author>", ["A & B"]),
            ("<contributor><name>Helper</name></contributor>", []),
            ("<author><name><b>Ada</b> B.</name></author>", ["Ada B."]),
            ("<author><x xmlns=\"urn:x\"><name>Inner</name></x><name>Ada</name></author>", ["Ada"]),
        ] as [(String, [String])])
    func aPersonIsANameOrAnAddress(markup: String, authors: [String]) throws {
        #expect(try atomEntry("<id>1</id>" + markup)?.bare == ContentItem(declaredIdentifier: "1", authors: authors))
    }

    @Test func theFeedsAuthorsStandInForNoneEvenWhereTheyComeLater() throws {
        let content = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><author><name>A</name></author><author><name>B</name></author>
            <entry><id>1</id><author/></entry><entry><id>2</id><author><name>C</name></author></entry>
            <author><name>Z</name></author></feed>
            """)
        #expect(content.items.map(\.authors) == [["A", "B", "Z"], ["C"]])
    }

    @Test func ofTheSourceTheTitleIsTheEntrysTooAndTheAuthorWhereItHasNone() throws {
        let item = try atomEntry(
            """
            <source><id>urn:s</id><title>S</title><subtitle>s</subtitle><link href="/s"/><updated>2025-01-06T12:00:00Z</updated>
            <author><name>S</name></author><category term="s"/><rights>s</rights></source><id>urn:e</id>
            """)
        #expect(item?.bare == ContentItem(declaredIdentifier: "urn:e", authors: ["S"], sourceTitle: "S"))
    }

    @Test(
        arguments: [
            ("<source><author><name>S</name></author><author><name>T</name></author></source>", ["S", "T"]),
            ("<source><author><name>S</name></author></source><author><name>E</name></author>", ["E"]),
            ("<author><name>E</name></author><source><author><name>S</name></author></source>", ["E"]),
            ("<source><title>S</title></source>", ["F"]), ("<source><author/></source>", ["F"]), ("", ["F"]),
        ] as [(String, [String])])
    func theEntrysAuthorsGoBeforeTheSourcesAndThoseBeforeTheFeeds(markup: String, authors: [String]) throws {
        for (before, after) in [("<author><name>F</name></author>", ""), ("", "<author><name>F</name></author>")] {
            let content = try decodeFeed(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(before)<entry><id>1</id>\(markup)</entry>\(after)</feed>"
            )
            #expect(content.items.map(\.authors) == [authors])
        }
    }

    @Test(
        arguments: [
            ("<category term=\"a\"/>", ["a"]), ("<category term=\"a\" label=\"A thing\"/>", ["A thing"]),
            ("<category label=\"\" term=\"a\"/>", ["a"]), ("<category term=\"\"/>", []), ("<category/>", []),
            ("<category>text</category>", ["text"]),
            ("<category term=\"a\" scheme=\"urn:x\"/><category term=\"a\"/>", ["a"]),
            ("<category term=\"a &amp;amp; b\"/>", ["a &amp; b"]),
        ] as [(String, [String])])
    func aCategoryIsItsLabelOrItsTerm(markup: String, categories: [String]) throws {
        #expect(try atomEntry(markup)?.categories == categories)
    }

    @Test(arguments: [
        ("<published>2025-01-06T12:00:00Z</published><issued>2024-01-01T00:00:00Z</issued>", true, false),
        ("<issued>2025-01-06T12:00:00Z</issued><created>2024-01-01T00:00:00Z</created>", true, false),
        ("<created>2025-01-06T12:00:00Z</created>", true, false),
        ("<updated>2025-01-06T12:00:00.000Z</updated>", false, true),
        ("<modified>2024-01-01T00:00:00Z</modified><updated>2025-01-06T13:00:00+01:00</updated>", false, true),
        ("<updated>2025-01-06t12:00:00z</updated><published>never</published>", false, true),
    ])
    func theNewNamesOfDatesGoBeforeTheOld(markup: String, isPublished: Bool, isUpdated: Bool) throws {
        #expect(
            try atomEntry(markup)?.bare
                == ContentItem(published: isPublished ? epiphany : nil, updated: isUpdated ? epiphany : nil))
    }

    @Test func anEntryWithoutAnIdentifierOrADateIsNoRevision() throws {
        func entry(_ title: String, _ rest: String) -> String { "<entry><title>\(title)</title>\(rest)</entry>" }
        let published = "<published>2025-01-01T00:00:00Z</published>"
        let content = try decodeFeed(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
                + entry("new", "<id>1</id>\(published)<updated>2025-01-03T00:00:00Z</updated>")
                + entry("old", "<id>1</id>\(published)<updated>2025-01-02T00:00:00Z</updated>")
                + entry("unnamed", "<updated>2025-01-02T00:00:00Z</updated>") + entry("undated", "<id>1</id>")
                + "</feed>")
        #expect(content.items.map(\.title) == ["new", "unnamed", "undated"])
        #expect(Set(content.items.map(\.identifier)).count == 3)
    }
}
