import CrierNotifications
import Foundation
import Testing

@testable import CrierDelivery

@Suite("Templates and escaping")
struct TemplateTests {
    @Test("A template has the keys of the document, sections and lists")
    func keys() throws {
        let content = NotificationContent(
            title: "T", body: "a\nb", threadIdentifier: "gank",
            userInfo: ["items": [["title": "One"], ["title": "Two"]], "day": "2026-11-21"])
        let text =
            "{{source}}/{{title}} {{#subtitle}}S{{/subtitle}}{{^url}}none{{/url}} {{#items}}<{{title}}>{{/items}} "
            + "{{userInfo.day}} {{level}} {{relevance}}"
        #expect(try render(text, .plain, content) == "gank/T none <One><Two> 2026-11-21 active 0")
    }

    @Test("What there is not is nothing, however deep, and a section of it is left out")
    func absent() throws {
        let text =
            "{{nosuch}}|{{title}}|{{title.deep.er}}|{{#nosuch}}x{{/nosuch}}|{{^nosuch}}y{{/nosuch}}|{{userInfo.no}}"
        #expect(try render(text, .plain, NotificationContent(title: "T")) == "|T|||y|")
    }

    @Test("What is empty, or nought, counts as false, and an empty object is one as a whole all the same")
    func empty() throws {
        let content = NotificationContent(title: "T", userInfo: ["o": [:], "l": [], "s": "", "n": .null, "z": 0])
        for key in ["o", "l", "s", "n", "z"] {
            let text = "{{#userInfo.\(key)}}x{{/userInfo.\(key)}}{{^userInfo.\(key)}}y{{/userInfo.\(key)}}"
            #expect(try render(text, .plain, content) == "y", "\(key)")
        }
        let whole = "{{#userInfo}}x{{/userInfo}}{{^userInfo}}y{{/userInfo}}{{userInfo}}"
        #expect(try render(whole, .json, NotificationContent(title: "T")) == "y{}")
        #expect(try render("{{userInfo.o}}{{{userInfo.o}}}", .json, content) == "{}{}")
        let more = "{{omittedItems}}{{#omittedItems}} and {{omittedItems}} more{{/omittedItems}}"
        #expect(try render(more, .plain, content) == "0")
        let told = NotificationContent(title: "T", userInfo: ToldItems([], omitted: 3).userInfo)
        #expect(try render(more, .plain, told) == "3 and 3 more")
    }

    @Test(
        "Values are escaped for where they go, whatever the template does",
        arguments: ["{{title}}", "{{{title}}}", "{{&title}}", "{{reversed(title)}}"])
    func escaped(tag: String) throws {
        let content = NotificationContent(title: "a\"b\\<i>&\u{1b}")
        let isTransformed = tag.contains("(")
        #expect(try render(tag, .html, content) == (isTransformed ? "" : "a&quot;b\\&lt;i&gt;&amp;"))
        #expect(try render(tag, .json, content) == (isTransformed ? "" : #"a\"b\\<i>&"#))
        #expect(try render(tag, .form, content) == (isTransformed ? "" : "a%22b%5C%3Ci%3E%26"))
        #expect(try render(tag, .plain, content) == (isTransformed ? "" : #"a"b\<i>&"#))
    }

