import CrierContent
import Foundation
import Testing

@Suite struct FeedLinksOdditiesTests {
    private func urls(_ html: String, url: String = "https://example.org/blog/") -> [String] {
        FeedLinks.find(in: Array(html.utf8), url: url).map(\.url)
    }

    @Test(arguments: [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
        "APPLICATION/RSS+XML",
        " application/rss+xml ", "application/atom+xml;type=feed", "application/rss+xml ; charset=utf-8",
    ])
    func theTypesOfFeedsAreKnown(type: String) {
        #expect(urls("<link rel=alternate type='\(type)' href=f>") == ["https://example.org/blog/f"])
    }

    @Test(arguments: [
        "text/html", "application/json+oembed", "text/css", "application/pdf", "", "rss",
        "application/opensearchdescription+xml",
    ])
    func otherTypesAreNot(type: String) {
        #expect(urls("<link rel=alternate type='\(type)' href=f>").isEmpty)
    }

    @Test(arguments: ["alternate", "ALTERNATE", "alternate feed", "feed", "home\talternate", " alternate "])
    func theRelationMayBeOneOfSeveral(relation: String) {
        #expect(urls("<link rel='\(relation)' type=application/rss+xml href=f>").count == 1)
    }

    @Test(arguments: ["", "self", "stylesheet", "alternates", "alternate-x"])
    func otherRelationsNameNoFeedOfThePage(relation: String) {
        #expect(urls("<link rel='\(relation)' type=application/rss+xml href=f>").isEmpty)
    }

    @Test(arguments: [
        ("f", "https://example.org/blog/f"), ("/f", "https://example.org/f"), ("../f", "https://example.org/f"),
        ("?feed=rss2", "https://example.org/blog/?feed=rss2"), ("//a.org/f", "https://a.org/f"),
        ("http://a.org/f?a=1&amp;b=2", "http://a.org/f?a=1&b=2"), ("\n f \n", "https://example.org/blog/f"),
    ])
    func addressesAreResolved(href: String, url: String) {
        #expect(urls("<link rel=alternate type=application/rss+xml href='\(href)'>") == [url])
    }

    @Test(arguments: [
        "<!-- LINK --><p>none</p>", "<script>var a = \"LINK\";</script>", "<style>/* LINK */</style>",
    ])
    func aLinkThatIsNoElementIsNone(page: String) {
        let link = "<link rel=alternate type=application/rss+xml href=f>"
        #expect(urls(page.replacing("LINK", with: link)).isEmpty)
    }

    @Test func linksInTheBodyCountToo() {
        #expect(
            urls("<html><body><div><link rel=alternate type=application/atom+xml href=/a></div></body></html>").count
                == 1)
    }

    @Test func aBaseWithoutAnAddressIsNone() {
        #expect(
            urls("<base target=_top><base href='https://b.org/x/'><link rel=alternate type=application/rss+xml href=f>")
                == ["https://b.org/x/f"])
    }

    @Test func aPageOfAnotherEncodingIsReadAllTheSame() {
        let html =
            Array("<title>".utf8) + [0xCF, 0xF0]
            + Array("</title><link rel=alternate type=application/rss+xml href=/f>".utf8)
        #expect(FeedLinks.find(in: html, url: "https://example.org/").map(\.url) == ["https://example.org/f"])
    }

    @Test func aNULEndsNoPage() {
        #expect(
            urls("<html>\0<head><link rel=alternate type=application/rss+xml href=/f></head>")
                == ["https://example.org/f"])
    }

    @Test(arguments: [String.Encoding.utf8, .utf16])
    func aPageMadeToWasteTimeNamesNone(encoding: String.Encoding) throws {
        let link = "<link rel=alternate type=application/rss+xml href=/f>"
        let tag = "<a " + (0..<100_000).map { "a\($0)" }.joined(separator: " ") + ">x</a>"
        func urls(_ page: String) throws -> [String] {
            FeedLinks.find(in: Array(try #require(page.data(using: encoding))), url: "https://e.org/").map(\.url)
        }
        #expect(try urls(link) == ["https://e.org/f"])
        #expect(try urls(link + tag).isEmpty)
    }

    @Test func manyLinksOfAPageKeepTheirOrder() {
        let page = (0..<200).map { "<link rel=alternate type=application/rss+xml href=/\($0)>" }.joined()
        #expect(urls(page) == (0..<200).map { "https://example.org/\($0)" })
        let tooMany = (0..<300).map { "<link rel=alternate type=application/rss+xml href=/\($0)>" }.joined()
        #expect(urls(tooMany) == (0..<256).map { "https://example.org/\($0)" })
        let long =
            "<link rel=alternate type=application/rss+xml href=/\(String(repeating: "a", count: ContentBounds.url))>"
        #expect(urls(long + "<link rel=alternate type=application/rss+xml href=/f>") == ["https://example.org/f"])
    }
}
