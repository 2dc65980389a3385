import CrierContent
import Testing

@Suite struct FeedsModuleTests {
    @Test func itemsOfRDFStandBesideTheChannel() throws {
        let content = try decodeFeed(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
              xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
            <channel rdf:about="https://example.org/"><title>RDF</title><link>https://example.org/</link>
              <sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
              <items><rdf:Seq><rdf:li rdf:resource="https://example.org/1"/></rdf:Seq></items></channel>
            <item rdf:about="https://example.org/1"><title>One</title><dc:creator>Ada</dc:creator>
              <dc:date>2025-01-06T12:00:00Z</dc:date><dc:subject>news</dc:subject></item>
            </rdf:RDF>
            """)
        #expect(content.format == .rdf)
        #expect(content.title == "RDF")
        #expect(content.homeURL == "https://example.org/")
        #expect(content.hints.interval == .seconds(21_600))
        let item = try #require(content.items.first)
        #expect(content.items.count == 1)
        #expect(item.declaredIdentifier == "https://example.org/1")
        #expect(item.url == "https://example.org/1")
        #expect(item.published == epiphany)
        #expect(item.authors == ["Ada"])
        #expect(item.categories == ["news"])
    }

    @Test func theFirstVersionOfRSSIsRead() throws {
        let content = try decodeFeed(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
              xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>Old</title></channel>
            <item><title>a</title><link>https://example.org/a</link></item></rdf:RDF>
            """)
        #expect(content.items.map(\.url) == ["https://example.org/a"])
    }

    @Test func mediaGroupsGiveAttachmentsAndStandInForText() throws {
        let item = try #require(
            try rssItem(
                """
                <media:group><media:title type="plain">A film &amp; more</media:title>
                <media:description>About it</media:description>
                <media:content url="/film.mp4" type="video/mp4" fileSize="77"><media:thumbnail url="/small.jpg"/></media:content>
                <media:content url="/film.mp4" type="video/mp4"/></media:group>
                """))
        #expect(item.title == "A film & more")
        #expect(item.summary == "About it")
        #expect(
            item.attachments == [
                ContentAttachment(url: "https://example.org/film.mp4", type: "video/mp4", length: 77),
                ContentAttachment(url: "https://example.org/small.jpg"),
            ])
    }

    @Test func podcastsNameTheirAuthorsTwice() throws {
        #expect(try rssItem("<itunes:author>Show</itunes:author><author>Ada</author>")?.authors == ["Ada"])
        #expect(try rssItem("<itunes:author>Show</itunes:author><title>t</title>")?.authors == ["Show"])
    }

    @Test func anAuthorIsNamedOnce() throws {
        let item = try rssItem("<author>a@b.org (Ada)</author><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator>")
        #expect(item?.authors == ["Ada", "Bo"])
        #expect(try rssItem("<author>a@b.org</author>")?.authors == ["a@b.org"])
        #expect(try rssItem("<author><name>Ada</name><email>a@b.org</email></author>")?.authors == ["Ada"])
    }

    @Test func termsTellWhenAnItemChanged() throws {
        let item = try rssItem(
            "<dcterms:issued>2025-01-06T12:00:00Z</dcterms:issued><dcterms:modified>2025-01-06T12:00:00Z</dcterms:modified>"
        )
        #expect(item?.published == epiphany)
        #expect(item?.updated == epiphany)
    }

    @Test func undeclaredPrefixesMeanWhatTheyUsuallyDo() throws {
        let content = try decodeFeed(
            """
            <rss><channel><item><dc:creator>Ada</dc:creator><content:encoded>Text</content:encoded>
            <media:content url="https://example.org/a.png"/></item></channel></rss>
            """)
        #expect(content.items.first?.authors == ["Ada"])
        #expect(content.items.first?.summary == "Text")
        #expect(content.items.first?.attachments.count == 1)
    }

    @Test(arguments: [
        "http://www.itunes.com/DTDs/Podcast-1.0.dtd", "https://www.itunes.com/dtds/podcast-1.0.dtd",
        " http://www.itunes.com/dtds/podcast-1.0.dtd ",
    ])
    func namespacesAreKnownInTheirVariants(uri: String) throws {
        let content = try decodeFeed(
            "<rss xmlns:pod=\"\(uri)\"><channel><item><pod:title>t</pod:title></item></channel></rss>")
        #expect(content.items.map(\.title) == ["t"])
    }

    @Test func anXHTMLBodyIsTheSummary() throws {
        let item = try rssItem("<body xmlns=\"http://www.w3.org/1999/xhtml\"><p>One</p><p>Two &lt;3</p></body>")
        #expect(item?.summary?.split(separator: "\n").map(String.init) == ["One", "Two <3"])
    }
}
