import CrierContent
import Testing

@Suite struct FeedLinksTests {
    private func links(_ html: String, url: String = "https://example.org/blog/") -> [FeedLink] {
        FeedLinks.find(in: Array(html.utf8), url: url)
    }

    @Test func theFeedsOfAPageAreFoundInItsOrder() {
        let found = links(
            """
            <!doctype html><html><head><title>t</title><link rel="stylesheet" href="/a.css">
            <link rel="alternate" type="application/rss+xml" title="Posts &amp; notes" href="feed.xml">
            <LINK REL="Alternate Home" TYPE="Application/Atom+XML; charset=utf-8" HREF=" /atom ">
            <link rel=alternate type=application/feed+json href=//cdn.example.org/feed.json title="">
            <link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" type="application/rss+xml">
            </head><body><p>…</body></html>
            """)
        #expect(
            found == [
                FeedLink(
                    url: "https://example.org/blog/feed.xml", title: "Posts & notes", type: "application/rss+xml"),
                FeedLink(url: "https://example.org/atom", type: "application/atom+xml"),
                FeedLink(url: "https://cdn.example.org/feed.json", type: "application/feed+json"),
            ])
    }

    @Test func theFirstBaseOfThePageCounts() {
        let found = links(
            """
            <head><base href="/deep/"><base href="/other/">
            <link rel="alternate" type="application/rss+xml" href="feed">
            """)
        #expect(found.map(\.url) == ["https://example.org/deep/feed"])
    }

    @Test func anAddressIsNamedOnce() {
        let link = "<link rel=alternate type=application/rss+xml href=/feed>"
        #expect(links(link + link).count == 1)
    }

    @Test(arguments: [
        ("feed://n.example/f", "http://n.example/f"), ("feed:https://n.example/f", "https://n.example/f"),
        ("FEEDS://n.example/f", "https://n.example/f"), ("feed:/f", "https://example.org/f"),
    ])
    func aFeedsOwnSchemeMeansTheWebs(href: String, url: String) {
        #expect(links("<link rel=alternate type=application/rss+xml href='\(href)'>").map(\.url) == [url])
    }

    @Test func titlesMayBeInAnyScript() {
        let found = links("<link rel=alternate type=application/rss+xml href=/f title='日本のニュース'>")
        #expect(found.map(\.title) == ["日本のニュース"])
    }

    @Test(arguments: [
        "", "\u{0}", "<", "<link", "<link rel=alternate type='application/rss+xml' href='", "<html></html>",
    ])
    func aPageWithoutFeedsNamesNone(html: String) {
        #expect(links(html).isEmpty)
    }
}