    @Test("No text ends the quotes of YAML, and the list of items is one within none")
    func yaml() throws {
        let content = NotificationContent(title: #"it's", "a": "b"#, userInfo: ["items": [["title": "it's"]]])
        let text = #"{double: "{{title}}", single: '{{title}}', items: {{items}}}"#
        let title = #"it\u0027s\", \"a\": \"b"#
        let items = #"[{"title":"it\u0027s"}]"#
        #expect(try render(text, .yaml, content) == #"{double: "\#(title)", single: '\#(title)', items: \#(items)}"#)
    }

    @Test("A list or an object as a whole is its JSON, always the same, escaped where JSON is not what the text is")
    func whole() throws {
        let content = NotificationContent(
            title: "T",
            userInfo: [
                "items": [["url": "u", "title": "a\"&b"], .number(2), .null], "b": .bool(true), "a": ["x": []],
            ])
        let items = #"[{"title":"a\"&b","url":"u"},2,null]"#
        let info = #"{"a":{"x":[]},"b":true}"#
        for tag in ["{{items}}", "{{{items}}}", "{{&items}}"] {
            #expect(try render(tag, .json, content) == items)
        }
        #expect(try render("{{items}}", .plain, content) == items)
        #expect(
            try render("{{userInfo}} {{userInfo.a.x}}{{^userInfo.a.x}}{{.}}{{/userInfo.a.x}}", .json, content)
                == info + " [][]")
        #expect(
            try render("{{#userInfo}}{{.}}{{/userInfo}} {{#userInfo.a}}{{.}}{{/userInfo.a}}", .json, content)
                == info + #" {"x":[]}"#)
        #expect(try render("{{#items}}{{.}};{{/items}}", .json, content) == #"{"title":"a\"&b","url":"u"};2;;"#)
        #expect(try render("{{userInfo}}", .html, content) == Escaping.html.escape(info))
        #expect(try render("{{items}}", .form, content) == Escaping.form.escape(items))
        let text = try render("{{.}}", .json, content)
        let all = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(all.count == NotificationDocument(.of(content)).members.count)
    }

    @Test("The transforms of lists and objects")
    func transforms() throws {
        let content = NotificationContent(
            title: "T", userInfo: ["items": ["<1>", "<2>", "<3>"], "o": ["<b>": "<y>", "a": "x"]])
        let expected = [
            "{{count(items)}} {{count(userInfo.o)}}": "3 2",
            "{{first(items)}} {{last(items)}}": "&lt;1&gt; &lt;3&gt;",
            "{{#reversed(items)}}{{.}}{{/reversed(items)}}": "&lt;3&gt;&lt;2&gt;&lt;1&gt;",
            "{{#empty(items)}}x{{/empty(items)}}{{^empty(items)}}y{{/empty(items)}}{{sorted(items)}}": "y",
            "{{#sorted(userInfo.o)}}{{key}}={{value}};{{/sorted(userInfo.o)}}": "&lt;b&gt;=&lt;y&gt;;a=x;",
            "{{#enumerated(userInfo.o)}}{{key}};{{/enumerated(userInfo.o)}}": "&lt;b&gt;;a;",
            "{{#items}}{{.}}{{^last()}}, {{/last()}}{{/items}}": "&lt;1&gt;, &lt;2&gt;, &lt;3&gt;",
        ]
        for (text, result) in expected { #expect(try render(text, .html, content) == result, "\(text)") }
    }

    @Test("What is not Mustache is told with its line and column")
    func problems() {
        #expect(throws: TemplateProblem.self) { try NotificationTemplate("a\n{{#title}}", escaping: .plain) }
        do {
            _ = try NotificationTemplate("one\ntwo {{title", escaping: .plain)
        } catch {
            #expect(error.description == "line 2, column 12 of it is not Mustache: a tag has no end")
        }
    }

    @Test(
        "Sections may stand in one another, but not without end",
        arguments: [("", "{{", "}}"), ("{{=<% %>=}}", "<%", "%>")])
    func depth(start: String, opening: String, closing: String) throws {
        func sections(_ depth: Int) -> String {
            String(repeating: "\(opening)#title\(closing)", count: depth) + "x"
                + String(repeating: "\(opening)/title\(closing)", count: depth)
        }
        let content = NotificationContent(title: "T")
        #expect(try render(start + sections(64), .plain, content) == "x")
        let many = String(repeating: sections(1), count: 100)
        #expect(try render(start + many, .plain, content) == String(repeating: "x", count: 100))
        let error = #expect(throws: TemplateProblem.self) {
            try NotificationTemplate(start + sections(20_000), escaping: .plain)
        }
        #expect(error?.description == "its sections stand in one another more than 64 deep")
    }

