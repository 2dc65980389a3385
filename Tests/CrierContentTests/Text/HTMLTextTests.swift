import CrierTesting
import Testing

@testable import CrierContent

/// How the parts of HTML show as plain text, with their line breaks.
struct HTMLTextTests {
    @Test(arguments: [
        ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&hellip;&mdash;&ndash;", "…—–"), ("&euro;&pound;&yen;", "€£¥"),
        ("&Eacute;&eacute;", "Éé"), ("&alpha;&Omega;", "αΩ"), ("&#65;&#x41;&#X41;", "AAA"), ("&#65 &#x42x", "A Bx"),
        ("&#128;&#x99;&#150;", "€™–"), ("&#129;x", "x"), ("&eacute", "é"), ("&eacutex", "éx"), ("&hellip", "&hellip"),
        ("&AMP;&LT;", "&<"), ("&amp;amp;", "&amp;"), ("&amp;#39;", "&#39;"), ("&unknown; &;", "&unknown; &;"),
        ("& &&", "& &&"), ("a&b=c&copy=d", "a&b=c©=d"), ("&zwj;|", "\u{200D}|"), ("&shy;x", "\u{AD}x"),
        ("&#x1F600;", "😀"), ("&#xDFFF;&#x110000;", "\u{FFFD}\u{FFFD}"), ("&rarr;&hearts;", "→♥"),
    ])
    func decodesReferencesOnce(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        "address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "fieldset", "figcaption", "figure",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "ol", "p", "pre", "section",
        "table", "tr", "ul", "P", "Div",
    ])
    func breaksLinesAroundBlocks(_ name: String) {
        #expect(PlainText.text(html: "a<\(name)>b</\(name)>c") == "a\nb\nc")
        #expect(PlainText.line(html: "a<\(name) class=x>b</\(name)>c") == "a b c")
    }

    @Test(arguments: [
        "a", "abbr", "b", "bdi", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "s",
        "samp",
        "small", "span", "strong", "sub", "sup", "tt", "u", "var", "B",
    ])
    func leavesNoTraceOfInlineElements(_ name: String) {
        #expect(PlainText.text(html: "a<\(name)>b</\(name)>c") == "abc")
        #expect(read(title: "a<\(name) title='<'>b</\(name)>c") == "abc")
    }

    @Test(arguments: [
        ("one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"), ("a<br><br><br>b", "a\nb"), ("<br>a<br>", "a"),
        ("a<hr>b", "a\nb"), ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "• a\n• b\n• c"),
        ("<ol><li>a</li>\n<li>b</li></ol>end", "1. a\n2. b\nend"), ("<ul><li></li><li>x</li></ul>", "•\n• x"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a b\n1 2"), ("<dl><dt>k<dd>v</dl>", "k\nv"),
        ("<p>a\n\nb</p>", "a b"), ("<p>a<p>b", "a\nb"),
        ("<div><div>a</div></div>b", "a\nb"),
        ("<a href=\"https://e.org/?a>b\">t</a>", "t"), ("<a href='x' title='>'>t</a>", "t"),
        ("<select><option>a<option>b</select>", "a\nb"), ("<q>a</q> <custom-x>b</custom-x>", "a b"),
    ])
    func keepsTheLinesOfHTML(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("a<script>x</script>b", "ab"), ("a<script>\"</p>\" < 5</script>b", "ab"), ("a<style>p > a {}</style>b", "ab"),
        ("a<template><p>x</p></template>b", "ab"), ("a<script>never closed", "a"), ("a<!-- <p>x</p> -->b", "ab"),
        ("a<!-- never closed", "a"), ("a<!---->b", "ab"), ("a<!-- - -- > -->b", "ab"), ("a<!DOCTYPE html>b", "ab"),
        ("a<?php echo 1 ?>b", "ab"), ("a<![CDATA[<b>&amp;]]>b", "a<b>&amp;b"), ("a<![CDATA[open", "aopen"),
        ("a<SCRIPT SRC=x></SCRIPT>b", "ab"), ("a</script>b", "ab"),
        ("a<!-b>c", "ac"), ("a<!b>", "a"), ("a<script>b</s", "a"),
    ])
    func dropsWhatIsNotForReaders(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("<img alt='A &amp; B'>", "A & B"), ("<img src=x alt=word>", "word"), ("<IMG ALT=\"a>b\" src='y'/>", "a>b"),
        ("x <img alt=''> y", "x y"), ("<img data-alt=no alt=yes>", "yes"), ("<img alt = 'spaced' >", "spaced"),
        ("<img alt>x", "x"), ("<img alt=\"two\n lines\">", "two lines"),
    ])
    func tellsImagesByTheirText(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("a < b", "a < b"), ("a<b && c>d", "ad"), ("3<4>2", "3<4>2"), ("x <- y", "x <- y"), ("<>", "<>"),
        ("< p>", "< p>"), ("</ p>", "</ p>"), ("a <", "a <"), ("<p", "<p"), ("<p class='", "<p class='"),
        ("a</", "a</"),
        ("<3", "<3"), ("if (a<=b)", "if (a<=b)"),
    ])
    func takesForMarkupOnlyWhatCanBeSome(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        "<joe@example.org>", "Joe <joe.doe_1@example.org>", "see <https://example.org/?a=b> x",
        "<mailto:joe@example.org>",
        "#include <stdio.h>", "#include <sys/stat.h> x", "a List<System.String> b", "run <a.out> or <main.c>",
        "Use <time.h> and <map.h>",
        "<script.js> and <style.css> are gone", "<title.txt>",
    ])
    func keepsAddressesAndFilesBetweenAngleBrackets(_ text: String) {
        #expect(PlainText.text(html: text.replacing("&", with: "&amp;")) == text)
        #expect(read(title: text) == text)
    }

    @Test(arguments: [
        ("a<o:p>b</o:p>", "ab"), ("a<img/alt='b.c'>d", "a b.c d"), ("a<i/class='x.y'>b</i>", "ab"),
        ("a<my-x title=b.c>b</my-x>", "ab"), ("a<i\tid=a@b>b</i>", "ab"), ("a<new/>b", "ab"),
        ("a<br.>b", "a\nb"), ("a<p.MsoNormal>b</p.>", "a\nb"), ("a<td.>b", "a b"),
        ("a<foo/bar=\"x.y\">b", "ab"), ("a<my-el.v2 x=1>b", "ab"),
    ])
    func takesForTagsWhatHasSuchInItsAttributes(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("Array<Int>", "Array<Int>"), ("Map<String, List<T>> &amp; more", "Map<String, List<T>> & more"),
        ("<i>Title</i> of <u>it</u>", "Title of it"), ("use <br> here", "use here"),
        ("#include <vector>", "#include <vector>"),
        ("<script> explained", "<script> explained"), ("a <style> & a <script src=x>", "a <style> & a <script src=x>"),
        ("a<script>x</script>b", "ab"), ("<video> and <audio>", "and"), ("5 &lt; 6", "5 < 6"),
        ("<b>unclosed", "unclosed"), ("a<b", "a<b"),
        ("Array<UnsafeMutableRawBufferPointer>", "Array<UnsafeMutableRawBufferPointer>"),
    ])
    func keepsForeignElementsInTitles(_ title: String, _ line: String) {
        #expect(read(title: title) == line)
    }

    @Test(arguments: [
        ("日本語のとても長い題名です", 6, "日本語のと…"), ("日本 語の とても", 6, "日本 語の…"), ("🇩🇪🇫🇷🇮🇹🇪🇸", 3, "🇩🇪🇫🇷…"),
        ("👍🏽👍🏽👍🏽", 2, "👍🏽…"), ("नमस्ते दुनिया", 3, "नम…"), ("one two", 7, "one two"), ("one two", 6, "one…"),
        ("one two", 4, "one…"), ("one  two", 5, "one…"), ("a b", 1, "…"), ("", 5, ""), ("x", 1, "x"), ("xy", 1, "…"),
        ("a\r\nbcdef", 3, "a…"), ("abc\u{301}def", 4, "abc\u{301}…"), ("abcd\u{301}ef", 4, "abc…"),
        ("abc\r\nd", 4, "abc…"), ("abcdefgh ij", 10, "abcdefgh…"), ("a bcdefghijk", 10, "a bcdefgh…"), ("x", -1, ""),
    ])
    func cutsOnCharactersAndWords(_ text: String, _ limit: Int, _ cut: String) {
        #expect(PlainText.cut(text, to: limit) == cut)
    }

    @Test func neverCutsBeyondItsLimitNorWithinACharacter() {
        let parts = ["a", " ", "語", "👨‍👩‍👧", "e\u{301}", "\n", "word", "🇩🇪"]
        var numbers = SeededNumbers(seed: 4)
        for _ in 0..<300 {
            let count = Int.random(in: 0...20, using: &numbers)
            let text = (0..<count).map { _ in parts.randomElement(using: &numbers) ?? "" }.joined()
            for limit in 0...12 {
                let cut = PlainText.cut(text, to: limit)
                #expect(cut.count <= limit)
                let head = cut.hasSuffix("…") ? cut.dropLast() : cut[...]
                #expect(zip(head, text).allSatisfy { $0 == $1 })
            }
        }
    }

    @Test(arguments: [
        ("<pre>a\n  b</pre>", "a\nb"), ("a\nb<pre>c\r\n\n\td</pre>e\nf", "a b\nc\nd\ne f"),
        ("<pre><code>a = 1\nb = 2</code></pre>", "a = 1\nb = 2"),
        ("<pre>a\nb<pre>c\nd</pre>e\nf</pre>g\nh", "a\nb\nc\nd\ne\nf\ng h"),
        ("</pre>a\nb", "a b"), ("<pre>a\nb", "a\nb"), ("<pre>a<![CDATA[b\nc]]></pre>", "ab\nc"),
        ("<prefix>a\nb</prefix>", "a b"),
    ])
    func keepsTheLinesOfPreformattedText(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
        #expect(!PlainText.line(html: html).contains("\n"))
    }

    /// An address within a text says little, and the notification has the item's own.
    @Test(arguments: [
        ("see <a href='https://e.org/x'>here</a>", "see here"), ("a <a href='https://e.org/x'></a> b", "a b"),
        ("<a href='https://e.org/x'><img src=y></a>", ""), ("<a href='https://e.org/x'><img src=y alt=Map></a>", "Map"),
        ("<a href='https://e.org/x'>https://e.org/x</a>", "https://e.org/x"),
    ])
    func tellsLinksByTheirTextAlone(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("<img src=x alt='A map'/>See", "A map See"), ("see<img alt=map>", "see map"),
        ("<img alt=one><img alt=two>", "one two"), ("f(<img alt=x>), <img alt=y>.", "f(x), y."),
        ("great<img alt='😀'>!", "great😀!"),
        ("“<img alt=Acme>” and <img alt=Acme>'s", "“Acme” and Acme's"), ("50<img alt=percent>%", "50 percent%"),
        ("「<img alt=图>」，看<img alt=图片>。", "「图」，看 图片。"), ("<img alt=map>…", "map…"),
        ("end.<img alt='A map'>\n<p>Next</p>", "end. A map\nNext"),
    ])
    func aPictureIsNoPartOfTheWordBesideIt(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("<video controls><source src=x>No <b>video</b> here.</video><p>Watch</p>", "Watch"),
        ("a<audio>no</audio>b", "a b"), ("a<canvas>no</canvas>, b", "a, b"), ("a<object><p>no</p></object >b", "a b"),
        ("a<iframe src=x />b", "a b"), ("a<iframe src=x>b<p>c", "a b\nc"), ("a<video>b<audio>no</audio>c", "a b c"),
        ("a<VIDEO>no</Video>b</video>c", "a b c"), ("</video>a", "a"),
        ("<iframe src=http://e.org/>no</iframe>a", "a"), ("a<iframe/>b", "a b"),
        ("a<object><object><p>no</p></object></object>b<object>no</object>", "a b"),
        ("The <canvas> thing, about <canvas> and its </canvas> end tag", "The thing, about and its end tag"),
        ("a<iframe src=\"x\"/>b<iframe src='y'>no</iframe>c", "a b c"),
        ("a<iframe src='x'/>b<iframe>no</iframe>c", "a b c"),
    ])
    func whatStandsForAFilmIsNotForThoseWhoReadAboutIt(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("<ul><li><p>x</p></li></ul>", "• x"),
        ("<ul><li>\n<p>x</p>\n</li>\n<li><div><p>y</div></li></ul>z", "• x\n• y\nz"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "• a\nb"),
        ("<ol><li><p>a</p></li><li>\n<p>b</p></li></ol>", "1. a\n2. b"),
        ("<ul><li><p>a</p><ol><li><p>b</p></li></ol></li><li><p>c</p></ul>", "• a\n1. b\n• c"),
        ("<ul><li><p></p></li><li>x</ul>", "•\n• x"), ("<ul><li><pre>a\nb</pre></ul>", "• a\nb"),
        ("<ul><li></ul><p>x</p>", "•\nx"), ("<ul><li><ul><li>x</ul></ul>", "•\n• x"),
    ])
    func blocksWithinAListItemStandAtItsBullet(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("<ol start=5><li>a<li>b</ol>", "5. a\n6. b"),
        ("<ol start=\"5\"><li>a</li><li value='9'>b</li><li>c</li></ol>", "5. a\n9. b\n10. c"),
        ("<ol start=-1><li>a<li>b<li>c</ol>", "-1. a\n0. b\n1. c"), ("<ol start=x><li>a</ol>", "1. a"),
        ("<ol start=99999999999999999999><li>a</ol>", "1. a"), ("<ul start=5><li value=9>a</ul>", "• a"),
        ("<OL class=x START=3><LI CLASS=y VALUE=4>a</OL>", "4. a"), ("<ol start=><li value>a</ol>", "1. a"),
    ])
    func countsFromWhereTheListSays(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        ("a<script>b</scriptx>c</script>d", "ad"), ("a<script>b</script >c", "ac"), ("a<script>b</SCRIPT\n>c", "ac"),
        ("a<style>b</styles></style/>c", "ac"), ("a<scripty>b</scripty>c", "abc"),
    ])
    func aScriptEndsWithItsOwnTag(_ html: String, _ text: String) {
        #expect(PlainText.text(html: html) == text)
    }

    @Test(arguments: [
        "<", "<p", "<p a=\"", "&#", "&amp", "<!--", "</script", "<script>", "<img alt='", "<a b=c ", "<![CDATA[",
    ])
    func endsOnMuchOfAnything(_ unit: String) {
        let html = String(repeating: unit, count: 200_000 / unit.utf8.count)
        #expect(PlainText.line(html: html).utf8.count <= html.utf8.count)
        #expect(read(title: html)?.utf8.count ?? 0 <= html.utf8.count)
    }

    @Test(arguments: [
        ("<ol><li>a<li>b</ol>c", "1. a\n2. b\nc"), ("<ul><li>a</ul><ol><li>b</ol>", "• a\n1. b"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n• b\n2. c"), ("<ol><li>a</ol></ol><li>b", "1. a\n• b"),
        ("<li>a", "• a"),
    ])
    func listsThatAreCountedAre(html: String, text: String) {
        #expect(PlainText.text(html: html) == text)
    }
}
