import CrierContent
import Testing

@Suite struct FeedsNamespaceTests {
    private func titles(_ feed: String) throws -> [String?] { try decodeFeed(feed).items.map(\.title) }

    @Test(arguments: [
        "http://www.w3.org/2005/Atom", "http://www.w3.org/2005/Atom/", "http://www.w3.org/2005/atom",
        "www.w3.org/2005/Atom",
        "https://www.w3.org/2005/Atom", "http://w3.org/2005/Atom#", "http://purl.org/atom/ns#",
        "http://purl.org/atom/ns",
        "http://purl.org/atom/ns#draft-ietf-atompub-format-05", "http://example.com/my-atom", "",
    ])
    func atomIsAtomUnderEveryName(uri: String) throws {
        let content = try decodeFeed("<feed xmlns=\"\(uri)\"><entry><id>1</id><title>a</title></entry></feed>")
        #expect(content.format == .atom)
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "a")])
    }

    @Test(arguments: [
        "http://backend.userland.com/rss2", "http://backend.userland.com/RSS091",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://cyber.law.harvard.edu/rss/", "http://purl.org/rss/1.0/", "http://purl.org/net/rss1.1#",
        "http://www.rssboard.org/rss-specification", "http://channel.netscape.com/rdf/simple/0.9/", "urn:anything",
    ])
    func aDefaultNamespaceOnRSSChangesNothing(uri: String) throws {
        let content = try decodeFeed(
            """
            <rss version="2.0" xmlns="\(uri)"><channel><title>t</title><ttl>1</ttl>
            <item><title>a</title><guid>g</guid><enclosure url="/e"/></item></channel></rss>
            """)
        #expect(content.format == .rss)
        #expect(content.title == "t")
        #expect(content.hints.interval == .seconds(60))
        #expect(
            content.bareItems == [
                ContentItem(
                    declaredIdentifier: "g", title: "a",
                    attachments: [ContentAttachment(url: "https://example.org/e")])
            ])
    }

    @Test func atomAsTheDefaultNamespaceOfRSSLeavesItsItemsReadable() throws {
        let content = try decodeFeed(
            """
            <rss version="2.0" xmlns="http://www.w3.org/2005/Atom"><channel><title>t</title>
            <item><title>a</title><link>https://a.org/1</link><guid isPermaLink="false">g</guid></item></channel></rss>
            """)
        #expect(content.format == .rss)
        #expect(content.title == "t")
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "g", title: "a", url: "https://a.org/1")])
    }

    @Test func rssMayHaveAPrefix() throws {
        let content = try decodeFeed(
            """
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://purl.org/rss/1.0/"><x:channel>
            <x:title>t</x:title></x:channel><x:item r:about="urn:1"><x:title>a</x:title></x:item></r:RDF>
            """)
        #expect(content.format == .rdf)
        #expect(content.title == "t")
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "urn:1", title: "a")])
    }

    @Test func aPrefixMeansWhatItIsDeclaredToMean() throws {
        // The customary prefixes, turned round.
        let content = try decodeFeed(
            """
            <rss xmlns:media="http://purl.org/dc/elements/1.1/" xmlns:dc="http://search.yahoo.com/mrss/"><channel>
            <item><media:creator>Ada</media:creator><dc:content url="/a.png"/></item></channel></rss>
            """)
        #expect(
            content.bareItems == [
                ContentItem(
                    authors: ["Ada"], attachments: [ContentAttachment(url: "https://example.org/a.png")],
                    image: "https://example.org/a.png")
            ])
    }

    @Test func aPrefixMayBeDeclaredWhereItIsUsed() throws {
        let content = try decodeFeed(
            """
            <rss><channel><item><d:creator xmlns:d="http://purl.org/dc/elements/1.1/">Ada</d:creator>
            <d:creator xmlns:d="urn:other">Eve</d:creator></item></channel></rss>
            """)
        #expect(content.items.map(\.authors) == [["Ada"]])
    }

    @Test func aDefaultNamespaceMayChangeOnTheWay() throws {
        let content = try decodeFeed(
            """
            <rss><channel><item><title>a</title><id xmlns="http://www.w3.org/2005/Atom">urn:1</id>
            <title xmlns="http://search.yahoo.com/mrss/">media</title></item></channel></rss>
            """)
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "urn:1", title: "a")])
    }

    @Test(arguments: ["foaf", "geo", "thr", "slash", "wfw", "georss", "podcast", "x"])
    func elementsOfOtherNamespacesAreNotTheItems(prefix: String) throws {
        let markup =
            "<item><title>a</title><\(prefix):title>b</\(prefix):title><\(prefix):link>/b</\(prefix):link></item>"
        let declared = "<rss xmlns:\(prefix)=\"urn:unheard-of:\(prefix)\"><channel>\(markup)</channel></rss>"
        #expect(try decodeFeed(declared).bareItems == [ContentItem(title: "a")])
        #expect(try decodeFeed("<rss><channel>\(markup)</channel></rss>").bareItems == [ContentItem(title: "a")])
    }

    @Test(arguments: [
        "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/", "http://purl.org/dc/elements/1.1",
        "https://purl.org/dc/elements/1.1/", "http://purl.org/dc/", "HTTP://PURL.ORG/DC/ELEMENTS/1.1/",
        "http://purl.org/dc/terms/",
    ])
    func dublinCoreIsKnownInItsVersions(uri: String) throws {
        let content = try decodeFeed(
            "<rss xmlns:q=\"\(uri)\"><channel><item><q:creator>Ada</q:creator><q:subject>s</q:subject></item></channel></rss>"
        )
        #expect(content.bareItems == [ContentItem(authors: ["Ada"], categories: ["s"])])
    }

    @Test(arguments: [
        "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "http://search.yahoo.com/mrss//",
        "http://www.rssboard.org/media-rss", "https://search.yahoo.com/mrss/",
    ])
    func mediaRSSIsKnownInItsVariants(uri: String) throws {
        let content = try decodeFeed(
            "<rss xmlns:q=\"\(uri)\"><channel><item><q:thumbnail url=\"/t.jpg\"/></item></channel></rss>")
        #expect(content.items.map(\.attachments) == [[ContentAttachment(url: "https://example.org/t.jpg")]])
    }

    @Test func capitalsAreNoOtherElements() throws {
        let content = try decodeFeed(
            """
            <FEED XMLNS="http://www.w3.org/2005/Atom"><TITLE>T</TITLE><ENTRY><ID>1</ID><TITLE>A</TITLE>
            <LINK HREF="/a"/><CATEGORY TERM="c"/><AUTHOR><NAME>Ada</NAME></AUTHOR></ENTRY></FEED>
            """)
        #expect(content.title == "T")
        #expect(
            content.bareItems == [
                ContentItem(
                    declaredIdentifier: "1", title: "A", url: "https://example.org/a", authors: ["Ada"],
                    categories: ["c"])
            ])
    }

    @Test func moreNamesThanAreRememberedAreStillTold() throws {
        let strange = (0..<2000).map { "<x\($0)/>" }.joined()
        let content = try decodeFeed(
            "<rss><channel><item><title>a</title>\(strange)<guid>1</guid></item><item><title>b</title></item></channel></rss>"
        )
        #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "a"), ContentItem(title: "b")])
    }
}
