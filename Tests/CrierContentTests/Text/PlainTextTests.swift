import Testing

@testable import CrierContent

/// A title that may or may not be HTML, as RSS has it, on one line.
func read(title: String) -> String? {
    Array(title.utf8).withUnsafeBufferPointer { TextKind.either.line(of: $0) }
}

struct PlainTextTests {
    @Test(arguments: [
        ("Swift 6 is out", "Swift 6 is out"), ("  two \n\t lines ", "two lines"), ("a<br>b", "a b"),
        ("<b>bold</b>ly", "boldly"), ("Tom &amp; Jerry", "Tom & Jerry"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("a < b and c > d", "a < b and c > d"), ("1<2", "1<2"), ("a &lt; b", "a < b"), ("I <3 you", "I <3 you"),
        ("AT&T", "AT&T"), ("R&D &", "R&D &"), ("caf&eacute;", "café"), ("&copy 2024", "© 2024"),
        ("&ampfoo", "&foo"), ("&#8230;&#x2026;", "……"), ("&#147;x&#148;", "“x”"), ("&#0;&#xD800;&#99999999999;", "���"),
        ("&nosuch;", "&nosuch;"), ("&#;&#x;", "&#;&#x;"), ("a&nbsp;&nbsp;b", "a b"), ("a\u{A0}b", "a b"),
        ("<p>one</p><p>two</p>", "one two"), ("x<!-- hidden -->y", "xy"), ("x<script>if (a<b) {}</script>y", "xy"),
        ("x<STYLE>p{}</Style >y", "xy"), ("<![CDATA[R&D <x>]]> y", "R&D <x> y"), ("<a title=\"a>b\">t</a>", "t"),
        ("<a title='x>t", "t"), ("unfinished <a href", "unfinished <a href"), ("<?xml version='1.0'?>x", "x"),
        ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&ThickSpace;x", "\u{205F}\u{200A}x"), ("a\u{0}b\u{7}c", "abc"),
        ("<p don't>x</p>y'>", "x y'>"), ("", ""), (" ", ""), ("&nbsp;", ""),
    ])
    func readsLinesFromHTML(_ html: String, _ line: String) {
        #expect(PlainText.line(html: html) == line)
    }

    @Test func keepsTheLinesOfBlocksAndLists() {
        let html = """
            <h1>News</h1><p>First
            line<br>second <a href="x">link</a></p><ul><li>one<li>two</li></ul>
            <table><tr><td>a</td><td>b</td></tr></table><img src="x" alt="A &amp; B"><style>x</style>
            """
        #expect(PlainText.text(html: html) == "News\nFirst line\nsecond link\n• one\n• two\na b\nA & B")
    }

    @Test func leavesPlainTextAlone() {
        #expect(PlainText.line(text: " a <b> &amp; \r\n c ") == "a <b> &amp; c")
        #expect(PlainText.text(text: "a\r\n\r\nb  c\u{2028}d ") == "a\nb c\nd")
        #expect(PlainText.text(text: "a\u{2029}b") == "a\nb")
    }

    @Test func tellsAnImageByItsTextOnlyWhereThereIsNothingElse() {
        #expect(PlainText.line(html: "<img alt=\"Sale &gt; 50%\">") == "Sale > 50%")
        #expect(PlainText.line(html: "Big <img alt=sale> today") == "Big today")
        #expect(PlainText.line(html: "<img src=x>") == "")
    }

    @Test func keepsInTitlesWhatIsNoElementOfHTML() {
        #expect(read(title: "vector<int> in <b>C++</b>") == "vector<int> in C++")
        #expect(read(title: "<o:p>Word</o:p>") == "Word")
        #expect(read(title: "Tom &amp; Jerry") == "Tom & Jerry")
    }

    @Test(arguments: [
        ("short", 10, "short"), ("exactly ten", 11, "exactly ten"), ("one two three four", 12, "one two…"),
        ("one two three four", 14, "one two three…"),
        ("abcdefghijklmnop", 6, "abcde…"), ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 2, "👨‍👩‍👧…"),
        ("abc", 0, ""),
        ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
    ])
    func cutsBetweenWordsAndNeverWithinACharacter(_ text: String, _ limit: Int, _ cut: String) {
        #expect(PlainText.cut(text, to: limit) == cut)
        #expect(PlainText.cut(text, to: limit).count <= limit)
    }

    /// Where a flag begins depends on all the flags before it.
    @Test func cutsARowOfFlags() {
        let flag = "🇨🇳"
        let row = String(repeating: flag, count: 200_000)
        #expect(PlainText.cut(row, to: 100_000).utf8.count == 99_999 * 8 + 3)
        #expect(PlainText.cut("a " + row, to: 100_000).hasSuffix(flag + "…"))
        #expect(PlainText.cut(String(repeating: flag + " ", count: 6), to: 6) == "\(flag) \(flag) \(flag)…")
    }

    @Test func limitsWhatItGives() {
        #expect(PlainText.line(html: "<p>one two three four</p>", limit: 14) == "one two three…")
        #expect(PlainText.line(text: "one  two", limit: 4) == "one…")
    }

    @Test func survivesHostileMarkup() {
        for unit in [
            "<a \"", "<", "<a ", "&", "&#", "<!--", "<![CDATA[", "<script>", "<a x='", "&aaaaaaaa", "</scr",
            "<img alt=",
        ] {
            let html = String(repeating: unit, count: 50_000)
            #expect(PlainText.text(html: html).utf8.count <= html.utf8.count)
        }
    }
}
