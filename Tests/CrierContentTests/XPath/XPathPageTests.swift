import Testing

import struct Foundation.TimeZone

@testable import CrierContent

/// Pages and XML as they are, and what XPath expressions make of them.
struct XPathPageTests {
    private func decode(
        _ body: [UInt8], format: ContentFormat = .html, items: String, fields: [ContentField: String] = [.title: "."],
        when: String? = nil, contentType: String? = nil
    ) throws -> DecodedContent {
        let document = ContentDocument(body: body, url: "https://e.org/news/", contentType: contentType)
        return try XPathDecoder.decode(
            document, mapping: ContentMapping(format: format, items: items, fields: fields, when: when))
    }

    private func titles(
        _ text: String, _ title: String, items: String = "//li", format: ContentFormat = .html
    ) throws -> [String?] {
        try decode(
            Array(text.utf8), format: format, items: items, fields: [.title: title, .id: "count(preceding::node())"]
        ).items.map(\.title)
    }

    private func failure(_ body: () throws -> Any) -> ContentError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? ContentError }
    }

    private let page = """
        <ul><li class="a first" data-n="3"><h2>One</h2> tail <a href="/1">link</a><!-- c --></li>
        <li class="b"><h2>Two</h2><p>text &amp; more</p></li></ul>
        """

    @Test(arguments: [
        ("h2", ["One", "Two"]), ("h2/text()", ["One", "Two"]), ("@class", ["a first", "b"]), ("@data-n", ["3", nil]),
        ("./a/@href", ["/1", nil]), ("string(a)", ["link", nil]), ("concat(h2, '!')", ["One!", "Two!"]),
        ("normalize-space(text())", ["tail", nil]), ("count(*)", ["2", "2"]), ("@data-n * 2", ["6", "NaN"]),
        ("substring-before(@class, ' ')", ["a", nil]), ("translate(h2, 'OT', 'ot')", ["one", "two"]),
        ("*[self::a or self::p]", ["link", "text & more"]), ("following-sibling::li/h2", ["Two", nil]),
        ("preceding::h2[1]", [nil, "One"]), ("..//h2", ["One", "One"]), ("//li[2]/h2", ["Two", "Two"]),
        ("h2 | p", ["One", "Two"]), ("starts-with(h2, 'O')", [nil, nil]),
        ("comment()", ["c", nil]), ("h2[. = 'Two']", [nil, "Two"]), ("nosuch", [nil, nil]),
    ])
    func evaluatesFieldsAtTheItem(_ expression: String, _ expected: [String?]) throws {
        #expect(try titles(page, expression) == expected)
    }

    @Test(arguments: [
        ("<li>a<li>b", ["a", "b"]), ("<ul><li>a</ul></ul></div><li>b", ["a", "b"]), ("<li><b>a</li><li>b", ["a", "b"]),
        ("<li title=x>a & b &nbsp; c</li>", ["a & b c"]), ("<LI>a</LI>", ["a"]), ("<li>&lt;b&gt; &#8230;", ["<b> …"]),
        ("<li a=1 a=2>x", ["x"]), ("<li/>x", [nil]), ("text only <li>", [nil]),
        ("<li><script>var x</script>a", ["a"]),
    ])
    func repairsHTMLAsParsersDo(_ html: String, _ expected: [String?]) throws {
        #expect(try titles(html, ".") == expected)
    }

    @Test(arguments: [
        ("<base href='https://x.org/d/'>", "https://x.org/d/p"), ("<base href='//x.org'>", "https://x.org/p"),
        ("<base href='sub/'>", "https://e.org/news/sub/p"), ("<base target=_top>", "https://e.org/news/p"),
        ("<base href='/a/'><base href='/b/'>", "https://e.org/a/p"), ("", "https://e.org/news/p"),
    ])
    func resolvesLinksAgainstTheFirstBase(_ base: String, _ url: String) throws {
        let content = try decode(
            Array("<head>\(base)</head><a href=p>x</a>".utf8), items: "//a", fields: [.url: "@href"])
        #expect(content.items.map(\.url) == [url])
    }

    @Test(
        arguments: [
            ([0xE9], "text/html; charset=iso-8859-1", "é"), ([0xE9], "text/html;charset=\"windows-1252\"", "é"),
            ([0x80], "text/html; charset=windows-1252", "€"), ([0xC3, 0xA9], "text/html", "é"),
            ([0xC3, 0xA9], "text/html; charset=UTF-8; x=y", "é"), ([0xC3, 0xA9], nil, "é"),
            ([0xC3, 0xA9], "text/html; charset=nosuch", "é"),
            ([0xCF, 0xF0], "text/html; charset=koi8-r", "оП"),
            ([0x93, 0xFA], "text/html; CHARSET=Shift_JIS", "日"),
        ] as [([UInt8], String?, String)])
    func readsPagesInTheEncodingOfTheirTransport(_ bytes: [UInt8], _ type: String?, _ text: String) throws {
        let body = Array("<p>".utf8) + bytes + Array("</p>".utf8)
        #expect(try decode(body, items: "//p", contentType: type).items.map(\.title) == [text])
    }

    @Test(arguments: [
        ("//d:p", ["x"]), ("//*[local-name()='p']", ["x", "y", "z"]), ("//p", ["z"]), ("//e:p", ["y"]),
        ("/r/*[namespace-uri()='urn:d']", ["x"]), ("//@id/..", ["z"]),
    ])
    func selectsByTheNamespacesOfTheRoot(_ items: String, _ expected: [String]) throws {
        let xml = "<r xmlns:d='urn:d' xmlns:e='urn:e'><d:p>x</d:p><e:p>y</e:p><p id='1'>z</p></r>"
        #expect(try titles(xml, ".", items: items, format: .xml) == expected)
    }

    @Test func keepsTheLinesOfASummaryThatIsAnElement() throws {
        let html = "<li><div><p>one<br>two</p><ul><li>three</ul></div></li>"
        let content = try decode(Array(html.utf8), items: "/html/body/li", fields: [.summary: "div", .title: "div/p"])
        #expect(content.items[0].summary == "one\ntwo\n• three")
        #expect(content.items[0].title == "one two")
    }

    @Test(arguments: [
        ("//p[", "XPath `//p[`: the expression is not valid (character 5)"),
        ("//p |", "XPath `//p |`: the expression is not valid (character 6)"),
        ("| //p", "XPath `| //p`: the expression is not valid (character 1)"),
        ("//p[.='é' and ]", "XPath `//p[.='é' and ]`: the expression is not valid (character 15)"),
        ("//p[@a=$é]", "XPath `//p[@a=$é]`: the variable $é is not defined (character 8)"),
        ("nosuch(1)", "XPath `nosuch(1)`: the function nosuch() is not known (character 1)"),
        (
            "//x:p",
            "XPath `//x:p`: the root element does not declare the namespace prefix x (character 3); it declares none"
        ),
        ("$v", "XPath `$v`: the variable $v is not defined (character 1)"), ("'a'", "XPath `'a'` selects no nodes"),
        ("1 + 1", "XPath `1 + 1` selects no nodes"), ("true()", "XPath `true()` selects no nodes"),
        ("count(//p)", "XPath `count(//p)` selects no nodes"),
        ("'text", "XPath `'text`: a string is not closed (character 6)"),
        ("count(1)", "XPath `count(1)`: a value has the wrong type"),
        ("count()", "XPath `count()`: a function has the wrong number of arguments"),
    ])
    func saysWhatIsWrong(_ items: String, _ sentence: String) {
        let error = failure { try titles("<p>x</p>", ".", items: items) }
        #expect(error == ContentError(.badExpression, sentence))
    }

    @Test(arguments: [
        ("//article", "; the document is an element <html> with head, body"),
        ("//ul[@class='b']/li", "; `//ul` selects 1, `//ul[@class='b']` nothing"),
        ("//ul/li/h3", "; `//ul/li` selects 2"), ("//ul/li/h3/a", "; `//ul/li` selects 2, `//ul/li/h3` nothing"),
        ("//ul[li/h3]/li[1]", "; `//ul` selects 1, `//ul[li/h3]` nothing"),
        ("//b | //i", "; the document is an element <html> with head, body"),
    ])
    func saysHowFarAnExpressionGetsThatSelectsNothing(_ items: String, _ end: String) throws {
        let page = "<title>t</title><ul class='a'><li id=x><h2>One</h2><li><h2>Two</h2></ul>"
        let remarks = try decode(Array(page.utf8), items: items).remarks
        #expect(remarks == ["no items: `\(items)` selects nothing" + end])
    }

    @Test func saysWhatAnItemHasInPlaceOfATitle() throws {
        let content = try decode(
            Array("<li id=1 class=c><h2>secret</h2><time></time><h2></h2></li>".utf8), items: "//li",
            fields: [.title: "h3", .id: "@id"])
        #expect(content.remarks == ["1 item without a title; the first is an element <li> with @id, @class, h2, time"])
    }

    @Test func saysHowFarThePathToAMissingTitleGets() throws {
        let content = try decode(
            Array("<li id=1><p><b>secret</b></p></li>".utf8), items: "//li", fields: [.title: "p/b/i", .id: "@id"])
        #expect(content.remarks == ["1 item without a title; in the first `p/b` selects 1"])
    }

    @Test(arguments: [
        "a and (b)", "(a or (b)) and (c)", "3 div (1 + 1)", "//p[position() mod (2) = 1]", "self::node()", "'nosuch()'",
        "div/b", "id('x')", "mod",
    ])
    func takesNoOperatorForAFunction(_ expression: String) throws {
        try XPathDecoder.check(ContentMapping(items: expression))
    }

    @Test func namesTheFunctionsAndPrefixesThatItDoesNotKnow() {
        let error = failure { try XPathDecoder.check(ContentMapping(items: "//p[contains(., 'x') and lower-case(.)]")) }
        #expect(error?.description.hasSuffix("the function lower-case() is not known (character 26)") == true)
        let prefix = failure { try titles("<r xmlns:d='urn:d'><d:p/></r>", ".", items: "//d:p/e:q", format: .xml) }
        #expect(
            prefix?.description.hasSuffix("does not declare the namespace prefix e (character 7); it declares d")
                == true)
    }

    @Test func checksEveryExpressionOfAMapping() {
        func check(_ mapping: ContentMapping) -> ContentError? {
            do throws(ContentError) {
                try XPathDecoder.check(mapping)
                return nil
            } catch { return error }
        }
        #expect(
            check(ContentMapping())?.description
                == "HTML and XML need `items`, an XPath expression that selects the items")
        #expect(check(ContentMapping(items: "//p", when: ")"))?.description.hasPrefix("XPath `)`: ") == true)
        #expect(check(ContentMapping(items: "//p", fields: [.category: "a b"]))?.kind == .badExpression)
        #expect(check(ContentMapping(items: "//p", fields: [.category: "a | b"], when: "true()")) == nil)
        let long = String(repeating: "a/", count: 3000) + "a"
        #expect(check(ContentMapping(items: long)) == ContentError(.badExpression, "an XPath expression is too long"))
    }

    @Test(arguments: [
        ("//p", true), ("//li", false), ("count(//p) = 2", true), ("count(//p) > 2", false), ("'x'", true),
        ("''", false),
        ("0", false), ("true()", true), ("//p[. = 'b']", true), ("string(//p) = 'b'", false),
    ])
    func readsOnlyDocumentsForWhichWhenHolds(_ when: String, _ holds: Bool) {
        let error = failure { try decode(Array("<p>a</p><p>b</p>".utf8), items: "//p", when: when) }
        #expect(
            error
                == (holds ? nil : ContentError(.reportsError, "the document reports an error: `\(when)` does not hold"))
        )
    }

    @Test(arguments: [
        "//*[count(//*) > 0][count(//*) > 0]", "//p[preceding::p[preceding::p[preceding::p]]]",
        "//*[contains(string(/), string(//*[last()]))]",
    ])
    func endsWhereAnExpressionHardlyDoes(_ items: String) {
        let page = "<div>" + String(repeating: "<p>x</p>", count: 5000)
        let error = failure { try titles(page, ".", items: items) }
        // Its steps are counted, and its time is taken: on a slow machine that is over first.
        let reasons = ["takes too many steps", "the expressions take longer than"]
        #expect(reasons.contains { error?.description.hasPrefix("XPath `\(items)`: \($0)") == true })
        #expect(error?.kind == .tooLarge)
    }

    @Test func endsOnDeeplyNestedExpressions() {
        let nested = String(repeating: "(", count: 2000) + "1" + String(repeating: ")", count: 2000)
        #expect(failure { try titles("<p>x</p>", nested, items: "//p") } != nil)
        let predicates = "//p" + String(repeating: "[.", count: 900) + String(repeating: "]", count: 900)
        _ = failure { try titles("<p>x</p>", ".", items: predicates) }
    }
}
