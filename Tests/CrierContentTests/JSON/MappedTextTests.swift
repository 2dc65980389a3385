import Testing

@testable import CrierContent

/// Titles and summaries of a mapping, which may be HTML, are shown without their tags; identities are as they were when
/// tags were shown.
struct MappedTextTests {
    private func decode(_ text: String, _ mapping: ContentMapping) throws -> [ContentItem] {
        let document = ContentDocument(body: Array(text.utf8), url: "https://e.org/")
        return try ContentDecoder(mapping: mapping).decode(document).items
    }

    private func json(_ text: String, fields: [ContentField: String] = [.title: ".t", .summary: ".s"]) throws
        -> [ContentItem]
    {
        try decode(text, ContentMapping(format: .json, items: ".[]", fields: fields))
    }

    private func xml(_ items: String, fields: [ContentField: String] = [.title: "t", .summary: "s"]) throws
        -> [ContentItem]
    {
        try decode("<r>\(items)</r>", ContentMapping(format: .xml, items: "//i", fields: fields))
    }

    /// What items of these texts are called.
    private func identifiers(_ texts: [(title: String?, summary: String?)]) -> [String] {
        var items = texts.map { ContentItem(title: $0.title, summary: $0.summary) }
        ItemIdentity.assign(to: &items)
        return items.map(\.identifier)
    }

    @Test(arguments: [
        ("On <em>Foo</em> &#8211; a review", "On Foo – a review"), ("a<b", "a<b"), ("vector<int>", "vector<int>"),
        ("a &lt;b&gt; c", "a <b> c"), ("Q&amp;A", "Q&A"), ("R&D <3", "R&D <3"), ("a\\n b", "a b"),
    ])
    func titlesInJSONAreReadAsInFeeds(_ title: String, _ shown: String) throws {
        #expect(try json("[{\"t\": \"\(title)\"}]").map(\.title) == [shown])
    }

    @Test(arguments: [
        ("I&#x27;ve read it", "I've read it"), ("Q&amp;A\\na &lt;b&gt;", "Q&A\na <b>"), ("AT&T <3", "AT&T <3"),
        ("<p>I&#x27;ve</p><p>read &amp;amp;</p>", "I've\nread &amp;"), ("vector<int> &amp; more", "vector<int> & more"),
    ])
    func summariesInJSONHaveNoReferences(_ summary: String, _ shown: String) throws {
        #expect(try json("[{\"s\": \"\(summary)\"}]").map(\.summary) == [shown])
    }

    @Test(arguments: [
        ("<s><![CDATA[<p>Hello <b>x</b></p>]]></s>", "Hello x"), ("<s>&lt;p&gt;Hello &lt;b&gt;x</s>", "Hello x"),
        ("<s><!-- - --><![CDATA[<p>a</p>]]><![CDATA[<p>b</p>]]></s>", "a\nb"),
        ("<s>a &lt; b &amp;amp; c</s>", "a < b & c"),
        ("<s><p>Hello <b>x</b></p><p>&lt;y&gt;</p></s>", "Hello x\n<y>"), ("<s/><s>second</s>", "second"),
        ("<s>&lt;pre&gt;a\n b&lt;/pre&gt;</s>", "a\nb"), ("<s>&lt;br&gt;</s>", nil),
    ])
    func aTextOfXMLWithoutElementsIsHTML(_ element: String, _ shown: String?) throws {
        let item = try #require(try xml("<i><t>a</t>\(element)</i>").first)
        #expect(item.summary == shown)
        let computed = try xml("<i><t>a</t><s>I&amp;#x27;ve</s></i>", fields: [.title: "t", .summary: "string(s)"])
        #expect(computed.map(\.summary) == ["I've"])
    }

    @Test func titlesInXMLAreReadAsInFeeds() throws {
        let items = try xml(
            "<i><t>Q&amp;amp;A</t></i><i><t><![CDATA[<b>a</b> vector<int>]]></t></i><i><t>a &lt; b</t></i>")
        #expect(items.map(\.title) == ["Q&A", "a vector<int>", "a < b"])
    }

    @Test func aPageIsAsItIsMeant() throws {
        let page = "<p>&lt;em&gt; &amp;amp; &lt;br&gt;<i title='&amp;amp;'></i></p>"
        let fields: [ContentField: String] = [.title: ".", .summary: "."]
        let item = try decode(page, ContentMapping(format: .html, items: "//p", fields: fields)).first
        #expect(item?.title == "<em> &amp; <br>")
        #expect(item?.summary == "<em> &amp; <br>")
        let attribute = try decode(
            page, ContentMapping(format: .html, items: "//i", fields: [.title: "@title", .summary: "@title"]))
        #expect(attribute.map(\.summary) == ["&amp;"])
        #expect(attribute.map(\.title) == ["&amp;"])
    }

    @Test func identitiesInJSONAreMadeOfWhatWasShownBefore() throws {
        let items = try json(
            #"[{"t": "<b>a</b> &amp; b", "s": "I&#39;ve"}, {"t": "a & b", "s": "I've"}, {"t": "c"}, {"t": "<br>"}]"#)
        #expect(items.map(\.title) == ["a & b", "a & b", "c", nil])
        #expect(
            items.map(\.identifier)
                == identifiers([("<b>a</b> & b", "I&#39;ve"), ("a & b", "I've"), ("c", nil), ("<br>", nil)]))
        // Of one identifier: by their texts.
        let same = try json(#"[{"i": 1, "t": "<b>a</b>"}, {"i": 1, "t": "a"}]"#, fields: [.id: ".i", .title: ".t"])
        var before = ["<b>a</b>", "a"].map { ContentItem(declaredIdentifier: "1", title: $0) }
        ItemIdentity.assign(to: &before)
        #expect(same.map(\.identifier) == before.map(\.identifier))
        #expect(ItemIdentity.clashes(in: same) == ["1"])
    }

    @Test func identitiesInXMLAreMadeOfWhatWasShownBefore() throws {
        let items = try xml(
            "<i><t>Q&amp;amp;A</t><s>&lt;p&gt;a&lt;/p&gt;</s></i><i><s>&lt;pre&gt;a\n b&lt;/pre&gt;</s></i>")
        #expect(items.map(\.identifier) == identifiers([("Q&amp;A", "<p>a</p>"), (nil, "<pre>a b</pre>")]))
    }

    @Test func copiesByWhatWasShownBeforeAreCopiesStill() throws {
        let items = try xml("<i><s>&lt;pre&gt;a\n b&lt;/pre&gt;</s></i><i><s>&lt;pre&gt;a b&lt;/pre&gt;</s></i>")
        #expect(items.map(\.summary) == ["a\nb", "a b"])
        #expect(items[0].identifier == items[1].identifier)
        #expect(items[0].identifier == identifiers([(nil, "<pre>a b</pre>")])[0])
        #expect(ItemIdentity.clashes(in: items).isEmpty)
    }

    @Test func anOwnerIsKnownByTheTitleThatWasShownBefore() throws {
        let text = #"[{"i": 1, "t": "On <em>Foo</em>"}, {"i": 1, "t": "Bar"}]"#
        for title in ["On <em>Foo</em>", "On Foo"] {
            var items = try json(text, fields: [.id: ".i", .title: ".t"])
            ItemIdentity.assign(to: &items, owners: ["1": ItemIdentity.Owner(url: nil, title: title)])
            #expect(items[0].identifier == "1")
            #expect(items[1].identifier != "1")
        }
    }
}