    @Test("Markdown means nothing any more, and names call nobody")
    func markdown() {
        let escaped = Escaping.markdown.escape("**b** [x](http://y) @everyone <@1> `c` # h\n1. a\n- b ~~s~~ ||p||")
        #expect(!escaped.contains("**") && !escaped.contains("](") && !escaped.contains("@everyone"))
        #expect(escaped.hasPrefix(#"\*\*b\*\* \[x\]\(http\://y\) @"#))
    }

    @Test("The media type decides how values are escaped")
    func mediaTypes() {
        let expected: [(String, Escaping)] = [
            ("application/json", .json), ("application/vnd.x+json; charset=utf-8", .json), ("text/html", .html),
            ("application/xml", .html), ("application/x-www-form-urlencoded", .form), ("text/markdown", .markdown),
            ("text/plain", .plain), ("", .plain), ("application/x-ndjson", .json), ("application/jsonl", .json),
            ("application/yaml; charset=utf-8", .yaml), ("application/openapi+yaml", .yaml),
            ("text/x-yaml", .yaml),
        ]
        for (type, escaping) in expected { #expect(Escaping.forContent(ofType: type) == escaping, "\(type)") }
    }

    @Test("Only whole web addresses are linked")
    func links() {
        #expect(WebLink.safe("https://a.example/?b=1&c=[2]") != nil)
        for url in [
            "javascript:alert(1)", "/x", "https://", "http://a/\n", "http://\"a/x", "ftp://a/", "",
        ] {
            #expect(WebLink.safe(url) == nil, "\(url)")
        }
    }

    @Test("In HTML and Markdown an address leads to the web or is none", arguments: [Escaping.html, .markdown])
    func linkable(escaping: Escaping) throws {
        let bad: UserInfoValue = "javascript:alert(1)"
        let content = NotificationContent(
            title: "T",
            userInfo: [
                "items": [["url": bad, "title": "I", "more": [["url": bad]]], ["url": "https://e.example/1"]],
                "digest": ["groups": [["items": [["url": bad, "image": "data:,x"]]]]], "own": ["url": "app:open"],
            ],
            attachments: [
                NotificationAttachment(url: "data:text/html,x"), NotificationAttachment(url: "https://e.example/2"),
            ],
            url: "JavaScript:alert(1)")
        let link = "{{#url}}[{{url}}]{{/url}}{{^url}}-{{/url}}"
        let text =
            "\(link){{#items}}\(link){{#more}}\(link){{/more}}{{/items}}{{#attachments}}\(link){{/attachments}}"
            + "{{#userInfo.digest.groups}}{{#items}}\(link){{#image}}x{{/image}}{{/items}}{{/userInfo.digest.groups}}"
        let (one, two) = (escaping.escape("https://e.example/1"), escaping.escape("https://e.example/2"))
        #expect(try render(text, escaping, content) == "---[\(one)]-[\(two)]-")
        #expect(try render("{{userInfo.own.url}}", escaping, content) == escaping.escape("app:open"), "a program's own")
        for other in [Escaping.plain, .json] {
            #expect(try render("{{url}} {{#items}}{{url}} {{/items}}", other, content).contains("javascript:alert(1)"))
        }
        #expect(try !render("{{.}}", escaping, content).contains("lert(1"), "nor in its JSON")
    }

    @Test("What is cut fits, and no escape is cut in two")
    func cutting() {
        let cut = MessageParts.cut(String(repeating: "&", count: 500), to: 100) { Escaping.html.escape($0) }
        #expect(cut.utf16.count <= 100 && cut.utf16.count > 80)
        #expect(cut.replacing("&amp;", with: "").replacing("…", with: "") == "")
        let bytes = MessageParts.cut(String(repeating: "干", count: 5_000), to: 4_096, size: \.utf8.count)
        #expect(bytes.utf8.count <= 4_096)
        #expect(MessageParts.cut(String(repeating: "👩🏽‍🚀", count: 500), to: 1_024).utf16.count <= 1_024)
        #expect(MessageParts.cut("short", to: 10) == "short")
    }

    private func render(_ text: String, _ escaping: Escaping, _ content: NotificationContent) throws -> String {
        try NotificationTemplate(text, escaping: escaping).render(.of(content))
    }
}
