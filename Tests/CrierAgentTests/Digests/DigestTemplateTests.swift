import CrierFetch
import CrierNotifications
import Testing

@testable import CrierAgent
@testable import CrierDelivery

@Suite("A user's own templates for digests")
struct DigestTemplateTests {
    private static let list =
        "{{#groups}}{{#items}}{{title}}|{{url}}|{{source}}|{{time}}|{{reading}}|{{summary}}\\n{{/items}}{{/groups}}"

    private func looks(_ templates: String) throws -> DigestLooks {
        try configuration("digests:\n  morning:\n    at: \"08:30\"\n\(templates)\n").digestLooks
    }

    private func page() throws -> DigestPage { try DigestLooksTests.page(.english) }

    @Test func eachLookHasItsOwn() throws {
        let looks = try looks(
            "    text: \"text {{title}} {{count}}\"\n    html: \"<p>{{title}}</p>\"\n    markdown: \"# {{title}}\"")
        let page = try page()
        #expect(looks.text(of: page, printed: DigestPrint()) == "text Good morning 8\n")
        #expect(looks.html(of: page) == "<p>Good morning</p>\n")
        #expect(looks.fragment(of: page) == "<p>Good morning</p>\n")
        #expect(looks.markdown(of: page) == "# Good morning\n")
        var other = page
        other.name = "evening"
        #expect(looks.text(of: other, printed: DigestPrint()) == DigestPrint().text(of: other))
        #expect(looks.markdown(of: other) == DigestLooks().markdown(of: other))
    }

    @Test func valuesAreEscapedForWhereTheyGo() throws {
        let looks = try looks("    text: \"\(Self.list)\"\n    html: \"\(Self.list)\"\n    markdown: \"\(Self.list)\"")
        let page = try page()
        let text = looks.text(of: page, printed: DigestPrint()).split(separator: "\n")
        #expect(text.contains("<script>alert(1)</script> & *stars* [31mred||news|06:58||"))
        #expect(
            text.contains {
                $0.hasPrefix("\u{2068}שלום עולם (Swift) 123\u{2069}|https://he.example/1|news|07:00||\u{2068}")
            })
        let html = looks.html(of: page)
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; *stars* [31mred||news|06:58||"))
        #expect(html.contains("|https://www.swift.org/blog/?a=1&amp;b=2|") && !html.contains("javascript:"))
        let markdown = looks.markdown(of: page)
        #expect(markdown.contains(#"\<script>alert(1)\</script> & \*stars\* \[31mred|"#))
        #expect(markdown.contains("|https://e.example/%40me/1|"))
        #expect(markdown.contains("\u{2068}שלום עולם (Swift) 123\u{2069}|https://he.example/1|"))
        for said in [text.joined(), html, markdown] {
            #expect(!said.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        }
    }

    /// What a user writes into a template for a terminal, links included, is for terminals alone.
    @Test func sequencesOfATemplateReachTerminalsOnly() throws {
        let looks = try looks(
            #"    text: "\e[1m{{title}}\e[0m \e]8;;https://e.example/\e\\link\e]8;;\a.{{#groups}}{{#items}}{{#url}}\e]8;;{{url}}\e\\{{title}}\e]8;;\e\\{{/url}};{{/items}}{{/groups}}""#
        )
        let page = try page()
        let terminal = looks.text(of: page, printed: DigestPrint(isBold: true, linksTitles: true))
        #expect(
            terminal.hasPrefix(
                "\u{1b}[1mGood morning\u{1b}[0m \u{1b}]8;;https://e.example/\u{1b}\\link\u{1b}]8;;\u{7}."))
        // Of the items only those with a safe address are links, and no text of theirs ends one.
        let links = page.groups.flatMap(\.items).compactMap(\.url)
        #expect(terminal.split(separator: "\u{1b}]8;;", omittingEmptySubsequences: false).count == 3 + 2 * links.count)
        for link in links { #expect(terminal.contains("\u{1b}]8;;\(link)\u{1b}\\")) }
        let mail = looks.text(of: page, printed: DigestPrint(width: 72))
        #expect(mail.hasPrefix("Good morning link.Swift 6.3 is out"))
        #expect(!mail.unicodeScalars.contains("\u{1b}") && !mail.unicodeScalars.contains("\u{7}"))
    }

    @Test(arguments: ["text", "html", "markdown"])
    func aMistakeIsOneOfTheConfiguration(_ key: String) {
        func found(_ template: String) -> [String] {
            problems("digests:\n  d:\n    at: daily\n    \(key): \(template)\n")
        }
        let prefix = "4:\(7 + key.count): digests.d.\(key): line"
        #expect(
            found("'a {{#items}}'") == [
                "\(prefix) 1, column 13 of it is not Mustache: a section is not closed; expected a template such as '{{title}} {{url}}'"
            ])
        #expect(
            found(#""one\ntwo {{title""#).first?.hasPrefix("\(prefix) 2, column ") == true)
        #expect(
            found("'{{#items}}{{/groups}}'").first?.contains(
                "a section is closed by another name than it was opened with") == true)
        #expect(found("''").first?.hasPrefix("4:\(7 + key.count): digests.d.\(key): an empty text") == true)
    }
}

@Suite("Markdown that can be read as it is")
struct MarkdownTextTests {
    @Test(
        "what means something is escaped, what means nothing is left alone",
        arguments: [
            ("06:05 · snake_case, C# & 3.14 (really) - yes!", "06:05 · snake_case, C# & 3.14 (really) - yes!"),
            ("*a* _b_ `c` [d](e) <f> ~g~ |h| $i$ \\j", #"\*a\* \_b\_ \`c\` \[d\](e) \<f> \~g\~ \|h\| \$i\$ \\j"#),
            ("1. one", #"1\. one"#), ("23) x", #"23\) x"#), ("# h #", ##"\# h \#"##), ("- x", #"\- x"#),
            ("> q", #"\> q"#), ("+ x", #"\+ x"#), ("=== x", #"\=== x"#), (". x", #"\. x"#),
            ("&copy; &#42; a&b", #"\&copy; \&#42; a\&b"#),
            ("@all a@b.example x @ y", "@\u{200b}all a@\u{200b}b.example x @ y"), ("a\n# b", "a # b"),
            ("\u{1b}[1mx\u{202e}", #"\[1mx"#), ("", ""),
            ("a_1_b 1_ @2 &3", "a_1_b 1\\_ @\u{200b}2 \\&3"),
        ])
    func line(_ text: String, _ expected: String) {
        #expect(MarkdownText.line(text) == expected)
    }

    @Test func anAddressStaysOneBetweenAnyBrackets() {
        #expect(
            MarkdownText.destination("https://e.example/a_(b)*[c]?x=1&copy;=2&d#!@")
                == "https://e.example/a_%28b%29%2A%5Bc%5D?x=1&amp;copy;=2&d#%21%40")
    }
}
