import CrierContent
import Testing

/// Which of several elements that tell the same is believed.
@Suite struct FeedsPrecedenceTests {
    @Test(arguments: [
        ["title", "dc:title", "media:title", "itunes:title"]
    ])
    func titles(names: [String]) throws {
        for best in names.indices {
            let elements = names[best...].map { "<\($0)>\($0)</\($0)>" }
            #expect(try rssItem(elements.joined())?.bare == ContentItem(title: names[best]))
            #expect(try rssItem(elements.reversed().joined())?.bare == ContentItem(title: names[best]))
        }
    }

    @Test(arguments: [
        [
            "description", "dc:description", "dcterms:abstract", "content:encoded", "itunes:summary",
            "media:description", "itunes:subtitle",
        ]
    ])
    func summaries(names: [String]) throws {
        for best in names.indices {
            let elements = names[best...].map { "<\($0)>\($0)</\($0)>" }
            // Content that is not the summary is there all the same.
            let content = best < 3 ? "content:encoded" : nil
            let expected = ContentItem(summary: names[best], content: content)
            #expect(try rssItem(elements.joined())?.bare == expected)
            #expect(try rssItem(elements.reversed().joined())?.bare == expected)
        }
    }

    @Test(arguments: [["pubDate", "dcterms:issued", "dc:date", "dcterms:available", "dcterms:created"]])
    func publicationDates(names: [String]) throws {
        for best in names.indices {
            let later = names[best...].dropFirst().map { "<\($0)>2001-01-01T00:00:00Z</\($0)>" }
            let own = "<\(names[best])>2025-01-06T12:00:00Z</\(names[best])>"
            #expect(try rssItem(([own] + later).joined())?.bare == ContentItem(published: epiphany))
            #expect(try rssItem((later + [own]).joined())?.bare == ContentItem(published: epiphany))
        }
    }

    @Test func identifiers() throws {
        let other = "<dc:identifier>dc</dc:identifier>"
        #expect(try rssItem(other)?.bare == ContentItem(declaredIdentifier: "dc"))
        #expect(try rssItem(other + "<guid>own</guid>")?.bare == ContentItem(declaredIdentifier: "own"))
        #expect(
            try rssItem(other + "<atom:id>atom</atom:id>")?.bare == ContentItem(declaredIdentifier: "atom"))
    }

    @Test(arguments: [
        ("<description>&lt;p>&lt;/p></description><content:encoded>all</content:encoded>", "all"),
        ("<content:encoded>all</content:encoded><description>&lt;br></description>", "all"),
        ("<content:encoded/><itunes:summary>s</itunes:summary>", "s"),
        ("<description>one</description><description>two</description>", "one"),
        ("<description/><description>two</description>", "two"),
    ])
    func aTextThatShowsNothingLeavesRoomForAnother(elements: String, summary: String) throws {
        #expect(try rssItem(elements)?.bare == ContentItem(summary: summary))
    }

    @Test(arguments: ["&#x200F;&#x200E;", "&#x200B;", "&#xFEFF; &#x2060;", "&#x3000;"])
    func aTitleOfWhichNothingIsSeenIsNone(title: String) throws {
        #expect(try rssItem("<title>\(title)</title><description>s</description>")?.bare == ContentItem(summary: "s"))
    }

    @Test func aNameOfWhichNothingIsSeenIsNone() throws {
        let item = try rssItem(
            "<title>t</title><author>&#x200B;</author><category>&#x200B;</category><category>c</category>")
        #expect(item?.bare == ContentItem(title: "t", categories: ["c"]))
        let entry = try atomEntry("<id>1</id><source><author><name>&#x200B;</name></author></source>")
        #expect(entry?.bare == ContentItem(declaredIdentifier: "1"))
    }

    @Test(
        arguments: [
            ("<dc:creator>Ada</dc:creator><itunes:author>Show</itunes:author>", ["Ada"]),
            ("<itunes:author>Show</itunes:author><itunes:author>Other</itunes:author>", ["Show"]),
            ("<dc:creator>Ada</dc:creator><author>Bo</author>", ["Ada", "Bo"]),
            ("<atom:author><atom:name>Ada</atom:name></atom:author>", ["Ada"]),
            ("<atom:author><atom:name>Ada</atom:name></atom:author><author>Bo</author>", ["Bo"]),
            (
                "<itunes:author>Show</itunes:author><atom:author><atom:name>Ada</atom:name></atom:author>"
                    + "<atom:author><atom:name>Bo</atom:name></atom:author>",
                ["Ada", "Bo"]
            ),
        ] as [(String, [String])])
    func authors(elements: String, authors: [String]) throws {
        #expect(try rssItem(elements)?.bare == ContentItem(authors: authors))
    }

    @Test(
        arguments: [
            ("<media:content url=\"/a\"/><enclosure url=\"/b\"/>", ["/a", "/b"]),
            ("<media:content url=\"/a\"><media:thumbnail url=\"/t\"/></media:content>", ["/a", "/t"]),
            (
                "<media:group><media:content url=\"/a\"/><media:group/></media:group><media:content url=\"/b\"/>",
                ["/a", "/b"]
            ),
            ("<media:content><media:title>t</media:title></media:content>", []),
            ("<media:content url=\"/a\" fileSize=\"-3\"/>", ["/a"]), ("<media:player url=\"/p\"/>", []),
            ("<atom:link rel=\"enclosure\" href=\"/e\"/><enclosure url=\"/e\"/>", ["/e"]),
        ] as [(String, [String])])
    func attachments(elements: String, paths: [String]) throws {
        let files = try #require(try rssItem(elements)).attachments
        #expect(files == paths.map { ContentAttachment(url: "https://example.org" + $0) })
    }
}
