import CrierContent
import CrierTesting
import Foundation
import Testing

/// What a hostile document would like to do.
@Suite struct FeedsSafetyTests {
    /// A file with a word in it that nothing but the file has.
    private func withSecret(_ body: (_ url: String, _ word: String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let word = "secret" + UUID().uuidString
        try folder.write(word, to: "secret.txt")
        try body("file://\(folder.file("secret.txt"))", word)
    }

    private func item(_ declarations: String, _ title: String) -> String {
        "<!DOCTYPE rss [\(declarations)]><rss><channel><item><guid>1</guid><title>\(title)</title></item></channel></rss>"
    }

    @Test func noEntityReadsAFile() throws {
        try withSecret { url, word in
            for feed in [
                item("<!ENTITY x SYSTEM \"\(url)\">", "[&x;]"), item("<!ENTITY x PUBLIC \"-//a\" \"\(url)\">", "[&x;]"),
                item("<!ENTITY % x SYSTEM \"\(url)\"> %x;", "[&x;]"),
                item("<!ENTITY % x SYSTEM \"\(url)\"><!ENTITY % y \"<!ENTITY z '&#37;x;'>\"> %y;", "[&z;]"),
                item("<!ENTITY inner SYSTEM \"\(url)\"><!ENTITY x \"&inner;\">", "[&x;]"),
            ] {
                let content = try decodeFeed(feed)
                #expect(content.items.count == 1)
                #expect(!String(describing: content).contains(word))
            }
        }
    }

    @Test func noDocumentTypeIsLoaded() throws {
        try withSecret { url, _ in
            try Data("<!ENTITY x \"loaded\">".utf8).write(to: try #require(URL(string: url)))
            for kind in ["SYSTEM", "PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\""] {
                let content = try decodeFeed(
                    "<!DOCTYPE rss \(kind) \"\(url)\"><rss><channel><item><title>[&x;]</title></item></channel></rss>")
                #expect(content.items.count == 1)
                #expect(content.items.first?.title?.contains("loaded") == false)
            }
        }
    }

    @Test func nothingIsIncludedFromElsewhere() throws {
        try withSecret { url, word in
            let content = try decodeFeed(
                """
                <?xml-stylesheet type="text/xsl" href="\(url)"?><rss xmlns:xi="http://www.w3.org/2001/XInclude"><channel>
                <item><description>a<xi:include href="\(url)" parse="text"/></description></item></channel></rss>
                """)
            #expect(content.items.map(\.summary) == ["a"])
            #expect(!String(describing: content).contains(word))
        }
    }

    /// Whatever becomes of it, it stays small.
    @Test(arguments: ["&a9;", "&a9;&a9;&a9;", "x&a8;y"])
    func laughsStayBounded(title: String) {
        let levels = (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }
        let content = try? decodeFeed(item("<!ENTITY a0 \"lol\">" + levels.joined(), title))
        #expect(String(describing: content).utf8.count < 10_000_000)
    }

    /// libxml2 ends the document there.
    @Test func anAttributeOfTenMillionBytesHidesNoItem() throws {
        let long = String(repeating: "x", count: 10_000_100)
        let content = try decodeFeed(
            "<rss><channel><image url='data:\(long)'/><item><title>a</title></item></channel></rss>")
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test func laughsInAnAttributeStayBounded() {
        let levels = (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }
        let content = try? decodeFeed(
            "<!DOCTYPE feed [<!ENTITY a0 \"lol\">\(levels.joined())]><feed><entry><category term=\"&a9;\"/></entry></feed>"
        )
        #expect(String(describing: content).utf8.count < 10_000_000)
    }

    /// Elements of which each is small enough, and all together are not.
    @Test(arguments: ["<enclosure url=\"%\"/>", "<category domain=\"%\">x</category>"])
    func aLongEntityInManyAttributesIsRefused(element: String) {
        let references = element.replacing("%", with: String(repeating: "&a;", count: 50))
        let feed =
            "<!DOCTYPE rss [<!ENTITY a \"\(String(repeating: "x", count: 50_000))\">]><rss><channel><item>"
            + String(repeating: references, count: 100) + "</item></channel></rss>"
        #expect { try decodeFeed(feed) } throws: { ($0 as? ContentError)?.kind == .tooLarge }
    }

    @Test func aLongEntityInManyOutlinesIsRefused() {
        let references = String(repeating: "&a;", count: 50)
        let list =
            "<!DOCTYPE opml [<!ENTITY a \"\(String(repeating: "x", count: 50_000))\">]><opml><body>"
            + String(repeating: "<outline xmlUrl=\"\(references)\"/>", count: 100) + "</body></opml>"
        #expect(throws: (any Error).self) {
            try SubscriptionList(opml: ContentDocument(body: Array(list.utf8), url: ""))
        }
    }

    @Test(arguments: [
        "<!ENTITY x \"&x;\">", "<!ENTITY x \"&y;\"><!ENTITY y \"&x;\">", "<!ENTITY x \"a&y;b&y;\"><!ENTITY y \"&x;\">",
    ])
    func anEntityOfItselfEnds(declarations: String) {
        let content = try? decodeFeed(item(declarations, "[&x;]"))
        #expect(String(describing: content).utf8.count < 10_000)
    }

    @Test func anEntityMayHoldElements() throws {
        let content = try decodeFeed(
            "<!DOCTYPE rss [<!ENTITY i \"<item><title>a</title></item>\">]><rss><channel>&i;&i;</channel></rss>")
        #expect(content.items.map(\.title) == ["a", "a"])
    }

    @Test func whatHTMLNamesIsTextInAttributesToo() throws {
        let link = "<link rel='alternate' href='https://h.example/?a=1&AMP;b&LT;&hellip;&unknown;'/>"
        let linked = try decodeFeed("<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>\(link)</entry></feed>")
        #expect(linked.items.first?.url?.hasPrefix("https://h.example/?a=1&b") == true, "\(linked.items)")
        // The name of two characters that begin with a bracket.
        let item = "<item><category domain='x&nvlt;y&nvlt;'>c</category><title>Q&amp;A &hellip; &lt;3</title></item>"
        #expect(try decodeFeed("<rss><channel>\(item)</channel></rss>").items.map(\.title) == ["Q&A … <3"])
    }

    @Test func entitiesMayRenameWhatHTMLNames() throws {
        let content = try decodeFeed(item("<!ENTITY nbsp \"own\">", "[&nbsp;]"))
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "[own]")])
    }

    @Test(arguments: [300, 5_000, 100_000])
    func elementsOfAnyDepthComeToAnEnd(depth: Int) throws {
        let open = String(repeating: "<a>", count: depth)
        let close = String(repeating: "</a>", count: depth)
        let content = try decodeFeed("<rss><channel><item><guid>1</guid><x>\(open)\(close)</x></item></channel></rss>")
        #expect(content.items.map(\.declaredIdentifier) == ["1"])
    }

    @Test func manyNamespacesComeToAnEnd() throws {
        let tags = (0..<200).map { tag in
            "<x " + (0..<100).map { "xmlns:n\(tag)x\($0)=\"urn:\($0)\"" }.joined(separator: " ") + "/>"
        }
        let content = try decodeFeed(
            "<rss><channel>\(tags.joined())<item><guid>1</guid></item></channel></rss>")
        #expect(content.items.map(\.declaredIdentifier) == ["1"])
    }

    @Test func defaultAttributesOfADocumentTypeAreNone() throws {
        let content = try decodeFeed(item("<!ATTLIST item rdf:about CDATA \"urn:given\">", "a"))
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "a")])
    }
}
