import Testing

@testable import CrierContent

struct XPathDecoderTests {
    private func decode(
        _ text: String, format: ContentFormat = .html, items: String?, fields: [ContentField: String] = [:],
        when: String? = nil, contentType: String? = nil
    ) throws -> DecodedContent {
        let document = ContentDocument(body: Array(text.utf8), url: "https://e.org/news/", contentType: contentType)
        return try XPathDecoder.decode(
            document, mapping: ContentMapping(format: format, items: items, fields: fields, when: when))
    }

    private func failure(_ body: () throws -> DecodedContent) -> ContentError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? ContentError }
    }

    @Test(arguments: ["<p>one</p>\0<p>two</p>", "<p>one</p><script>\0</script><p>two</p>", "<p>one<p title='\0'>two"])
    func aNULEndsNoPage(page: String) throws {
        let content = try decode(page, items: "//p", fields: [.title: "."])
        #expect(content.items.map(\.title) == ["one", "two"])
    }

    @Test func readsAPageThatIsNotWellFormed() throws {
        let page = """
            <title>News &amp; more</title><ul><li class=post id=7><a href="a?x=1&y=2">First
             post</a> by <b>A</b>, <b>B</b><time datetime="2024-03-05">5 March</time><div class=s><p>one<p>two</div>
            <li class=post><a href=/b>Second & last</a></ul>
            """
        let content = try decode(
            page, items: "//li[@class='post']",
            fields: [
                .id: "@id", .title: "a", .url: "a/@href", .published: "time/@datetime", .author: "b",
                .summary: "div[@class='s']",
                .category: "concat('tag-', count(b))",
            ])
        #expect(content.format == .html)
        #expect(content.title == "News & more")
        #expect(content.items.map(\.title) == ["First post", "Second & last"])
        #expect(content.items.map(\.url) == ["https://e.org/news/a?x=1&y=2", "https://e.org/b"])
        #expect(content.items.map(\.declaredIdentifier) == ["7", nil])
        #expect(content.items[0].identifier == "7" && !content.items[1].identifier.isEmpty)
        #expect(content.items[0].published?.timeIntervalSince1970 == 1_709_596_800)
        #expect(content.items[0].authors == ["A", "B"])
        #expect(content.items[0].summary == "one\ntwo")
        #expect(content.items[0].categories == ["tag-2"])
    }

    @Test(arguments: [
        ("<r><i>a</i><i>b</i></r>", false), ("<x:r xmlns:x='u'><i>a</i></x:r >\n<!-- end -->", false),
        ("<r><i>a</i></r", true),
        ("<r><i>a</i><i>b", true), ("<r><i>a</i>", true), ("<r/>", false), ("<r></r>", false),
        ("<r><i>a</i><i><![CDATA[</r> b", true), ("<r><i>a</i><!-- </r> -->", true), ("<r><i b='</r>'>a</i>", true),
        ("<r><r>a</r><i>b</i>", true), ("<r><i>a</i>&</r>" + String(repeating: "<br>", count: 2000), false),
        ("<r><i>a</i><!-- b</r>", false),
    ])
    func knowsWhetherXMLIsCut(_ text: String, _ isCut: Bool) throws {
        let content = try decode(text, format: .xml, items: "//i", fields: [.title: "."])
        #expect(content.isCut == isCut)
        #expect(content.remarks.contains(DecodedContent.cut) == isCut)
    }

    @Test(arguments: [
        ("<html><body><ul><li><a>1</a><li><a>2</a></ul>", false), ("<p><a>1</a><p><a>2", false), ("<a>1</a><a", true),
        ("<html><body><a>1</a><a>2", true), ("<html><body><a>1</a><div></body>", false),
        ("<html><a>1</a><br><img>", false),
        ("<html><body><a>1</a><!-- </body>", true), ("<html><body><a>1</a><script>'</body>'", true),
        ("<html><body><a>1</a><p title='</body>'", true),
        ("<html><body><b><a>1</a></b><svg/><my-own-element-of-mine>", true),
        ("<html><title></body></title><a>1</a><i></i><!-->", false), ("<body><a>1</a><a><div></a></div>", false),
        ("<html><a>1</a><", true), ("<html><a>1</a></ul", true), ("<html><a>1</a><!doctype", true),
    ])
    func knowsWhetherAPageIsCut(_ page: String, _ isCut: Bool) throws {
        let content = try decode(page, items: "//a", fields: [.title: "."])
        #expect(content.isCut == isCut)
        #expect(content.remarks.contains(DecodedContent.cut) == isCut)
    }

    /// Wherever it is cut off, what is told of a page is what the whole tells.
    @Test(arguments: ["//a", "//li", "//h2", "//a/@href", "//li/p"])
    func noHalfItemIsTakenForAWholeOne(_ items: String) throws {
        let page = """
            <!DOCTYPE html><html><head><title>News</title></head><body><nav><b>Home</b></nav><ul>
            <li class="a b"><h2><a href="/news/111">Number 111</a></h2><p>First &amp; foremost</p></li>
            <!-- of </li> --><li><h2><a href='/news/222'>Number 222</a></h2><p>Second <i>to</i> none</p></li>
            <li><h2><a href="/news/333">Number 333</a></h2><p>Third</p></li></ul>
            <footer><p>The end</p></footer></body></html>
            """
        let fields: [ContentField: String] = [
            .title: ".", .url: "descendant-or-self::a/@href",
            .summary: "p|following-sibling::p",
        ]
        let whole = try decode(page, items: items, fields: fields).items
        #expect(whole.count == 3)
        for end in page.indices {
            guard let content = try? decode(String(page[..<end]), items: items, fields: fields) else { continue }
            let told = content.endsInItem ? content.items.dropLast() : content.items[...]
            #expect(told.elementsEqual(whole.prefix(told.count)), "\(page[..<end].suffix(40))")
            #expect(content.isCut || told.count % 3 == 0, "\(page[..<end].suffix(40))")
        }
    }

    @Test func readsXMLWithItsNamespaces() throws {
        let xml = """
            <?xml version="1.0"?><m:log xmlns:m="urn:m" xmlns="urn:d">
            <m:entry n="1"><text><![CDATA[a < b]]></text></m:entry>
            <m:entry n="2"><text>c</text></m:entry></m:log>
            """
        let content = try decode(
            xml, format: .xml, items: "//m:entry",
            fields: [.id: "@n", .title: "*[local-name()='text']"], when: "count(//m:entry) = 2")
        #expect(content.format == .xml)
        #expect(content.items.map(\.title) == ["a < b", "c"])
        #expect(content.items.map(\.declaredIdentifier) == ["1", "2"])
    }

    /// libxml2 would take what stands before it for the whole.
    @Test func anExpressionHoldsNoNUL() {
        #expect(failure { try decode("<p>x</p>", items: "//p\u{0}[2]") }?.kind == .badExpression)
    }

    @Test func needsItems() {
        #expect(failure { try decode("<p>x</p>", items: nil) }?.kind == .badExpression)
        #expect(throws: ContentError.self) {
            try XPathDecoder.check(ContentMapping(items: "//p", fields: [.title: "]"]))
        }
        #expect(throws: Never.self) { try XPathDecoder.check(ContentMapping(items: "//p", fields: [.title: "."])) }
    }

    @Test func saysHowNamesOfANamespaceAreFound() throws {
        func remark(_ xml: String) throws -> String {
            try decode(xml, format: .xml, items: "//e").remarks.joined()
        }
        let advice = "`*[local-name() = \"NAME\"]`"
        #expect(try remark("<r xmlns='urn:a'><e>x</e></r>").hasSuffix(advice))
        for other in ["<r><f>x</f></r>", "<a:r xmlns:a='urn:a'><f/></a:r>"] {
            #expect(try !remark(other).contains(advice))
        }
    }

    @Test func aTitleIsWhatAPersonSees() throws {
        let page =
            "<li id='a<b'><h3>Title</h3><p>Text <br>more &amp; all</p><script>bad()</script><style>p{}</style></li>"
        let item = try #require(try decode(page, items: "//li", fields: [.title: ".", .id: "."]).items.first)
        #expect(item.title == "Title Text more & all")
        #expect(item.declaredIdentifier == "TitleText more & allbad()p{}", "what tells it from others is as it was")
        let attribute = try decode(page, items: "//li", fields: [.title: "@id"]).items.first
        #expect(attribute?.title == "a<b")
    }

    @Test func readsNoEntitiesOfTheDocument() {
        let xml = "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b SYSTEM 'file:///etc/hostname'>]><x><y>&a;&b;</y></x>"
        #expect(failure { try decode(xml, format: .xml, items: "//y", fields: [.title: "."]) }?.kind == .malformed)
    }

    @Test func survivesHostileDocuments() {
        for unit in ["<a>", "<a b=", "&", "<!--", "</p>", "<table><tr>", "<svg><style>", "\u{0}"] {
            _ = failure { try decode(String(repeating: unit, count: 20_000), items: "//a", fields: [.title: "."]) }
            _ = failure {
                try decode(String(repeating: unit, count: 20_000), format: .xml, items: "//a", fields: [.title: "."])
            }
        }
        #expect(failure { try decode("", items: "//a") }?.kind == .malformed)
        #expect(failure { try decode("", format: .xml, items: "//a") }?.kind == .malformed)
    }
}
